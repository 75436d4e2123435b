//! Options that are more than a number.

use std::str::FromStr;

use canter::FadeKind;
use canter_scene::Background;

use super::Arguments;
use crate::failure::Failure;
use crate::joint;

/// Pixels of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) width: u32,
    pub(crate) height: u32,
}

/// Larger pictures are a slip of the finger.
const MAX_SIDE: u32 = 8192;
const MAX_CELLS: u32 = 64;
/// Half a gigabyte of memory.
const MAX_PIXELS_OF_A_SHEET: u64 = 128 << 20;
pub(super) const MAX_FRAMES: f64 = 10_000.0;

impl Size {
    pub(crate) fn square(side: u32) -> Self {
        Self { width: side, height: side }
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (width, height) = pair(text).unwrap_or((text, text));
        let side = |text: &str| match text.parse::<u32>() {
            Ok(side @ 1..=MAX_SIDE) => Ok(side),
            _ => Err(format!("a side is a number from 1 to {MAX_SIDE}, as in 640x480 or 512")),
        };
        Ok(Self { width: side(width)?, height: side(height)? })
    }
}

/// Pictures of a sheet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    pub(crate) columns: u32,
    pub(crate) rows: u32,
}

impl FromStr for Grid {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let side = |text: &str| text.parse().ok().filter(|side| (1..=MAX_CELLS).contains(side));
        let (columns, rows) = pair(text).unwrap_or(("", ""));
        match (side(columns), side(rows)) {
            (Some(columns), Some(rows)) => Ok(Self { columns, rows }),
            _ => Err(format!("columns and rows are numbers from 1 to {MAX_CELLS}, as in 8x4")),
        }
    }
}

fn pair(text: &str) -> Option<(&str, &str)> {
    text.split_once(['x', 'X', '×'])
}

/// A background by its name or as a colour.
pub(super) fn background(text: &str) -> Result<Background, String> {
    match text {
        "studio" => return Ok(Background::Studio),
        "transparent" | "none" => return Ok(Background::Transparent),
        "white" => return Ok(Background::Color([255; 3])),
        "black" => return Ok(Background::Color([0; 3])),
        _ => {}
    }
    let digits = text.strip_prefix('#').unwrap_or(text);
    let number = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() == 6);
    let Some(number) = number else {
        return Err("it is studio, transparent, white, black, or six digits as in #203040".to_owned());
    };
    let [_, red, green, blue] = number.to_be_bytes();
    Ok(Background::Color([red, green, blue]))
}

/// A kind of fades by its name.
pub(super) fn fade_kind(text: &str) -> Result<FadeKind, String> {
    let kind = FadeKind::ALL.iter().find(|kind| fade_kind_name(**kind) == text).copied();
    kind.ok_or_else(|| {
        let names: Vec<_> = FadeKind::ALL.iter().map(|kind| fade_kind_name(*kind)).collect();
        match joint::nearest(text, &names) {
            Some(near) => format!("did you mean {near}?"),
            None => format!("it is one of: {}", names.join(", ")),
        }
    })
}

pub(super) fn fade_kind_name(kind: FadeKind) -> &'static str {
    match kind {
        FadeKind::Inertial => "inertial",
        FadeKind::Dead => "dead",
        _ => "cross",
    }
}

/// What can be said before any file is read.
pub(super) fn check(arguments: &Arguments) -> Result<(), Failure> {
    let numbers = [
        ("--time", arguments.time.unwrap_or(0.0), 0.0, 1e6),
        ("--fade", arguments.fade, 0.0, 60.0),
        ("--fps", arguments.fps, 0.1, 240.0),
        ("--seconds", arguments.seconds.unwrap_or(1.0), 0.01, 3600.0),
        ("--yaw", arguments.yaw, -1e6, 1e6),
        ("--pitch", arguments.pitch, -90.0, 90.0),
    ];
    for (option, value, min, max) in numbers {
        if !(min..=max).contains(&value) {
            return Err(Failure::new(
                format!("{option} {value} is out of range"),
                format!("give a number from {min} to {max}"),
            ));
        }
    }
    if arguments.clip.len() > 1 && arguments.sheet.is_none() {
        return Err(Failure::new(
            "several clips have room on a sheet only",
            "add --sheet COLUMNSxROWS, or crossfade with --clip A --to B",
        ));
    }
    if arguments.fade_kind.len() > 4 {
        return Err(Failure::new("there is room for four films beside each other", "give fewer --fade-kind"));
    }
    if let Some(Grid { columns, rows }) = arguments.sheet {
        if arguments.clip.len() > (columns * rows) as usize {
            return Err(Failure::new(
                format!("{columns} x {rows} pictures are too few for {} clips", arguments.clip.len()),
                format!("try --sheet 8x{}", arguments.clip.len()),
            ));
        }
        let (width, height) = (columns * arguments.size.width, rows * arguments.size.height);
        let too_many = u64::from(width) * u64::from(height) > MAX_PIXELS_OF_A_SHEET;
        if width > 4 * MAX_SIDE || height > 4 * MAX_SIDE || too_many {
            return Err(Failure::new(
                format!("the sheet would be too large: {width} x {height} pixels"),
                format!(
                    "give a smaller --size: a sheet has at most {} pixels a side and {} million in all",
                    4 * MAX_SIDE,
                    MAX_PIXELS_OF_A_SHEET / 1_000_000,
                ),
            ));
        }
    }
    if arguments.travel.iter().any(|speed| !(-1e4..=1e4).contains(speed)) || arguments.travel.len() > 2 {
        return Err(Failure::new(
            "--travel is one speed, or two with a comma between",
            "try --travel 1.02,2.9",
        ));
    }
    Ok(())
}

/// A clip of hours, or of a broken file, would be drawn for days.
pub(super) fn check_length(secs: f64, fps: f64) -> Result<(), Failure> {
    let frames = (secs * fps).round();
    if frames > MAX_FRAMES {
        return Err(Failure::new(
            format!("the film would be {secs} s long and have {frames} frames; {MAX_FRAMES} are the most"),
            "give --seconds for a part of it, fewer --fps, or --time for one moment",
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_grids_are_read() {
        assert_eq!("640x480".parse(), Ok(Size { width: 640, height: 480 }));
        assert_eq!("64".parse(), Ok(Size { width: 64, height: 64 }));
        assert_eq!("8x6".parse(), Ok(Grid { columns: 8, rows: 6 }));
        for text in ["", "0", "x", "640x", "-1x5", "9000", "1x2x3"] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
        for text in ["8", "0x1", "8x", "65x1"] {
            assert!(text.parse::<Grid>().is_err(), "{text}");
        }
    }

    #[test]
    fn backgrounds_are_read() {
        assert_eq!(background("#010aff"), Ok(Background::Color([1, 10, 255])));
        assert_eq!(background("transparent"), Ok(Background::Transparent));
        for text in ["", "#12345", "gren", "#1234567"] {
            assert!(background(text).is_err(), "{text}");
        }
    }
}
