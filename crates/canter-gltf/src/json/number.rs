//! Numbers: integers as they are, and floats that are rounded once.
//!
//! A last bit that depended on the way of reading would be one in the poses. The usual exact parsers carry
//! tables of ten kilobytes, a tenth of what a web page loads of Canter. Here a number is calculated in double
//! precision, where errors of a few last bits matter only next to the middle between two floats; there, once
//! in ten million numbers, it is compared with that middle as a fraction of large integers.

use super::reader::{Read, Reader};
use super::value::Value;

mod exact;

/// The index of an item in one of the file's lists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Index(u32);

impl Index {
    pub(crate) fn get(self) -> usize {
        self.0 as usize
    }
}

/// A count, length or offset.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Size(pub(crate) u64);

impl Size {
    /// As a length in memory; what does not fit into the address space becomes its largest value, so that the
    /// checks against real lengths refuse it.
    pub(crate) fn get(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

/// A number as it is written: `digits` times ten to the `exponent`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number<'a> {
    negative: bool,
    /// The first 19 digits or so.
    digits: u64,
    exponent: i32,
    /// There are further digits, and not all of them are 0.
    is_cut: bool,
    literal: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(super) fn number(&mut self, expected: &str) -> Read<Number<'a>> {
        self.peek();
        let literal = &self.text[self.at..];
        match Number::parse(literal) {
            Some(number) => {
                self.at += number.literal.len();
                Ok(number)
            }
            None => Err(self.unexpected(expected)),
        }
    }

    fn integer(&mut self, expected: &str, most: u64) -> Read<u64> {
        self.peek();
        // Nearly all are a few digits and nothing else. Nine are below any limit that is asked for.
        let text = &self.text[self.at..];
        let (mut plain, mut len) = (0, 0);
        for digit in digits(text).take(9) {
            plain = 10 * plain + u64::from(digit);
            len += 1;
        }
        let is_number = len == 1 || (len > 1 && text[0] != b'0');
        if is_number && matches!(text.get(len), Some(b',' | b'}' | b']')) {
            self.at += len;
            return Ok(plain);
        }
        let start = self.at;
        let integer = self.number(expected)?.integer().filter(|integer| *integer <= most);
        integer.ok_or_else(|| {
            self.at = start;
            self.unexpected(expected)
        })
    }
}

/// The digits at the start of a text.
fn digits(text: &[u8]) -> impl Iterator<Item = u8> {
    text.iter().map(|byte| byte.wrapping_sub(b'0')).take_while(|digit| *digit < 10)
}

impl<'a> Number<'a> {
    /// The number at the start of a text, as the grammar of JSON has it.
    fn parse(text: &'a [u8]) -> Option<Self> {
        let negative = text.first() == Some(&b'-');
        let mut number = Self { negative, digits: 0, exponent: 0, is_cut: false, literal: text };
        let start = usize::from(negative);
        let mut end = start + number.push_all(&text[start..], 0)?;
        if text[start] == b'0' && end > start + 1 {
            return None;
        }
        if text.get(end) == Some(&b'.') {
            end += 1 + number.push_all(&text[end + 1..], 1)?;
        }
        if let Some(b'e' | b'E') = text.get(end) {
            let sign = text.get(end + 1).filter(|byte| matches!(byte, b'-' | b'+'));
            let start = end + 1 + usize::from(sign.is_some());
            let mut exponent = 0_i32;
            end = start;
            for digit in digits(&text[start..]) {
                // Beyond any float, and far from the end of the type.
                exponent = (10 * exponent + i32::from(digit)).min(1 << 20);
                end += 1;
            }
            if end == start {
                return None;
            }
            let exponent = if sign == Some(&b'-') { -exponent } else { exponent };
            number.exponent = number.exponent.saturating_add(exponent);
        }
        number.literal = &text[..end];
        Some(number)
    }

    /// Appends the digits at the start of a text, each of which counts `places` behind the point. How many
    /// they are, if any.
    fn push_all(&mut self, text: &[u8], places: i32) -> Option<usize> {
        let mut count = 0;
        for digit in digits(text) {
            let digit = u64::from(digit);
            // A text of a billion digits would overflow the exponent, but none is that long: see
            // `Limits::json_bytes`.
            if self.digits <= (u64::MAX - 9) / 10 {
                self.digits = 10 * self.digits + digit;
                self.exponent = self.exponent.saturating_sub(places);
            } else {
                self.is_cut |= digit != 0;
                self.exponent = self.exponent.saturating_add(1 - places);
            }
            count += 1;
        }
        (count > 0).then_some(count)
    }

    /// The whole number that this is. Some exporters write `3.0` where 3 is meant.
    fn integer(&self) -> Option<u64> {
        let mut integer = self.digits;
        if integer == 0 && !self.is_cut {
            return Some(0);
        }
        if self.negative || self.is_cut {
            return None;
        }
        for _ in 0..self.exponent {
            integer = integer.checked_mul(10)?;
        }
        for _ in self.exponent..0 {
            if !integer.is_multiple_of(10) {
                return None;
            }
            integer /= 10;
        }
        Some(integer)
    }

    /// The nearest float; of two that are equally near the even one.
    fn to_f32(self) -> f32 {
        let magnitude = self.rounded().unwrap_or_else(|| exact::round(self.literal));
        if self.negative { -magnitude } else { magnitude }
    }

    /// The nearest float to the magnitude, if double precision is enough to tell.
    fn rounded(&self) -> Option<f32> {
        const POWERS: [f64; 22] = [
            1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17,
            1e18, 1e19, 1e20, 1e21,
        ];
        /// What is cut off of a double to make it a float, and the middle of that.
        const CUT: u64 = (1 << 29) - 1;
        const MIDDLE: u64 = 1 << 28;
        if self.digits == 0 && !self.is_cut {
            return Some(0.0);
        }
        // These powers are exact, and each operation is off by half a last bit at most: three of them, with
        // the digits.
        #[expect(clippy::cast_precision_loss, reason = "half a last bit")]
        let digits = self.digits as f64;
        let power = POWERS.get(self.exponent.unsigned_abs() as usize % 22)?;
        let value = match self.exponent {
            0..22 => digits * power,
            -21..0 => digits / power,
            22..44 => digits * 1e22 * power,
            -43..-21 => digits / 1e22 / power,
            _ => return None,
        };
        let is_clear = (value.to_bits() & CUT).abs_diff(MIDDLE) > 8;
        #[expect(clippy::cast_possible_truncation, reason = "rounded, that is the purpose")]
        (is_clear && value >= f64::from(f32::MIN_POSITIVE)).then_some(value as f32)
    }
}

impl Value<'_> for f32 {
    fn read(&mut self, reader: &mut Reader<'_>) -> Read {
        let start = reader.at;
        *self = reader.number("a number")?.to_f32();
        if self.is_infinite() {
            reader.at = start;
            return Err(reader.unexpected("a number below 3.4e38"));
        }
        Ok(())
    }
}

impl Value<'_> for Index {
    fn read(&mut self, reader: &mut Reader<'_>) -> Read {
        let index = reader.integer("an index", u32::MAX.into())?;
        self.0 = u32::try_from(index).unwrap_or(u32::MAX);
        Ok(())
    }
}

impl Value<'_> for Size {
    fn read(&mut self, reader: &mut Reader<'_>) -> Read {
        self.0 = reader.integer("a whole number from 0", u64::MAX)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests;
