//! Everything can be sent to and shared between threads.

use canter::{
    Action, Clip, ClipData, Crowd, JointMask, Mat3x4, Mixer, MixerState, ModelPose, Pose, Skeleton, Skin,
    glam::Mat4,
};

const fn is_shared<T: Send + Sync + 'static>() {}

const _: () = {
    is_shared::<Skeleton>();
    is_shared::<Clip>();
    is_shared::<ClipData>();
    is_shared::<Skin>();
    is_shared::<Mixer>();
    is_shared::<MixerState>();
    is_shared::<Action>();
    is_shared::<JointMask>();
    is_shared::<Pose>();
    is_shared::<ModelPose>();
    is_shared::<Crowd<Mat3x4>>();
    is_shared::<Crowd<Mat4>>();
};

/// The check is made when this compiles.
#[test]
fn everything_is_send_and_sync() {}
