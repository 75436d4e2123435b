//! `canter` without arguments: the hero walks.

use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use canter_gltf::LoadOptions;
use canter_scene::Model;

use crate::embedded;
use crate::failure::Failure;
use crate::output::Output;
use crate::render::{
    Attachment, Choice, Film, Format, Grid, Painter, Size, Stage, Story, View, draw_sheet, shoot, write_still,
};

const FILM: &str = "hero-walk.png";
const SHEET: &str = "hero-sheet.png";

/// In a window if there can be one; else into files.
pub(crate) fn run(output: &mut Output) -> Result<ExitCode, Failure> {
    match why_no_window()? {
        Some(why) => draw(&why, output),
        None => Ok(ExitCode::SUCCESS),
    }
}

/// Shows the hero until the window is closed, or says why there is none.
#[cfg(feature = "view")]
fn why_no_window() -> Result<Option<String>, Failure> {
    if !canter_view::has_display() {
        return Ok(Some("There is no display for a window".to_owned()));
    }
    match crate::view::open_hero()? {
        Ok(()) => Ok(None),
        Err(error) => Ok(Some(format!("The window did not open ({error}; {})", error.hint()))),
    }
}

#[cfg(not(feature = "view"))]
fn why_no_window() -> Result<Option<String>, Failure> {
    Ok(Some("This program was built without the viewer".to_owned()))
}

/// The hero's walk as a film, and his clips on a sheet.
fn draw(why: &str, output: &mut Output) -> Result<ExitCode, Failure> {
    let mut painter = Painter::choose(Choice::Best, 3)?;
    let folder = writable_folder();
    let (film_path, sheet_path) = (folder.join(FILM), folder.join(SHEET));

    // The camera follows those clips of the sheet that travel.
    let options = LoadOptions::default().with_root_motion();
    let model = Arc::new(Model::new(embedded::asset(Path::new("hero"), &options)?));
    let mut stage = Stage::new(&model)?;
    stage.attach(&Attachment::parse("sword:hand_R")?, &LoadOptions::default())?;
    let clips = &model.asset.clips;
    let story = |clip| Story::of_clip(&model.asset.skeleton, clip);

    let walk = clips.iter().find(|clip| clip.name() == "Walk").or(clips.first()).cloned();
    let speed = walk.as_ref().and_then(|walk| walk.ground_speed()).unwrap_or(0.0);
    let view = View { size: Size::square(400), travel: vec![speed.into()], ..View::default() };
    let film = Film::new(&mut stage, story(walk), view);

    let view = View { size: Size::square(160), ..View::default() };
    stage.travels = true;
    // WalkRoot is Walk again, for whoever looks at pictures.
    let mut films: Vec<Film> = clips
        .iter()
        .filter(|clip| !clip.name().ends_with("Root"))
        .map(|clip| Film::new(&mut stage, story(Some(Arc::clone(clip))), view.clone()))
        .collect();
    Film::share_camera(&mut films);
    // Two clips in a row, with four pictures each.
    let grid = Grid { columns: 8, rows: u32::try_from(films.len().div_ceil(2)).unwrap_or(1) };
    painter.draw_all(|painter| {
        shoot(std::slice::from_ref(&film), &mut stage, painter, Format::Png, &film_path)?;
        write_still(&sheet_path, &draw_sheet(grid, &mut stage, &films, painter)?)
    })?;

    output.line(format_args!(
        "{}, so the hero walks in {} (open it in a browser) and his clips are on {}; drawn {}.",
        why,
        film_path.display(),
        sheet_path.display(),
        painter.name(),
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// Here, or where temporary files go if nothing can be written here.
fn writable_folder() -> PathBuf {
    let here = Path::new(FILM);
    let existed = here.exists();
    match OpenOptions::new().append(true).create(true).open(here) {
        Ok(_) => {
            if !existed {
                // It was a trial.
                let _ = std::fs::remove_file(here);
            }
            PathBuf::new()
        }
        Err(_) => std::env::temp_dir(),
    }
}
