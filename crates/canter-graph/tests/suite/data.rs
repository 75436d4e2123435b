//! JSON in and out, the schema, and what is refused.

use canter_graph::{Graph, GraphData};
use serde_json::{Value, json};

use crate::world::{build, clips, skeleton};

/// A graph with every field that there is.
fn everything() -> Value {
    let transition = json!({
        "from": "Move", "to": "Attack", "exit_time": 0.5, "duration": { "of_source": 0.25 }, "fade": "cross",
        "easing": "linear", "enter": { "offset": 0.25 }, "interrupt": "target", "ordered": true,
          "priority": 2,
        "to_self": true,
        "when": [
            { "parameter": "x", "op": ">=", "value": 0.5 },
            { "parameter": "go", "op": "!=", "value": true },
            { "parameter": "jump" },
            { "parameter": "n", "op": "==", "value": 3.0 }
        ]
    });
    let plane = json!({ "blend2d": {
        "parameters": ["x", "y"], "method": "directional", "half_life": 0.25, "place": "velocity",
        "points": [
            { "at": [0.0, 0.0], "motion": { "clip": "A" } },
            { "at": [1.0, 0.0], "motion": { "clip": { "name": "B", "range": [0.25, 0.75], "speed": 2.0 } } },
            { "at": [0.0, 1.0], "motion": "rest" }
        ]
    } });
    let line = json!({ "blend1d": {
        "parameter": "x", "half_life": 0.125, "place": "speed",
        "points": [{ "at": 0.0, "motion": { "clip": "A" } }, { "at": 1.0, "motion": { "clip": "B" } }]
    } });
    let direct = json!({ "direct": {
        "normalize": false,
        "items": [{ "weight": "x", "motion": { "clip": "A" } }, { "weight": 0.5, "motion": line }]
    } });
    let inner = json!({ "machine": {
        "entry": "In", "keep": true,
        "states": [{ "name": "In", "motion": direct, "loop": "once" }],
        "transitions": [{ "from": "In", "to": "exit", "duration": { "of_target": 0.5 },
          "enter": "keep_phase" }]
    } });
    json!({
        "$schema": "graph.schema.json",
        "version": 1,
        "parameters": [
            { "name": "x", "kind": "float", "default": 0.5 },
            { "name": "y", "kind": "float" },
            { "name": "n", "kind": "int", "default": 2.0 },
            { "name": "go", "kind": "bool", "default": true },
            { "name": "jump", "kind": "trigger", "keep": false }
        ],
        "sync_groups": [{ "name": "gait", "by": "cycle" }],
        "layers": [
            { "name": "base", "machine": {
                "entry": "Move",
                "states": [
                    { "name": "Move", "motion": plane, "speed": "x", "sync": "gait", "on_enter": "in",
                      "on_leave": "out", "position": [1.0, 2.0] },
                    { "name": "Attack", "motion": { "clip": "C" }, "speed": 2.0, "loop": { "times": 3 } },
                    { "name": "Inner", "motion": inner, "loop": "ping_pong" },
                    { "name": "Hold", "motion": "hold" }
                ],
                "transitions": [
                    transition,
                    { "from": "any", "to": "Inner", "enter": { "marker": "step" },
                      "when": [{ "parameter": "jump" }],
                      "fade": "inertial" },
                    { "from": "any", "to": "Hold", "fade": "frozen", "when": [{ "parameter": "go",
                      "value": false }] }
                ]
            } },
            { "name": "lean", "mode": { "additive": { "reference": { "clip": "A", "time": 0.5 } } },
              "weight": "y",
              "mask": { "subtree": ["joint_1"], "joints": ["joint_0"], "feather": 1, "morphs": 0.5 },
              "machine": { "entry": "D", "states": [{ "name": "D", "motion": { "clip": "D" } }] } },
            { "name": "breath", "mode": { "additive": { "reference": "first_key" } },
              "machine": { "entry": "D", "states": [{ "name": "D", "motion": { "clip": "D" } }] } }
        ]
    })
}

/// What takes a mirror to be built with, too.
fn everything_and_a_mirror() -> Value {
    let mut json = everything();
    json["layers"][0]["machine"]["states"][1]["mirror"] = true.into();
    json
}

#[test]
fn a_graph_is_read_and_written_with_all_its_fields() {
    let data = GraphData::from_json(&everything_and_a_mirror().to_string()).unwrap();
    let written: Value = serde_json::from_str(&data.to_json()).unwrap();
    assert_eq!(written, everything_and_a_mirror());
    let data = GraphData::from_json(&everything().to_string()).unwrap();
    let skeleton = skeleton();
    let graph = Graph::from_json(&data.to_json(), &skeleton, &clips(&skeleton)).unwrap();
    assert_eq!(graph.data(), &data);
    assert_eq!(graph.state("base", "Inner/In").map(|state| graph.state_path(state)), Some("Inner/In"));
}

/// What of a value is not as a schema says.
fn faults(value: &Value, schema: &Value, root: &Value, path: &str) -> Vec<String> {
    if let Some(reference) = schema["$ref"].as_str() {
        let name = reference.strip_prefix("#/$defs/").unwrap();
        return faults(value, &root["$defs"][name], root, path);
    }
    if let Some(options) = schema["oneOf"].as_array() {
        let fits = |option: &&Value| faults(value, option, root, path).is_empty();
        let count = options.iter().filter(fits).count();
        return if count == 1 { Vec::new() } else { vec![format!("{path}: {count} of the options fit")] };
    }
    let mut found = Vec::new();
    let mut check = |holds: bool, what: &str| {
        if !holds {
            found.push(format!("{path}: {what}"));
        }
    };
    if let Some(kind) = schema["type"].as_str() {
        let is_kind = match kind {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64(),
            _ => value.is_number(),
        };
        check(is_kind, kind);
    }
    check(schema.get("const").is_none_or(|expected| expected == value), "const");
    check(schema["enum"].as_array().is_none_or(|options| options.contains(value)), "enum");
    let number = value.as_f64();
    check(schema["minimum"].as_f64().zip(number).is_none_or(|(min, number)| number >= min), "minimum");
    check(schema["maximum"].as_f64().zip(number).is_none_or(|(max, number)| number <= max), "maximum");
    let length = value.as_array().map(|list| list.len() as u64);
    check(schema["minItems"].as_u64().zip(length).is_none_or(|(min, length)| length >= min), "minItems");
    check(schema["maxItems"].as_u64().zip(length).is_none_or(|(max, length)| length <= max), "maxItems");
    let size = value.as_object().map(|object| object.len() as u64);
    check(schema["minProperties"].as_u64().zip(size).is_none_or(|(min, size)| size >= min), "minProperties");
    check(schema["maxProperties"].as_u64().zip(size).is_none_or(|(max, size)| size <= max), "maxProperties");
    for required in schema["required"].as_array().into_iter().flatten() {
        check(value.get(required.as_str().unwrap()).is_some(), "required");
    }
    for (key, inner) in value.as_object().into_iter().flatten() {
        match schema["properties"].get(key) {
            Some(schema) => found.extend(faults(inner, schema, root, &format!("{path}/{key}"))),
            None if schema["additionalProperties"] == false => found.push(format!("{path}/{key}: not known")),
            None => {}
        }
    }
    if let (Some(items), Some(schema)) = (value.as_array(), schema.get("items")) {
        for (index, item) in items.iter().enumerate() {
            found.extend(faults(item, schema, root, &format!("{path}/{index}")));
        }
    }
    found
}

fn schema() -> Value {
    serde_json::from_str(include_str!("../../graph.schema.json")).unwrap()
}

/// All names of properties in a schema, and of keys in a value.
fn names(value: &Value, of_schema: bool, found: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            for (key, inner) in object {
                match (of_schema, key.as_str(), inner) {
                    (true, "properties", Value::Object(properties)) => {
                        found.extend(properties.keys().cloned());
                    }
                    (false, _, _) => found.push(key.clone()),
                    _ => {}
                }
                names(inner, of_schema, found);
            }
        }
        Value::Array(list) => {
            list.iter().for_each(|inner| names(inner, of_schema, found));
        }
        _ => {}
    }
}

#[test]
fn the_schema_lists_every_field_and_refuses_others() {
    let schema = schema();
    assert_eq!(faults(&everything_and_a_mirror(), &schema, &schema, ""), Vec::<String>::new());
    let (mut listed, mut used) = (Vec::new(), Vec::new());
    names(&schema, true, &mut listed);
    names(&everything_and_a_mirror(), false, &mut used);
    for name in listed {
        assert!(used.contains(&name), "the schema has {name}, the example has not");
    }
    // Every field that is not known is refused by both.
    let mut pointers = Vec::new();
    collect_objects(&everything_and_a_mirror(), String::new(), &mut pointers);
    for pointer in pointers {
        let mut wrong = everything_and_a_mirror();
        let object = wrong.pointer_mut(&pointer).and_then(Value::as_object_mut).unwrap();
        object.insert("colour".to_owned(), json!(1));
        assert!(!faults(&wrong, &schema, &schema, "").is_empty(), "{pointer}");
        assert!(GraphData::from_json(&wrong.to_string()).is_err(), "{pointer}");
    }
}

fn collect_objects(value: &Value, at: String, found: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            object.iter().for_each(|(key, inner)| {
                collect_objects(inner, format!("{at}/{}", key.replace('~', "~0").replace('/', "~1")), found);
            });
            found.push(at);
        }
        Value::Array(list) => {
            list.iter()
                .enumerate()
                .for_each(|(index, inner)| collect_objects(inner, format!("{at}/{index}"), found));
        }
        _ => {}
    }
}

#[test]
fn json_that_is_cut_or_torn_is_refused_with_a_place() {
    let text = everything().to_string();
    for end in 0..text.len() {
        assert!(GraphData::from_json(&text[..end]).is_err(), "{end}");
    }
    let error = GraphData::from_json("{\"version\": 1,\n \"layers\": [{}]}").unwrap_err().to_string();
    assert!(error.contains("name") && error.contains("line 2"), "{error}");
}

/// Texts that are no graph, and what the error has to say of each.
#[test]
fn malformed_json_is_refused_with_line_and_cause() {
    let machine = |state: &str| {
        format!(
            "{{\"version\": 1,\n\"layers\": [{{\"name\": \"base\", \"machine\": {{\"entry\": \"A\", \"states\": [\n{state}\n]}}}}]}}"
        )
    };
    let deep = "[".repeat(100_000);
    let nested = format!("{}{}", "{\"layers\": [".repeat(5_000), "]}".repeat(5_000));
    let cases: [(&str, &[&str]); 17] = [
        ("", &["EOF", "line 1"]),
        ("graph", &["line 1 column 1"]),
        ("[]", &["GraphData"]),
        ("null", &["GraphData"]),
        ("{}", &["`version`"]),
        ("{\"version\": 1}", &["`layers`"]),
        ("{\"version\": \"1\", \"layers\": []}", &["u32", "line 1"]),
        ("{\"version\": 1, \"layers\": [],}", &["trailing comma"]),
        ("{\"version\": 1, // why\n\"layers\": []}", &["line 1"]),
        ("{\"version\": 1, \"layers\": [], \"states\": []}", &["`states`", "expected one of"]),
        ("{\"version\": 1, \"version\": 1, \"layers\": []}", &["duplicate field `version`"]),
        (&machine("{\"name\": \"A\"}"), &["`motion`", "line 3"]),
        (&machine("{\"name\": \"A\", \"motion\": \"walk\"}"), &["`walk`", "`hold`"]),
        (&machine("{\"name\": \"A\", \"motion\": \"rest\", \"speed\": NaN}"), &["line 3"]),
        (&machine("{\"name\": \"A\", \"motion\": \"rest\", \"lop\": \"once\"}"), &["`lop`", "`loop`"]),
        (&deep, &["sequence", "line 1 column 1"]),
        (&nested, &["line 1"]),
    ];
    for (text, expected) in cases {
        let error = GraphData::from_json(text).unwrap_err().to_string();
        assert!(expected.iter().all(|part| error.contains(part)), "{text:.80}: {error}");
        assert!(error.len() < 1000, "{error}");
    }
}

/// Puts something wrong into the graph, and looks for what the error has to name.
#[test]
fn what_is_wrong_is_refused_with_its_place() {
    let cases: &[(&str, Value, &[&str])] = &[
        ("/version", json!(2), &["version 2"]),
        ("/layers", json!([]), &["`layers`"]),
        ("/parameters/1/name", json!("x"), &["parameters", "\"x\""]),
        ("/parameters/0/default", json!(true), &["\"x\"", "number"]),
        ("/parameters/2/default", json!(0.5), &["whole number"]),
        ("/parameters/3/default", json!(1), &["\"go\"", "true or false"]),
        ("/layers/1/name", json!("base"), &["layers", "\"base\""]),
        ("/layers/0/machine/entry", json!("Mov"), &["base", "`entry`", "\"Mov\""]),
        ("/layers/0/machine/states", json!([]), &["base", "state is missing"]),
        ("/layers/0/machine/states/1/name", json!("Move"), &["\"Move\""]),
        ("/layers/0/machine/states/3/name", json!("any"), &["\"any\""]),
        ("/layers/0/machine/states/0/sync", json!("gate"), &["\"Move\"", "`sync`", "\"gate\""]),
        ("/layers/0/machine/states/0/speed", json!("go"), &["\"Move\"", "`speed`", "float"]),
        ("/layers/0/machine/states/0/speed", json!("fast"), &["\"Move\"", "no parameter \"fast\""]),
        (
            "/layers/0/machine/states/1/motion",
            json!({ "blend1d": { "parameter": "x", "points": [] } }),
            &["Attack", "`points`"],
        ),
        (
            "/layers/0/machine/states/0/motion/blend2d/points/1/at",
            json!([0.0, 0.0]),
            &["\"Move\"", "points 0 and 1"],
        ),
        ("/layers/0/machine/states/0/motion/blend2d/half_life", json!(-1.0), &["half_life", "-1"]),
        ("/layers/0/machine/states/0/motion/blend2d/points/2/motion", json!("hold"), &["\"Move\"", "hold"]),
        (
            "/layers/0/machine/states/0/motion/blend2d/points/1/motion/clip/range",
            json!([0.5, 9.0]),
            &["`range`", "9"],
        ),
        ("/layers/0/machine/states/0/motion/blend2d/points/1/motion/clip/speed", json!(0.0), &["`speed`"]),
        ("/layers/0/machine/transitions/0/to", json!("Attac"), &["transition 0", "`to`", "\"Attac\""]),
        ("/layers/0/machine/transitions/0/from", json!("exit"), &["transition 0", "`from`"]),
        ("/layers/0/machine/transitions/0/to", json!("exit"), &["transition 0", "no exit"]),
        ("/layers/0/machine/transitions/0/duration", json!(-0.5), &["`duration`", "-0.5"]),
        ("/layers/0/machine/transitions/0/exit_time", json!(-0.5), &["`exit_time`", "-0.5"]),
        ("/layers/0/machine/transitions/0/enter", json!({ "offset": 1.5 }), &["`enter`", "1.5"]),
        ("/layers/0/machine/transitions/0/enter", json!({ "marker": "hop" }), &["`enter`", "\"hop\""]),
        ("/layers/0/machine/transitions/0/when/0/parameter", json!("jump"), &["`when`", "trigger"]),
        ("/layers/0/machine/transitions/0/when/0/value", json!(true), &["`when`", "\"x\"", "number"]),
        ("/layers/0/machine/transitions/0/when/1/op", json!("<"), &["`when`", "\"go\""]),
        ("/layers/0/machine/transitions/0/when/3/value", json!(0.5), &["`when`", "whole number"]),
        ("/layers/0/machine/states/2/motion/machine/states/0/name", json!("a/b"), &["Inner", "\"a/b\""]),
        ("/layers/1/mask/subtree", json!(["joint_9"]), &["lean", "`mask`", "\"joint_9\""]),
        ("/layers/1/mode/additive/reference/clip", json!("Z"), &["lean", "\"Z\""]),
        ("/layers/0/mode", json!({ "additive": {} }), &["base", "`mode`"]),
        ("/layers/0/weight", json!(0.5), &["base", "`weight`"]),
    ];
    for (pointer, value, names) in cases {
        let mut wrong = everything();
        match wrong.pointer_mut(pointer) {
            Some(place) => *place = value.clone(),
            None => {
                let (parent, key) = pointer.rsplit_once('/').unwrap();
                let object = wrong.pointer_mut(parent).and_then(Value::as_object_mut).unwrap();
                object.insert(key.to_owned(), value.clone());
            }
        }
        let data =
            GraphData::from_json(&wrong.to_string()).unwrap_or_else(|error| panic!("{pointer}: {error}"));
        let error = build(data).err().unwrap_or_else(|| panic!("{pointer}")).to_string();
        for name in *names {
            assert!(error.contains(name), "{pointer}: {error}");
        }
    }
}

#[test]
fn an_exit_time_beyond_an_end_is_refused() {
    let mut wrong = everything();
    *wrong.pointer_mut("/layers/0/machine/transitions/0/from").unwrap() = json!("Attack");
    *wrong.pointer_mut("/layers/0/machine/transitions/0/to").unwrap() = json!("Move");
    *wrong.pointer_mut("/layers/0/machine/transitions/0/exit_time").unwrap() = json!(3.5);
    let error = build(GraphData::from_json(&wrong.to_string()).unwrap()).unwrap_err().to_string();
    assert!(error.contains("3.5 is never reached"), "{error}");
}

#[test]
fn machines_that_are_nested_too_deep_are_refused() {
    let mut machine = json!({ "entry": "S", "states": [{ "name": "S", "motion": "rest" }] });
    for _ in 0..9 {
        machine = json!({ "entry": "S", "states": [{ "name": "S", "motion": { "machine": machine } }] });
    }
    let data = json!({ "version": 1, "layers": [{ "name": "base", "machine": machine }] });
    let error = build(GraphData::from_json(&data.to_string()).unwrap()).unwrap_err().to_string();
    assert!(error.contains("nested"), "{error}");
}

#[test]
fn what_is_probably_not_meant_is_warned_of() {
    let graph = build(GraphData::from_json(&everything().to_string()).unwrap()).unwrap();
    assert!(graph.warnings().is_empty(), "{:?}", graph.warnings());
    let mut odd = everything();
    odd.pointer_mut("/layers/0/machine/transitions").unwrap().as_array_mut().unwrap().remove(0);
    let graph = build(GraphData::from_json(&odd.to_string()).unwrap()).unwrap();
    let warnings: Vec<_> = graph.warnings().iter().map(ToString::to_string).collect();
    assert!(
        warnings.iter().any(|warning| warning.contains("\"Attack\": nothing leads there")),
        "{warnings:?}"
    );
    assert!(warnings.iter().any(|warning| warning.contains("\"n\": nothing asks")), "{warnings:?}");
}
