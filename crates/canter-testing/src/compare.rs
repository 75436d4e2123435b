//! Measures how far the crate is from its twin.

use canter::glam::{DMat4, DQuat, Mat4};
use canter::{ModelPose, Pose};

use crate::rig::Rig;
use crate::spec::{ROTATION, SCALE, TRANSLATION};
use crate::twin::Twin;

/// The largest error seen, relative to the size of the numbers that were calculated with.
#[derive(Debug, Default)]
pub struct Errors {
    pub largest: f64,
    pub compared: usize,
    /// Where rounding decides between two right answers.
    pub undecided: usize,
}

impl Errors {
    fn see(&mut self, got: &[f32], expected: &[f64], size: f64) {
        if size.is_infinite() {
            self.undecided += 1;
            return;
        }
        for (got, expected) in got.iter().zip(expected) {
            self.compared += 1;
            let error = (f64::from(*got) - expected).abs() / size;
            // NaN must not pass for small.
            self.largest = if error.is_nan() { f64::INFINITY } else { self.largest.max(error) };
        }
    }

    pub fn pose(&mut self, rig: &Rig, pose: &Pose, twin: &Twin) {
        for (source, expected) in twin.joints.iter().enumerate() {
            let got = pose.joint(rig.joint(source));
            self.see(
                &got.translation.to_array(),
                &expected.translation.to_array(),
                expected.sizes[TRANSLATION],
            );
            self.see(&got.scale.to_array(), &expected.scale.to_array(), expected.sizes[SCALE]);
            // A quaternion and its opposite are the same rotation.
            let side = DQuat::from_array(got.rotation.to_array().map(f64::from)).dot(expected.rotation);
            let rotation = expected.rotation * if side < 0.0 { -1.0 } else { 1.0 };
            self.see(&got.rotation.to_array(), &rotation.to_array(), expected.sizes[ROTATION]);
        }
        for (morph, expected) in rig.skeleton.morphs().zip(&twin.morphs) {
            self.see(pose.morph_weights(morph), expected, 2.0);
        }
    }

    pub fn model(&mut self, rig: &Rig, model: &ModelPose, expected: &[(DMat4, f64)]) {
        for (source, (matrix, size)) in expected.iter().enumerate() {
            let got = model.joint(rig.joint(source)).to_cols_array();
            self.see(&got, &matrix.to_cols_array(), *size);
        }
    }

    pub fn palette(&mut self, rig: &Rig, palette: &[Mat4], expected: &[(DMat4, f64)]) {
        for (got, (source, joint_from_mesh)) in palette.iter().zip(&rig.bound) {
            let (model_from_joint, size) = expected[*source];
            let matrix = model_from_joint * joint_from_mesh.as_dmat4();
            let bound_size =
                joint_from_mesh.to_cols_array().into_iter().fold(1.0, |a: f32, b| a.max(b.abs()));
            self.see(&got.to_cols_array(), &matrix.to_cols_array(), size * f64::from(bound_size));
        }
    }
}

impl Errors {
    pub fn add(&mut self, other: &Self) {
        self.largest = self.largest.max(other.largest);
        self.compared += other.compared;
        self.undecided += other.undecided;
    }

    /// Says what was compared, and makes sure that it was enough.
    #[expect(clippy::print_stderr, reason = "figures for whoever runs the tests")]
    pub fn report(&self, stage: &str) {
        let Self { largest, compared, undecided } = self;
        eprintln!("{stage}: {compared} numbers, {undecided} undecided, largest error {largest:.1e}");
        assert!(*compared > 10_000 && undecided * 100 < *compared, "too little was compared");
    }
}
