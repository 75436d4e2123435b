//! Floats in messages.

use std::fmt;

/// A float as people read it.
///
/// The standard library finds the shortest text that means the same float, for which it carries tables. A web
/// page would wait for them to read an error that hardly ever comes, so that there six digits behind the
/// point must do.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct FloatText(pub f64);

impl fmt::Display for FloatText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if cfg!(canter_web) {
            return self.fmt_short(f);
        }
        // As a float where it is one: in double precision 0.1 would have many digits.
        #[expect(clippy::cast_possible_truncation, reason = "compared with what it was")]
        let single = self.0 as f32;
        if f64::from(single).to_bits() == self.0.to_bits() { single.fmt(f) } else { self.0.fmt(f) }
    }
}

impl FloatText {
    fn fmt_short(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: f64 = 1e6;
        let size = self.0.abs();
        f.write_str(if self.0 < 0.0 { "-" } else { "" })?;
        if size.is_nan() {
            return f.write_str("NaN");
        }
        if size > 1e12 {
            return f.write_str("more than 1e12");
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "small and not negative")]
        let digits = (size * DIGITS + 0.5) as u64;
        let (whole, mut part) = (digits / 1_000_000, digits % 1_000_000);
        write!(f, "{whole}")?;
        if part == 0 {
            return Ok(());
        }
        let mut width = 6;
        while part.is_multiple_of(10) {
            (part, width) = (part / 10, width - 1);
        }
        write!(f, ".{part:0width$}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Short(f64);

    impl fmt::Display for Short {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            FloatText(self.0).fmt_short(f)
        }
    }

    #[test]
    fn short_texts_have_six_digits_behind_the_point_at_most() {
        for (number, text) in [
            (0.0, "0"),
            (-0.0, "0"),
            (1.0, "1"),
            (-1.5, "-1.5"),
            (0.1, "0.1"),
            (0.033_333_333, "0.033333"),
            (0.000_000_4, "0"),
            (1_234.000_05, "1234.00005"),
            (1e20, "more than 1e12"),
            (f64::NEG_INFINITY, "-more than 1e12"),
            (f64::NAN, "NaN"),
        ] {
            assert_eq!(Short(number).to_string(), text);
        }
        assert_eq!(
            (FloatText(0.1_f32.into()).to_string(), FloatText(0.1).to_string()),
            ("0.1".into(), "0.1".into())
        );
    }
}
