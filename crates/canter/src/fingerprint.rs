//! Numbers that tell contents apart, equal on every machine.

const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// The 64-bit FNV-1a hash: not for tables that strangers may fill, but short, and the same everywhere.
pub(crate) struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Self(OFFSET)
    }
}

impl Fnv {
    pub(crate) fn of_floats(floats: &[f32]) -> u64 {
        let mut hasher = Self::default();
        hasher.write_floats(floats);
        hasher.0
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_word(u64::from(*byte));
        }
    }

    pub(crate) fn write_count(&mut self, count: usize) {
        self.write(&(count as u64).to_le_bytes());
    }

    /// With its length, so that it does not run into what follows.
    pub(crate) fn write_name(&mut self, name: &str) {
        self.write_count(name.len());
        self.write(name.as_bytes());
    }

    pub(crate) fn write_floats(&mut self, floats: &[f32]) {
        self.write_count(floats.len());
        // Clips have many: whole words instead of bytes, and four hashes that do not wait for each other.
        let mut lanes = [0, 1, 2, 3].map(|lane| Self(OFFSET ^ lane));
        let (fours, rest) = floats.as_chunks::<4>();
        for four in fours {
            for (lane, float) in lanes.iter_mut().zip(four) {
                lane.write_word(u64::from(float.to_bits()));
            }
        }
        lanes.iter().for_each(|lane| self.write_word(lane.0));
        rest.iter().for_each(|float| self.write_word(u64::from(float.to_bits())));
    }

    fn write_word(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(PRIME);
    }
}

/// Something whose content can be told from another's by one number.
pub(crate) trait Fingerprint {
    fn write(&self, hasher: &mut Fnv);

    fn compute_fingerprint(&self) -> u64 {
        let mut hasher = Fnv::default();
        self.write(&mut hasher);
        hasher.0
    }
}
