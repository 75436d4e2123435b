//! Broken copies of good files: every prefix, and every byte of the JSON changed. None may panic.

use std::path::Path;

use canter_gltf::{LoadOptions, NoFiles};

use canter_testing::{glb, requirement};

/// Flips the lowest bit (digits, letters), the case, the sign of a byte, and all of it.
const PATTERNS: [u8; 4] = [0x01, 0x20, 0x80, 0xFF];

#[test]
fn every_prefix_of_a_file_is_an_error() {
    every_prefix(&glb::character());
}

#[test]
fn every_changed_byte_of_the_json_is_answered() {
    every_flip(&glb::character(), &PATTERNS, 1);
}

#[test]
fn every_changed_byte_of_the_buffer_is_answered() {
    every_buffer_flip(glb::character());
}

/// Streams of Draco in the buffer, and its extension in the JSON.
#[cfg(feature = "draco")]
#[test]
fn every_changed_byte_of_a_compressed_mesh_is_answered() {
    for name in ["tube-edgebreaker.draco.glb", "tube-sequential.draco.glb"] {
        let file = std::fs::read(crate::draco::fixture(name)).expect("it is in the repository");
        every_prefix(&file);
        every_flip(&file, &PATTERNS, 1);
        every_buffer_flip(file);
    }
}

fn every_buffer_flip(mut file: Vec<u8>) {
    for at in 20 + json_length(&file)..file.len() {
        for pattern in PATTERNS {
            file[at] ^= pattern;
            let _ = canter_gltf::load_bytes(&file);
            file[at] ^= pattern;
        }
    }
}

/// The character that the project ships. Its JSON has some 80,000 bytes, each of which costs a load of the
/// whole file: all of them take many minutes, so that every 7th does, and every 31st where not all tests are wanted.
#[test]
fn the_hero_survives_every_cut_and_many_flips() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/hero.glb");
    let hero = std::fs::read(path).expect("`cargo xtask assets` builds assets/hero.glb");
    every_prefix(&hero);
    let step = if requirement::are_all_wanted() { 7 } else { 31 };
    every_flip(&hero, &PATTERNS[..1], step);
}

fn every_prefix(file: &[u8]) {
    assert!(canter_gltf::load_bytes(file).is_ok());
    for end in 0..file.len() {
        assert!(canter_gltf::load_bytes(&file[..end]).is_err(), "a file cut after {end} bytes");
    }
}

/// Every `step`th byte of the JSON, spread over all cores: a large file has many bytes.
fn every_flip(file: &[u8], patterns: &[u8], step: usize) {
    let json = 20..20 + json_length(file);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let json = json.clone();
            scope.spawn(move || {
                let mut file = file.to_vec();
                for at in json.step_by(step).skip(thread).step_by(threads) {
                    for pattern in patterns {
                        file[at] ^= pattern;
                        let _ = canter_gltf::load_bytes_with(&file, &NoFiles, &LoadOptions::default());
                        file[at] ^= pattern;
                    }
                }
            });
        }
    });
}

fn json_length(glb: &[u8]) -> usize {
    u32::from_le_bytes([glb[12], glb[13], glb[14], glb[15]]) as usize
}
