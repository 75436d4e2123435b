//! The real window on a display without a screen: keys, clicks, a broken file, a resize to almost nothing.
#![cfg(all(feature = "view", target_os = "linux"))]

mod desktop;
mod viewer;

use desktop::Desktop;
use viewer::{Viewer, asset};

#[test]
fn the_window_shows_the_hero_and_does_what_it_is_told() {
    let Some(desktop) = Desktop::start() else { return };
    let mut viewer = Viewer::start(&desktop, &[]);
    viewer.wait_for_title("it walks", |title| title == "model.glb · Walk - Canter");
    viewer.wait_for_picture("the hero is seen", shows_hero);

    // Keys: pause, another clip, a step.
    viewer.key(' ');
    viewer.wait_for_title("it is paused", |title| title.starts_with("model.glb · Walk at "));
    viewer.key('3');
    viewer.wait_for_title("it runs", |title| title == "model.glb · Run - Canter");
    viewer.key(' ');
    let paused = viewer.wait_for_title("the run is paused", |title| secs(title).is_some());
    viewer.key(viewer::RIGHT);
    viewer.wait_for_title("a step on", |title| {
        secs(title).is_some_and(|secs| Some(secs) != self::secs(&paused))
    });

    // Clicks: the timeline is at the bottom, the clips are at the left, the figure is in the middle.
    let [width, height] = viewer.size();
    viewer.click([width / 2, height - 40]);
    let half = viewer.wait_for_title("scrubbed to the middle", |title| {
        secs(title).is_some_and(|secs| (secs / RUN_SECS - 0.5).abs() < 0.05)
    });
    viewer.drag([width / 2, height - 40], [width * 3 / 4, height - 40]);
    viewer.wait_for_title("scrubbed on", |title| {
        secs(title).is_some_and(|now| now > secs(&half).unwrap() * 1.3)
    });
    viewer.let_go();
    viewer.click([width / 2, height * 2 / 5]);
    viewer.wait_for_title("a joint is picked", |title| title.matches(" · ").count() == 2);
    viewer.key(viewer::ESCAPE);
    viewer.wait_for_title("it is let go", |title| title.matches(" · ").count() == 1);

    // A picture in a file.
    viewer.key('p');
    viewer.wait_for("a saved picture", || {
        viewer.folder().join("canter-1.png").metadata().is_ok_and(|it| it.len() > 9000)
    });
    viewer.close();
}

#[test]
fn it_survives_broken_files_and_no_room_at_all() {
    let Some(desktop) = Desktop::start() else { return };
    let mut viewer = Viewer::start(&desktop, &[]);
    viewer.wait_for_picture("the hero is seen", shows_hero);
    viewer.key(' ');
    viewer.wait_for_title("it is paused", |title| secs(title).is_some());

    // The file is overwritten with rubbish: the hero stays, and a sheet says why, in red.
    viewer.overwrite(b"no model at all");
    viewer.wait_for_picture("an error is shown", |picture| shows_error(picture) && shows_hero(picture));
    viewer.key(viewer::ESCAPE);
    viewer.wait_for_picture("it is dismissed", |picture| !shows_error(picture));
    viewer.overwrite(&asset("sword.glb"));
    viewer.wait_for_title("another model", |title| title == "model.glb - Canter");
    viewer.overwrite(&asset("hero.glb"));
    viewer.wait_for_title("the hero again", |title| title.starts_with("model.glb · "));

    for size in [[1, 1], [3, 200], [400, 2], [900, 600]] {
        viewer.resize(size);
    }
    viewer.wait_for_picture("the hero is seen in a smaller window", shows_hero);
    viewer.close();
}

#[test]
fn a_graph_runs_in_the_window() {
    let Some(desktop) = Desktop::start() else { return };
    let graph = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/hero.graph.json");
    let mut viewer = Viewer::start(&desktop, &["--graph", graph]);
    viewer.wait_for_title("the graph runs", |title| title == "model.glb · Move - Canter");
    // What is lit in its diagram is orange.
    viewer.wait_for_picture("a state is lit", |picture| {
        picture.count(|[red, green, blue]| red > 210 && (90..140).contains(&green) && blue < 60) > 100
    });
    viewer.key('e');
    viewer.key('3');
    viewer.wait_for_title("a clip by hand", |title| title == "model.glb · Run - Canter");
    viewer.close();
}

#[test]
fn the_cpu_draws_where_it_has_to() {
    let Some(desktop) = Desktop::start() else { return };
    let mut viewer = Viewer::start(&desktop, &["--software"]);
    viewer.wait_for_picture("the hero is seen", shows_hero);
    viewer.close();
}

const RUN_SECS: f32 = 0.7;

/// The time in a title; `None` while it plays.
fn secs(title: &str) -> Option<f32> {
    let (_, rest) = title.split_once(" at ")?;
    rest.split_once(" s")?.0.parse().ok()
}

/// Loosely: in the middle there is some of the green of his shirt and of the brown of his boots and hair, and
/// much that is neither.
fn shows_hero(picture: &desktop::Picture) -> bool {
    let share = |is_it: fn([i32; 3]) -> bool| picture.share_in_the_middle(is_it);
    let green = share(|[red, green, blue]| green > red + 25 && blue > red + 20 && (green - blue).abs() < 40);
    let brown = share(|[red, green, blue]| red > green + 25 && green > blue + 8);
    (0.002..0.4).contains(&green) && (0.002..0.4).contains(&brown)
}

/// The purest red there is belongs to errors.
fn shows_error(picture: &desktop::Picture) -> bool {
    picture.count(|[red, green, blue]| red > 220 && green < 40 && blue < 40) > 20
}
