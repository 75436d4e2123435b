//! Where results go: colours only on terminals, and no control characters from foreign files.

use std::io::{self, BufWriter, Write};

use anstyle::{AnsiColor, Style};

pub(crate) const HEADING: Style = Style::new().bold().underline();
pub(crate) const NAME: Style = Style::new().bold();
pub(crate) const QUIET: Style = Style::new().dimmed();
pub(crate) const GOOD: Style = AnsiColor::Green.on_default();
pub(crate) const NOTE: Style = AnsiColor::Cyan.on_default();
pub(crate) const WARNING: Style = AnsiColor::Yellow.on_default().bold();
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();

/// The standard output.
pub(crate) struct Output {
    writer: BufWriter<anstream::Stdout>,
}

impl Output {
    pub(crate) fn stdout() -> Self {
        Self { writer: BufWriter::with_capacity(1 << 16, anstream::stdout()) }
    }

    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        self.writer.write_all(text.as_bytes())
    }

    pub(crate) fn line(&mut self, line: impl std::fmt::Display) -> io::Result<()> {
        writeln!(self.writer, "{line}")
    }

    /// JSON on one line per call, numbers so that they read back to the same bits.
    pub(crate) fn json(&mut self, value: &impl serde::Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.writer, value)?;
        self.writer.write_all(b"\n")
    }

    pub(crate) fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }
}

/// Text of a foreign file for a terminal: control characters would move the cursor, or worse.
pub(crate) fn printable(text: &str) -> String {
    text.chars().map(|char| if char.is_control() { char::REPLACEMENT_CHARACTER } else { char }).collect()
}

/// A name that may be missing.
pub(crate) fn name_or_dash(name: Option<&str>) -> String {
    match name {
        Some(name) if !name.is_empty() => printable(name),
        _ => "-".to_owned(),
    }
}

/// `1 file`, `2 files`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    let plural = match noun {
        _ if number == 1 => noun.to_owned(),
        "mesh" => "meshes".to_owned(),
        _ => format!("{noun}s"),
    };
    format!("{number} {plural}")
}

/// A size for people.
pub(crate) fn bytes(size: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "two digits are shown")]
    let size_f = size as f64;
    match size {
        0..1024 => format!("{size} B"),
        1024..1_048_576 => format!("{:.1} KiB", size_f / 1024.0),
        _ => format!("{:.1} MiB", size_f / 1_048_576.0),
    }
}
