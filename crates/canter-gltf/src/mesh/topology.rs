//! Strips, fans and loops become lists: a renderer then has three topologies, not seven.

use super::Topology;

/// The `mode` of a primitive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    Points,
    Lines,
    LineLoop,
    LineStrip,
    Triangles,
    TriangleStrip,
    TriangleFan,
}

impl Mode {
    pub(super) fn parse(code: u64) -> Option<Self> {
        [
            Self::Points,
            Self::Lines,
            Self::LineLoop,
            Self::LineStrip,
            Self::Triangles,
            Self::TriangleStrip,
            Self::TriangleFan,
        ]
        .get(usize::try_from(code).ok()?)
        .copied()
    }

    pub(super) fn topology(self) -> Topology {
        match self {
            Self::Points => Topology::Points,
            Self::Lines | Self::LineLoop | Self::LineStrip => Topology::Lines,
            Self::Triangles | Self::TriangleStrip | Self::TriangleFan => Topology::Triangles,
        }
    }

    /// At most how many indices of a list one index of this mode becomes.
    pub(super) fn growth(self) -> u64 {
        match self {
            Self::Points | Self::Lines | Self::Triangles => 0,
            Self::LineLoop | Self::LineStrip => 2,
            Self::TriangleStrip | Self::TriangleFan => 3,
        }
    }

    /// The indices of the same figure as a list; what does not make a whole triangle or line is left out.
    pub(super) fn to_list(self, mut indices: Vec<u32>) -> Vec<u32> {
        match self {
            Self::Points => indices,
            Self::Lines => {
                indices.truncate(indices.len() / 2 * 2);
                indices
            }
            Self::Triangles => {
                indices.truncate(indices.len() / 3 * 3);
                indices
            }
            Self::LineStrip => lines(&indices),
            Self::LineLoop => match indices.as_slice() {
                [first, .., last] => {
                    let closing = [*last, *first];
                    let mut list = lines(&indices);
                    list.extend(closing);
                    list
                }
                _ => Vec::new(),
            },
            // Every other triangle of a strip is turned, so that all have the same front.
            Self::TriangleStrip => (indices.windows(3).enumerate())
                .flat_map(|(index, w)| if index % 2 == 0 { [w[0], w[1], w[2]] } else { [w[0], w[2], w[1]] })
                .collect(),
            Self::TriangleFan => match indices.split_first() {
                Some((&hub, rim)) => rim.windows(2).flat_map(|w| [w[0], w[1], hub]).collect(),
                None => Vec::new(),
            },
        }
    }
}

fn lines(strip: &[u32]) -> Vec<u32> {
    strip.array_windows::<2>().flatten().copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode_becomes_a_list() {
        for (code, list) in [
            (0, vec![0, 1, 2, 3]),
            (1, vec![0, 1, 2, 3]),
            (2, vec![0, 1, 1, 2, 2, 3, 3, 0]),
            (3, vec![0, 1, 1, 2, 2, 3]),
            (4, vec![0, 1, 2]),
            (5, vec![0, 1, 2, 1, 3, 2]),
            (6, vec![1, 2, 0, 2, 3, 0]),
        ] {
            assert_eq!(Mode::parse(code).unwrap().to_list(vec![0, 1, 2, 3]), list, "mode {code}");
        }
        assert_eq!(Mode::parse(7), None);
    }

    #[test]
    fn too_few_indices_make_nothing() {
        for mode in [Mode::LineLoop, Mode::LineStrip, Mode::Triangles, Mode::TriangleStrip, Mode::TriangleFan]
        {
            assert_eq!(mode.to_list(vec![]), [0; 0], "{mode:?}");
            assert_eq!(mode.to_list(vec![7]), [0; 0], "{mode:?}");
        }
    }
}
