//! Pictures that are compressed by Basis Universal, beside what the reference decoder makes of them.

use canter_gltf::{Ktx2Error, PictureLimits, decode_ktx2, is_ktx2, load_bytes};
use serde_json::json;

use canter_testing::glb::Data;

fn read(name: &str) -> Vec<u8> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    std::fs::read(folder.join(name)).unwrap()
}

const NAMES: [&str; 3] = ["etc1s", "uastc", "uastc-zstd"];

/// A fixture with a number of 32 bits in its header replaced.
fn changed(name: &str, at: usize, number: u32) -> Vec<u8> {
    let mut file = read(&format!("{name}.ktx2"));
    file[at..at + 4].copy_from_slice(&number.to_le_bytes());
    file
}

// Where the header has them.
const WIDTH: usize = 20;
const HEIGHT: usize = 24;
const DEPTH: usize = 28;
const LAYERS: usize = 32;
const FACES: usize = 36;
const LEVELS: usize = 40;
const FIRST_LEVEL_SIZE: usize = 80 + 16;

#[test]
fn pictures_decode_to_the_bytes_of_the_reference_decoder() {
    for name in NAMES {
        let picture = decode_ktx2(&read(&format!("{name}.ktx2")), &PictureLimits::default()).unwrap();
        assert_eq!((picture.width, picture.height), (20, 12), "{name}");
        assert_eq!(picture.rgba, read(&format!("{name}.rgba")), "{name}");
    }
}

#[test]
fn what_no_picture_claims_is_refused_before_it_is_allocated() {
    let shape =
        |what| move |error: &Ktx2Error| matches!(error, Ktx2Error::Shape { what: of, .. } if *of == what);
    let too_large = |error: &Ktx2Error| matches!(error, Ktx2Error::TooLarge { .. });
    for name in NAMES {
        let refused =
            |at, number| decode_ktx2(&changed(name, at, number), &PictureLimits::default()).unwrap_err();
        for number in [7, 1_000_000, u32::MAX] {
            assert!(shape("the depth")(&refused(DEPTH, number)), "{name}");
            assert!(shape("the number of layers")(&refused(LAYERS, number)), "{name}");
            assert!(shape("the number of faces")(&refused(FACES, number)), "{name}");
        }
        for at in [WIDTH, HEIGHT] {
            for number in [16_385, u32::MAX] {
                assert!(too_large(&refused(at, number)), "{name}");
            }
        }
        assert!(shape("the number of texels")(&refused(HEIGHT, 0)), "{name}");
    }
    let levels = decode_ktx2(&changed("uastc-zstd", LEVELS, 9), &PictureLimits::default()).unwrap_err();
    assert!(matches!(levels, Ktx2Error::Shape { .. } | Ktx2Error::Container(_)), "{levels}");
    let bomb = changed("uastc-zstd", FIRST_LEVEL_SIZE, u32::MAX);
    let bomb = decode_ktx2(&bomb, &PictureLimits::default()).unwrap_err();
    assert_eq!(
        bomb,
        Ktx2Error::Shape { what: "the size of a level in bytes", found: u32::MAX.into(), expected: 240 }
    );
    let small = PictureLimits { side: 16, ..PictureLimits::default() };
    assert!(too_large(&decode_ktx2(&read("uastc.ktx2"), &small).unwrap_err()));
    let few = PictureLimits { bytes: 959, ..PictureLimits::default() };
    assert!(too_large(&decode_ktx2(&read("uastc.ktx2"), &few).unwrap_err()));
}

/// Every prefix, and every byte changed in four ways.
#[test]
fn broken_files_are_errors_or_other_pictures() {
    let limits = PictureLimits { side: 4096, bytes: 1 << 26 };
    for name in NAMES {
        let mut file = read(&format!("{name}.ktx2"));
        for end in 0..file.len() {
            let _ = decode_ktx2(&file[..end], &limits);
        }
        for at in 0..file.len() {
            for pattern in [0x01, 0x20, 0x80, 0xFF] {
                file[at] ^= pattern;
                if let Ok(picture) = decode_ktx2(&file, &limits) {
                    assert_eq!(picture.rgba.len(), (picture.width * picture.height * 4) as usize);
                }
                file[at] ^= pattern;
            }
        }
    }
}

#[test]
fn a_file_with_such_a_picture_loads_without_a_word() {
    let mut data = Data::default();
    let view = data.view(&read("uastc-zstd.ktx2"));
    let asset = load_bytes(&data.glb(json!({
        "extensionsRequired": ["KHR_texture_basisu"],
        "extensionsUsed": ["KHR_texture_basisu"],
        "textures": [{ "extensions": { "KHR_texture_basisu": { "source": 0 } } }],
        "images": [{ "bufferView": view, "mimeType": "image/ktx2" }],
    })))
    .unwrap();
    assert_eq!(asset.warnings, []);
    assert!(is_ktx2(&asset.images[asset.textures[0].image.unwrap()].bytes));
}
