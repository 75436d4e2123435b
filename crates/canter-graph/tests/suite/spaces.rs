//! Blend spaces: exact at samples, parts of one, without jumps.

use canter_graph::{MethodData, Space, SpaceError};
use canter_testing::random::Random;
use proptest::prelude::*;

const METHODS: [MethodData; 3] = [MethodData::Triangles, MethodData::Cartesian, MethodData::Directional];

fn weights(space: &Space, at: [f32; 2]) -> Vec<f32> {
    let mut weights = vec![f32::NAN; space.samples().len()];
    space.weigh(at, &mut weights);
    weights
}

/// Samples on a grid, each a little off.
fn scattered(random: &mut Random, columns: u8, rows: u8) -> Vec<[f32; 2]> {
    let mut samples = Vec::new();
    for x in 0..columns {
        for y in 0..rows {
            let off = |random: &mut Random| random.between(-0.3, 0.3);
            samples.push([f32::from(x) + off(random) - 1.5, f32::from(y) + off(random) - 1.5]);
        }
    }
    samples
}

#[track_caller]
fn assert_sound(space: &Space, at: [f32; 2]) {
    let weights = weights(space, at);
    assert!(weights.iter().all(|weight| (0.0..=1.0).contains(weight)), "{at:?}: {weights:?}");
    let sum: f32 = weights.iter().sum();
    assert!((sum - 1.0).abs() < 1e-5, "{at:?}: {weights:?}");
}

#[track_caller]
fn assert_exact(space: &Space) {
    for (sample, at) in space.samples().iter().enumerate() {
        let weights = weights(space, *at);
        for (other, weight) in weights.iter().enumerate() {
            assert_eq!(
                *weight,
                if other == sample { 1.0 } else { 0.0 },
                "{sample} {other} {:?}",
                space.samples()
            );
        }
    }
}

proptest! {
    #![proptest_config(canter_testing::cases(200))]

    #[test]
    fn weights_are_exact_at_samples_and_add_up_to_one_everywhere(
        seed: u64,
        columns in 1_u8..6,
        rows in 1_u8..5,
    ) {
        let mut random = Random(seed);
        let samples = scattered(&mut random, columns, rows);
        for method in METHODS {
            let space = Space::plane(&samples, method).unwrap();
            assert_exact(&space);
            for _ in 0..50 {
                assert_sound(&space, [random.between(-6.0, 6.0), random.between(-6.0, 6.0)]);
            }
            for at in [[f32::MAX, f32::MIN], [0.0, 0.0], [f32::NAN, f32::INFINITY], [1e30, -1.0]] {
                assert_sound(&space, at);
            }
        }
    }

    #[test]
    fn weights_change_without_jumps(seed: u64, columns in 2_u8..6, rows in 2_u8..5) {
        let mut random = Random(seed);
        let samples = scattered(&mut random, columns, rows);
        for method in METHODS {
            let space = Space::plane(&samples, method).unwrap();
            for _ in 0..100 {
                let at = [random.between(-4.0, 4.0), random.between(-4.0, 4.0)];
                assert_no_jump(&space, at, [random.between(-1.0, 1.0), random.between(-1.0, 1.0)]);
            }
        }
    }

    #[test]
    fn a_line_is_exact_and_continuous(places in prop::collection::btree_set(-100_i8..100, 1..12), at: f32) {
        let places: Vec<f32> = places.into_iter().map(f32::from).rev().collect();
        let space = Space::line(&places).unwrap();
        assert_exact(&space);
        assert_sound(&space, [at, 0.0]);
        assert!(weights(&space, [at, 0.0]).iter().filter(|weight| **weight > 0.0).count() <= 2);
    }
}

/// Looks for a jump between two places: what is left of a difference when they come together.
#[track_caller]
fn assert_no_jump(space: &Space, at: [f32; 2], way: [f32; 2]) {
    let place = |part: f64| {
        #[expect(clippy::cast_possible_truncation, reason = "a place is f32")]
        let along = |axis: usize| (f64::from(at[axis]) + f64::from(way[axis]) * part) as f32;
        [along(0), along(1)]
    };
    let difference = |a: f64, b: f64| {
        let (a, b) = (weights(space, place(a)), weights(space, place(b)));
        a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
    };
    let (mut from, mut to) = (0.0, 1.0);
    for _ in 0..17 {
        let middle = f64::midpoint(from, to);
        if difference(from, middle) > difference(middle, to) { to = middle } else { from = middle }
    }
    let jump = difference(from, to);
    assert!(jump < 0.05, "{jump} at {:?} to {:?} of {:?}", place(from), place(to), space.samples());
}

#[test]
fn between_directions_at_full_speed_there_is_no_standing() {
    let samples = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, -1.0], [-1.0, 0.0]];
    let space = Space::plane(&samples, MethodData::Directional).unwrap();
    let half = std::f32::consts::FRAC_1_SQRT_2;
    let found = weights(&space, [half, half]);
    assert!(found[0] < 1e-6 && (found[1] - 0.5).abs() < 1e-3 && (found[2] - 0.5).abs() < 1e-3, "{found:?}");
    // Beyond the outermost sample nothing falls off.
    assert_eq!(weights(&space, [0.0, 2.0]), [0.0, 1.0, 0.0, 0.0, 0.0]);
    assert_eq!(weights(&space, [0.0, 2000.0]), [0.0, 1.0, 0.0, 0.0, 0.0]);
}

#[test]
fn directions_blend_without_jumps_all_round_however_few_there_are() {
    let layouts: [&[[f32; 2]]; 5] = [
        &[[0.0, 1.0], [1.0, 0.0]],
        &[[0.0, 1.0], [0.0, -1.0]],
        &[[0.0, 1.0], [0.3, 0.8], [0.0, -2.0]],
        &[[0.0, 0.0], [0.0, 1.0], [0.0, 3.0], [1.0, 0.0]],
        &[[0.0, 1.0], [0.9, -0.9], [-0.9, -0.9]],
    ];
    for samples in layouts {
        let space = Space::plane(samples, MethodData::Directional).unwrap();
        assert_exact(&space);
        let mut random = Random(5);
        for _ in 0..2000 {
            let at = [random.between(-3.0, 3.0), random.between(-3.0, 3.0)];
            assert_sound(&space, at);
            let way = [random.between(-6.0, 6.0), random.between(-6.0, 6.0)];
            assert_no_jump(&space, at, way);
        }
    }
}

#[test]
fn outside_of_the_triangles_the_nearest_place_on_their_outline_counts() {
    let space =
        Space::plane(&[[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0]], MethodData::Triangles).unwrap();
    assert_eq!(space.triangles().len(), 2);
    assert_eq!(weights(&space, [0.5, -7.0]), [0.75, 0.25, 0.0, 0.0]);
    assert_eq!(weights(&space, [9.0, 9.0]), [0.0, 0.0, 0.0, 1.0]);
}

#[test]
fn samples_on_one_line_of_the_plane_are_a_line() {
    for method in METHODS {
        let space = Space::plane(&[[0.0, 0.0], [1.0, 1.0], [3.0, 3.0]], method).unwrap();
        assert_exact(&space);
        assert_no_jump(&space, [-4.0, 1.0], [9.0, 3.0]);
    }
    let space = Space::plane(&[[0.0, 0.0], [1.0, 1.0], [3.0, 3.0]], MethodData::Triangles).unwrap();
    assert_eq!(weights(&space, [2.5, 1.5]), [0.0, 0.5, 0.5]);
}

#[test]
fn samples_that_make_no_space_are_refused() {
    assert_eq!(Space::line(&[]).unwrap_err(), SpaceError::Count(0));
    assert_eq!(Space::line(&[0.0, f32::NAN]).unwrap_err(), SpaceError::Place(1));
    assert_eq!(Space::line(&[1.0, 0.0, 1.0]).unwrap_err(), SpaceError::Same(0, 2));
    assert_eq!(Space::plane(&[[0.0; 2]; 65], MethodData::Triangles).unwrap_err(), SpaceError::Count(65));
    let near = [[1.0, 0.0], [1.0 + 1e-7, 0.0]];
    assert_eq!(Space::plane(&near, MethodData::Directional).unwrap_err(), SpaceError::Same(0, 1));
}
