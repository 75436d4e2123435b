//! Channels of `KHR_animation_pointer`.

use super::{ClipLoader, Driven, Property};
use crate::animated::Pointer;
use crate::error::Failure;
use crate::place::Place;
use crate::warning::WarningCode;

/// One channel can make tracks at a million nodes.
const BYTES_PER_TRACK: u64 = 256;

impl ClipLoader<'_> {
    /// Adds the tracks of a channel, or says why there are none.
    pub(super) fn pointer(
        &mut self,
        pointer: &str,
        sampler: usize,
        driven: &mut Driven,
        place: &Place<'_>,
    ) -> Result<(), Failure> {
        match Pointer::parse(pointer) {
            Some(Pointer::Node(node, property)) if node < self.nodes.len() => {
                return self.track(property, sampler, node, driven, place);
            }
            Some(Pointer::MeshWeights(mesh)) if mesh < driven.meshes.len() => {
                return self.mesh_weights(mesh, sampler, driven, place);
            }
            #[cfg(feature = "meshes")]
            Some(Pointer::Property(target)) => {
                if let Ok(index) = self.animated.binary_search_by_key(&target, |animated| animated.target) {
                    return self.animated_track(index, sampler, driven, place);
                }
            }
            _ => {}
        }
        let message = format_args!("the pointer \"{pointer}\" is not supported; the channel is skipped");
        self.source.report.warn(&place.field("target"), WarningCode::Pointer, message);
        Ok(())
    }

    /// Adds tracks to the nodes that show a mesh and have no weights of their own.
    fn mesh_weights(
        &mut self,
        mesh: usize,
        sampler: usize,
        driven: &mut Driven,
        place: &Place<'_>,
    ) -> Result<(), Failure> {
        let source = self.source;
        if !driven.is_first(|driven| &mut driven.meshes[mesh]) {
            source.report.warn(
                place,
                WarningCode::DuplicateChannel,
                "a channel before it drives these weights already; it is skipped",
            );
            return Ok(());
        }
        source.accessors.budget.take(self.nodes.len() as u64, place)?;
        for (index, node) in source.document.nodes.iter().enumerate() {
            if node.weights.is_none() && node.mesh.is_some_and(|of_node| of_node.get() == mesh) {
                source.accessors.budget.take(BYTES_PER_TRACK, place)?;
                self.track(Property::Weights, sampler, index, driven, place)?;
            }
        }
        Ok(())
    }

    /// Adds the track of a property that is no part of a node's transform.
    #[cfg(feature = "meshes")]
    fn animated_track(
        &mut self,
        index: usize,
        sampler: usize,
        driven: &mut Driven,
        place: &Place<'_>,
    ) -> Result<(), Failure> {
        use crate::accessor::{Component, Expected, Kind};
        use crate::animated::PropertyTarget;
        use canter::Interpolation;

        const fn expected(kinds: &'static [Kind]) -> Expected {
            const ALL: &[Component] =
                &[Component::F32, Component::I8, Component::U8, Component::I16, Component::U16];
            Expected { kinds, components: ALL, normalized: None }
        }
        let report = self.source.report;
        let animated = self.animated[index];
        if !driven.is_first(|driven| &mut driven.animated[index]) {
            report.warn(
                place,
                WarningCode::DuplicateChannel,
                "a channel before it drives this already; it is skipped",
            );
            return Ok(());
        }
        let Some(mut keys) = self.keys(sampler, place)? else { return Ok(()) };
        let numbers = match animated.target {
            PropertyTarget::Visible { .. } => {
                if keys.interpolation == Interpolation::CubicSpline {
                    report.warn(
                        place,
                        WarningCode::Pointer,
                        "what is shown or not has no tangents; the channel is skipped",
                    );
                    return Ok(());
                }
                keys.interpolation = Interpolation::Step;
                let numbers = keys.numbers(&expected(&[Kind::Scalar]), 1)?;
                numbers.into_iter().map(|number| if number == 0.0 { 0.0 } else { 1.0 }).collect()
            }
            PropertyTarget::BaseColor { .. } => keys.numbers(&expected(&[Kind::Vec4]), 1)?,
            PropertyTarget::Emissive { material } => {
                let strength = self.source.document.materials[material].emissive_strength();
                let mut numbers = keys.numbers(&expected(&[Kind::Vec3]), 1)?;
                numbers.iter_mut().for_each(|number| *number *= strength);
                numbers
            }
            PropertyTarget::TextureOffset { .. } => keys.numbers(&expected(&[Kind::Vec2]), 1)?,
        };
        self.builder.morph_weights(animated.values, keys.into_track(numbers));
        Ok(())
    }
}
