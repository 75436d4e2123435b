//! The hero with parts of its JSON and its numbers changed.

use std::sync::OnceLock;

use serde_json::{Value, json};

use crate::bytes;
use crate::input::{HARD, Input};
use canter_testing::glb;

/// The character that the project ships.
pub(crate) const HERO: &[u8] = include_bytes!("../../../assets/hero.glb");
/// So many changes at once leave nothing of a file.
const MOST: usize = 12;

/// A file in its two parts.
struct Parts {
    json: Value,
    bin: Vec<u8>,
}

impl Parts {
    fn of(file: &[u8]) -> Self {
        let u32_at =
            |at: usize| u32::from_le_bytes([file[at], file[at + 1], file[at + 2], file[at + 3]]) as usize;
        let json = &file[20..20 + u32_at(12)];
        Self { json: serde_json::from_slice(json).expect("JSON"), bin: file[28 + json.len()..].to_vec() }
    }
}

/// Changes the hero, or a small character with everything, as the bytes say, and loads it.
pub fn hero(data: &[u8]) {
    static HERO_PARTS: OnceLock<Parts> = OnceLock::new();
    static CHARACTER_PARTS: OnceLock<Parts> = OnceLock::new();
    let mut input = Input(data);
    let parts = if input.once_in(8) {
        HERO_PARTS.get_or_init(|| Parts::of(HERO))
    } else {
        CHARACTER_PARTS.get_or_init(|| Parts::of(&glb::character()))
    };
    let (mut json, mut bin) = (parts.json.clone(), parts.bin.clone());
    for _ in 0..MOST {
        if input.is_empty() {
            break;
        }
        if input.once_in(4) {
            change_number(&mut input, &mut bin);
        } else {
            let donor = find(&mut input.clone(), &mut json).clone();
            let value = find(&mut input, &mut json);
            change(&mut input, value, donor);
        }
    }
    bytes(&glb::glb(&json, &bin));
}

/// Goes down the tree, to a leaf or until it has had enough.
fn find<'v>(input: &mut Input<'_>, mut value: &'v mut Value) -> &'v mut Value {
    while !input.once_in(16) {
        let length = match value {
            Value::Object(fields) => fields.len(),
            Value::Array(items) => items.len(),
            _ => 0,
        };
        if length == 0 {
            break;
        }
        let at = input.below(length);
        value = match value {
            Value::Object(fields) => fields.values_mut().nth(at).expect("below its length"),
            Value::Array(items) => &mut items[at],
            _ => unreachable!("only these have a length"),
        };
    }
    value
}

fn change(input: &mut Input<'_>, value: &mut Value, donor: Value) {
    match (input.byte() % 8, &mut *value) {
        (0, Value::Array(items)) if !items.is_empty() => {
            let item = items[input.below(items.len())].clone();
            let times = 1 + input.below(8);
            items.extend(std::iter::repeat_n(item, times));
        }
        (1, Value::Array(items)) if !items.is_empty() => _ = items.remove(input.below(items.len())),
        (1, Value::Object(fields)) if !fields.is_empty() => {
            let name = fields.keys().nth(input.below(fields.len())).cloned();
            name.map(|name| fields.remove(&name));
        }
        (2, _) => *value = donor,
        (3, Value::String(text)) => *text = input.pick(&WORDS).to_owned(),
        (3, Value::Object(fields)) => {
            fields.insert(input.pick(&WORDS).to_owned(), donor);
        }
        (4, Value::Number(number)) => {
            let step = i64::from(input.byte()) - 8;
            *value = json!(number.as_i64().unwrap_or(0).wrapping_add(step));
        }
        (5, _) => *value = json!(input.float()),
        (6, _) => *value = odd(input),
        _ => *value = json!(input.pick(&WHOLE)),
    }
}

/// Something of another kind.
fn odd(input: &mut Input<'_>) -> Value {
    match input.byte() % 6 {
        0 => Value::Null,
        1 => json!(true),
        2 => json!(""),
        3 => json!([]),
        4 => json!({}),
        _ => json!(input.pick(&WORDS)),
    }
}

/// Overwrites four bytes of the buffer.
fn change_number(input: &mut Input<'_>, bin: &mut [u8]) {
    let at = input.below(bin.len() / 4) * 4;
    let number = if input.once_in(2) { input.pick(&HARD).to_le_bytes() } else { input.bytes() };
    bin[at..at + 4].copy_from_slice(&number);
}

/// Whole numbers that have broken programs before.
pub(crate) const WHOLE: [i64; 16] =
    [0, 1, 2, 3, 4, 16, 252, 255, 65_535, 65_536, 1 << 31, (1 << 32) - 1, 1 << 53, i64::MAX, -1, i64::MIN];

/// Words of the specification, and some that are none.
const WORDS: [&str; 24] = [
    "STEP",
    "LINEAR",
    "CUBICSPLINE",
    "translation",
    "rotation",
    "scale",
    "weights",
    "SCALAR",
    "VEC2",
    "VEC3",
    "VEC4",
    "MAT4",
    "sparse",
    "byteStride",
    "byteOffset",
    "extensions",
    "JOINTS_1",
    "WEIGHTS_1",
    "matrix",
    "mode",
    "skin",
    "mesh",
    "\u{0}\u{7f}",
    "data:application/octet-stream;base64,AAAA",
];
