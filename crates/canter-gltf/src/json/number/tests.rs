use super::*;

fn number(text: &str) -> Option<Number<'_>> {
    Number::parse(text.as_bytes()).filter(|number| number.literal.len() == text.len())
}

/// The standard library rounds correctly, too.
fn check(text: &str) {
    let (found, expected) = (number(text).unwrap().to_f32(), text.parse::<f32>().unwrap());
    assert_eq!(found.to_bits(), expected.to_bits(), "{text}: {found} instead of {expected}");
    let exact = exact::round(text.as_bytes());
    assert_eq!(exact.to_bits(), expected.abs().to_bits(), "{text}: {exact} instead of {expected}, exactly");
}

#[test]
fn floats_are_rounded_once() {
    for text in [
        "0",
        "-0",
        "0.0",
        "-0.0e5",
        "1",
        "-1",
        "0.1",
        "3.4028235e38",
        "3.4028236e38",
        "3.40282356779733661637539e38",
        "3.40282356779733661637540e38",
        "1e39",
        "1e400",
        "1e999999999999",
        "1e-45",
        "7e-46",
        "7.0064923216240853546186479e-46",
        "7.0064923216240853546186480e-46",
        "7.1e-46",
        "1e-46",
        "1e-400",
        "0e999999999999",
        "1.17549435e-38",
        "1.1754943e-38",
        "1.1754942807573643e-38",
        "16777217",
        "16777219",
        "16777217.0000000000000000000000000000001",
        "9007199254740993",
        "18446744073709551615",
        "18446744073709551616",
        "340282366920938463463374607431768211456",
        "0.9238795042037964",
        "5.960464477539063e-08",
        "6.123233995736766e-17",
        "1.00000005960464477539062",
        "1.000000059604644775390625",
        "1.00000005960464477539063",
        "1.000000178813934326171875",
        "0.000000000000000000000000000000000000011754944",
    ] {
        check(text);
    }
    check(&format!("1.000000059604644775390625{}1", "0".repeat(5000)));
    check(&format!("1.000000059604644775390625{}", "0".repeat(5000)));
    check(&format!("{}e-4990", "1".repeat(5000)));
    check(&format!("0.{}1e5000", "0".repeat(5000)));
}

/// Floats, the middles between them, and the numbers next to these, written with all digits and with few.
#[test]
fn random_floats_and_the_middles_between_them_are_rounded_once() {
    let mut state = 88_172_645_463_325_252_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for round in 0..20_000 {
        let bits = u32::try_from(random() >> 33).unwrap() % f32::INFINITY.to_bits();
        let (float, next) = (f32::from_bits(bits), f32::from_bits(bits + 1));
        let middle = f64::midpoint(f64::from(float), f64::from(next.min(f32::MAX)));
        for value in [f64::from(float), middle, middle.next_up(), middle.next_down()] {
            check(&format!("{value:e}"));
            if round % 8 == 0 {
                check(&format!("{value:.170}"));
                check(&format!("{value:.6e}"));
                check(&format!("-{value:.25e}"));
            }
        }
        check(&format!("{}e-{}", random(), random() % 70));
        check(&format!("{}.{}", random() % 1000, random()));
    }
}

#[test]
fn integers_may_be_written_as_floats() {
    for (text, integer) in [
        ("0", Some(0)),
        ("-0", Some(0)),
        ("7", Some(7)),
        ("7.0", Some(7)),
        ("7.000", Some(7)),
        ("70e-1", Some(7)),
        ("0.7e1", Some(7)),
        ("7e3", Some(7000)),
        ("0e99", Some(0)),
        ("9007199254740993", Some(9_007_199_254_740_993)),
        ("1e19", Some(10_000_000_000_000_000_000)),
        ("1e20", None),
        ("1e1000000000", None),
        ("1e-1000000000", None),
        ("18446744073709551616", None),
        ("-1", None),
        ("1.5", None),
        ("0.1", None),
    ] {
        assert_eq!(number(text).unwrap().integer(), integer, "{text}");
    }
}

/// Short ones are read in another way, which must not tell.
#[test]
fn integers_of_any_length_are_read_up_to_the_next_value() {
    for (text, integer) in [
        ("0", Some(0)),
        ("00", None),
        ("01", None),
        ("9", Some(9)),
        ("120", Some(120)),
        ("999999999", Some(999_999_999)),
        ("1000000000", Some(1_000_000_000)),
        ("4294967295", Some(u32::MAX.into())),
        ("4294967296", None),
        ("000000001", None),
        ("12.0", Some(12)),
        ("12.5", None),
        ("12e1", Some(120)),
        ("-12", None),
        ("", None),
    ] {
        for behind in [",", "}", "]", " ,", "\n"] {
            let text = format!(" {text}{behind}");
            let mut reader = Reader::new(text.as_bytes());
            let read = reader.integer("an index", u32::MAX.into()).ok();
            assert_eq!(read, integer, "{text:?}");
            assert!(read.is_none() || text[reader.at..] == *behind, "{text:?}");
        }
    }
}

#[test]
fn what_is_no_number_is_refused() {
    for text in
        ["", "-", "+1", "01", "-01", "1.", ".1", "1.e5", "1e", "1e+", "1e-", "0x1", "1_0", "inf", "NaN", "1 "]
    {
        assert_eq!(number(text), None, "{text}");
    }
}
