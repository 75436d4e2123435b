//! Numbers that tell contents apart, equal on every machine.

/// The 64-bit FNV-1a hash: not for tables that strangers may fill, but short, and the same everywhere.
pub(crate) struct Fnv(u64);

impl Fnv {
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
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
        // Whole words instead of bytes: clips have many.
        for float in floats {
            self.0 = (self.0 ^ u64::from(float.to_bits())).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

/// Something whose content can be told from another's by one number.
pub(crate) trait Fingerprint {
    fn write(&self, hasher: &mut Fnv);

    fn compute_fingerprint(&self) -> u64 {
        let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
        self.write(&mut hasher);
        hasher.0
    }
}
