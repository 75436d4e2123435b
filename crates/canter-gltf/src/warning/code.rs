//! What a warning is about, for programs.

use std::fmt;

/// What a [`Warning`](crate::Warning) is about. Programs can tell warnings apart by it: its
/// [`name`](Self::name) stays the same when the words of a message change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum WarningCode {
    /// An extension that the file requires is not supported.
    RequiredExtension,
    /// An extension that the file uses is not supported.
    OptionalExtension,
    /// There are bytes behind the end of the container.
    TrailingBytes,
    /// The length of a chunk of the container is no multiple of four.
    ChunkAlignment,
    /// The JSON starts with a byte order mark.
    ByteOrderMark,
    /// The JSON is not UTF-8.
    InvalidUtf8,
    /// An accessor does not start where its numbers may.
    AccessorAlignment,
    /// An accessor that nothing uses is broken.
    UnusedAccessor,
    /// Numbers are not finite.
    NotFinite,
    /// Fractions are not marked as such.
    NormalizedMissing,
    /// A primitive has no positions.
    NoPositions,
    /// Indices do not make whole triangles or lines.
    IncompletePrimitive,
    /// Indices have the number that restarts a primitive.
    PrimitiveRestart,
    /// Skinning weights are negative.
    NegativeWeights,
    /// Skinning weights do not add up to one.
    WeightSum,
    /// A mesh is compressed by Draco, and the feature for it is off.
    DracoNotBuilt,
    /// A compressed attribute is none of the primitive.
    DracoAttribute,
    /// The accessors of a compressed mesh have other counts than its stream.
    DracoCount,
    /// There are more or fewer weights than morph targets.
    MorphWeightCount,
    /// A node has a matrix, and translation, rotation or scale beside it.
    MatrixAndParts,
    /// The matrix of a node is no translation, rotation and scale.
    MatrixShears,
    /// A node with a matrix is animated.
    MatrixAnimated,
    /// A quaternion is zero.
    ZeroQuaternion,
    /// A quaternion is not of length one.
    QuaternionLength,
    /// A node has morph weights and no mesh.
    WeightsWithoutMesh,
    /// A node has a skin and no mesh.
    SkinWithoutMesh,
    /// A node of a scene hangs on another node.
    SceneNodeNotRoot,
    /// The instances of a mesh are left out.
    InstancesIgnored,
    /// A joint is in a skin twice.
    DuplicateJoint,
    /// An inverse bind matrix is singular.
    SingularBindMatrix,
    /// The last row of an inverse bind matrix is not 0, 0, 0, 1.
    BindMatrixLastRow,
    /// A primitive of a skinned node has no joints.
    SkinWithoutJoints,
    /// A clip moves nothing.
    EmptyClip,
    /// A clip is as long as one instant.
    ClipWithoutLength,
    /// The path of a channel is not known.
    ChannelPath,
    /// A channel has no node.
    ChannelWithoutNode,
    /// A channel of morph weights leads to a node without morph targets.
    ChannelWithoutTargets,
    /// A channel has no keys.
    ChannelWithoutKeys,
    /// Two channels of a clip drive the same.
    DuplicateChannel,
    /// What a pointer leads to is not animated.
    Pointer,
    /// The times of keys begin a little before 0.
    NegativeTimes,
    /// Keys share a time.
    EqualTimes,
    /// There are more values than keys.
    SurplusValues,
    /// A marker is left out.
    Marker,
    /// A spring or a collider is left out.
    Springs,
    /// It is not clear which joint leads, or a clip cannot be split.
    RootMotion,
    /// What alpha means is not known.
    AlphaMode,
    /// A surface of the older model is only read in part.
    SpecularGlossiness,
    /// A texture has no image.
    TextureWithoutImage,
    /// An image cannot be read.
    ImageMissing,
    /// There are more warnings than are kept.
    TooMany,
}

impl WarningCode {
    /// A name such as `weights-sum`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::RequiredExtension => "extension-required",
            Self::OptionalExtension => "extension-optional",
            Self::TrailingBytes => "trailing-bytes",
            Self::ChunkAlignment => "chunk-alignment",
            Self::ByteOrderMark => "byte-order-mark",
            Self::InvalidUtf8 => "invalid-utf-8",
            Self::AccessorAlignment => "accessor-alignment",
            Self::UnusedAccessor => "accessor-unused",
            Self::NotFinite => "not-finite",
            Self::NormalizedMissing => "normalized-missing",
            Self::NoPositions => "positions-missing",
            Self::IncompletePrimitive => "primitive-incomplete",
            Self::PrimitiveRestart => "primitive-restart",
            Self::NegativeWeights => "weights-negative",
            Self::WeightSum => "weights-sum",
            Self::DracoNotBuilt => "draco-not-built",
            Self::DracoAttribute => "draco-attribute",
            Self::DracoCount => "draco-count",
            Self::MorphWeightCount => "morph-weight-count",
            Self::MatrixAndParts => "matrix-and-parts",
            Self::MatrixShears => "matrix-shears",
            Self::MatrixAnimated => "matrix-animated",
            Self::ZeroQuaternion => "quaternion-zero",
            Self::QuaternionLength => "quaternion-length",
            Self::WeightsWithoutMesh => "weights-without-mesh",
            Self::SkinWithoutMesh => "skin-without-mesh",
            Self::SceneNodeNotRoot => "scene-node-not-root",
            Self::InstancesIgnored => "instances-ignored",
            Self::DuplicateJoint => "joint-duplicate",
            Self::SingularBindMatrix => "bind-matrix-singular",
            Self::BindMatrixLastRow => "bind-matrix-last-row",
            Self::SkinWithoutJoints => "skin-without-joints",
            Self::EmptyClip => "clip-empty",
            Self::ClipWithoutLength => "clip-without-length",
            Self::ChannelPath => "channel-path",
            Self::ChannelWithoutNode => "channel-without-node",
            Self::ChannelWithoutTargets => "channel-without-targets",
            Self::ChannelWithoutKeys => "channel-without-keys",
            Self::DuplicateChannel => "channel-duplicate",
            Self::Pointer => "pointer",
            Self::NegativeTimes => "times-negative",
            Self::EqualTimes => "times-equal",
            Self::SurplusValues => "values-surplus",
            Self::Marker => "marker",
            Self::Springs => "springs",
            Self::RootMotion => "root-motion",
            Self::AlphaMode => "alpha-mode",
            Self::SpecularGlossiness => "specular-glossiness",
            Self::TextureWithoutImage => "texture-without-image",
            Self::ImageMissing => "image-missing",
            Self::TooMany => "too-many",
        }
    }
}

impl fmt::Display for WarningCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
