//! Who draws: the GPU or the CPU. Both draw the same scene from the same camera.

use canter_scene::{Camera, Look, Scene};
use canter_soft::{Footprint, Picture, SoftRenderer};

#[cfg(feature = "gpu")]
use super::gpu::Gpu;
use super::options::Size;
use crate::failure::Failure;
use crate::output::QUIET;

/// Who is to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Choice {
    /// The GPU if there is one, else the CPU.
    ///
    /// A graphics driver that itself draws on the CPU counts as none: Mesa's takes 1.4 times the processor
    /// time of our own renderer (25 frames of the hero, 400 pixels a side), and its pictures differ from
    /// version to version, while ours have the same bytes everywhere.
    Best,
    /// The graphics driver, whatever it is.
    Gpu,
    /// The CPU.
    Software,
    /// The CPU, since it alone draws footprints.
    Footprints,
}

/// How a scene is seen in one picture.
#[derive(Debug)]
pub(crate) struct Shot {
    pub(crate) camera: Camera,
    pub(crate) look: Look,
    /// The CPU draws them only, see [`Choice::Footprints`].
    pub(crate) footprints: Vec<Footprint>,
}

/// Who draws.
#[derive(Debug)]
pub(crate) enum Painter {
    #[cfg(feature = "gpu")]
    Gpu {
        gpu: Box<Gpu>,
        may_fall_back: bool,
        samples: u32,
    },
    Software {
        renderer: SoftRenderer,
        why: String,
    },
}

impl Painter {
    /// `samples` are for the CPU, see [`SoftRenderer::samples`].
    ///
    /// # Errors
    /// If the GPU is asked for, and there is none.
    pub(crate) fn choose(choice: Choice, samples: u32) -> Result<Self, Failure> {
        if choice == Choice::Software {
            return Ok(Self::software(samples, "as asked"));
        }
        if choice == Choice::Footprints {
            return Ok(Self::software(samples, "footprints are drawn there only"));
        }
        #[cfg(feature = "gpu")]
        let found = Gpu::open(choice == Choice::Gpu);
        #[cfg(not(feature = "gpu"))]
        let found = Err::<std::convert::Infallible, _>("this program was built without the GPU".to_owned());
        match found {
            #[cfg(feature = "gpu")]
            Ok(gpu) => Ok(Self::Gpu { gpu: Box::new(gpu), may_fall_back: choice == Choice::Best, samples }),
            #[cfg(not(feature = "gpu"))]
            Ok(never) => match never {},
            Err(why) if choice == Choice::Gpu => {
                Err(Failure::new(format!("the GPU cannot draw: {why}"), "without --gpu the CPU draws"))
            }
            Err(why) => Ok(Self::software(samples, &why)),
        }
    }

    fn software(samples: u32, why: &str) -> Self {
        let mut renderer = SoftRenderer::new();
        renderer.samples = samples;
        Self::Software { renderer, why: why.to_owned() }
    }

    /// Draws all that `draw` draws. If the GPU fails on the way, all of it is drawn again on the CPU: no film
    /// is half of one kind and half of the other.
    pub(crate) fn draw_all<T>(
        &mut self,
        mut draw: impl FnMut(&mut Self) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let was_software = self.is_software();
        match draw(self) {
            Err(_) if self.is_software() && !was_software => {
                self.tell();
                draw(self)
            }
            result => result,
        }
    }

    fn is_software(&self) -> bool {
        matches!(self, Self::Software { .. })
    }

    /// Says on the standard error output who draws, and why.
    pub(crate) fn tell(&self) {
        anstream::eprintln!("{QUIET}Drawn {}.{QUIET:#}", self.name());
    }

    /// Who draws, to go on after "drawn".
    pub(crate) fn name(&self) -> String {
        match self {
            #[cfg(feature = "gpu")]
            Self::Gpu { gpu, .. } => format!("on {}", gpu.name()),
            Self::Software { why, .. } => format!("on the CPU: {why}"),
        }
    }

    /// Draws a picture. A GPU that fails makes way for the CPU, unless it was asked for: see
    /// [`draw_all`](Self::draw_all).
    pub(crate) fn paint(&mut self, scene: &Scene, shot: &Shot, size: Size) -> Result<Picture, Failure> {
        let Shot { camera, look, footprints } = shot;
        match self {
            #[cfg(feature = "gpu")]
            Self::Gpu { gpu, may_fall_back, samples } => match gpu.paint(scene, camera, look, size) {
                Ok(picture) => Ok(picture),
                Err(why) => {
                    let why = format!("{} failed ({why})", gpu.name());
                    if *may_fall_back {
                        *self = Self::software(*samples, &why);
                    }
                    Err(Failure::new(why, "--software draws on the CPU"))
                }
            },
            Self::Software { renderer, .. } => {
                renderer.footprints.clone_from(footprints);
                Ok(renderer.render(scene, camera, look, size.width, size.height))
            }
        }
    }
}

#[cfg(all(test, feature = "gpu"))]
mod tests {
    use canter::glam::DVec3;
    use canter_testing::requirement::skip;

    use super::*;

    fn paint(painter: &mut Painter) -> Result<Picture, Failure> {
        let camera = Camera::orbit(DVec3::ZERO, 3.0, 0.0, 0.2);
        let shot = Shot { camera, look: Look::default(), footprints: Vec::new() };
        painter.paint(&Scene::new(), &shot, Size::square(8))
    }

    /// A painter on a device; `None` where there is no driver.
    fn on_gpu() -> Option<Painter> {
        let painter = Painter::choose(Choice::Gpu, 1).ok();
        if painter.is_none() {
            skip("there is no graphics driver", "painters that lose it are");
        }
        painter
    }

    /// Ends the device.
    fn lose(painter: &Painter) {
        if let Painter::Gpu { gpu, .. } = painter {
            gpu.lose();
        }
    }

    #[test]
    fn a_film_whose_gpu_fails_is_drawn_again_on_the_cpu() {
        let Some(mut painter) = on_gpu() else { return };
        if let Painter::Gpu { may_fall_back, .. } = &mut painter {
            *may_fall_back = true;
        }
        let mut drawn = Vec::new();
        let film = painter.draw_all(|painter| {
            (0..4)
                .map(|frame| {
                    drawn.push((frame, painter.is_software()));
                    if frame == 2 {
                        lose(painter);
                    }
                    paint(painter)
                })
                .collect::<Result<Vec<_>, _>>()
        });
        assert_eq!(film.expect("the CPU draws").len(), 4);
        let expected = [(0, false), (1, false), (2, false), (0, true), (1, true), (2, true), (3, true)];
        assert_eq!(drawn, expected);
        assert!(painter.name().contains("failed"), "{}", painter.name());
    }

    #[test]
    fn a_gpu_that_was_asked_for_says_that_it_failed() {
        let Some(mut painter) = on_gpu() else { return };
        lose(&painter);
        assert!(painter.draw_all(paint).is_err());
        assert!(!painter.is_software());
    }
}
