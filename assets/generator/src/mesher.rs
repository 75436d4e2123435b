//! Surface nets: one point per grid cell that the surface crosses, one quad per crossed grid edge.

use glam::DVec3;

use super::mesh::Mesh;
use super::sdf::gradient;

/// An axis-aligned box of space to search for a surface.
#[derive(Clone, Copy)]
pub(crate) struct Region {
    pub low: DVec3,
    pub high: DVec3,
}

/// The surface of `field` within `region`, sampled every `cell` metres.
///
/// The region must hold the surface with a margin of a cell, else the mesh has holes there.
pub(crate) fn mesh_surface(field: &dyn Fn(DVec3) -> f64, region: Region, cell: f64) -> Mesh {
    let grid = Grid::sample(field, region, cell);
    let mut mesh = Mesh::default();
    let mut point_of_cell = vec![usize::MAX; grid.values.len()];
    for corner in grid.cells() {
        if let Some(point) = grid.crossing(corner) {
            point_of_cell[grid.index(corner)] = mesh.positions.len();
            mesh.positions.push(point);
        }
    }
    for corner in grid.cells() {
        let inside = grid.values[grid.index(corner)] < 0.0;
        for axis in 0..3 {
            let (side, other) = ((axis + 1) % 3, (axis + 2) % 3);
            if corner[side] == 0 || corner[other] == 0 {
                continue;
            }
            if inside == (grid.values[grid.index(step(corner, axis))] < 0.0) {
                continue;
            }
            let back = |steps: [usize; 2]| {
                std::array::from_fn(|i| {
                    corner[i] - steps[0] * usize::from(i == side) - steps[1] * usize::from(i == other)
                })
            };
            let around: [[usize; 3]; 4] = [back([0, 0]), back([1, 0]), back([1, 1]), back([0, 1])];
            let mut quad = around.map(|cell| point_of_cell[grid.index(cell)]);
            if !inside {
                quad.reverse();
            }
            mesh.triangles.push([quad[0], quad[1], quad[2]]);
            mesh.triangles.push([quad[0], quad[2], quad[3]]);
        }
    }
    project(&mut mesh.positions, field, cell);
    mesh
}

/// Moves points onto the surface; none moves farther than `reach`, so that edges are not torn.
pub(crate) fn project(points: &mut [DVec3], field: &dyn Fn(DVec3) -> f64, reach: f64) {
    const NEWTON_STEPS: usize = 4;
    const CLOSE_ENOUGH: f64 = 1e-7;
    for point in points {
        let start = *point;
        for _ in 0..NEWTON_STEPS {
            let distance = field(*point);
            if distance.abs() < CLOSE_ENOUGH {
                break;
            }
            let slope = gradient(field, *point, 5e-4);
            if slope.length_squared() < 1e-6 {
                break;
            }
            *point -= slope * (distance / slope.length_squared());
            *point = start + (*point - start).clamp_length_max(reach);
        }
    }
}

struct Grid {
    low: DVec3,
    cell: f64,
    size: [usize; 3],
    values: Vec<f64>,
}

/// Corners per side of a block that is sampled at once.
const BLOCK: usize = 6;
/// Distances are estimates: only beyond twice the block's half diagonal can it hold no surface.
const FAR: f64 = 2.0;

/// All index triples below `size`, the first index running fastest.
fn corners_of(size: [usize; 3]) -> impl Iterator<Item = [usize; 3]> {
    let [sx, sy, sz] = size;
    (0..sx * sy * sz).map(move |i| [i % sx, i / sx % sy, i / (sx * sy)])
}

fn step(corner: [usize; 3], axis: usize) -> [usize; 3] {
    std::array::from_fn(|i| corner[i] + usize::from(i == axis))
}

impl Grid {
    fn sample(field: &dyn Fn(DVec3) -> f64, region: Region, cell: f64) -> Self {
        let counts = ((region.high - region.low) / cell).ceil();
        let size = [counts.x as usize + 1, counts.y as usize + 1, counts.z as usize + 1];
        let count = size[0] * size[1] * size[2];
        let mut grid = Self { low: region.low, cell, size, values: vec![0.0; count] };
        let blocks = size.map(|corners| corners.div_ceil(BLOCK));
        for block in corners_of(blocks) {
            grid.sample_block(field, block.map(|index| index * BLOCK));
        }
        grid
    }

    /// Samples a block of corners, or fills it with its middle's value if the surface is far away.
    fn sample_block(&mut self, field: &dyn Fn(DVec3) -> f64, first: [usize; 3]) {
        let half = DVec3::splat((BLOCK - 1) as f64 * 0.5 * self.cell);
        let middle = field(self.point(first) + half);
        let is_far = middle.abs() > FAR * half.length();
        for offset in corners_of([BLOCK; 3]) {
            let corner = std::array::from_fn(|i| first[i] + offset[i]);
            if (0..3).all(|i| corner[i] < self.size[i]) {
                let index = self.index(corner);
                self.values[index] = if is_far { middle } else { field(self.point(corner)) };
            }
        }
    }

    fn index(&self, corner: [usize; 3]) -> usize {
        (corner[2] * self.size[1] + corner[1]) * self.size[0] + corner[0]
    }

    fn point(&self, corner: [usize; 3]) -> DVec3 {
        self.low + DVec3::new(corner[0] as f64, corner[1] as f64, corner[2] as f64) * self.cell
    }

    fn cells(&self) -> impl Iterator<Item = [usize; 3]> + use<> {
        corners_of(self.size.map(|corners| corners - 1))
    }

    /// Mean of the points where the surface crosses the twelve edges of a cell.
    fn crossing(&self, corner: [usize; 3]) -> Option<DVec3> {
        let mut sum = DVec3::ZERO;
        let mut count = 0.0;
        for axis in 0..3 {
            let (side, other) = ((axis + 1) % 3, (axis + 2) % 3);
            for start in [corner, step(corner, side), step(corner, other), step(step(corner, side), other)] {
                let end = step(start, axis);
                let (a, b) = (self.values[self.index(start)], self.values[self.index(end)]);
                if (a < 0.0) != (b < 0.0) {
                    sum += self.point(start).lerp(self.point(end), a / (a - b));
                    count += 1.0;
                }
            }
        }
        (count > 0.0).then(|| sum / count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sdf::sphere;

    #[test]
    fn a_ball_is_meshed_closed_round_and_facing_outward() {
        let field = |p| sphere(p, DVec3::ZERO, 0.5);
        let region = Region { low: DVec3::splat(-0.6), high: DVec3::splat(0.6) };
        let mesh = mesh_surface(&field, region, 0.07);
        let volume: f64 = mesh
            .triangles
            .iter()
            .map(|t| {
                let [a, b, c] = t.map(|i| mesh.positions[i]);
                a.dot(b.cross(c)) / 6.0
            })
            .sum();
        let ball = 4.0 / 3.0 * std::f64::consts::PI * 0.125;
        assert!((volume - ball).abs() < 0.02 * ball, "{volume} instead of {ball}");
        assert!(mesh.positions.iter().all(|p| (p.length() - 0.5).abs() < 1e-6));
        // Euler: a closed surface without handles.
        assert_eq!(mesh.positions.len() + mesh.triangles.len() - mesh.triangles.len() * 3 / 2, 2);
    }
}
