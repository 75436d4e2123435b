use super::*;

/// Numbers that look like chance, from -1 to 1.
fn numbers() -> impl FnMut() -> f32 {
    let mut state = 1_u32;
    move || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) as f32 / (1 << 23) as f32 - 1.0
    }
}

fn boxes(next: &mut impl FnMut() -> f32, count: usize, matrices: usize) -> (Vec<BoxGroup>, Vec<Mat3x4>) {
    let mut lanes = |is_half: bool| -> Lanes {
        let vectors: [_; LANES] = std::array::from_fn(|_| [0; 3].map(|_| next()));
        let number = |lane, row: usize| -> f32 { vectors[box_of(lane, row / 3)][row % 3] };
        let number = |lane, row| if is_half { number(lane, row).abs() } else { number(lane, row) };
        std::array::from_fn(|row| std::array::from_fn(|lane| number(lane, row)))
    };
    let group = |number: usize| BoxGroup {
        center: lanes(false),
        half: lanes(true),
        first: (number * 5).min(matrices.saturating_sub(LANES)),
        morphs: Vec::new(),
    };
    let groups: Vec<_> = (0..count).map(group).collect();
    let matrices = (0..matrices).map(|_| Mat3x4 { rows: [0; 3].map(|_| [0; 4].map(|_| next())) });
    (groups, matrices.collect())
}

/// That of one of eight boxes.
fn vector(lanes: &Lanes, of: usize) -> Vec3 {
    // The first result is about the even ones, the last about the odd ones.
    let result = of % 2 * 2;
    let lane = (0..LANES).find(|&lane| box_of(lane, result) == of).unwrap();
    Vec3::from([0, 1, 2].map(|axis| lanes[3 * result + axis][lane]))
}

#[test]
fn eight_at_once_give_the_box_around_all_corners() {
    let mut next = numbers();
    for (count, matrix_count) in [(1, 8), (2, 13), (5, 40)] {
        let (groups, matrices) = boxes(&mut next, count, matrix_count);
        let found = union(&groups, &matrices, None, 0.0);
        let mut corners = Vec::new();
        for group in &groups {
            for (lane, matrix) in matrices[group.first..][..LANES].iter().enumerate() {
                let center = vector(&group.center, lane);
                let half = vector(&group.half, lane);
                corners.extend((0..8_u8).map(|corner| {
                    let sign = [1, 2, 4].map(|bit| if corner & bit == 0 { -1.0 } else { 1.0 });
                    matrix.transform_point(center + half * Vec3::from(sign))
                }));
            }
        }
        let expected = Bounds::around(corners);
        assert!(found.min.abs_diff_eq(expected.min, 1e-5), "{found:?} {expected:?}");
        assert!(found.max.abs_diff_eq(expected.max, 1e-5), "{found:?} {expected:?}");
    }
}

#[test]
fn joints_without_a_box_do_not_count() {
    let mut next = numbers();
    let (mut groups, matrices) = boxes(&mut next, 1, 3);
    let far = Mat3x4 { rows: [[1.0, 0.0, 0.0, 9e9], [0.0, 1e-20, 0.0, 9e9], [0.0, 0.0, -1e18, 9e9]] };
    for (row, lane) in (0..9).flat_map(|row| (0..LANES).map(move |lane| (row, lane))) {
        if box_of(lane, row / 3) >= 2 {
            (groups[0].center[row][lane], groups[0].half[row][lane]) = (0.0, NO_BOX);
        }
    }
    let [first, second, _] = matrices[..] else { unreachable!("three were made") };
    let found = union(&groups, &[first, second, far], None, 0.0);
    assert_eq!(found, union(&groups, &[first, second], None, 0.0));
    assert!(found.max.max_element() < 10.0 && found.min.min_element() > -10.0 && !found.is_empty());
}

#[cfg(target_arch = "x86_64")]
#[test]
fn a_processor_without_avx2_gives_the_same_bits() {
    let mut next = numbers();
    let (groups, matrices) = boxes(&mut next, 4, 30);
    let sse2 = Level::new().as_sse2().unwrap();
    let with_sse2 = sse2.vectorize(
        #[inline(always)]
        || union_in(sse2, columns, &groups, &matrices, None, 0.0),
    );
    assert_eq!(union(&groups, &matrices, None, 0.0), with_sse2);
}

#[test]
fn no_boxes_give_an_empty_box() {
    assert!(union(&[], &[], None, 0.0).is_empty());
}
