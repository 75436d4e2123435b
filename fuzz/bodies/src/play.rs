//! A file, then anything that can be done to a mixer.

use std::sync::OnceLock;

use canter::Mixer;
use canter_gltf::Asset;

use crate::bytes::load;
use crate::input::Input;
use crate::operations::meddle;
use canter_testing::glb;

/// The first byte says how many bytes decide what is done to the mixer; the file is behind them. Where that
/// does not load, a small character or the hero stands in: operations are worth trying on any file.
pub fn play(data: &[u8]) {
    let mut input = Input(data);
    let length = usize::from(input.byte()) * 4;
    let operations = Input(input.take(length));
    let own;
    let asset = match load(input.0) {
        Ok(asset) => {
            own = asset;
            &own
        }
        Err(_) if length % 8 == 0 => character(),
        Err(_) => hero(),
    };
    meddle(operations, &mut Mixer::new(&asset.skeleton), &asset.clips);
}

fn character() -> &'static Asset {
    static CHARACTER: OnceLock<Asset> = OnceLock::new();
    CHARACTER.get_or_init(|| load(&glb::character()).expect("a good file"))
}

fn hero() -> &'static Asset {
    static HERO: OnceLock<Asset> = OnceLock::new();
    HERO.get_or_init(|| load(crate::hero::HERO).expect("a good file"))
}
