//! Plots of cost over size, both axes logarithmic, as SVG.

use std::fmt::Write as _;

use super::report::{Sizes, grouped};

const WIDTH: f64 = 490.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 70.0;
/// Room for the half of the last label that is beyond the plot.
const RIGHT: f64 = 30.0;
const TOP: f64 = 36.0;
const BOTTOM: f64 = 48.0;

pub(super) fn file_name(sizes: &Sizes) -> String {
    format!("performance-{}.svg", sizes.name)
}

/// A logarithmic axis over whole decades, from pixel to pixel.
struct Axis {
    low: f64,
    high: f64,
    start: f64,
    end: f64,
}

impl Axis {
    fn new(values: impl Iterator<Item = f64> + Clone, start: f64, end: f64) -> Self {
        let low = values.clone().fold(f64::INFINITY, f64::min).max(1.0).log10().floor();
        let high = values.fold(1.0, f64::max).log10().ceil().max(low + 1.0);
        Self { low, high, start, end }
    }

    fn at(&self, value: f64) -> f64 {
        let part = (value.log10() - self.low) / (self.high - self.low);
        self.start + part * (self.end - self.start)
    }

    fn decades(&self) -> impl Iterator<Item = f64> + use<> {
        std::iter::successors(Some(self.low), |exponent| Some(exponent + 1.0))
            .take_while({
                let high = self.high;
                move |exponent| *exponent <= high
            })
            .map(|exponent| 10_f64.powf(exponent))
    }
}

/// The points, joined.
pub(super) fn svg(sizes: &Sizes) -> String {
    let x = Axis::new(sizes.points.iter().map(|point| point.0), LEFT, WIDTH - RIGHT);
    let y = Axis::new(sizes.points.iter().map(|point| point.1), HEIGHT - BOTTOM, TOP);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"11\" fill=\"#333\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n"
    );
    let mut line = |text: std::fmt::Arguments<'_>| {
        // Writing to a string cannot fail.
        let _ = writeln!(svg, "{text}");
    };
    line(format_args!(
        "<text x=\"{LEFT}\" y=\"20\" font-size=\"13\">{} over {}</text>",
        sizes.unit, sizes.name
    ));
    for value in x.decades() {
        let at = x.at(value);
        let (top, bottom) = (TOP, HEIGHT - BOTTOM);
        line(format_args!("<path d=\"M{at:.1} {top}V{bottom}\" stroke=\"#ddd\"/>"));
        let label = grouped(value);
        line(format_args!(
            "<text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{label}</text>",
            bottom + 16.0
        ));
    }
    for value in y.decades() {
        let at = y.at(value);
        line(format_args!("<path d=\"M{LEFT} {at:.1}H{}\" stroke=\"#ddd\"/>", WIDTH - RIGHT));
        let label = grouped(value);
        line(format_args!(
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            LEFT - 6.0,
            at + 4.0
        ));
    }
    let middle = f64::midpoint(LEFT, WIDTH - RIGHT);
    line(format_args!(
        "<text x=\"{middle:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
        HEIGHT - 10.0,
        sizes.name
    ));
    let joined: Vec<String> =
        sizes.points.iter().map(|(size, cost)| format!("{:.1},{:.1}", x.at(*size), y.at(*cost))).collect();
    line(format_args!(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"#0a7\" stroke-width=\"2\"/>",
        joined.join(" ")
    ));
    for ((size, cost), place) in sizes.points.iter().zip(&joined) {
        let (cx, cy) = place.split_once(',').unwrap_or_default();
        line(format_args!(
            "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"3.5\" fill=\"#0a7\"><title>{}: {}</title></circle>",
            grouped(*size),
            grouped(*cost)
        ));
    }
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_lie_on_the_decades() {
        let sizes =
            Sizes { name: "joints".into(), unit: "ns".into(), points: vec![(10.0, 100.0), (1000.0, 1000.0)] };
        let svg = svg(&sizes);
        assert!(svg.contains("points=\"70.0,252.0 460.0,36.0\""), "{svg}");
        assert_eq!(file_name(&sizes), "performance-joints.svg");
    }
}
