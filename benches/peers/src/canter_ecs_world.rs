//! The job with `canter-ecs`: every character an entity, all systems in their schedule.

use std::sync::Arc;

use bevy_ecs::prelude::*;
use canter::ActionId;
use canter_ecs::{AnimationMixer, AnimationSet, Palette, Time, Update};
use glam::Mat4;

use crate::canter_core::{matrices, set_weights, start};
use crate::job::{DT_SECS, Job, Weight};
use crate::rig::Rig;

#[derive(Component)]
struct Actions(Vec<ActionId>);

#[derive(Resource, Default)]
struct PresentWeight(Weight);

pub(crate) struct Entities {
    world: World,
    entities: Vec<Entity>,
}

impl Entities {
    pub(crate) fn new(rig: &Rig, count: usize) -> Self {
        let mut world = World::new();
        canter_ecs::install(&mut world, Update);
        world.init_resource::<PresentWeight>();
        world.resource_mut::<Time>().delta_secs = DT_SECS;
        world.resource_mut::<Schedules>().add_systems(Update, weigh.before(AnimationSet::Advance));
        let skeleton = canter_ecs::Rig::new(&rig.skeleton, [Arc::clone(&rig.skin)]);
        let entities = (0..count).map(|index| {
            let mut mixer = AnimationMixer::new(&skeleton);
            let actions = Actions(start(&mut mixer, rig, index));
            world.spawn((skeleton.clone(), mixer, actions)).id()
        });
        let entities = entities.collect();
        Self { world, entities }
    }
}

fn weigh(mut weight: ResMut<PresentWeight>, mut mixers: Query<(&mut AnimationMixer, &Actions)>) {
    let weight = weight.0.next();
    for (mut mixer, actions) in &mut mixers {
        set_weights(&mut mixer, &actions.0, weight);
    }
}

impl Job for Entities {
    fn name(&self) -> &'static str {
        "canter-ecs"
    }

    fn frame(&mut self) {
        self.world.run_schedule(Update);
    }

    fn palette(&self, character: usize) -> Vec<Mat4> {
        let palette = self.world.get::<Palette>(self.entities[character]).expect("a palette");
        matrices(palette.matrices())
    }
}
