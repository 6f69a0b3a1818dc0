//! The tables that the papers print, and other fixed tables: files in `data/`.

#[cfg(test)]
mod tests;

use crate::Result;
use crate::markdown::{row, table};

/// The table of this name, from its file in `data/`.
macro_rules! data {
    ($name:literal) => {
        $crate::data::Data::read(
            $name,
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/", $name)),
        )
    };
}
pub(crate) use data;

/// Lines of cells with tabs between them. The first line is the head.
pub struct Data {
    name: &'static str,
    lines: Vec<Vec<&'static str>>,
}

impl Data {
    /// # Errors
    /// A line does not have as many cells as the head.
    pub fn read(name: &'static str, text: &'static str) -> Result<Self> {
        let lines: Vec<Vec<&str>> = text.lines().map(|l| l.split('\t').collect()).collect();
        let columns = lines.first().ok_or_else(|| format!("{name} is empty"))?;
        for (number, line) in (1..).zip(&lines) {
            if line.len() != columns.len() {
                let (has, columns) = (line.len(), columns.len());
                let fault = format!("{name}: line {number} has {has} cells, the head {columns}");
                return Err(fault.into());
            }
        }
        Ok(Self { name, lines })
    }

    /// The rows without the head.
    ///
    /// # Errors
    /// The table does not have this many columns.
    pub fn rows<const COLUMNS: usize>(&self) -> Result<Vec<[&'static str; COLUMNS]>> {
        let cells = |line: &Vec<&'static str>| {
            line.as_slice().try_into().map_err(|_| {
                let (name, has) = (self.name, line.len());
                format!("{name} has {has} columns, not {COLUMNS}").into()
            })
        };
        self.lines[1..].iter().map(cells).collect()
    }

    /// The unchanged table in Markdown.
    pub fn table(&self) -> String {
        let line = |line: &Vec<&str>| row(line[0], &line[1..]);
        table(&line(&self.lines[0]), self.lines[1..].iter().map(line))
    }
}

/// The number in a cell.
///
/// # Errors
/// The cell is not a number.
pub fn number(cell: &str) -> Result<f64> {
    let number = cell.replace(',', "").parse();
    number.map_err(|_| format!("`{cell}` is not a number").into())
}
