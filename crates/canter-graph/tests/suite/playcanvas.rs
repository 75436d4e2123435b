//! Graphs of `PlayCanvas`, in both of their forms.

use canter_graph::{GraphData, InterruptData, LayerModeData, MotionData};
use serde_json::json;

use crate::world::{World, build};

/// With lists, as programs write it.
fn with_lists() -> String {
    json!({
        "parameters": {
            "speed": { "name": "speed", "type": "FLOAT", "value": 0.25 },
            "hop": { "name": "hop", "type": "TRIGGER", "value": false },
            "count": { "name": "count", "type": "INTEGER", "value": 0 },
            "armed": { "name": "armed", "type": "BOOLEAN", "value": false }
        },
        "layers": [
            {
                "name": "Base",
                "states": [
                    { "name": "START" },
                    { "name": "Move", "speed": 1.0, "loop": true, "blendTree": {
                        "type": "1D", "parameter": "speed", "syncAnimations": true,
                        "children": [{ "name": "A", "point": 0.0 },
                          { "name": "B", "point": 1.0, "speed": 2.0 }]
                    } },
                    { "name": "C", "speed": 2.0, "loop": false },
                    { "name": "D", "speed": 1.0 },
                    { "name": "ANY" },
                    { "name": "END" }
                ],
                "transitions": [
                    { "from": "START", "to": "Move" },
                    { "from": "Move", "to": "C", "time": 0.0, "priority": 1, "exitTime": 0.5,
                      "interruptionSource": "PREV_STATE_NEXT_STATE",
                      "conditions": [{ "parameterName": "armed", "predicate": "EQUAL_TO", "value": true }] },
                    { "from": "ANY", "to": "D", "time": 0.25, "transitionOffset": 0.5,
                      "conditions": [{ "parameterName": "hop", "predicate": "EQUAL_TO", "value": true }] },
                    { "from": "C", "to": "END" }
                ]
            },
            { "name": "Extra", "blendType": "ADDITIVE", "weight": 0.5,
              "states": [{ "name": "A", "defaultState": true }], "transitions": [] }
        ]
    })
    .to_string()
}

/// With numbered objects, as the editor writes it.
fn with_numbers() -> String {
    json!({
        "layers": { "0": { "name": "Base", "states": [0, 1, 2], "transitions": [0, 1],
          "blendType": "OVERWRITE" } },
        "states": {
            "0": { "name": "START", "posX": 1, "posY": 2 },
            "1": { "name": "A", "speed": 1, "loop": true, "posX": 100, "posY": 50 },
            "2": { "name": "B", "speed": 1, "loop": true }
        },
        "transitions": {
            "0": { "from": 0, "to": 1 },
            "1": { "from": 1, "to": 2, "time": 0, "conditions": { "0": {
                "parameterName": "count", "predicate": "GREATER_THAN", "value": 2
            } } }
        },
        "parameters": { "0": { "name": "count", "type": "INTEGER", "value": 0 } }
    })
    .to_string()
}

#[test]
fn a_graph_with_lists_is_read_and_runs() {
    let data = GraphData::from_playcanvas(&with_lists()).unwrap();
    let machine = &data.layers[0].machine;
    assert_eq!(machine.entry, "Move");
    assert!(matches!(&machine.states[0].motion, MotionData::Blend1d(blend) if blend.points.len() == 2));
    assert_eq!(machine.transitions[0].interrupt, InterruptData::SourceThenTarget);
    assert_eq!(machine.transitions[1].interrupt, InterruptData::None);
    assert!(matches!(data.layers[1].mode, LayerModeData::Additive(_)));
    let mut world = World::new(data);
    world.update(0.1);
    assert_eq!(world.at(), "Move");
    world.set("armed", true);
    world.update(1.0);
    assert_eq!(world.at(), "C");
    world.trigger("hop");
    world.update(0.0);
    assert_eq!(world.at(), "D");
    // Triggers last for one update.
    world.trigger("hop");
    world.update(0.1);
    assert!(!world.is_set("hop"));
}

#[test]
fn a_graph_with_numbers_is_read_and_runs() {
    let data = GraphData::from_playcanvas(&with_numbers()).unwrap();
    assert_eq!(data.layers[0].machine.states[0].position, Some([100.0, 50.0]));
    let mut world = World::new(data);
    world.update(0.1);
    assert_eq!(world.at(), "A");
    world.set("count", 3);
    world.update(0.1);
    assert_eq!(world.at(), "B");
}

#[test]
fn what_is_no_such_graph_is_refused() {
    for (text, expected) in [
        ("{", "EOF"),
        (r#"{"layers": [{"states": []}]}"#, "name"),
        (r#"{"parameters": {"a": {"type": "VECTOR"}}, "layers": []}"#, "VECTOR"),
        (r#"{"layers": [{"name": "L", "states": [{"name": "S", "blendTree": {"type": "4D"}}]}]}"#, "4D"),
    ] {
        let error = GraphData::from_playcanvas(text).unwrap_err().to_string();
        assert!(error.contains(expected), "{text}: {error}");
    }
    assert!(build(GraphData::from_playcanvas("{}").unwrap()).is_err());
}
