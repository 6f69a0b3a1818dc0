//! Renders a data table with one line per row.

use super::super::grid::Grid;
use super::super::page::Page;
use super::super::tables::DataTable;
use super::containers::Containers;

/// An open data table.
#[derive(Debug)]
pub(super) struct Rows {
    table: DataTable,
    /// Number of rows printed.
    rows: u32,
    grid: Grid,
    /// Column of the current cell, from 1; 0 before the first.
    cells: u32,
    /// Number of printed columns of the row.
    printed: u32,
}

impl Rows {
    pub fn new(table: DataTable) -> Self {
        Self {
            table,
            grid: Grid::default(),
            rows: 0,
            cells: 0,
            printed: 0,
        }
    }

    pub fn begin_row(&mut self) {
        self.grid.begin_row();
    }

    pub fn begin_group(&mut self) {
        self.grid.begin_group();
    }

    pub fn begin_cell(&mut self, attributes: &str) {
        self.cells = self.grid.begin_cell(attributes);
    }

    /// Prints what comes before the text of the cell.
    pub fn begin_text(&mut self, containers: &mut Containers, out: &mut Page<'_>) {
        if self.printed > 0 || self.rows > 0 {
            if self.printed == 0 {
                containers.line(false, out);
            }
        } else {
            containers.begin(true, out);
            if !self.table.header {
                self.pad(0, out);
                self.delimiter(containers, out);
                containers.line(false, out);
                self.rows = 1;
            }
        }
        for _ in self.printed + 1..self.cells {
            out.push_str("|  ");
        }
        out.push_str("| ");
        self.printed = self.cells;
    }

    /// Ends the row.
    pub fn end_row(&mut self, containers: &Containers, out: &mut Page<'_>) {
        if self.printed > 0 {
            if self.rows == 0 {
                self.pad(self.printed, out);
                self.delimiter(containers, out);
            } else {
                out.push('|');
            }
            self.rows += 1;
        }
        (self.cells, self.printed) = (0, 0);
    }

    /// Fills a header with `cells` cells up to the width of the table, and ends it.
    fn pad(&self, cells: u32, out: &mut Page<'_>) {
        for _ in cells..self.table.columns {
            out.push_str("|  ");
        }
        out.push('|');
    }

    fn delimiter(&self, containers: &Containers, out: &mut Page<'_>) {
        containers.line(false, out);
        for _ in 0..self.table.columns {
            out.push_str("| --- ");
        }
        out.push('|');
    }
}
