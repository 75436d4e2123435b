//! A graph as JavaScript hands it over. JavaScript has read its JSON, and has said what is wrong with that;
//! `packages/canter/src/graph/encode.ts` writes it in this order, with everything that may be left out put in.
//!
//! A reader of JSON for all these types would be a fifth of the module, and every page has one already.

use canter_graph::{
    AdditiveData, AmountData, Blend1dData, Blend2dData, ClipMotion, ClipMotionSettings, ConditionData,
    DirectData, DirectItemData, DurationData, EasingData, EnterData, FadeData, GraphData, InterruptData,
    LayerData, LayerModeData, LoopData, MachineData, MaskData, MethodData, MotionData, OpData, ParameterData,
    ParameterKind, Place1dData, Place2dData, Point1dData, Point2dData, ReferenceClip, ReferenceData,
    StateData, SyncByData, SyncGroupData, TransitionData, ValueData,
};

use crate::reader::Reader;

pub(super) fn graph(reader: &mut Reader<'_>) -> GraphData {
    GraphData {
        schema: None,
        version: reader.number(),
        parameters: reader.list(&mut parameter),
        sync_groups: reader.list(&mut sync_group),
        layers: reader.list(&mut layer),
    }
}

/// The one of a place in a list of all.
fn one_of<T: Copy>(reader: &mut Reader<'_>, all: &[T]) -> T {
    let place = reader.number() as usize;
    all[place.min(all.len() - 1)]
}

fn pair(reader: &mut Reader<'_>) -> [f32; 2] {
    [reader.float(), reader.float()]
}

fn text(reader: &mut Reader<'_>) -> String {
    reader.text()
}

fn parameter(reader: &mut Reader<'_>) -> ParameterData {
    use ParameterKind::{Bool, Float, Int, Trigger};
    ParameterData {
        name: reader.text(),
        kind: one_of(reader, &[Float, Int, Bool, Trigger]),
        default: value(reader),
        keep: reader.flag(),
    }
}

fn value(reader: &mut Reader<'_>) -> Option<ValueData> {
    match reader.number() {
        0 => None,
        1 => Some(ValueData::Bool(reader.flag())),
        _ => Some(ValueData::Number(reader.double())),
    }
}

fn sync_group(reader: &mut Reader<'_>) -> SyncGroupData {
    SyncGroupData { name: reader.text(), by: one_of(reader, &[SyncByData::Markers, SyncByData::Cycle]) }
}

fn layer(reader: &mut Reader<'_>) -> LayerData {
    LayerData {
        name: reader.text(),
        mode: layer_mode(reader),
        mask: reader.option(&mut mask),
        weight: amount(reader),
        machine: machine(reader),
    }
}

fn layer_mode(reader: &mut Reader<'_>) -> LayerModeData {
    let reference = match reader.number() {
        0 => return LayerModeData::Override,
        1 => ReferenceData::Rest,
        2 => ReferenceData::FirstKey,
        _ => ReferenceData::Clip(ReferenceClip { clip: reader.text(), time: reader.float() }),
    };
    LayerModeData::Additive(AdditiveData { reference })
}

fn mask(reader: &mut Reader<'_>) -> MaskData {
    MaskData {
        subtree: reader.list(&mut text),
        joints: reader.list(&mut text),
        feather: reader.number(),
        morphs: reader.float(),
    }
}

fn amount(reader: &mut Reader<'_>) -> AmountData {
    if reader.flag() { AmountData::Parameter(reader.text()) } else { AmountData::Number(reader.float()) }
}

fn machine(reader: &mut Reader<'_>) -> MachineData {
    MachineData {
        entry: reader.text(),
        keep: reader.flag(),
        states: reader.list(&mut state),
        transitions: reader.list(&mut transition),
    }
}

fn state(reader: &mut Reader<'_>) -> StateData {
    StateData {
        name: reader.text(),
        motion: motion(reader),
        speed: amount(reader),
        loops: match reader.number() {
            0 => LoopData::Once,
            1 => LoopData::Repeat,
            2 => LoopData::PingPong,
            _ => LoopData::Times(reader.number()),
        },
        mirror: reader.flag(),
        sync: reader.option(&mut text),
        on_enter: reader.option(&mut text),
        on_leave: reader.option(&mut text),
        position: None,
    }
}

fn motion(reader: &mut Reader<'_>) -> MotionData {
    match reader.number() {
        0 => MotionData::Rest,
        1 => MotionData::Hold,
        2 => MotionData::Clip(ClipMotion::Settings(ClipMotionSettings {
            name: reader.text(),
            range: reader.option(&mut pair),
            speed: reader.float(),
        })),
        3 => MotionData::Blend1d(Blend1dData {
            parameter: reader.text(),
            half_life: reader.float(),
            place: reader.option(&mut |reader| one_of(reader, &[Place1dData::Speed, Place1dData::Turn])),
            points: reader.list(&mut |reader| Point1dData {
                at: reader.option(&mut Reader::float),
                motion: motion(reader),
            }),
        }),
        4 => MotionData::Blend2d(blend2d(reader)),
        5 => MotionData::Direct(DirectData {
            normalize: reader.option(&mut Reader::flag),
            items: reader
                .list(&mut |reader| DirectItemData { weight: amount(reader), motion: motion(reader) }),
        }),
        _ => MotionData::Machine(Box::new(machine(reader))),
    }
}

fn blend2d(reader: &mut Reader<'_>) -> Blend2dData {
    use MethodData::{Cartesian, Directional, Triangles};
    Blend2dData {
        parameters: [reader.text(), reader.text()],
        method: one_of(reader, &[Triangles, Cartesian, Directional]),
        half_life: reader.float(),
        place: reader
            .option(&mut |reader| one_of(reader, &[Place2dData::Velocity, Place2dData::TurnAndSpeed])),
        points: reader
            .list(&mut |reader| Point2dData { at: reader.option(&mut pair), motion: motion(reader) }),
    }
}

fn transition(reader: &mut Reader<'_>) -> TransitionData {
    use EasingData as Easing;
    use InterruptData as Interrupt;
    TransitionData {
        from: reader.text(),
        to: reader.text(),
        when: reader.list(&mut condition),
        exit_time: reader.option(&mut Reader::float),
        duration: match reader.number() {
            0 => DurationData::Secs(reader.float()),
            1 => DurationData::OfSource(reader.float()),
            _ => DurationData::OfTarget(reader.float()),
        },
        fade: one_of(reader, &[FadeData::Cross, FadeData::Frozen, FadeData::Inertial, FadeData::Dead]),
        easing: one_of(
            reader,
            &[
                Easing::Linear,
                Easing::QuadraticIn,
                Easing::QuadraticOut,
                Easing::QuadraticInOut,
                Easing::SmoothStep,
                Easing::SmootherStep,
            ],
        ),
        enter: match reader.number() {
            0 => None,
            1 => Some(EnterData::KeepPhase),
            2 => Some(EnterData::Offset(reader.float())),
            _ => Some(EnterData::Marker(reader.text())),
        },
        interrupt: one_of(
            reader,
            &[
                Interrupt::None,
                Interrupt::Source,
                Interrupt::Target,
                Interrupt::SourceThenTarget,
                Interrupt::TargetThenSource,
            ],
        ),
        ordered: reader.flag(),
        priority: reader.number().cast_signed(),
        to_self: reader.flag(),
    }
}

fn condition(reader: &mut Reader<'_>) -> ConditionData {
    use OpData::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
    ConditionData {
        parameter: reader.text(),
        op: reader.option(&mut |reader| {
            one_of(reader, &[Equal, NotEqual, Less, LessOrEqual, Greater, GreaterOrEqual])
        }),
        value: value(reader),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_bytes_do_any_harm() {
        let mut number = 1_u32;
        let mut next = || {
            number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            number >> 16
        };
        for _ in 0..2000 {
            let len = next() % 96;
            // Small numbers, that are codes and lengths.
            let words = (0..len).map(|_| if next() % 8 == 0 { next() } else { next() % 7 });
            let bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
            let data = graph(&mut Reader::new(&bytes));
            assert!(data.layers.len() <= bytes.len());
        }
    }
}
