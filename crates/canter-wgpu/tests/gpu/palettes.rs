//! How the buffer of palettes grows and refuses.

use canter::Mat3x4;
use canter_wgpu::{
    Block, BlockSize, PaletteBuffer, PaletteError, PaletteFormat, PaletteLayout, PaletteLocation,
};

use crate::device::devices;

#[test]
fn memory_grows_by_doubling_and_never_in_a_frame_like_the_last() {
    let skin = vec![Mat3x4::IDENTITY; 64];
    for gpu in devices().iter() {
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

/// Each of these was refused: where palettes live was chosen by the joints alone.
#[test]
fn what_a_layout_was_chosen_for_can_be_pushed() {
    let packed = PaletteLayout::default();
    let (world, previous) =
        (PaletteLayout { world: true, ..packed }, PaletteLayout { previous: true, ..packed });
    for gpu in devices().iter() {
        for (wanted, matrices, targets) in
            [(packed, 341, 0), (world, 341, 0), (previous, 200, 0), (packed, 300, 300), (previous, 100, 500)]
        {
            let size = BlockSize { matrices, morph_targets: &[targets] };
            let layout = wanted.choose(&gpu.device, size);
            let mut palettes = PaletteBuffer::new(&gpu.device, layout).unwrap();
            let matrices = vec![Mat3x4::IDENTITY; matrices];
            for _ in 0..2 {
                palettes.clear();
                palettes.push(Block { matrices: &matrices, world: Mat3x4::IDENTITY, key: 0 }).unwrap();
                palettes.push_morphs(&vec![1.0; targets]).unwrap();
                palettes.upload(&gpu.device, &gpu.queue);
            }
        }
    }
}

#[test]
fn what_a_device_has_not_is_an_error() {
    for gpu in devices().iter() {
        let layout = PaletteLayout::default().choose_instanced(&gpu.device);
        assert_eq!(layout.location == PaletteLocation::Storage, gpu.has_vertex_storage, "on {}", gpu.name);
        let layout = PaletteLayout { location: PaletteLocation::Storage, ..PaletteLayout::default() };
        match PaletteBuffer::new(&gpu.device, layout) {
            Ok(_) => assert!(gpu.has_vertex_storage, "on {}", gpu.name),
            Err(error) => {
                assert!(!gpu.has_vertex_storage, "on {}", gpu.name);
                assert_eq!(error, PaletteError::NotSupported(PaletteLocation::Storage));
            }
        }
    }
}
