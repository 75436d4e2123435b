//! The hero's colours in sRGB: a warm scarf, hair and leather against cool cloth.

pub(crate) const SKIN: u32 = 0xfacaa4;
pub(crate) const BLUSH: u32 = 0xf08e76;
pub(crate) const HAIR: u32 = 0xa84a20;
pub(crate) const HAIR_TIP: u32 = 0xd07030;
pub(crate) const BROW: u32 = 0x743016;

pub(crate) const TUNIC: u32 = 0x259094;
pub(crate) const TUNIC_HEM: u32 = 0x176276;
pub(crate) const TRIM: u32 = 0xf0d086;
pub(crate) const SHIRT: u32 = 0xf1e8d6;
pub(crate) const SCARF: u32 = 0xe24e2c;
pub(crate) const SCARF_EDGE: u32 = 0xf6b84a;
pub(crate) const TROUSERS: u32 = 0x485074;
pub(crate) const TROUSERS_TOP: u32 = 0x313650;

pub(crate) const BELT: u32 = 0x5e361e;
pub(crate) const BUCKLE: u32 = 0xe8bd58;
pub(crate) const GLOVE: u32 = 0x8b5630;
pub(crate) const CUFF: u32 = 0xb98250;
pub(crate) const BOOT: u32 = 0x86522e;
pub(crate) const BOOT_TOE: u32 = 0x5e361e;
pub(crate) const SOLE: u32 = 0x37251a;

pub(crate) const EYE_WHITE: u32 = 0xfcfbf6;
pub(crate) const IRIS: u32 = 0x2c78b8;
pub(crate) const IRIS_LIGHT: u32 = 0x6cc4e8;
pub(crate) const PUPIL: u32 = 0x122034;
pub(crate) const LASH: u32 = 0x3c1c12;
pub(crate) const MOUTH: u32 = 0x923c34;
