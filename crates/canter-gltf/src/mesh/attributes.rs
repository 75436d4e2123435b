//! The formats that the specification and `KHR_mesh_quantization` allow for each attribute.

use crate::accessor::{Component, Expected, Kind};

use Component::{F32, I8, I16, U8, U16, U32};

/// Positions and what morph targets add to them.
pub(super) const POSITION: Expected =
    Expected { kinds: &[Kind::Vec3], components: &[F32, I8, U8, I16, U16], normalized: None };

/// Normals, and what morph targets add to normals and tangents.
pub(super) const DIRECTION: Expected =
    Expected { kinds: &[Kind::Vec3], components: &[F32, I8, I16], normalized: None };

pub(super) const TANGENT: Expected =
    Expected { kinds: &[Kind::Vec4], components: &[F32, I8, I16], normalized: Some(true) };

pub(super) const TEX_COORD: Expected =
    Expected { kinds: &[Kind::Vec2], components: &[F32, U8, U16, I8, I16], normalized: None };

pub(super) const COLOR: Expected =
    Expected { kinds: &[Kind::Vec3, Kind::Vec4], components: &[F32, U8, U16], normalized: None };

pub(super) const JOINTS: Expected =
    Expected { kinds: &[Kind::Vec4], components: &[U8, U16], normalized: Some(false) };

pub(super) const WEIGHTS: Expected =
    Expected { kinds: &[Kind::Vec4], components: &[F32, U8, U16], normalized: None };

pub(super) const INDICES: Expected =
    Expected { kinds: &[Kind::Scalar], components: &[U8, U16, U32], normalized: Some(false) };
