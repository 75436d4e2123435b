use std::path::PathBuf;

use canter::LoopMode;

use super::*;

fn hero_file() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/hero.glb"))
}

fn hero() -> Session {
    Session::load(&hero_file()).unwrap()
}

/// A folder of its own with the hero in it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("canter-view-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::copy(hero_file(), folder.join("hero.glb")).unwrap();
        Self(folder)
    }

    fn hero(&self) -> PathBuf {
        self.0.join("hero.glb")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn names(session: &Session) -> Vec<(String, f32)> {
    session.markers().iter().map(|marker| (marker.name.to_string(), marker.secs)).collect()
}

#[test]
fn markers_are_added_moved_renamed_and_deleted_within_the_clip() {
    let mut session = hero();
    let length = session.action().unwrap().clip().duration_secs();
    assert_eq!(names(&session), [("foot_L".to_owned(), 0.0), ("foot_R".to_owned(), 0.5)]);
    assert!(!session.has_unsaved_markers());

    assert!(session.add_marker(" blade ", 0.25) && session.has_unsaved_markers());
    assert_eq!(session.chosen_marker(), Some(1));
    assert_eq!(names(&session)[1], ("blade".to_owned(), 0.25));
    assert!(!session.add_marker("  ", 0.3) && !session.add_marker("never", f32::NAN));

    // Beyond others it has another place in the list, beyond the clip it stops at its ends.
    assert!(session.move_marker(1, 0.75, 0.0));
    assert_eq!((session.chosen_marker(), &*session.markers()[2].name), (Some(2), "blade"));
    assert!(session.move_marker(2, 99.0, 0.0));
    assert_eq!(session.markers()[2].secs, length);
    assert!(session.move_marker(2, -1.0, 0.2));
    let index = session.chosen_marker().unwrap();
    assert_eq!((session.markers()[index].secs, session.markers()[index].length_secs), (0.0, 0.2));
    assert!(session.move_marker(index, 0.9, 5.0));
    let index = session.chosen_marker().unwrap();
    assert!((session.markers()[index].end_secs() - length).abs() < 1e-6);
    assert!(!session.move_marker(index, f32::NAN, 0.0) && !session.move_marker(77, 0.1, 0.0));

    assert!(session.rename_marker(index, "swing") && !session.rename_marker(index, " "));
    assert_eq!(&*session.markers()[index].name, "swing");
    session.remove_marker(index);
    session.remove_marker(77);
    assert_eq!(session.markers().len(), 2);
    assert_eq!(session.chosen_marker(), None);
}

#[test]
fn clips_play_on_where_they_are_when_their_markers_change() {
    let mut session = hero();
    session.fade_secs = 0.4;
    session.set_crowd(3);
    session.set_loop_mode(LoopMode::PingPong);
    session.advance(1.3);
    session.fade_to("Run").unwrap();
    session.advance(0.2);
    let seen = |session: &Session| {
        let characters = session.scene().characters().filter_map(|id| session.scene().character(id));
        characters.map(|character| character.pose.clone()).collect::<Vec<_>>()
    };
    let (mix, id) = (session.mix(), session.action_id());
    assert!(session.add_marker("here", 0.1));
    assert_eq!((session.mix(), session.action_id()), (mix, id));
    let mut other = hero();
    other.fade_secs = 0.4;
    other.set_crowd(3);
    other.set_loop_mode(LoopMode::PingPong);
    other.advance(1.3);
    other.fade_to("Run").unwrap();
    other.advance(0.2);
    for _ in 0..20 {
        session.advance(0.05);
        other.advance(0.05);
        assert_eq!(seen(&session), seen(&other));
    }
}

#[test]
fn footfalls_are_found_once() {
    let mut session = hero();
    assert_eq!(session.detect_markers(), 0, "they are there already: {:?}", names(&session));
    while !session.markers().is_empty() {
        session.remove_marker(0);
    }
    assert_eq!(session.detect_markers(), 2);
    let mut found = names(&session);
    found.sort_by(|a, b| a.0.cmp(&b.0));
    assert_eq!([&*found[0].0, &*found[1].0], ["foot_L", "foot_R"]);
    let apart = (found[1].1 - found[0].1).abs();
    assert!((apart - 0.5).abs() < 0.02, "{found:?}");
    assert_eq!(session.detect_markers(), 0);
}

#[test]
fn markers_are_saved_beside_the_model_and_read_with_it() {
    let folder = Folder::new("markers");
    let mut session = Session::load(&folder.hero()).unwrap();
    session.add_marker("here", 0.25);
    session.add_marker("window", 0.5);
    session.move_marker(session.chosen_marker().unwrap(), 0.5, 0.125);
    session.fade_to("RunRoot").unwrap();
    while !session.markers().is_empty() {
        session.remove_marker(0);
    }
    assert!(session.save_markers() && session.error().is_none() && !session.has_unsaved_markers());
    assert!(folder.0.join("hero.markers.json").exists());

    let mut again = Session::load(&folder.hero()).unwrap();
    let walk: Vec<_> = again.markers().iter().map(|it| (&*it.name, it.secs, it.length_secs)).collect();
    let expected = [("foot_L", 0.0, 0.0), ("here", 0.25, 0.0), ("foot_R", 0.5, 0.0), ("window", 0.5, 0.125)];
    assert_eq!(walk, expected);
    again.fade_to("RunRoot").unwrap();
    assert!(
        again.markers().is_empty(),
        "deleted ones stay away, also those of the model: {:?}",
        names(&again)
    );
    assert!(again.action().unwrap().clip().root_motion().is_some());
}

#[test]
fn markers_are_saved_in_the_model_itself() {
    let folder = Folder::new("inside");
    let mut session = Session::load(&folder.hero()).unwrap();
    session.add_marker("here", 0.25);
    assert!(session.save_markers_into_model() && session.error().is_none());
    assert!(!session.has_unsaved_markers() && !folder.0.join("hero.markers.json").exists());
    let expected = [("foot_L".to_owned(), 0.0), ("here".to_owned(), 0.25), ("foot_R".to_owned(), 0.5)];
    assert_eq!(names(&Session::load(&folder.hero()).unwrap()), expected);
    // The file beside the model counts for more: it must not bring back what it had.
    assert!(session.save_markers());
    session.add_marker("there", 0.75);
    assert!(session.save_markers_into_model());
    assert_eq!(names(&Session::load(&folder.hero()).unwrap()).len(), 4);

    let mut session = Session::new(&canter_scene::Model::load(hero_file()).unwrap(), "hero");
    session.add_marker("here", 0.25);
    assert!(!session.save_markers_into_model() && session.has_unsaved_markers());
    assert!(session.error().unwrap().starts_with("hero: "), "{:?}", session.error());
}

#[test]
fn what_cannot_be_saved_says_so() {
    let mut session = Session::new(&canter_scene::Model::load(hero_file()).unwrap(), "hero");
    session.add_marker("here", 0.25);
    assert!(!session.save_markers() && session.has_unsaved_markers());
    assert!(session.error().unwrap().starts_with("hero: "), "{:?}", session.error());

    let folder = Folder::new("unwritable");
    let mut session = Session::load(&folder.hero()).unwrap();
    session.add_marker("here", 0.25);
    // In the place of the file there is a folder.
    fs::create_dir(folder.0.join("hero.markers.json")).unwrap();
    assert!(!session.save_markers() && session.has_unsaved_markers());
    assert!(session.error().unwrap().starts_with("hero.markers.json: "), "{:?}", session.error());
}

#[test]
fn markers_that_were_not_saved_stay_when_the_file_is_read_again() {
    let folder = Folder::new("unsaved");
    let mut session = Session::load(&folder.hero()).unwrap();
    session.add_marker("here", 0.25);
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(10);
    fs::File::options().write(true).open(folder.hero()).unwrap().set_modified(later).unwrap();
    assert!(session.refresh() && session.has_unsaved_markers());
    assert_eq!(names(&session)[1], ("here".to_owned(), 0.25));
    assert!(session.open(&hero_file()) && !session.has_unsaved_markers());
    assert_eq!(session.markers().len(), 2);
}

#[test]
fn a_marker_that_is_crossed_glows_briefly_by_play_and_by_hand() {
    let mut session = hero();
    session.advance(0.4);
    session.pass_glows(1.0);
    assert!(!session.is_glowing() && session.marker_glow(1) == 0.0);
    session.advance(0.2);
    assert!(session.marker_glow(1) > 0.5 && session.marker_glow(0) == 0.0);
    session.toggle();
    // Time passes for the eye, not for the clip.
    session.advance(0.25);
    assert!((0.3..0.7).contains(&session.marker_glow(1)), "{}", session.marker_glow(1));
    session.advance(0.5);
    assert!(!session.is_glowing());
    session.scrub(0.45);
    assert!(session.marker_glow(1) > 0.9, "{}", session.marker_glow(1));
    session.advance(1.0);
    session.scrub(0.3);
    assert!(!session.is_glowing());
}
