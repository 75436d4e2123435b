//! `canter render` and the first command: the files decode, have the right frames, and show something that
//! moves.

use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A folder of its own for each test, away afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("canter-render-{}-{name}", std::process::id()));
        // Two tests with one name would take each other's files away.
        fs::create_dir(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        Self(path)
    }

    /// Without a display.
    fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_canter"));
        command.current_dir(&self.0).args(arguments.split_whitespace());
        command.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY");
        command
    }

    fn canter(&self, arguments: &str) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// On a machine without any graphics driver.
    fn canter_without_drivers(&self, arguments: &str) -> Output {
        let mut command = self.command(arguments);
        for variable in ["VK_DRIVER_FILES", "VK_ICD_FILENAMES", "__EGL_VENDOR_LIBRARY_FILENAMES"] {
            command.env(variable, "/nonexistent.json");
        }
        command.output().unwrap()
    }

    /// Runs `canter render`, which has to succeed.
    fn render(&self, arguments: &str) -> String {
        let output = self.canter(&format!("render {arguments} --software --samples 1"));
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{arguments}: {errors}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

struct Decoded {
    size: (u32, u32),
    /// Delays in milliseconds.
    delays: Vec<u32>,
    /// Whether any frame differs from the one before it.
    moves: bool,
}

type Decode = fn(&Path) -> Decoded;

/// The kinds of films, and who reads them.
const KINDS: [(&str, Decode); 3] =
    [("walk.png", decode_png), ("walk.gif", decode_gif), ("walk.webp", decode_webp)];

fn decode_png(path: &Path) -> Decoded {
    let mut reader = png::Decoder::new(BufReader::new(File::open(path).unwrap())).read_info().unwrap();
    let frames = reader.info().animation_control().map_or(1, |control| control.num_frames);
    let size = (reader.info().width, reader.info().height);
    let (mut delays, mut moves) = (Vec::new(), false);
    for frame in 0..frames {
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut pixels).unwrap();
        if let Some(control) = reader.info().frame_control() {
            delays.push(u32::from(control.delay_num) * 1000 / u32::from(control.delay_den));
            moves |= frame > 0 && control.width > 4 && control.height > 4;
        }
    }
    Decoded { size, delays, moves }
}

fn decode_gif(path: &Path) -> Decoded {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut reader = options.read_info(File::open(path).unwrap()).unwrap();
    let size = (u32::from(reader.width()), u32::from(reader.height()));
    let (mut delays, mut moves) = (Vec::new(), false);
    while let Some(frame) = reader.read_next_frame().unwrap() {
        moves |= !delays.is_empty() && frame.buffer.chunks_exact(4).filter(|pixel| pixel[3] > 0).count() > 20;
        delays.push(u32::from(frame.delay) * 10);
    }
    Decoded { size, delays, moves }
}

fn decode_webp(path: &Path) -> Decoded {
    let mut reader = image_webp::WebPDecoder::new(BufReader::new(File::open(path).unwrap())).unwrap();
    let size = reader.dimensions();
    let (mut delays, mut moves) = (Vec::new(), false);
    let mut last = Vec::new();
    for _ in 0..reader.num_frames() {
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        delays.push(reader.read_frame(&mut pixels).unwrap());
        moves |= !last.is_empty() && last != pixels;
        last = pixels;
    }
    Decoded { size, delays, moves }
}

#[test]
fn films_of_every_kind_have_their_frames_and_move() {
    let folder = Folder::new("kinds");
    for (name, decode) in KINDS {
        folder.render(&format!("hero --clip Walk --size 48x40 --fps 8 -o {name}"));
        let film = decode(&folder.path(name));
        assert_eq!(film.size, (48, 40), "{name}");
        assert_eq!(film.delays.len(), 8, "{name}");
        assert_eq!(film.delays.iter().sum::<u32>(), 1000, "{name}: as long as the clip");
        assert!(film.moves, "{name}");
    }
}

#[test]
fn transparent_films_decode_too() {
    let folder = Folder::new("transparent");
    let arguments = "hero --clip Run --size 40 --fps 10 --background transparent";
    for name in ["run.png", "run.gif", "run.webp"] {
        folder.render(&format!("{arguments} -o {name}"));
    }
    assert_eq!(decode_png(&folder.path("run.png")).delays.len(), 7);
    assert_eq!(decode_gif(&folder.path("run.gif")).delays.len(), 7);
    assert_eq!(decode_webp(&folder.path("run.webp")).delays.len(), 7);
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let folder = Folder::new("same");
    for name in ["a.png", "b.png", "a.gif", "b.gif"] {
        folder.render(&format!("hero --clip Run --size 32 --fps 6 --attach sword:hand_R -o {name}"));
    }
    assert!(fs::read(folder.path("a.png")).unwrap() == fs::read(folder.path("b.png")).unwrap());
    assert!(fs::read(folder.path("a.gif")).unwrap() == fs::read(folder.path("b.gif")).unwrap());
}

#[test]
fn frames_go_into_a_folder_and_a_moment_is_one_picture() {
    let folder = Folder::new("frames");
    folder.render("hero --clip Jump --size 24 --seconds 0.5 --fps 10 -o frames/");
    assert_eq!(fs::read_dir(folder.path("frames")).unwrap().count(), 5);
    assert_eq!(decode_png(&folder.path("frames/frame-0004.png")).size, (24, 24));
    // A shorter film takes the place of the longer one, and nothing else.
    fs::write(folder.path("frames/notes.txt"), "mine").unwrap();
    folder.render("hero --clip Jump --size 24 --seconds 0.3 --fps 10 -o frames/");
    let names = fs::read_dir(folder.path("frames")).unwrap().map(|entry| entry.unwrap().file_name());
    let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["frame-0000.png", "frame-0001.png", "frame-0002.png", "notes.txt"]);

    folder.render("hero --clip Wave --time 0.7 --size 64x32 --skeleton --background #203040 -o wave.png");
    let still = decode_png(&folder.path("wave.png"));
    assert_eq!((still.size, still.delays.len()), ((64, 32), 0));
}

#[test]
fn a_sheet_has_a_picture_for_each_cell() {
    let folder = Folder::new("sheet");
    let told = folder.render("hero --clip Idle --clip Attack --sheet 4x2 --size 30 -o sheet.png");
    assert!(told.contains("4 x 2 pictures of 30 x 30"), "{told}");
    assert_eq!(decode_png(&folder.path("sheet.png")).size, (120, 60));
}

#[test]
fn a_crossfade_goes_there_and_back() {
    let folder = Folder::new("fade");
    folder.render("hero --clip Walk --to Run --fade 0.4 --size 24 --fps 10 -o plain.png");
    // A loop of Walk, a fade, a loop of Run, a fade.
    assert_eq!(decode_png(&folder.path("plain.png")).delays.iter().sum::<u32>(), 2500);
    folder.render(
        "hero --clip Walk --to Run --fade 0.4 --sync --travel 1.02,2.9 --size 24 --fps 10 -o sync.png",
    );
    assert!(decode_png(&folder.path("sync.png")).moves);
}

#[test]
fn a_layer_plays_above_and_the_film_is_as_long_as_it_needs() {
    let folder = Folder::new("layer");
    let run = "hero --clip Run --size 24 --fps 10";
    folder.render(&format!("{run} -o run.png"));
    folder.render(&format!("{run} --layer Attack,mask=spine,feather=2,once,at=0.2 -o attack.png"));
    let secs = |name: &str| decode_png(&folder.path(name)).delays.iter().sum::<u32>();
    assert_eq!((secs("run.png"), secs("attack.png")), (700, 1400));
    for (name, layer) in [("a.png", "Idle,additive=rest,weight=0.5"), ("b.png", "Wave,mask=*arm_L+head")] {
        folder.render(&format!("{run} --time 0.3 --layer {layer} -o {name}"));
        folder.render(&format!("{run} --time 0.3 -o plain.png"));
        assert_ne!(fs::read(folder.path(name)).unwrap(), fs::read(folder.path("plain.png")).unwrap());
    }
}

#[test]
fn kinds_of_fades_are_shown_beside_each_other() {
    let folder = Folder::new("fade-kinds");
    let mash = "hero --clip Idle --to Run@0.2 --to Jump@0.4 --seconds 1.2 --fps 10 --size 40x32";
    let told = folder.render(&format!("{mash} --fade-kind cross,dead -o both.png"));
    assert!(told.contains("12 frames, 80 x 32, 1.20 s"), "{told}");
    assert!(decode_png(&folder.path("both.png")).moves);
    folder.render(&format!("{mash} --fade-kind inertial --time 0.5 -o still.png"));
    assert_eq!(decode_png(&folder.path("still.png")).size, (40, 32));
}

#[test]
fn a_figure_that_travels_is_followed_and_leaves_footprints() {
    let folder = Folder::new("motion");
    let walk = "hero --clip WalkRoot --size 60x48 --fps 5";
    for (name, more) in [
        ("plain", ""),
        ("way", "--root-motion"),
        ("prints", "--root-motion --footprints"),
        ("whole", "--root-motion --still-camera"),
        ("place", "--in-place"),
    ] {
        folder.render(&format!("{walk} {more} -o {name}.png"));
        let film = decode_png(&folder.path(&format!("{name}.png")));
        assert_eq!((film.size, film.delays.len(), film.moves), ((60, 48), 5, true), "{name}");
        folder.render(&format!("{walk} {more} --time 0.4 -o {name}-still.png"));
    }
    let still = |name: &str| fs::read(folder.path(&format!("{name}-still.png"))).unwrap();
    for (a, b) in [("plain", "way"), ("way", "prints"), ("way", "whole"), ("way", "place")] {
        assert_ne!(still(a), still(b), "{a} {b}");
    }
    // The film leads on: where it ends is as good as where it began.
    let grid = "hero --clip WalkRoot --root-motion --footprints --size 60x48";
    folder.render(&format!("{grid} --time 0 -o begin.png"));
    folder.render(&format!("{grid} --time 1 -o end.png"));
    let (begin, end) = (pixels(&folder.path("begin.png")), pixels(&folder.path("end.png")));
    let off = begin.iter().zip(&end).filter(|(a, b)| a.abs_diff(**b) > 3).count();
    assert!(off * 500 < begin.len(), "{off} of {}", begin.len());
}

/// The bytes of a still picture.
fn pixels(path: &Path) -> Vec<u8> {
    let mut reader = png::Decoder::new(BufReader::new(File::open(path).unwrap())).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    pixels
}

#[test]
fn a_figure_without_clips_turns() {
    let folder = Folder::new("turn");
    folder.render("sword --turntable --seconds 1 --fps 5 --size 24 -o turn.png");
    let film = decode_png(&folder.path("turn.png"));
    assert!(film.delays.len() == 5 && film.moves);
}

#[test]
fn what_is_wrong_is_said_with_a_hint() {
    let folder = Folder::new("wrong");
    let table = [
        ("hero --clip Wlak", "did you mean \"Walk\"?"),
        ("gone.glb", "is the path right?"),
        ("hero -o hero.mp4", "cannot write .mp4 files"),
        ("hero --time 0 -o hero.gif", "a single picture is a .png"),
        ("hero --attach sword", "names no joint"),
        ("hero --attach sword:hand", "did you mean \"hand_"),
        ("hero --attach sword:nose", "lists the joints"),
        ("hero --clip Walk --clip Run", "--sheet"),
        ("hero --clip Walk --clip Run --sheet 1x1", "too few"),
        ("hero --layer Attak", "did you mean \"Attack\"?"),
        ("hero --layer Attack,mask=spnie", "did you mean \"spine\"?"),
        ("hero --layer Attack,mask=*foo", "lists the joints"),
        ("hero --layer Attack,fether=2", "did you mean \"feather\"?"),
        (
            "hero --layer Attack,time=1",
            "these follow the clip: mask, feather, weight, additive, at, once, fade",
        ),
        ("hero --layer Attack,weight=-1", "give a number from 0"),
        ("hero --layer Attack,feather=2", "a feather without a mask"),
        ("hero --layer ,once", "names no clip"),
        ("hero --layer Attack,additive=Wlak", "did you mean \"Walk\"?"),
        ("hero --layer Attack,at=9 --seconds 1", "after the film ends"),
        ("hero --to Run@9999", "from 0 to 3600"),
        ("hero --to Run --fade-kind ded", "did you mean dead?"),
        ("hero --to Run --fade-kind soft", "it is one of: cross, inertial, dead"),
        ("hero --clip Walk --root-motion", "no clip of the film travels"),
        ("hero --clip WalkRoot --root-motion=rot", "did you mean \"root\"?"),
        ("hero --clip Idle --footprints", "canter markers hero --detect"),
        ("hero --clip WalkRoot --root-motion --in-place", "cannot be used with"),
        ("hero --clip WalkRoot --still-camera", "--root-motion"),
        ("hero --size 0", "from 1 to 8192"),
        ("hero --sheet 8x8 --size 4000", "too large: 32000 x 32000 pixels"),
        ("hero --fps 0", "out of range"),
        ("hero --seconds nan", "out of range"),
        ("hero --time -1", "--time -1 is out of range"),
        ("hero --seconds 3600", "have 90000 frames; 10000 are the most"),
        ("hero --background greenish", "#203040"),
        ("hero -o nowhere/hero.png", "cannot be written"),
    ];
    for (arguments, expected) in table {
        let output = folder.canter(&format!("render --software {arguments}"));
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && errors.contains(expected), "{arguments}: {errors}");
    }
}

/// Fewer than 1024 pixels used to be too few to learn a palette from: the sword was grey.
#[test]
fn a_small_gif_has_its_colours() {
    let folder = Folder::new("small");
    for name in ["sword.png", "sword.gif"] {
        folder.render(&format!("sword --background transparent --no-ground --size 32 -o {name}"));
    }
    let mut reader =
        png::Decoder::new(BufReader::new(File::open(folder.path("sword.png")).unwrap())).read_info().unwrap();
    let mut expected = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut expected).unwrap();
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut reader = options.read_info(File::open(folder.path("sword.gif")).unwrap()).unwrap();
    let found = reader.read_next_frame().unwrap().unwrap().buffer.to_vec();

    let pixels = || expected.chunks_exact(4).zip(found.chunks_exact(4)).filter(|(pixel, _)| pixel[3] == 255);
    for (pixel, near) in pixels() {
        assert!((0..3).all(|lane| pixel[lane].abs_diff(near[lane]) < 40), "{pixel:?} {near:?}");
    }
    let golden = |pixel: &[u8]| pixel[0] > pixel[2].saturating_add(60);
    assert!(pixels().any(|(pixel, near)| golden(pixel) && golden(near)), "the hilt is golden");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    let folder = Folder::new("full");
    for name in ["film.gif", "film.png", "film.webp"] {
        std::os::unix::fs::symlink("/dev/full", folder.path(name)).unwrap();
        for size in [8, 96] {
            let output =
                folder.canter(&format!("render hero --software --samples 1 --fps 4 --size {size} -o {name}"));
            let errors = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(1), "{name} {size}: {errors}");
            assert!(errors.contains("cannot be written") && errors.contains("is the disk full?"), "{errors}");
        }
    }
}

/// Who drew, on the standard error output.
fn told(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn check_first_command(folder: &Folder, output: &Output) -> String {
    assert!(output.status.success(), "{}", told(output));
    let line = String::from_utf8(output.stdout.clone()).unwrap();
    assert!(line.lines().count() == 1 && line.contains("hero-walk.png"), "{line}");
    assert!(line.contains("There is no display") || line.contains("without the viewer"), "{line}");
    assert!(decode_png(&folder.path("hero-walk.png")).moves);
    assert_eq!(decode_png(&folder.path("hero-sheet.png")).size, (1280, 960));
    line
}

/// Two lines of libwayland, which a layer of Mesa's asks for the GPU of a desktop, came before what is said.
#[test]
fn the_first_command_needs_nothing_and_drivers_print_nothing() {
    let folder = Folder::new("first");
    let run = |arguments: &str| {
        let output = folder.command(arguments).env_remove("XDG_RUNTIME_DIR").output().unwrap();
        assert!(!told(&output).contains("XDG_RUNTIME_DIR"), "{}", told(&output));
        output
    };
    let still = run("render hero --clip Run --time 0.1 --size 16 -o run.png");
    assert!(still.status.success() && told(&still).lines().count() == 1, "{}", told(&still));
    check_first_command(&folder, &run(""));
}

#[test]
fn the_first_command_needs_no_graphics_driver() {
    let folder = Folder::new("bare");
    let line = check_first_command(&folder, &folder.canter_without_drivers(""));
    assert!(line.contains("on the CPU: "), "{line}");
}

#[test]
fn who_draws_is_said_in_one_line() {
    let folder = Folder::new("who");
    let arguments = "render hero --clip Run --time 0.1 --size 16 -o run.png";
    let asked = folder.canter(&format!("{arguments} --software"));
    assert_eq!(told(&asked), "Drawn on the CPU: as asked.\n");
    let bare = folder.canter_without_drivers(arguments);
    assert!(bare.status.success());
    assert!(
        told(&bare).starts_with("Drawn on the CPU: ") && told(&bare).lines().count() == 1,
        "{}",
        told(&bare)
    );
    let refused = folder.canter_without_drivers(&format!("{arguments} --gpu"));
    assert!(
        !refused.status.success() && told(&refused).contains("the GPU cannot draw"),
        "{}",
        told(&refused)
    );
    let both = folder.canter(&format!("{arguments} --gpu --software"));
    assert!(!both.status.success() && told(&both).contains("cannot be used with"), "{}", told(&both));
}

/// The graphics driver draws every kind, too; one in software is enough for that.
#[cfg(feature = "gpu")]
#[test]
fn the_gpu_draws_films_of_every_kind_and_stills_and_sheets() {
    let folder = Folder::new("gpu");
    let render = |arguments: &str| {
        let output = folder.canter(&format!("render {arguments} --gpu"));
        if !output.status.success() {
            assert!(told(&output).contains("no graphics driver was found"), "{arguments}: {}", told(&output));
            canter_testing::requirement::skip("there is no graphics driver", "films on the GPU are");
        }
        output.status.success()
    };
    for (name, decode) in KINDS {
        if !render(&format!("hero --clip Walk --size 48x40 --fps 4 --attach sword:hand_R -o {name}")) {
            return;
        }
        let film = decode(&folder.path(name));
        assert_eq!((film.size, film.delays.len()), ((48, 40), 4), "{name}");
        assert!(film.moves, "{name}");
    }
    assert!(render("hero --clip Jump --size 24 --seconds 0.5 --fps 10 -o frames/"));
    assert_eq!(fs::read_dir(folder.path("frames")).unwrap().count(), 5);
    assert!(render(
        "hero --clip Wave --time 0.7 --size 64x32 --skeleton --background transparent -o wave.png"
    ));
    assert_eq!(decode_png(&folder.path("wave.png")).size, (64, 32));
    assert!(render("hero --clip Idle --clip Attack --sheet 4x2 --size 30 -o sheet.png"));
    assert_eq!(decode_png(&folder.path("sheet.png")).size, (120, 60));
}
