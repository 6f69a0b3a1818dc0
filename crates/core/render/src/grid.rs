//! Column positions of table cells. `colspan` and `rowspan` move the cells next to and below them.

use warcsieve_html::attribute;

/// Maximum number of distinguished columns. Each cell further right counts as one column.
const MAX_COLUMNS: usize = 64;

/// The columns of an open table.
///
/// Example: after `<tr><td rowspan=2>a<td colspan=2>b`, the next cell of this row is in column 4.
/// The first cell of the next row is in column 2, because `a` covers column 1.
#[derive(Clone, Debug, Default)]
pub(super) struct Grid {
    /// For each column, how many rows its last cell still covers, including the current row.
    covered: Vec<u32>,
    /// Number of columns of the current row up to the end of its last cell.
    at: u32,
}

impl Grid {
    /// Begins a row.
    pub fn begin_row(&mut self) {
        self.covered
            .iter_mut()
            .for_each(|rows| *rows = rows.saturating_sub(1));
        self.at = 0;
    }

    /// Begins a group of rows. No cell reaches into it from above.
    pub fn begin_group(&mut self) {
        self.covered.clear();
    }

    /// Begins a cell with these attributes. Returns its first column, counted from 1.
    pub fn begin_cell(&mut self, attributes: &str) -> u32 {
        while self.covered.get(self.at as usize).is_some_and(|&n| n > 0) {
            self.at += 1;
        }
        let first = self.at as usize;
        let (columns, rows) = spans(attributes);
        self.at += columns;
        if rows > 1 && first < MAX_COLUMNS {
            let end = (first + columns as usize).min(MAX_COLUMNS);
            if self.covered.len() < end {
                self.covered.resize(end, 0);
            }
            self.covered[first..end].fill(rows);
        }
        first as u32 + 1
    }
}

/// The number of columns and of rows that a cell with these attributes covers. `rowspan=0` covers
/// all rows left in its group, which is returned as `u32::MAX`.
pub(super) fn spans(attributes: &str) -> (u32, u32) {
    if !attributes
        .as_bytes()
        .windows(4)
        .any(|w| w.eq_ignore_ascii_case(b"span"))
    {
        return (1, 1);
    }
    let number = |name| {
        let value = attribute(attributes, name).unwrap_or_default();
        value.trim().parse::<u32>().ok()
    };
    let columns = number("colspan").unwrap_or(1).clamp(1, MAX_COLUMNS as u32);
    let rows = match number("rowspan") {
        Some(0) => u32::MAX,
        rows => rows.unwrap_or(1),
    };
    (columns, rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Columns of the cells of rows.
    fn columns(rows: &[&[&str]]) -> Vec<Vec<u32>> {
        let mut grid = Grid::default();
        let row = |cells: &&[&str]| {
            grid.begin_row();
            cells.iter().map(|cell| grid.begin_cell(cell)).collect()
        };
        rows.iter().map(row).collect()
    }

    #[test]
    fn cells_move_what_is_beside_and_below_them() {
        assert_eq!(columns(&[&["", ""], &["", ""]]), [[1, 2], [1, 2]]);
        assert_eq!(
            columns(&[&[" rowspan=2", " colspan=\"2\"", ""], &["", "", ""], &[""]]),
            [vec![1, 2, 4], vec![2, 3, 4], vec![1]]
        );
        assert_eq!(
            columns(&[&[" ROWSPAN=0 colspan=2"], &[""], &[""]]),
            [[1], [3], [3]]
        );
        assert_eq!(
            columns(&[&[" colspan=x rowspan=-1", ""], &[""]]),
            [vec![1, 2], vec![1]]
        );
    }

    #[test]
    fn huge_spans_are_bounded() {
        let mut grid = Grid::default();
        for row in 0..1000 {
            grid.begin_row();
            let first = grid.begin_cell(" colspan=4000000000 rowspan=4000000000");
            assert!(row > 0 || first == 1);
        }
        assert!(grid.covered.len() <= MAX_COLUMNS && grid.at <= 2 * MAX_COLUMNS as u32);
    }
}
