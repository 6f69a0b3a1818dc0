//! Distinguishes data tables from layout tables.

use super::gap::{Gap, is_list};
use super::grid::Grid;
use super::html::is_part_of;
use super::walk::{Visitor, Walk};
use std::ops::Range;
use warcsieve_classify::Label;
use warcsieve_html::document::Document;
use warcsieve_html::{ElementId, Tag};

/// The data tables of a page. A data table satisfies all of these:
///
/// - All content is in cells, or in a caption before the rows.
/// - At least one row has two cells with content.
/// - No cell has preformatted text, because its lines would be lost.
/// - Each cell has one paragraph. Cells may have more (several paragraphs, lists, headings, quotes,
///   tables) only if at least two rows have content and there are header cells: all cells of the
///   first row, or the first cell of each row.
#[derive(Debug, Default)]
pub(super) struct Tables {
    /// In document order. No table is inside another one.
    data: Vec<DataTable>,
    /// Rows that only name a value: their table, and the blocks of the name.
    without_values: Vec<(ElementId, Range<usize>)>,
    walk: Walk<Place>,
    open: Vec<Candidate>,
}

/// A data table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DataTable {
    element: ElementId,
    /// Number of columns up to the last cell with content, in the longest row.
    pub columns: u32,
    /// Whether the first row with content has only header cells.
    pub header: bool,
    /// It has a name and a value in each row, and no row that says what its columns are.
    names_values: bool,
}

impl Tables {
    /// Finds the data tables of a page, in time linear in its elements.
    pub fn find(&mut self, doc: &Document, labels: &[Label]) {
        self.data.clear();
        self.without_values.clear();
        self.open.clear();
        if doc.tree.elements.iter().any(|e| e.tag == Tag::Table) {
            let mut search = Search {
                doc,
                data: &mut self.data,
                without_values: &mut self.without_values,
                open: &mut self.open,
            };
            self.walk.walk(doc, labels, &mut search);
            let data = &self.data;
            self.without_values.retain(|(table, _)| {
                let found = data.binary_search_by_key(table, |t| t.element);
                found.is_ok_and(|at| data[at].names_values)
            });
        }
    }

    /// Whether a block is the name of a value that the content lacks: the header cell of a row of two cells, in a table
    /// that names its values row by row, as the box with the facts about a town does.
    pub fn lacks_value(&self, block: usize) -> bool {
        let names = &self.without_values;
        let after = names.partition_point(|(_, name)| name.start <= block);
        after > 0 && names[after - 1].1.contains(&block)
    }

    /// The data table of this element; `None` if it is not one.
    pub fn get(&self, element: ElementId) -> Option<DataTable> {
        let found = self.data.binary_search_by_key(&element, |t| t.element);
        found.ok().map(|at| self.data[at])
    }
}

/// The position of an element in the innermost table.
#[derive(Clone, Copy, Debug)]
struct Place {
    tag: Tag,
    role: Role,
    /// Whether it is inside something more complex than a paragraph: a heading, a list, a quote.
    complex: bool,
}

/// The role of an element in the table around it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Role {
    /// Not in a table.
    #[default]
    Outside,
    /// A table, a group of rows, or a row.
    Structure,
    Cell,
    Caption,
    /// In a table, but outside of its cells.
    Loose,
}

impl Role {
    /// The role of an element with this tag inside an element with the tag `outer` and the role
    /// `self`. A cell must be directly in a row, so a `td` in a formula of that row is not a cell.
    pub fn inside(self, tag: Tag, outer: Tag) -> Self {
        match (self, tag) {
            (Self::Structure, Tag::Td | Tag::Th) if outer == Tag::Tr => Self::Cell,
            (Self::Structure, Tag::Caption) if outer == Tag::Table => Self::Caption,
            (Self::Structure, _) if is_part_of(tag, outer) => Self::Structure,
            (Self::Structure, _) => Self::Loose,
            (role, _) => role,
        }
    }
}

/// An open table that may be a data table.
#[derive(Clone, Debug)]
struct Candidate {
    table: DataTable,
    /// The gap between the last text of the cell and the next one.
    gap: Gap,
    grid: Grid,
    /// Column of the current cell, counted from 1.
    cell: u32,
    cell_has_text: bool,
    is_header_cell: bool,
    /// Number of cells with content in the current row.
    row: u32,
    /// Number of rows with content.
    rows: u32,
    two_in_a_row: bool,
    /// Number of cells with content in the first row that has some.
    first_row: u32,
    /// The current row, while it may be a name without a value.
    named_row: Option<ElementId>,
    /// Blocks of the current row, while it has content only in a header cell that begins it.
    row_name: Range<usize>,
    /// The first row has nothing else.
    begins_without_value: bool,
    /// Whether each row with content begins with a header cell.
    titled: bool,
    /// Whether a cell has more than one paragraph.
    complex: bool,
    /// Whether it has content that a data table must not have.
    spoiled: bool,
    has_content: bool,
    has_code: bool,
    /// Number of data tables found before it.
    before: usize,
}

struct Search<'a> {
    doc: &'a Document,
    data: &'a mut Vec<DataTable>,
    without_values: &'a mut Vec<(ElementId, Range<usize>)>,
    open: &'a mut Vec<Candidate>,
}

impl Visitor for Search<'_> {
    type Frame = Place;

    fn open(&mut self, id: ElementId, around: Option<&Place>) -> Place {
        let tag = self.doc.tree.elements[id as usize].tag;
        if tag == Tag::Table {
            self.open.push(Candidate::new(id, self.data.len()));
        }
        let table = self.open.last_mut();
        let (outer, mut role, mut complex) = match around {
            Some(place) => (place.tag, place.role, place.complex),
            None => (Tag::Other, Role::Outside, false),
        };
        role = match tag {
            Tag::Table => Role::Structure,
            tag => role.inside(tag, outer),
        };
        complex = match tag {
            Tag::Table => false,
            Tag::Blockquote | Tag::Dl | Tag::Li => true,
            tag => complex || tag.is_heading() || is_list(tag) || tag.is_preformatted(),
        };
        if let Some(table) = table {
            match (outer, role, tag) {
                (_, Role::Structure, Tag::Tr) => table.begin_row(id),
                (_, Role::Structure, Tag::Thead | Tag::Tbody | Tag::Tfoot) => {
                    table.grid.begin_group();
                }
                (Tag::Tr, Role::Cell, _) => {
                    let element = &self.doc.tree.elements[id as usize];
                    table.begin_cell(tag, self.doc.attributes(element));
                }
                (_, _, Tag::Br) => table.gap.line_break(),
                _ => table.gap.edge(tag),
            }
        }
        Place { tag, role, complex }
    }

    fn close(&mut self, place: &Place, around: Option<&Place>) {
        if let Some(table) = self.open.last_mut() {
            table.gap.edge(place.tag);
            if (place.tag, place.role) == (Tag::Tr, Role::Structure)
                && let Some(name) = table.end_row(self.doc)
            {
                self.without_values.push((table.table.element, name));
            }
        }
        if place.tag == Tag::Table
            && let Some(table) = self.open.pop()
        {
            if let (Some(outer), Some(around)) = (self.open.last_mut(), around)
                && table.has_content
            {
                outer.complex = true;
                outer.spoiled |= table.has_code;
                outer.has_code |= table.has_code;
                outer.text(around.role, None);
            }
            if table.is_data() {
                // Data tables inside its cells become a part of their text.
                self.data.truncate(table.before);
                self.data.push(table.as_data());
            }
        }
    }

    fn text(&mut self, block: usize, _: Range<usize>, place: &Place) {
        if let Some(table) = self.open.last_mut() {
            let is_code = self.doc.preformatted.range(block).is_some();
            table.complex |= place.complex;
            table.has_code |= is_code;
            table.spoiled |= is_code;
            table.text(place.role, Some(block));
        }
    }
}

impl Candidate {
    fn new(element: ElementId, before: usize) -> Self {
        Self {
            table: DataTable {
                element,
                columns: 0,
                header: true,
                names_values: false,
            },
            gap: Gap::None,
            grid: Grid::default(),
            cell: 0,
            cell_has_text: false,
            is_header_cell: false,
            row: 0,
            rows: 0,
            two_in_a_row: false,
            first_row: 0,
            named_row: None,
            row_name: 0..0,
            begins_without_value: false,
            titled: true,
            complex: false,
            spoiled: false,
            has_content: false,
            has_code: false,
            before,
        }
    }

    fn is_data(&self) -> bool {
        let is_named = self.rows > 1 && (self.table.header || self.titled);
        self.two_in_a_row && !self.spoiled && (is_named || !self.complex)
    }

    /// The table of data that it is.
    fn as_data(&self) -> DataTable {
        let has_header = self.table.header && self.first_row > 1;
        let names_values = self.titled && !has_header && self.table.columns == 2;
        DataTable {
            header: self.table.header && !(names_values && self.begins_without_value),
            names_values,
            ..self.table
        }
    }

    fn begin_row(&mut self, row: ElementId) {
        self.grid.begin_row();
        self.row = 0;
        self.named_row = Some(row);
    }

    /// Returns the blocks of a name without a value, if the row is one.
    fn end_row(&mut self, doc: &Document) -> Option<Range<usize>> {
        let name = std::mem::replace(&mut self.row_name, 0..0);
        let row = self
            .named_row
            .filter(|_| self.row == 1 && !name.is_empty())?;
        let tag = |id: ElementId| doc.tree.elements[id as usize].tag;
        let cells = doc
            .tree
            .children(row)
            .filter(|id| matches!(tag(*id), Tag::Td | Tag::Th));
        if cells.take(3).count() != 2 {
            return None;
        }
        self.begins_without_value |= self.rows == 1;
        Some(name)
    }

    fn begin_cell(&mut self, tag: Tag, attributes: &str) {
        self.cell = self.grid.begin_cell(attributes);
        self.cell_has_text = false;
        self.is_header_cell = tag == Tag::Th;
    }

    /// Content; `block` is its block, if it is not that of a table inside.
    fn text(&mut self, role: Role, block: Option<usize>) {
        self.has_content = true;
        match block {
            Some(block) if role == Role::Cell && self.is_header_cell && self.cell == 1 => {
                let first = match self.row_name.is_empty() {
                    true => block,
                    false => self.row_name.start,
                };
                self.row_name = first..block + 1;
            }
            _ => (self.row_name, self.named_row) = (0..0, None),
        }
        match role {
            Role::Cell if !self.cell_has_text => {
                self.cell_has_text = true;
                self.rows += u32::from(self.row == 0);
                self.titled &= self.row > 0 || self.is_header_cell;
                self.row += 1;
                self.first_row += u32::from(self.rows == 1);
                self.two_in_a_row |= self.row == 2;
                self.table.columns = self.table.columns.max(self.cell);
                self.table.header &= self.is_header_cell || self.rows > 1;
            }
            Role::Cell => self.complex |= self.gap == Gap::Empty,
            Role::Caption => self.spoiled |= self.rows > 0,
            _ => self.spoiled = true,
        }
        self.gap = Gap::None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warcsieve_fixture::segmented;
    use warcsieve_html::Segmentation;

    /// The numbers of columns of a page's data tables, with `h` if the first row is a header.
    fn tables(html: &str) -> Vec<String> {
        let doc = segmented(html, Segmentation::Inline);
        let label = |b| Label::plain(!doc.block_text(b).contains("no"), 0);
        let labels: Vec<_> = doc.blocks.iter().map(label).collect();
        let mut tables = Tables::default();
        tables.find(&doc, &labels);
        let shape = |t: &DataTable| {
            assert_eq!(tables.get(t.element), Some(*t));
            assert_eq!(tables.get(t.element + 1), None);
            format!("{}{}", t.columns, if t.header { "h" } else { "" })
        };
        tables.data.iter().map(shape).collect()
    }

    #[test]
    fn rows_of_cells_are_data() {
        assert_eq!(tables("<table><tr><td>a<td>b<tr><td>c"), ["2"]);
        assert_eq!(tables("<table><tr><th>a<th>b<tr><td>c<td><td>d"), ["3h"]);
        assert_eq!(
            tables("<table><tr><td>no<tr><th>a<th><p>b<br>c</p>"),
            ["2h"]
        );
        assert_eq!(tables("<table><tr><th>a<td>b<tr><th>c<th>d"), ["2"]);
        assert_eq!(
            tables("<table><tr><th colspan=2>a<th rowspan=2>b<tr><td>c<td>d<td>e"),
            ["4h"]
        );
        let two = "<table><caption>x</caption><tr><td>a<td>b</table>";
        assert_eq!(tables(&format!("{two}<p>c{two}")), ["2", "2"]);
        assert_eq!(
            tables(&format!("<table><td>{two}<td>{two}</table>")),
            ["2", "2"]
        );
    }

    /// Texts of the blocks that only name what the content lacks.
    fn names(html: &str) -> Vec<String> {
        let doc = segmented(html, Segmentation::Inline);
        let text = |block: usize| doc.block_text(&doc.blocks[block]);
        let label = |block| Label::plain(!text(block).contains("no"), 0);
        let labels: Vec<_> = (0..doc.blocks.len()).map(label).collect();
        let mut tables = Tables::default();
        tables.find(&doc, &labels);
        let lacking = (0..doc.blocks.len()).filter(|&block| tables.lacks_value(block));
        lacking.map(|block| text(block).to_owned()).collect()
    }

    #[test]
    fn names_of_values_that_are_not_there_are_known() {
        let rows = "<tr><th>a<td>b<tr><th>c<td><tr><th>d<br>e<td>no<tr><th>f<td>g";
        assert_eq!(names(&format!("<table>{rows}</table>")), ["c", "d", "e"]);
        let title = "<tr><th colspan=2>t";
        assert_eq!(names(&format!("<table>{title}{rows}")), ["c", "d", "e"]);
        let last = "<table><tr><th>a<td>b<tr><th>c<td></table>";
        assert_eq!(names(last), ["c"]);
        for other in [
            "<table><tr><th>Name<th>Note<tr><th>a<td><tr><th>b<td>c",
            "<table><tr><td>a<td>b<tr><td>c<td>",
            "<table><tr><th>a<td>b<td>c<tr><th>d<td><td>",
            "<table><tr><th>a<td>b<tr><th>c",
            "<table><tr><th>a<td>",
        ] {
            assert_eq!(names(other), [""; 0], "{other}");
        }
        let inner = "<table><tr><td>x<td>y</table>";
        for cells in [format!("<th>c<td>{inner}"), format!("<th>{inner}c<td>")] {
            let nested = format!("<table><tr><th>a<td>b<tr>{cells}</table>");
            assert_eq!(names(&nested), [""; 0], "{nested}");
        }
    }

    #[test]
    fn cells_of_tables_with_headers_may_have_more_than_a_paragraph() {
        let header = "<table><tr><th>a<th>b";
        for cell in [
            "<ul><li>c<li>d</ul>",
            "<p>c<p>d",
            "c<br><br>d",
            "<table><tr><td>c<td>d</table>",
            "<h3>c</h3>",
        ] {
            assert_eq!(
                tables(&format!("{header}<tr><td>x<td>{cell}</table>")),
                ["2h"]
            );
            assert_eq!(
                tables(&format!("<table><tr><th>a<td>b<tr><th>c<td>{cell}")),
                ["2"]
            );
            assert!(
                !tables(&format!("<table><tr><th>a<td>{cell}</table>"))
                    .concat()
                    .contains('h')
            );
        }
        let code = "<tr><td>x<td><pre>c\nd</pre>";
        assert_eq!(tables(&format!("{header}{code}")), [""; 0]);
        assert_eq!(
            tables(&format!("{header}<tr><td>x<td><table>{code}</table>")),
            [""; 0]
        );
    }

    #[test]
    fn layout_is_not_data() {
        for html in [
            "<table><tr><td>a<tr><td>b",
            "<table><tr><td>a<td>no",
            "<table><tr><td>a<td><p>b<p>c",
            "<table><tr><td>a<td>b<br><br>c",
            "<table><tr><td>a<td><h2>b</h2>",
            "<table><tr><td>a<td><ul><li>b</ul>",
            "<table><tr><td>a<td><li>b",
            "<table><tr><td>a<td><pre>b</pre>",
            "<table>a<tr><td>b<td>c",
            "<table><tr><td>a<td>b</td><div>c</div>",
            "<table><tr><td>a<td>b</tr><caption>c</caption></table>",
            "<pre><table><tr><td>a<td>b</table></pre>",
        ] {
            assert_eq!(tables(html), [""; 0], "{html}");
        }
    }
}
