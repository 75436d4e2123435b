//! Colours between eight bits and light, by tables that are made of + - * / and square roots only: the same
//! on every machine.

use std::sync::LazyLock;

use canter::glam::Vec3;

/// As many steps as make the error of encoding less than a tenth of a byte.
const STEPS: usize = 4096;

static LINEAR: LazyLock<[f32; 256]> =
    LazyLock::new(|| std::array::from_fn(|byte| decode(byte as f64 / 255.0)));

static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut byte = 0_u8;
    (0..=STEPS)
        .map(|step| {
            // Evenly in the square root, which is close to how sRGB divides the darks from the lights.
            let root = step as f64 / STEPS as f64;
            while byte < 255 && f64::from(decode((f64::from(byte) + 0.5) / 255.0)) < root * root {
                byte += 1;
            }
            byte
        })
        .collect()
});

/// Light of an sRGB byte.
pub(crate) fn linear_from_srgb(byte: u8) -> f32 {
    LINEAR[usize::from(byte)]
}

pub(crate) fn linear_from_srgb3(bytes: [u8; 3]) -> Vec3 {
    Vec3::from_array(bytes.map(linear_from_srgb))
}

/// The sRGB byte of light; what is beyond 0 and 1 is cut off.
pub(crate) fn srgb_from_linear(light: f32) -> u8 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "within 0 and STEPS, also for NaN"
    )]
    let step = (light.clamp(0.0, 1.0).sqrt() * STEPS as f32 + 0.5) as usize;
    BYTES[step.min(STEPS)]
}

/// Bends what is too bright for the screen below 1, and leaves the rest alone. The hue stays; the brightest
/// tend to white.
pub(crate) fn tone_mapped(light: Vec3) -> Vec3 {
    const KNEE: f32 = 0.75;
    let peak = light.max_element();
    if peak <= KNEE {
        return light.max(Vec3::ZERO);
    }
    let room = 1.0 - KNEE;
    let bent = 1.0 - room * room / (peak + room - KNEE);
    let white = 1.0 - 1.0 / (0.15 * (peak - bent) + 1.0);
    (light * (bent / peak)).lerp(Vec3::splat(bent), white)
}

#[expect(clippy::cast_possible_truncation, reason = "a colour")]
fn decode(value: f64) -> f32 {
    if value <= 0.04045 {
        return (value / 12.92) as f32;
    }
    let base = (value + 0.055) / 1.055;
    // base^2.4 = base^2 * (base^2)^(1/5), and a fifth root is found by Newton's method.
    let square = base * base;
    let mut root = 1.0_f64;
    for _ in 0..40 {
        root -= (root * root * root * root * root - square) / (5.0 * root * root * root * root);
    }
    (square * root) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_survive_the_way_to_light_and_back() {
        for byte in 0..=255 {
            assert_eq!(srgb_from_linear(linear_from_srgb(byte)), byte);
        }
    }

    #[test]
    fn the_curve_is_that_of_srgb() {
        for value in [0.05_f64, 0.2, 0.5, 0.735, 1.0] {
            let expected = ((value + 0.055) / 1.055).powf(2.4);
            assert!((f64::from(decode(value)) - expected).abs() < 1e-7);
        }
    }

    #[test]
    fn any_light_has_a_byte() {
        for (light, byte) in [(f32::NAN, 0), (-1.0, 0), (f32::INFINITY, 255), (2.0, 255)] {
            assert_eq!(srgb_from_linear(light), byte, "{light}");
        }
        for peak in [0.1_f32, 0.75, 0.7501, 1.0, 10.0, 1e6] {
            let mapped = tone_mapped(Vec3::new(peak, peak / 2.0, 0.0));
            assert!(mapped.max_element() <= 1.0 && mapped.min_element() >= 0.0, "{peak}: {mapped}");
        }
    }
}
