//! Several films beside one another, to compare them.

use canter_soft::Picture;

use super::film::Film;
use super::options::Size;
use super::painter::Painter;
use super::sheet::paste;
use super::stage::Stage;
use crate::failure::Failure;
use crate::letters;

/// Films that run at the same time, each beside the last. One alone is a film.
#[derive(Debug)]
pub(crate) struct Beside<'f> {
    films: &'f [Film],
}

const TEXT: [u8; 3] = [60, 66, 74];

impl<'f> Beside<'f> {
    pub(crate) fn new(films: &'f [Film]) -> Self {
        Self { films }
    }

    pub(crate) fn size(&self) -> Size {
        let Size { width, height } = self.films.first().map_or(Size::square(1), Film::size);
        let columns = u32::try_from(self.films.len()).unwrap_or(1).max(1);
        Size { width: width * columns, height }
    }

    pub(crate) fn secs(&self) -> f64 {
        self.films.first().map_or(0.0, Film::secs)
    }

    pub(crate) fn frames(&self) -> u32 {
        self.films.first().map_or(1, Film::frames)
    }

    /// The picture of a frame.
    pub(crate) fn draw(
        &self,
        frame: u32,
        stage: &mut Stage,
        painter: &mut Painter,
    ) -> Result<Picture, Failure> {
        self.draw_at(self.secs() * f64::from(frame) / f64::from(self.frames()), stage, painter)
    }

    /// The picture at a moment.
    pub(crate) fn draw_at(
        &self,
        secs: f64,
        stage: &mut Stage,
        painter: &mut Painter,
    ) -> Result<Picture, Failure> {
        if let [film] = self.films {
            return film.draw_at(secs, stage, painter);
        }
        let Size { width, height } = self.size();
        let mut all = Picture::new(width, height);
        for (column, film) in (0_u32..).zip(self.films) {
            let mut picture = film.draw_at(secs, stage, painter)?;
            label(&mut picture, film, secs);
            paste(&mut all, &picture, column * picture.width, 0);
        }
        Ok(all)
    }
}

/// The kind of the fades above the figure, and below it what it fades to.
fn label(picture: &mut Picture, film: &Film, secs: f64) {
    let side = u32::from(letters::SIDE);
    // As large as there is room for two dozen letters.
    let zoom = (picture.width / (side * 18)).clamp(1, 4);
    let below = picture.height.saturating_sub(side * zoom * 2);
    for (text, top) in [(film.kind_name(), side * zoom), (film.clip_name(secs), below)] {
        letters::write(picture, side * zoom, top, zoom, text, TEXT);
    }
}
