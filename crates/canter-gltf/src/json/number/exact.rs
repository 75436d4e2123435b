//! Rounding by comparing large integers: slow, and always right.

use std::cmp::Ordering;

/// A large integer, lowest part first. The largest product that is compared has 25 of them.
type Large = [u32; 32];

/// The middle between two floats has fewer digits. One more stands for all that follow.
const MOST_DIGITS: i32 = 120;

/// The nearest float to the magnitude of a number of JSON; of two that are equally near the even one.
pub(super) fn round(literal: &[u8]) -> f32 {
    let (digits, count, exponent) = decimal(literal);
    // How large it is, as a power of ten: floats end at 3.4e38, and halfway to the smallest of them is 7e-46.
    let size = i64::from(exponent) + i64::from(count);
    if count == 0 || size < -46 {
        return 0.0;
    }
    if size > 39 {
        return f32::INFINITY;
    }
    // From a float that is next to it, or nearly so, step by step.
    let mut bits = estimate(&digits, exponent).to_bits();
    while bits < f32::INFINITY.to_bits() {
        match compare_with_middle(&digits, exponent, bits) {
            Ordering::Greater => bits += 1,
            Ordering::Equal => return f32::from_bits(bits + (bits & 1)),
            Ordering::Less => {
                match bits.checked_sub(1).map(|below| compare_with_middle(&digits, exponent, below)) {
                    Some(Ordering::Less) => bits -= 1,
                    Some(Ordering::Equal) => return f32::from_bits(bits - (bits & 1)),
                    _ => return f32::from_bits(bits),
                }
            }
        }
    }
    f32::INFINITY
}

/// The digits as one integer, how many there are, and the power of ten to multiply it by.
fn decimal(literal: &[u8]) -> (Large, i32, i32) {
    let (mut digits, mut count, mut exponent) = ([0; 32], 0_i32, 0_i32);
    let mut places = 0;
    let mut rest = literal.strip_prefix(b"-").unwrap_or(literal);
    let mut is_cut = false;
    while let Some((&byte, tail)) = rest.split_first() {
        rest = tail;
        match byte {
            b'.' => places = 1,
            b'0'..=b'9' if count < MOST_DIGITS => {
                multiply(&mut digits, 10, u32::from(byte - b'0'));
                count += i32::from(count > 0 || byte != b'0');
                exponent -= places;
            }
            b'0'..=b'9' => {
                is_cut |= byte != b'0';
                exponent += 1 - places;
            }
            _ => break,
        }
    }
    if is_cut {
        multiply(&mut digits, 10, 1);
        (count, exponent) = (count + 1, exponent - 1);
    }
    let is_negative = rest.first() == Some(&b'-');
    let add = |sum: i32, digit: &u8| (10 * sum + i32::from(digit.wrapping_sub(b'0').min(9))).min(1 << 20);
    let written = rest.iter().filter(|byte| byte.is_ascii_digit()).fold(0, add);
    (digits, count, exponent.saturating_add(if is_negative { -written } else { written }))
}

/// About the value, to a few floats.
fn estimate(digits: &Large, exponent: i32) -> f32 {
    let mut value = digits.iter().rev().fold(0.0, |sum: f64, part| sum * 4_294_967_296.0 + f64::from(*part));
    for _ in 0..exponent {
        value *= 10.0;
    }
    for _ in exponent..0 {
        value /= 10.0;
    }
    #[expect(clippy::cast_possible_truncation, reason = "an estimate")]
    (value as f32).min(f32::MAX)
}

/// Compares a decimal number with the middle between a float, given by its bits, and the next.
fn compare_with_middle(digits: &Large, exponent: i32, bits: u32) -> Ordering {
    // A float is an integer times a power of two; the middle is one bit finer. The smallest exponent has no
    // hidden bit.
    let (fraction, power) = (bits & 0x7F_FFFF, bits >> 23);
    let mantissa = if power == 0 { fraction } else { fraction | 0x80_0000 };
    let shift = i32::try_from(power.max(1)).unwrap_or(255) - 151;
    let (mut left, mut right) = (*digits, [0; 32]);
    right[0] = 2 * mantissa + 1;
    scale(if exponent < 0 { &mut right } else { &mut left }, 10, 9, exponent.unsigned_abs());
    scale(if shift < 0 { &mut left } else { &mut right }, 2, 31, shift.unsigned_abs());
    left.iter().rev().cmp(right.iter().rev())
}

/// Multiplies by a power of the base, `most` factors at once: as many as fit into 32 bits.
fn scale(number: &mut Large, base: u32, most: u32, mut power: u32) {
    while power > 0 {
        let factors = power.min(most);
        multiply(number, base.pow(factors), 0);
        power -= factors;
    }
}

fn multiply(number: &mut Large, factor: u32, add: u32) {
    let mut carry = u64::from(add);
    for part in number {
        carry += u64::from(*part) * u64::from(factor);
        #[expect(clippy::cast_possible_truncation, reason = "the rest is carried")]
        let low = carry as u32;
        *part = low;
        carry >>= 32;
    }
}
