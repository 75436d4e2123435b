//! What the last frames took.

/// How many frames are remembered.
pub(super) const KEPT: usize = 120;

/// The last numbers of a kind, the newest last.
#[derive(Debug, Default)]
pub(super) struct History(std::collections::VecDeque<f32>);

impl History {
    pub(super) fn add(&mut self, number: f32) {
        if self.0.len() >= KEPT {
            self.0.pop_front();
        }
        self.0.push_back(number);
    }

    pub(super) fn numbers(&self) -> impl Iterator<Item = f32> {
        self.0.iter().copied()
    }

    /// The mean of the last few, which can be read while it changes.
    pub(super) fn mean(&self) -> f32 {
        let last = self.0.iter().rev().take(20);
        let count = last.len().max(1);
        last.sum::<f32>() / count as f32
    }
}

/// What the last frames took, in seconds and bytes.
#[derive(Debug, Default)]
pub(super) struct Times {
    pub(super) frame_secs: History,
    pub(super) update_secs: History,
    pub(super) palette_bytes: History,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_frames_are_forgotten_and_no_frames_have_a_mean() {
        let mut history = History::default();
        assert_eq!(history.mean(), 0.0);
        for number in 0..1000_u16 {
            history.add(f32::from(number));
        }
        assert_eq!(history.numbers().count(), KEPT);
        assert!((history.mean() - 989.5).abs() < 1e-3);
    }
}
