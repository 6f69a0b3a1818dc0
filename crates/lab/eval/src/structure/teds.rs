//! Tables as trees, and their similarity: TEDS, 1 − tree edit distance / nodes of the larger tree.
//!
//! Inserting or deleting a node costs 1, and so does replacing a cell by one with other spans. Replacing a cell by one
//! with equal spans costs 1 − the edit similarity of their texts. A tree is a table, its rows and their cells.
//!
//! The distance is Zhang and Shasha's (1989): nodes in postorder, and for each pair of *key roots* (the root, and every
//! node that has a sibling before it) the distances of the forests that end in them.

use rapidfuzz::distance::levenshtein;

/// The maximum number of nodes of a tree.
const MAX_NODES: usize = 2000;

#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    rows: Vec<Vec<Cell>>,
}

#[derive(Clone, Debug, Default)]
struct Cell {
    text: String,
    spans: (u32, u32),
}

impl Table {
    pub fn row(&mut self) {
        self.rows.push(Vec::new());
    }

    /// A cell of the last row, over this many columns and rows.
    pub fn cell(&mut self, columns: u32, rows: u32) {
        if self.rows.is_empty() {
            self.row();
        }
        if let Some(row) = self.rows.last_mut() {
            row.push(Cell {
                text: String::new(),
                spans: (columns, rows),
            });
        }
    }

    /// The text of the last cell.
    pub fn text(&mut self, text: &str) {
        if let Some(cell) = self.rows.last_mut().and_then(|row| row.last_mut()) {
            cell.text.push_str(text);
        }
    }

    /// The table as Markdown without its line of dashes.
    pub fn to_text(&self) -> String {
        let row = |row: &Vec<Cell>| {
            let cells: Vec<_> = row.iter().map(|cell| cell.text.trim()).collect();
            format!("| {} |", cells.join(" | "))
        };
        self.rows.iter().map(row).collect::<Vec<_>>().join("\n")
    }

    /// The nodes in postorder.
    fn nodes(&self) -> Vec<Node<'_>> {
        let mut nodes = Vec::new();
        for row in &self.rows {
            let first = nodes.len();
            for cell in row {
                nodes.push(Node {
                    cell: Some(cell),
                    first: nodes.len(),
                });
            }
            nodes.push(Node { cell: None, first });
        }
        nodes.push(Node {
            cell: None,
            first: 0,
        });
        nodes
    }
}

#[derive(Clone, Copy, Debug)]
struct Node<'a> {
    /// `None` for a row, and for the table.
    cell: Option<&'a Cell>,
    /// The leftmost leaf below it.
    first: usize,
}

/// The similarity of two tables, from 0 to 1; `None` if one has too many cells.
pub(super) fn similarity(a: &Table, b: &Table) -> Option<f64> {
    let (a, b) = (a.nodes(), b.nodes());
    let larger = a.len().max(b.len());
    (larger <= MAX_NODES).then(|| 1.0 - distance(&a, &b) / larger as f64)
}

fn distance(a: &[Node<'_>], b: &[Node<'_>]) -> f64 {
    let mut trees = vec![vec![0.0_f64; b.len()]; a.len()];
    let mut forest = vec![vec![0.0_f64; b.len() + 1]; a.len() + 1];
    for i in key_roots(a) {
        for j in key_roots(b) {
            let (from_i, from_j) = (a[i].first, b[j].first);
            forest[from_i][from_j] = 0.0;
            for x in from_i..=i {
                forest[x + 1][from_j] = forest[x][from_j] + 1.0;
            }
            for y in from_j..=j {
                forest[from_i][y + 1] = forest[from_i][y] + 1.0;
            }
            for x in from_i..=i {
                for y in from_j..=j {
                    let apart = (forest[x][y + 1] + 1.0).min(forest[x + 1][y] + 1.0);
                    let whole = a[x].first == from_i && b[y].first == from_j;
                    let together = match whole {
                        true => forest[x][y] + rename(a[x], b[y]),
                        false => forest[a[x].first][b[y].first] + trees[x][y],
                    };
                    forest[x + 1][y + 1] = apart.min(together);
                    if whole {
                        trees[x][y] = forest[x + 1][y + 1];
                    }
                }
            }
        }
    }
    trees[a.len() - 1][b.len() - 1]
}

/// The nodes for which no later node has the same leftmost leaf.
fn key_roots(nodes: &[Node<'_>]) -> Vec<usize> {
    let mut last = vec![None; nodes.len()];
    for (at, node) in nodes.iter().enumerate() {
        last[node.first] = Some(at);
    }
    let mut roots: Vec<_> = last.into_iter().flatten().collect();
    roots.sort_unstable();
    roots
}

fn rename(a: Node<'_>, b: Node<'_>) -> f64 {
    match (a.cell, b.cell) {
        (None, None) => 0.0,
        (Some(a), Some(b)) if a.spans == b.spans => {
            let (a, b) = (a.text.trim(), b.text.trim());
            1.0 - levenshtein::normalized_similarity(a.chars(), b.chars())
        }
        _ => 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(rows: &[&[&str]]) -> Table {
        let mut table = Table::default();
        for row in rows {
            table.row();
            for text in *row {
                table.cell(1, 1);
                table.text(text);
            }
        }
        table
    }

    fn similar(a: &[&[&str]], b: &[&[&str]]) -> f64 {
        similarity(&table(a), &table(b)).unwrap()
    }

    #[test]
    fn similarities_are_worked_out_by_hand() {
        let whole: &[&[&str]] = &[&["a", "b"], &["c", "d"]];
        assert_eq!(similar(whole, whole), 1.0);
        // Seven nodes, and one cell of four letters with one changed letter.
        let (four, changed): (&[&[&str]], &[&[&str]]) = (
            &[&["abcd", "b"], &["c", "d"]],
            &[&["abcx", "b"], &["c", "d"]],
        );
        assert!((similar(four, changed) - (1.0 - 0.25 / 7.0)).abs() < 1e-9);
        // A row of two cells is missing: three of seven nodes.
        assert!((similar(whole, &[&["a", "b"]]) - (1.0 - 3.0 / 7.0)).abs() < 1e-9);
        // Two cells became one: one deletion.
        assert!((similar(whole, &[&["a"], &["c", "d"]]) - (1.0 - 1.0 / 7.0)).abs() < 1e-9);
        assert_eq!(similar(&[], &[]), 1.0);
    }

    #[test]
    fn cells_of_other_spans_differ() {
        let (mut wide, mut narrow) = (Table::default(), Table::default());
        wide.cell(2, 1);
        narrow.cell(1, 1);
        assert!((similarity(&wide, &narrow).unwrap() - 2.0 / 3.0).abs() < 1e-9);
    }

    #[test]
    fn tables_of_too_many_cells_have_no_similarity() {
        let row: &[&str] = &["a"; MAX_NODES];
        assert_eq!(similarity(&table(&[row]), &table(&[])), None);
    }
}
