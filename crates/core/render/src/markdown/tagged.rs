//! Renders a data table as HTML. In Markdown it is a block of its own, so none of its lines may be
//! empty.

use super::super::grid::spans;
use super::super::page::Page;
use super::containers::Containers;
use warcsieve_html::Tag;

/// An open data table that is written as HTML.
#[derive(Debug, Default)]
pub(super) struct TaggedRows {
    /// Whether the table's start tag is printed.
    began: bool,
    /// Whether the row's start tag is printed.
    in_row: bool,
    /// Cells of the row that are not printed yet. The last one is the current cell.
    waiting: Vec<Cell>,
}

#[derive(Clone, Copy, Debug)]
struct Cell {
    is_header: bool,
    columns: u32,
    rows: u32,
}

impl TaggedRows {
    pub fn begin_cell(&mut self, tag: Tag, attributes: &str) {
        let (columns, rows) = spans(attributes);
        self.waiting.push(Cell {
            is_header: tag == Tag::Th,
            columns,
            rows,
        });
    }

    /// Prints the cells up to the current one. Its text comes next.
    pub fn begin_text(&mut self, containers: &mut Containers, out: &mut Page<'_>) {
        if !self.began {
            containers.begin(true, out);
            out.push_str("<table>");
            self.began = true;
        }
        if !self.in_row {
            containers.line(false, out);
            out.push_str("<tr>");
            self.in_row = true;
        }
        let current = self.waiting.pop();
        self.flush(out);
        if let Some(cell) = current {
            cell.start(out);
            self.waiting.push(cell);
        }
    }

    /// Ends the current cell, after its text.
    pub fn end_text(&mut self, out: &mut Page<'_>) {
        if let Some(cell) = self.waiting.pop() {
            out.push_str(cell.end());
        }
    }

    /// Ends the row. A row without text is not printed.
    pub fn end_row(&mut self, out: &mut Page<'_>) {
        if self.in_row {
            self.flush(out);
            out.push_str("</tr>");
        }
        self.waiting.clear();
        self.in_row = false;
    }

    /// Ends the table.
    pub fn end(&mut self, containers: &Containers, out: &mut Page<'_>) {
        self.end_row(out);
        if self.began {
            containers.line(false, out);
            out.push_str("</table>");
        }
    }

    /// Prints empty cells.
    fn flush(&mut self, out: &mut Page<'_>) {
        for cell in self.waiting.drain(..) {
            cell.start(out);
            out.push_str(cell.end());
        }
    }
}

impl Cell {
    fn start(self, out: &mut Page<'_>) {
        out.push_str(if self.is_header { "<th" } else { "<td" });
        if self.columns > 1 {
            out.push_str(&format!(" colspan=\"{}\"", self.columns));
        }
        match self.rows {
            1 => {}
            u32::MAX => out.push_str(" rowspan=\"0\""),
            rows => out.push_str(&format!(" rowspan=\"{rows}\"")),
        }
        out.push('>');
    }

    fn end(self) -> &'static str {
        if self.is_header { "</th>" } else { "</td>" }
    }
}
