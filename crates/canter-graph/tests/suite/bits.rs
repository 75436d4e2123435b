//! The same bits everywhere: a scripted run of the hero's graph, two numbers per frame in
//! `tests/hero-graph.txt`, which every build, CPU and WebAssembly must give. `bits/run.rs` says what is run; it
//! stands alone, so that other crates can have it by its path.

mod run;

use std::fmt::Write as _;
use std::path::Path;

/// With the variable `CANTER_BLESS` set, the file is written anew; say in the changelog why results have
/// changed.
#[test]
fn the_heros_graph_gives_the_bits_that_it_always_gave() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hero-graph.txt");
    let found = run::run(
        include_bytes!("../../../../assets/hero.glb"),
        include_str!("../../../../assets/hero.graph.json"),
    );
    let found = found.iter().fold(String::new(), |mut text, [states, palette]| {
        let _ = writeln!(text, "{states:08x} {palette:08x}");
        text
    });
    if std::env::var_os("CANTER_BLESS").is_some() {
        std::fs::write(&path, &found).expect("a folder that can be written to");
    }
    let expected = std::fs::read_to_string(&path).expect("it is part of the project");
    assert_eq!(expected.lines().count(), usize::from(run::FRAMES));
    let different = found.lines().zip(expected.lines()).position(|(found, expected)| found != expected);
    assert_eq!(different, None, "this frame has other states or other bits");
    let states: std::collections::BTreeSet<_> = expected.lines().map(|line| &line[..8]).collect();
    assert!(states.len() >= 6, "the script leads through {} combinations of states", states.len());
}
