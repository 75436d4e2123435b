//! Tables for people: columns as wide as their cells, numbers to the right.

use std::fmt::Write as _;
use std::io;

use crate::output::{HEADING, Output, QUIET};

/// A table that is filled row by row and printed at once.
pub(crate) struct Table {
    headings: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

/// The longest cell that is shown in full.
const WIDEST: usize = 60;

impl Table {
    pub(crate) fn new<const N: usize>(headings: [&'static str; N]) -> Self {
        Self { headings: headings.to_vec(), rows: Vec::new() }
    }

    pub(crate) fn row<const N: usize>(&mut self, cells: [String; N]) {
        assert_eq!(N, self.headings.len(), "as many cells as headings");
        self.rows.push(cells.map(shorten).to_vec());
    }

    /// The table, indented, a line for each row.
    pub(crate) fn render(&self) -> String {
        let columns: Vec<Column> = (0..self.headings.len()).map(|index| self.column(index)).collect();
        let mut text = String::new();
        let headings: Vec<String> = self.headings.iter().map(|&heading| heading.to_owned()).collect();
        line(&mut text, &headings, &columns, true);
        for row in &self.rows {
            line(&mut text, row, &columns, false);
        }
        text
    }

    fn column(&self, index: usize) -> Column {
        let cells = || self.rows.iter().map(|row| row[index].as_str());
        let width = cells().chain([self.headings[index]]).map(width).max().unwrap_or(0);
        let is_number =
            |cell: &str| cell.trim_start_matches('-').starts_with(|first: char| first.is_ascii_digit());
        let numbers = cells().all(|cell| cell == "-" || is_number(cell)) && cells().any(is_number);
        Column { width, numbers }
    }
}

/// Writes a table below its title; an empty one is left out.
pub(crate) fn section(output: &mut Output, title: &str, table: &Table) -> io::Result<()> {
    if table.rows.is_empty() {
        return Ok(());
    }
    output.line(format_args!("\n{HEADING}{title}{HEADING:#}"))?;
    output.text(&table.render())
}

struct Column {
    width: usize,
    numbers: bool,
}

fn line(text: &mut String, cells: &[String], columns: &[Column], heading: bool) {
    let mut line = String::from(" ");
    for (cell, column) in cells.iter().zip(columns) {
        let padding = " ".repeat(column.width - width(cell));
        let (left, right) = if column.numbers { (padding.as_str(), "") } else { ("", padding.as_str()) };
        let _ = write!(line, " {left}{cell}{right} ");
    }
    let line = line.trim_end();
    let _ = if heading { writeln!(text, "{QUIET}{line}{QUIET:#}") } else { writeln!(text, "{line}") };
}

/// Columns on the screen, near enough: one for each character.
fn width(text: &str) -> usize {
    text.chars().count()
}

fn shorten(cell: String) -> String {
    if width(&cell) <= WIDEST {
        return cell;
    }
    cell.chars().take(WIDEST - 3).chain("...".chars()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_numbers_stand_right() {
        let mut table = Table::new(["name", "keys"]);
        table.row(["Walk".to_owned(), "7".to_owned()]);
        table.row(["Idle long".to_owned(), "1200".to_owned()]);
        let text = anstream::adapter::strip_str(&table.render()).to_string();
        assert_eq!(text, "  name       keys\n  Walk          7\n  Idle long  1200\n");
    }
}
