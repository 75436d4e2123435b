//! How the buffer of palettes grows and refuses.

use canter::Mat3x4;
use canter_wgpu::{Block, PaletteBuffer, PaletteError, PaletteFormat, PaletteLayout, PaletteLocation};

use crate::device::devices;

#[test]
fn memory_grows_by_doubling_and_never_in_a_frame_like_the_last() {
    let skin = vec![Mat3x4::IDENTITY; 64];
    for gpu in devices() {
        for location in [PaletteLocation::Uniform, PaletteLocation::Storage, PaletteLocation::Texture] {
            let layout = PaletteLayout { location, format: PaletteFormat::Mat4, ..PaletteLayout::default() };
            let Ok(mut palettes) = PaletteBuffer::new(&gpu.device, layout) else { continue };
            let mut frames = 0;
            let mut frame = |characters: usize| {
                palettes.clear();
                for _ in 0..characters {
                    palettes.push(Block { matrices: &skin, world: Mat3x4::IDENTITY, key: 0 }).unwrap();
                }
                palettes.upload(&gpu.device, &gpu.queue);
                frames += 1;
                assert_eq!(palettes.writes(), frames, "one write a frame");
                palettes.generation()
            };
            for characters in 1..=256 {
                frame(characters);
            }
            let grown = frame(256);
            // From one kilorow to 64 of them: six times two, and the head room of a uniform binding.
            assert!((1..=7).contains(&grown), "{grown} times, {layout:?} on {}", gpu.name);
            for characters in [256, 1, 200, 256] {
                assert_eq!(frame(characters), grown, "{layout:?} on {}", gpu.name);
            }
        }
    }
}

#[test]
fn what_a_device_has_not_is_an_error() {
    for gpu in devices() {
        let layout = PaletteLayout { location: PaletteLocation::Storage, ..PaletteLayout::default() };
        let has_storage = gpu.device.limits().max_storage_buffers_per_shader_stage > 0;
        match PaletteBuffer::new(&gpu.device, layout) {
            Ok(_) => assert!(has_storage, "on {}", gpu.name),
            Err(error) => {
                assert!(!has_storage, "on {}", gpu.name);
                assert_eq!(error, PaletteError::NotSupported(PaletteLocation::Storage));
            }
        }
    }
}
