//! A short list of joints with weights.

#[derive(Clone, Default)]
pub(crate) struct Influences {
    pairs: Vec<(usize, f64)>,
}

/// What fits into one `JOINTS_0` and one `WEIGHTS_0` attribute.
pub(crate) const MOST_INFLUENCES: usize = 4;

impl Influences {
    pub(crate) fn add(&mut self, joint: usize, weight: f64) {
        match self.pairs.iter_mut().find(|pair| pair.0 == joint) {
            Some(pair) => pair.1 += weight,
            None => self.pairs.push((joint, weight)),
        }
    }

    /// Moves a share of what `from` holds to `to`.
    pub(crate) fn hand_over(&mut self, from: usize, to: usize, share: f64) {
        let Some(pair) = self.pairs.iter_mut().find(|pair| pair.0 == from) else {
            return;
        };
        let moved = pair.1 * share;
        pair.1 -= moved;
        if moved > 0.0 {
            self.add(to, moved);
        }
    }

    /// The four strongest joints with weights that sum to exactly 255; unused slots are zero.
    pub(crate) fn quantised(&self) -> ([u8; MOST_INFLUENCES], [u8; MOST_INFLUENCES]) {
        let mut strongest = self.pairs.clone();
        strongest.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        strongest.truncate(MOST_INFLUENCES);
        let sum: f64 = strongest.iter().map(|pair| pair.1).sum();
        let mut joints = [0; MOST_INFLUENCES];
        let mut weights = [0; MOST_INFLUENCES];
        let mut left = 255;
        for (slot, (joint, weight)) in strongest.iter().enumerate().skip(1) {
            let rounded = (weight / sum * 255.0).round() as u8;
            if rounded > 0 {
                joints[slot] = *joint as u8;
                weights[slot] = rounded;
                left -= rounded;
            }
        }
        // The strongest takes what rounding left over, where it shows least.
        joints[0] = strongest[0].0 as u8;
        weights[0] = left;
        (joints, weights)
    }
}

#[cfg(test)]
impl Influences {
    pub(crate) fn sum(&self) -> f64 {
        self.pairs.iter().map(|pair| pair.1).sum()
    }

    pub(crate) fn weight(&self, joint: usize) -> f64 {
        self.pairs.iter().filter(|pair| pair.0 == joint).map(|pair| pair.1).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantised_weights_sum_to_255_and_keep_the_strongest_four() {
        for seed in 1..500_u32 {
            let mut influences = Influences::default();
            for joint in 0..6_u32 {
                let weight = seed.wrapping_mul(2_654_435_761).rotate_left(joint * 5) % 1000;
                influences.add(joint as usize, f64::from(weight) + 0.1);
            }
            let (joints, weights) = influences.quantised();
            assert_eq!(weights.iter().map(|&w| u32::from(w)).sum::<u32>(), 255);
            assert!(joints.iter().zip(weights).all(|(&joint, weight)| weight > 0 || joint == 0));
        }
    }

    #[test]
    fn handing_over_keeps_the_sum() {
        let mut influences = Influences::default();
        influences.add(3, 1.0);
        influences.hand_over(3, 5, 0.25);
        influences.hand_over(5, 6, 0.5);
        assert!((influences.sum() - 1.0).abs() < 1e-12);
        assert!((influences.weight(6) - 0.125).abs() < 1e-12);
    }
}
