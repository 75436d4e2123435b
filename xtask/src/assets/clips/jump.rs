//! placeholder
use super::{Clip, idle};
use crate::assets::controls::Controls;
pub(super) const CLIP: Clip = Clip { name: "Jump", duration_secs: 1.2, ground_speed: None, controls };
fn controls(_time_secs: f64) -> Controls { idle::start() }
