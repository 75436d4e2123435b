//! The example that people copy draws what the CPU poses, also where a file has rigid parts, several parts,
//! or several skins.

use std::path::Path;

use canter::glam::{Mat4, Vec3};
use canter_gltf::Topology;
use canter_scene::{Character, Model};
use canter_wgpu::{Offscreen, PaletteLayout, PaletteLocation};

use crate::device::devices;
use example::SIZE;

#[allow(dead_code, reason = "its main function is not called here")]
#[path = "../../examples/own_pipeline.rs"]
mod example;

/// The pixels around a point in the world, as the example projects it; none outside of the picture.
fn is_drawn(pixels: &[u8], at: Vec3) -> bool {
    let (width, height) = SIZE;
    let across = (at.x * 0.75 * 0.5 + 0.5) * width as f32;
    let down = (0.5 - at.y * 0.5) * height as f32;
    #[expect(clippy::cast_possible_truncation, reason = "a pixel")]
    let near = |middle: f32, step: i32| (middle.floor() as i32 + step).max(0).unsigned_abs();
    let mut around = (-1..=1).flat_map(|y| (-1..=1).map(move |x| (near(across, x), near(down, y))));
    around.any(|(x, y)| {
        let alpha = ((y * width + x) * 4 + 3) as usize;
        x < width && y < height && pixels[alpha] > 0
    })
}

/// How many of the vertices of the figure's parts there are, and how many of them are drawn.
fn count(pixels: &[u8], character: &Character, world: Mat4) -> (usize, usize) {
    let parts = character.model.parts().iter();
    let drawn = parts.filter(|part| character.model.primitive(part).topology == Topology::Triangles);
    let places = drawn.flat_map(|part| {
        let unmorphed = canter_scene::MeshTransform::Palette(character.part_palette(part));
        canter_scene::PosedVertices::new(character.model.primitive(part), &[], unmorphed).positions
    });
    places.fold((0, 0), |(all, drawn), at| {
        (all + 1, drawn + usize::from(is_drawn(pixels, world.transform_point3(at))))
    })
}

#[test]
fn the_example_draws_rigid_and_skinned_parts_where_they_are() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let others = ["RobotExpressive/RobotExpressive.glb", "KayKitKnight/Knight.glb"];
    let mut files = vec![root.join("../../assets/hero.glb"), root.join("../../assets/sword.glb")];
    for name in others {
        let file = root.join("../../../shared/assets").join(name);
        if file.is_file() {
            files.push(file);
        } else {
            assert!(std::env::var_os("CI").is_none(), "CI needs the shared models: {}", file.display());
            eprintln!("not there, and passed over: {}", file.display());
        }
    }
    for gpu in devices().iter() {
        for file in &files {
            let model = Model::load(file).unwrap();
            let chosen = example::LAYOUT.choose_instanced(&gpu.device);
            for layout in [chosen, PaletteLayout { location: PaletteLocation::Uniform, ..chosen }] {
                let picture = Offscreen::new(&gpu.device, SIZE.0, SIZE.1);
                let target = (picture.view(), Offscreen::FORMAT);
                example::draw(&gpu.device, &gpu.queue, &model, layout, target).unwrap();
                let pixels = picture.read(&gpu.device, &gpu.queue).unwrap();
                for (figure, world) in example::figures(&model).unwrap() {
                    let (all, drawn) = count(&pixels, &figure, world);
                    // A few are hidden in the backs of open surfaces.
                    let name = file.display();
                    assert!(
                        drawn * 100 >= all * 99,
                        "{drawn} of {all} in {name} on {}, {layout:?}",
                        gpu.name
                    );
                }
            }
        }
    }
}
