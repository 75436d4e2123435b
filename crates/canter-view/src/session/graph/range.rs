//! Between which numbers a parameter makes a difference.

use canter_graph::{AmountData, GraphData, MachineData, MotionData, TransitionData, ValueData};

/// Between which numbers a parameter makes a difference: those that spaces, conditions and amounts of the
/// graph name, with room beyond the conditions.
pub(crate) fn range(data: &GraphData, parameter: &str) -> [f32; 2] {
    let mut found = Found { parameter, numbers: Vec::new() };
    for layer in &data.layers {
        found.amount(&layer.weight, 1.0);
        found.machine(&layer.machine);
    }
    let of_it = data.parameters.iter().filter(|it| it.name == parameter);
    for value in of_it.filter_map(|it| it.default) {
        found.value(value, 1.0);
    }
    let mut range = [0.0_f32, 0.0];
    for number in found.numbers.into_iter().filter(|number| number.is_finite()) {
        range = [range[0].min(number), range[1].max(number)];
    }
    if range[0] < range[1] { range } else { [0.0, 1.0] }
}

struct Found<'a> {
    parameter: &'a str,
    numbers: Vec<f32>,
}

impl Found<'_> {
    fn amount(&mut self, amount: &AmountData, most: f32) {
        if *amount == AmountData::Parameter(self.parameter.to_owned()) {
            self.numbers.extend([0.0, most]);
        }
    }

    fn value(&mut self, value: ValueData, beyond: f32) {
        if let ValueData::Number(number) = value {
            #[expect(clippy::cast_possible_truncation, reason = "for a slider")]
            let number = number as f32;
            self.numbers.push(number * beyond);
        }
    }

    fn machine(&mut self, machine: &MachineData) {
        for state in &machine.states {
            self.amount(&state.speed, 2.0);
            self.motion(&state.motion);
        }
        machine.transitions.iter().for_each(|transition| self.transition(transition));
    }

    fn transition(&mut self, transition: &TransitionData) {
        let parameter = self.parameter;
        for condition in transition.when.iter().filter(|it| it.parameter == parameter) {
            if let Some(value) = condition.value {
                self.value(value, 2.0);
            }
        }
    }

    fn motion(&mut self, motion: &MotionData) {
        match motion {
            MotionData::Blend1d(blend) => {
                for point in &blend.points {
                    if blend.parameter == self.parameter {
                        self.numbers.extend(point.at);
                    }
                    self.motion(&point.motion);
                }
            }
            MotionData::Blend2d(blend) => {
                for point in &blend.points {
                    for (axis, parameter) in blend.parameters.iter().enumerate() {
                        if parameter == self.parameter {
                            self.numbers.extend(point.at.map(|at| at[axis]));
                        }
                    }
                    self.motion(&point.motion);
                }
            }
            MotionData::Direct(direct) => {
                for item in &direct.items {
                    self.amount(&item.weight, 1.0);
                    self.motion(&item.motion);
                }
            }
            MotionData::Machine(machine) => self.machine(machine),
            MotionData::Clip(_) | MotionData::Hold | MotionData::Rest => {}
        }
    }
}
