//! Whole rows of data tables: if a part of a row is content, the whole row is.
//!
//! Methods label cells one by one, and numbers and short words look like boilerplate. But a row that has lost some of
//! its cells says something else.

use crate::label::Label;
use crate::why::{Change, Changing, Why};
use warcsieve_html::document::Document;
use warcsieve_html::{ElementId, Tag};

/// Makes all cells of a row content if one of them is. Runs after the steps of a pipeline that asks for it.
///
/// A row counts as data if two of its cells have text, no cell holds more than one block or a heading, list or table,
/// and at least a third of its blocks are content. Takes time linear in the page's elements and blocks.
pub type KeepRows = Changing<Rows>;

/// What [`KeepRows`] changes, and its buffer.
#[derive(Default)]
pub struct Rows {
    /// By element: the row and the cell around it; 0 is none.
    around: Vec<(ElementId, ElementId)>,
}

/// The blocks of a row, and what was found out about it.
#[derive(Default)]
struct Row {
    id: ElementId,
    first: usize,
    blocks: usize,
    content: usize,
    cell: ElementId,
    is_data: bool,
}

impl Row {
    /// Keeps the row if it is a row of data of which enough is content.
    fn finish(&self, labels: &mut [Label], why: Why) {
        let is_kept = self.is_data && self.blocks > 1 && 3 * self.content >= self.blocks;
        if is_kept && self.content < self.blocks {
            let cells = &mut labels[self.first..self.first + self.blocks];
            cells.iter_mut().for_each(|label| why.keep(label));
        }
    }
}

impl Rows {
    /// Finds the row and cell of each element. A table, list or heading in a cell belongs to neither.
    fn find_rows(&mut self, doc: &Document) {
        warcsieve_common::shrink(&mut self.around);
        self.around.clear();
        for (id, element) in (0..).zip(&doc.tree.elements) {
            let (row, cell) = match id {
                0 => (0, 0),
                _ => self.around[element.parent as usize],
            };
            self.around.push(match element.tag {
                Tag::Tr => (id, 0),
                Tag::Td | Tag::Th => (row, id),
                Tag::Table => (0, 0),
                // It makes the row no row of data: its blocks have no cell.
                tag if tag.is_heading() || is_list(tag) => (row, 0),
                _ => (row, cell),
            });
        }
    }
}

fn is_list(tag: Tag) -> bool {
    matches!(tag, Tag::Ul | Tag::Ol | Tag::Dl | Tag::Menu | Tag::Dir)
}

impl Change for Rows {
    const REASON: &'static str = "in a row of a table whose other cells are content";
    const WORDS: &'static str = "kept with the other cells of its row";

    fn change(&mut self, doc: &Document, labels: &mut [Label], why: Why) {
        if !doc.tree.elements.iter().any(|e| e.tag == Tag::Tr) {
            return;
        }
        self.find_rows(doc);
        let mut row = Row::default();
        for at in 0..labels.len() {
            let (id, cell) = self.around[doc.blocks[at].element as usize];
            if id != row.id {
                row.finish(labels, why);
                row = Row {
                    id,
                    first: at,
                    is_data: id != 0,
                    ..Row::default()
                };
            }
            row.is_data &= cell != 0 && cell != row.cell;
            row.cell = cell;
            row.blocks += 1;
            row.content += usize::from(labels[at].content);
        }
        row.finish(labels, why);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::names::Names;

    fn kept(html: &str) -> String {
        super::super::tests::kept(KeepRows::new(&mut Names::default()), html)
    }

    #[test]
    fn a_row_of_data_is_kept_as_a_whole() {
        assert_eq!(kept("<table><tr><td>#a<td>b<tr><td>c<td>d"), "#a b");
        assert_eq!(
            kept("<table><tr><th>#a<td><p>b</p><td>c</table>d"),
            "#a b c"
        );
        assert_eq!(
            kept("<table><tr><td>a<td>b<td>c<td>#d"),
            "#d",
            "less than a third"
        );
        let twice = "<table><tr><td>#a<td>b</table><table><tr><td>c<td>d#</table>";
        assert_eq!(kept(twice), "#a b c d#");
    }

    #[test]
    fn rows_that_lay_out_a_page_are_left_alone() {
        for html in [
            "<table><tr><td>#a<td><p>b<p>c",
            "<table><tr><td>#a<td><ul><li>b</ul>",
            "<table><tr><td>#a<td><h2>b</h2>",
            "<table><tr><td>#a<td><table><tr><td>b</table>",
            "<table><tr><td>#a</table>b",
            "<p>#a<p>b",
            "<ul><li>#a<li>b</ul>",
        ] {
            assert_eq!(kept(html), "#a", "{html}");
        }
    }
}
