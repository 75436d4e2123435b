//! The hero's colours in sRGB: a warm scarf, hair and leather against cool cloth.

pub(crate) const SKIN: u32 = 0xfa_ca_a4;
pub(crate) const BLUSH: u32 = 0xf0_8e_76;
pub(crate) const HAIR: u32 = 0xa8_4a_20;
pub(crate) const HAIR_TIP: u32 = 0xd0_70_30;
pub(crate) const BROW: u32 = 0x74_30_16;

pub(crate) const TUNIC: u32 = 0x25_90_94;
pub(crate) const TUNIC_HEM: u32 = 0x17_62_76;
pub(crate) const TRIM: u32 = 0xf0_d0_86;
pub(crate) const SHIRT: u32 = 0xf1_e8_d6;
pub(crate) const SCARF: u32 = 0xe2_4e_2c;
pub(crate) const SCARF_EDGE: u32 = 0xf6_b8_4a;
pub(crate) const TROUSERS: u32 = 0x48_50_74;
pub(crate) const TROUSERS_TOP: u32 = 0x31_36_50;

pub(crate) const BELT: u32 = 0x5e_36_1e;
pub(crate) const BUCKLE: u32 = 0xe8_bd_58;
pub(crate) const GLOVE: u32 = 0x8b_56_30;
pub(crate) const CUFF: u32 = 0xb9_82_50;
pub(crate) const BOOT: u32 = 0x86_52_2e;
pub(crate) const BOOT_TOE: u32 = 0x5e_36_1e;
pub(crate) const SOLE: u32 = 0x37_25_1a;

pub(crate) const EYE_WHITE: u32 = 0xfc_fb_f6;
pub(crate) const IRIS: u32 = 0x2c_78_b8;
pub(crate) const IRIS_LIGHT: u32 = 0x6c_c4_e8;
pub(crate) const PUPIL: u32 = 0x12_20_34;
pub(crate) const LASH: u32 = 0x3c_1c_12;
pub(crate) const MOUTH: u32 = 0x92_3c_34;
