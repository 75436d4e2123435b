//! What the benchmark programs print.

use serde::Deserialize;

#[derive(Deserialize)]
pub(super) struct Report {
    pub(super) machine: Machine,
    pub(super) jobs: Vec<Row>,
    pub(super) checks: Vec<Check>,
    pub(super) sizes: Vec<Sizes>,
}

#[derive(Deserialize)]
pub(super) struct Machine {
    pub(super) cpu: String,
    pub(super) cores: usize,
    pub(super) system: String,
}

/// What a character-frame costs in each implementation, in nanoseconds.
#[derive(Deserialize)]
pub(super) struct Row {
    pub(super) tracks: String,
    pub(super) characters: usize,
    pub(super) nanos: Vec<Figure>,
}

#[derive(Deserialize)]
pub(super) struct Figure {
    pub(super) name: String,
    pub(super) nanos: f64,
}

impl Row {
    pub(super) fn of(&self, name: &str) -> Option<f64> {
        self.nanos.iter().find(|figure| figure.name == name).map(|figure| figure.nanos)
    }
}

/// How far an implementation is from the plain one that interpolates as it does.
#[derive(Deserialize)]
pub(super) struct Check {
    pub(super) tracks: String,
    pub(super) name: String,
    pub(super) largest_difference: f32,
}

/// What the job costs as something grows.
#[derive(Deserialize)]
pub(super) struct Sizes {
    pub(super) name: String,
    pub(super) unit: String,
    pub(super) points: Vec<(f64, f64)>,
}

/// A whole number with commas between the thousands.
pub(super) fn grouped(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_set_apart() {
        let table =
            [(0.4, "0"), (999.0, "999"), (1_000.0, "1,000"), (48_200.3, "48,200"), (1e6, "1,000,000")];
        for (number, text) in table {
            assert_eq!(grouped(number), text);
        }
    }
}
