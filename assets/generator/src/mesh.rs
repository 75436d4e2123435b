//! Triangles and the points they share.

use glam::DVec3;

#[derive(Clone, Default)]
pub(crate) struct Mesh {
    pub positions: Vec<DVec3>,
    /// Counter-clockwise seen from outside.
    pub triangles: Vec<[usize; 3]>,
}

impl Mesh {
    /// Keeps the triangles that `keep` approves of, and only the points that these use.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut([DVec3; 3]) -> bool) {
        let positions = &self.positions;
        self.triangles.retain(|corners| keep(corners.map(|corner| positions[corner])));
        let mut new_index = vec![usize::MAX; self.positions.len()];
        let mut kept = Vec::new();
        for corner in self.triangles.iter_mut().flatten() {
            if new_index[*corner] == usize::MAX {
                new_index[*corner] = kept.len();
                kept.push(self.positions[*corner]);
            }
            *corner = new_index[*corner];
        }
        self.positions = kept;
    }
}
