//! Whether what runs by a graph can go on with another one.

use canter_graph::{
    AmountData, DurationData, EasingData, FadeData, GraphData, InterruptData, MachineData, MotionData,
    TransitionData,
};

/// Whether two graphs have the same states, playing the same, and the same transitions between them: then
/// what runs by one can go on by the other. Names, places in a diagram, speeds, and when and how transitions
/// are taken may differ.
pub(super) fn are_alike(a: &GraphData, b: &GraphData) -> bool {
    shape(a) == shape(b)
}

/// What a running state refers to.
fn shape(data: &GraphData) -> GraphData {
    let mut data = data.clone();
    data.schema = None;
    for layer in &mut data.layers {
        layer.name.clear();
        layer.weight = AmountData::ONE;
        strip(&mut layer.machine);
    }
    data
}

fn strip(machine: &mut MachineData) {
    // Numbers instead of names.
    let names: Vec<String> = machine.states.iter().map(|state| state.name.clone()).collect();
    let number = |name: &str| {
        names.iter().position(|known| known == name).map_or_else(|| name.to_owned(), |it| it.to_string())
    };
    machine.entry = number(&machine.entry);
    for transition in &mut machine.transitions {
        let ends = TransitionData::new(number(&transition.from), number(&transition.to));
        *transition = TransitionData {
            duration: DurationData::default(),
            fade: FadeData::default(),
            easing: EasingData::default(),
            interrupt: InterruptData::default(),
            ..ends
        };
    }
    for (index, state) in machine.states.iter_mut().enumerate() {
        state.name = index.to_string();
        (state.position, state.on_enter, state.on_leave) = (None, None, None);
        state.speed = AmountData::ONE;
        if let MotionData::Machine(inner) = &mut state.motion {
            strip(inner);
        }
    }
}
