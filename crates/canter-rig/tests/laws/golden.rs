//! The same bits on every machine: what solvers make of fixed inputs, as a number.

use canter_rig::scripted;

#[test]
fn the_bits_are_those_of_every_machine() {
    let hash = scripted::run().unwrap();
    assert_eq!(hash, scripted::EXPECTED, "{hash:#x}");
}
