//! The bar chart: a bar for each number of characters and threads, divided into stages.

use std::fmt::Write as _;
use std::path::Path;

use super::measure::Measured;
use super::paint;
use super::report::Report;
use crate::failure::Failure;

/// What kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Svg,
    Png,
}

impl Format {
    pub(super) fn of(path: &Path) -> Result<Self, Failure> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("svg") => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            _ => Err(Failure::new(
                format!("--chart {}: unknown kind", path.display()),
                "give a .svg or .png file",
            )),
        }
    }
}

/// Red, green, blue.
pub(super) type Color = [u8; 3];

/// What a chart is made of.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    Bar {
        left: f64,
        top: f64,
        width: f64,
        height: f64,
        color: Color,
    },
    /// A line of text, the left end of its base line given.
    Text {
        left: f64,
        base: f64,
        text: String,
        color: Color,
    },
}

pub(super) const WIDTH: u32 = 960;
const LEFT: f64 = 230.0;
const TOP: f64 = 104.0;
const BAR: f64 = 26.0;
const STEP: f64 = 38.0;
/// The width of a letter, in both kinds of file.
pub(super) const LETTER: f64 = 8.0;
pub(super) const BACKGROUND: Color = [255, 255, 255];
const INK: Color = [40, 44, 52];
const QUIET: Color = [120, 126, 136];
/// Sample, blend, compose, palette: told apart by lightness, too.
const STAGES: [(&str, Color); 4] = [
    ("sample", [38, 70, 110]),
    ("blend", [66, 133, 190]),
    ("compose", [232, 163, 61]),
    ("palette", [245, 214, 142]),
];

pub(super) fn write(path: &Path, format: Format, report: &Report) -> Result<(), Failure> {
    let shapes = draw(report);
    let height = height(report);
    match format {
        Format::Svg => std::fs::write(path, svg(&shapes, height)).map_err(|error| {
            Failure::new(format!("{} cannot be written: {error}", path.display()), "give another --chart")
        }),
        Format::Png => paint::write(path, &shapes, height),
    }
}

fn height(report: &Report) -> u32 {
    let bars = u32::try_from(report.playing().count()).unwrap_or(u32::MAX);
    150 + 38 * bars.min(1_000)
}

fn draw(report: &Report) -> Vec<Shape> {
    let text = |left, base, text: String, color| Shape::Text { left, base, text, color };
    let mut shapes = Vec::new();
    let title = format!("{}: what a crossfading character costs per frame", report.file);
    shapes.push(text(24.0, 34.0, title, INK));
    shapes.push(text(24.0, 56.0, format!("nanoseconds on {}; less is better", report.machine.cpu), QUIET));
    let mut left = LEFT;
    for (name, color) in STAGES {
        shapes.push(Shape::Bar { left, top: 72.0, width: 14.0, height: 14.0, color });
        shapes.push(text(left + 20.0, 84.0, name.to_owned(), INK));
        left += 110.0;
    }
    let most = report.playing().map(|result| result.ns_per_character_frame).fold(1.0, f64::max);
    // Room for the figure behind the longest bar.
    let scale = (f64::from(WIDTH) - LEFT - 90.0) / most;
    let mut top = TOP;
    for result in report.playing() {
        bar(&mut shapes, result, top, scale);
        top += STEP;
    }
    shapes.push(text(24.0, top + 24.0, "canter bench".to_owned(), QUIET));
    shapes
}

fn bar(shapes: &mut Vec<Shape>, result: &Measured, top: f64, scale: f64) {
    let base = top + BAR / 2.0 + 4.0;
    let threads =
        if result.threads == 1 { "1 thread".to_owned() } else { format!("{} threads", result.threads) };
    let label = format!("{:>6} on {threads}", result.characters);
    shapes.push(Shape::Text { left: 24.0, base, text: label, color: INK });
    let stages = [result.stages.sample, result.stages.blend, result.stages.compose, result.stages.palette];
    let mut left = LEFT;
    for (nanos, (_, color)) in stages.into_iter().zip(STAGES) {
        shapes.push(Shape::Bar { left, top, width: nanos * scale, height: BAR, color });
        left += nanos * scale;
    }
    let text = format!("{:.0} ns", result.ns_per_character_frame);
    shapes.push(Shape::Text { left: left + 8.0, base, text, color: INK });
}

fn svg(shapes: &[Shape], height: u32) -> String {
    let css = |[r, g, b]: Color| format!("#{r:02x}{g:02x}{b:02x}");
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"monospace\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n",
        css(BACKGROUND)
    );
    for shape in shapes {
        let _ = match shape {
            Shape::Bar { left, top, width, height, color } => writeln!(
                svg,
                "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" fill=\"{}\"/>",
                css(*color)
            ),
            Shape::Text { left, base, text, color } => writeln!(
                svg,
                "<text x=\"{left:.1}\" y=\"{base:.1}\" fill=\"{}\" xml:space=\"preserve\">{}</text>",
                css(*color),
                escape(text)
            ),
        };
    }
    svg + "</svg>\n"
}

/// Text of a foreign file for XML, which has no control characters at all.
fn escape(text: &str) -> String {
    crate::output::printable(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
