//! A double is stored as its bits: texts of it are not read back exactly by all formats, and some are
//! infinite.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes it so")]
pub(crate) fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    number.to_bits().serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    u64::deserialize(deserializer).map(f64::from_bits)
}
