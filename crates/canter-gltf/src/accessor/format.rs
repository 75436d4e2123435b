//! What the elements of an accessor are.

use std::fmt;

use crate::error::Failure;
use crate::place::Place;
use crate::schema;
use crate::schema::Size;

/// The type of one component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    pub(crate) fn parse(code: Size, place: &Place<'_>) -> Result<Self, Failure> {
        match code.0 {
            5120 => Ok(Self::I8),
            5121 => Ok(Self::U8),
            5122 => Ok(Self::I16),
            5123 => Ok(Self::U16),
            5125 => Ok(Self::U32),
            5126 => Ok(Self::F32),
            code => {
                Err(place
                    .invalid(code, "5120 (i8), 5121 (u8), 5122 (i16), 5123 (u16), 5125 (u32) or 5126 (f32)"))
            }
        }
    }

    pub(crate) fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::U32 | Self::F32 => 4,
        }
    }

    /// An unsigned integer.
    pub(super) fn integer(self, bytes: &[u8]) -> u32 {
        match self {
            Self::U16 => u16::from_le_bytes([bytes[0], bytes[1]]).into(),
            Self::U32 => u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
            _ => bytes[0].into(),
        }
    }

    /// An integer as a whole number.
    #[expect(clippy::cast_precision_loss, reason = "formats that are read as floats have at most 16 bits")]
    pub(super) fn whole(self, bytes: &[u8]) -> f32 {
        match self {
            Self::I8 => i8::from_le_bytes([bytes[0]]).into(),
            Self::U8 => bytes[0].into(),
            Self::I16 => i16::from_le_bytes([bytes[0], bytes[1]]).into(),
            Self::U16 => u16::from_le_bytes([bytes[0], bytes[1]]).into(),
            Self::U32 => self.integer(bytes) as f32,
            Self::F32 => f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
        }
    }

    /// A normalised integer, from -1 or 0 to 1, by the specification's formulas.
    pub(super) fn fraction(self, bytes: &[u8]) -> f32 {
        let whole = self.whole(bytes);
        match self {
            Self::I8 => (whole / 127.0).max(-1.0),
            Self::U8 => whole / 255.0,
            Self::I16 => (whole / 32767.0).max(-1.0),
            Self::U16 => whole / 65535.0,
            Self::U32 | Self::F32 => whole,
        }
    }
}

impl fmt::Display for Component {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::I8 => "i8",
            Self::U8 => "u8",
            Self::I16 => "i16",
            Self::U16 => "u16",
            Self::U32 => "u32",
            Self::F32 => "f32",
        })
    }
}

/// How many components an element has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Scalar,
    Vec2,
    Vec3,
    Vec4,
    Mat2,
    Mat3,
    Mat4,
}

impl Kind {
    pub(crate) fn parse(name: &str, place: &Place<'_>) -> Result<Self, Failure> {
        match name {
            "SCALAR" => Ok(Self::Scalar),
            "VEC2" => Ok(Self::Vec2),
            "VEC3" => Ok(Self::Vec3),
            "VEC4" => Ok(Self::Vec4),
            "MAT2" => Ok(Self::Mat2),
            "MAT3" => Ok(Self::Mat3),
            "MAT4" => Ok(Self::Mat4),
            name => {
                Err(place.invalid(format_args!("\"{name}\""), "SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4"))
            }
        }
    }

    pub(crate) fn lanes(self) -> usize {
        match self {
            Self::Scalar => 1,
            Self::Vec2 => 2,
            Self::Vec3 => 3,
            Self::Vec4 | Self::Mat2 => 4,
            Self::Mat3 => 9,
            Self::Mat4 => 16,
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Scalar => "SCALAR",
            Self::Vec2 => "VEC2",
            Self::Vec3 => "VEC3",
            Self::Vec4 => "VEC4",
            Self::Mat2 => "MAT2",
            Self::Mat3 => "MAT3",
            Self::Mat4 => "MAT4",
        })
    }
}

/// The type of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Format {
    pub(crate) kind: Kind,
    pub(crate) component: Component,
    pub(crate) normalized: bool,
}

impl Format {
    pub(super) fn parse(
        accessor: &schema::accessor::Accessor<'_>,
        place: &Place<'_>,
    ) -> Result<Self, Failure> {
        Ok(Self {
            kind: Kind::parse(&accessor.kind.0, &place.field("type"))?,
            component: Component::parse(accessor.component_type, &place.field("componentType"))?,
            normalized: accessor.normalized,
        })
    }

    /// Bytes of one element. The columns of small matrices are padded to four bytes.
    pub(crate) fn size(self) -> usize {
        match (self.kind, self.component.size()) {
            (Kind::Mat2, 1) => 8,
            (Kind::Mat3, 1) => 12,
            (Kind::Mat3, 2) => 24,
            (kind, size) => kind.lanes() * size,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let normalized = if self.normalized { "normalised " } else { "" };
        write!(f, "{} of {normalized}{}", self.kind, self.component)
    }
}

/// The formats that one use of an accessor allows.
#[derive(Debug)]
pub(crate) struct Expected {
    pub(crate) kinds: &'static [Kind],
    pub(crate) components: &'static [Component],
    /// `Some(true)`: integers must be normalised; `Some(false)`: must not; `None`: may.
    pub(crate) normalized: Option<bool>,
}

impl Expected {
    pub(crate) fn allows(&self, format: Format) -> bool {
        let normalized = self.normalized.unwrap_or(format.normalized);
        self.kinds.contains(&format.kind)
            && self.components.contains(&format.component)
            && (format.component == Component::F32 || normalized == format.normalized)
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, kind) in self.kinds.iter().enumerate() {
            write!(f, "{}{kind}", if index == 0 { "" } else { " or " })?;
        }
        for (index, &component) in self.components.iter().enumerate() {
            let normalized = component != Component::F32 && self.normalized == Some(true);
            let joint = match index {
                0 => " of ",
                _ if index + 1 == self.components.len() => " or ",
                _ => ", ",
            };
            write!(f, "{joint}{}{component}", if normalized { "normalised " } else { "" })?;
        }
        Ok(())
    }
}
