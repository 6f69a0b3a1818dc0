//! Renders plain text.

use super::gap::{Gap, is_list};
use super::tables::{Role, Tables};
use super::walk::{Visitor, Walk};
use std::ops::Range;
use warcsieve_classify::Label;
use warcsieve_common::{shrink, shrink_text};
use warcsieve_html::document::Document;
use warcsieve_html::{ElementId, Tag};

/// An item is indented by two spaces per list around its own list, for at most this many lists.
const MAX_INDENT: usize = 8;

/// Renders the content of labelled pages as plain text, one page at a time. Its buffers are reused.
///
/// Paragraphs, headings, lists and tables are separated by an empty line. Lines end where they end
/// in the page: at a `br`, an item or a row. Items begin with `- `, with two more spaces per nested
/// list. Cells of a data row are separated by a tab. Text in `pre` keeps its line ends and
/// indentation. There is always white space between two blocks, so the words are those of the
/// blocks.
///
/// Takes time linear in blocks and elements, without recursion. Memory: 8 bytes per block, and the
/// text. The text is at most as long as the texts of the blocks, plus 20 bytes per block and one
/// byte per element.
#[derive(Debug, Default)]
pub struct PlainText {
    text: String,
    blocks: Vec<Range<u32>>,
    tables: Tables,
    walk: Walk<Frame>,
}

impl PlainText {
    /// Writes the content of `doc` and replaces the previous text. There must be one label per
    /// block of `doc`.
    pub fn write(&mut self, doc: &Document, labels: &[Label]) {
        shrink_text(&mut self.text);
        self.text.clear();
        shrink(&mut self.blocks);
        self.blocks.clear();
        self.tables.find(doc, labels);
        let mut printing = Printing {
            doc,
            tables: &self.tables,
            text: &mut self.text,
            blocks: &mut self.blocks,
            last: None,
            gap: Gap::None,
            lists: 0,
            fewest_lists: 0,
            items: 0,
            pre: 0,
            pre_began: false,
            table: None,
        };
        self.walk.walk(doc, labels, &mut printing);
    }

    /// The text; empty if no block is content.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Byte range of each content block in the text, in order. Separators between blocks are in no
    /// range.
    pub fn blocks(&self) -> &[Range<u32>] {
        &self.blocks
    }
}

/// An open element.
#[derive(Clone, Copy, Debug, Default)]
struct Frame {
    tag: Tag,
    /// Its role in the data table around it.
    role: Role,
}

struct Printing<'a> {
    doc: &'a Document,
    tables: &'a Tables,
    text: &'a mut String,
    blocks: &'a mut Vec<Range<u32>>,
    /// The last block.
    last: Option<usize>,
    /// The gap between the last block and the next text.
    gap: Gap,
    /// Number of open lists.
    lists: usize,
    /// The lowest number of open lists since the last block.
    fewest_lists: usize,
    /// Number of open items that began since the last block. They are the innermost ones.
    items: usize,
    /// Number of open elements that keep white space.
    pre: usize,
    /// Whether the outermost element that keeps white space began since the last block.
    pre_began: bool,
    /// The current row if a data table is open.
    table: Option<Row>,
}

/// The current row of a data table.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    /// Number of cells in the row so far. `colspan` and `rowspan` are ignored, because plain text
    /// is also rebuilt from outputs that keep no attributes.
    cells: usize,
    /// Number of cells up to the last one with text.
    printed: usize,
    /// Whether a row before this one had text.
    is_later: bool,
}

impl Visitor for Printing<'_> {
    type Frame = Frame;

    fn open(&mut self, id: ElementId, around: Option<&Frame>) -> Frame {
        let tag = self.doc.tree.elements[id as usize].tag;
        let around = around.copied().unwrap_or_default();
        let mut role = around.role.inside(tag, around.tag);
        if let Some(row) = &mut self.table {
            match (around.role, role, tag) {
                (_, Role::Structure, Tag::Tr) => row.begin(),
                (Role::Structure, Role::Cell, _) => row.cells += 1,
                _ => {}
            }
        }
        match tag {
            Tag::Br => self.gap.line_break(),
            Tag::Li => self.items += usize::from(self.pre == 0),
            Tag::Table if self.table.is_none() && self.tables.get(id).is_some() => {
                self.table = Some(Row::default());
                role = Role::Structure;
            }
            tag if tag.is_preformatted() => {
                self.pre_began |= self.pre == 0;
                self.pre += 1;
            }
            _ => {}
        }
        self.edge(tag);
        self.lists += usize::from(is_list(tag) && self.pre == 0);
        Frame { tag, role }
    }

    fn close(&mut self, &Frame { tag, role }: &Frame, _: Option<&Frame>) {
        if tag == Tag::Li && self.pre == 0 {
            self.items = self.items.saturating_sub(1);
        }
        if is_list(tag) && self.pre == 0 {
            self.lists -= 1;
            self.fewest_lists = self.fewest_lists.min(self.lists);
        }
        self.pre -= usize::from(tag.is_preformatted());
        if (tag, role) == (Tag::Table, Role::Structure) {
            self.table = None;
        }
        self.edge(tag);
    }

    fn text(&mut self, block: usize, _: Range<usize>, _: &Frame) {
        if self.last == Some(block) {
            return;
        }
        self.separate(block);
        let text = match self.doc.preformatted.block_text(block) {
            Some(text) => text,
            None => self.doc.block_text(&self.doc.blocks[block]),
        };
        let start = self.text.len() as u32;
        self.text.push_str(text);
        self.blocks.push(start..self.text.len() as u32);
        self.last = Some(block);
        self.gap = if self.doc.is_plain_text() {
            Gap::Empty
        } else {
            Gap::None
        };
        self.fewest_lists = self.lists;
        self.items = 0;
        self.pre_began = false;
    }
}

impl Printing<'_> {
    fn edge(&mut self, tag: Tag) {
        if is_list(tag) && self.lists > 0 {
            self.gap = self.gap.max(Gap::Line);
        } else {
            self.gap.edge(tag);
        }
    }

    /// Writes the separator between the last block and the next one.
    fn separate(&mut self, block: usize) {
        let row = self.table.as_mut().filter(|row| row.cells > 0);
        if let Some(last) = self.last {
            if self.pre > 0 && !self.pre_began {
                return self
                    .text
                    .push_str(self.doc.preformatted.between(last, block));
            }
            let gap = match &row {
                Some(row) if row.printed > 0 => Gap::None,
                Some(row) if row.is_later => Gap::Line,
                None if self.items > 0 && self.fewest_lists > 0 => Gap::Line,
                _ => self.gap,
            };
            match gap {
                Gap::None if row.as_ref().is_some_and(|row| row.cells > row.printed) => {}
                Gap::None => self.text.push(' '),
                Gap::Break | Gap::Line => self.text.push('\n'),
                Gap::Empty => self.text.push_str("\n\n"),
            }
        }
        if let Some(row) = row {
            let first = usize::from(row.printed == 0);
            for _ in row.printed + first..row.cells {
                self.text.push('\t');
            }
            row.printed = row.cells;
        } else if self.items > 0 {
            for _ in 1..self.lists.min(MAX_INDENT) {
                self.text.push_str("  ");
            }
            self.text.push_str("- ");
        }
    }
}

impl Row {
    fn begin(&mut self) {
        *self = Self {
            is_later: self.is_later || self.printed > 0,
            ..Self::default()
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warcsieve_fixture::segmented;
    use warcsieve_html::Segmentation;

    /// The text of a page. A block that contains "no" is boilerplate.
    fn plain_as(segmentation: Segmentation, html: &str) -> String {
        let doc = segmented(html, segmentation);
        let label = |b| Label::plain(!doc.block_text(b).contains("no"), 0);
        let labels: Vec<_> = doc.blocks.iter().map(label).collect();
        let mut plain = PlainText::default();
        plain.write(
            &segmented("<ul><li><table><td>a<td>b", segmentation),
            &labels_of(2),
        );
        plain.write(&doc, &labels);
        let words = |text: &str| {
            text.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let mut ranges = plain.blocks().iter();
        for (block, _) in doc.blocks.iter().zip(&labels).filter(|(_, l)| l.content) {
            let range = ranges.next().unwrap();
            let text = &plain.as_str()[range.start as usize..range.end as usize];
            assert_eq!(words(text), words(doc.block_text(block)));
        }
        assert_eq!(ranges.next(), None);
        plain.as_str().to_owned()
    }

    fn labels_of(blocks: usize) -> Vec<Label> {
        vec![Label::plain(true, 0); blocks]
    }

    fn plain(html: &str) -> String {
        plain_as(Segmentation::Inline, html)
    }

    #[test]
    fn paragraphs_are_separated_and_lines_end_where_the_page_ends_them() {
        assert_eq!(
            plain("<h1>A</h1><div>b</div><div>c</div><p>d<br>e <b>f</b>"),
            "A\n\nb\nc\n\nd\ne f"
        );
        assert_eq!(plain("a<br><br>b<br></div><div>c"), "a\n\nb\nc");
        assert_eq!(plain("a<p>no</p>b<nav><a>no</a></nav>c"), "a\n\nb\n\nc");
        assert_eq!(plain("<p>no"), "");
        assert_eq!(plain(""), "");
    }

    #[test]
    fn the_paragraphs_of_a_plain_text_stay_separated() {
        let mut doc = Document::default();
        let mut segmenter = warcsieve_html::Segmenter::new(Default::default());
        segmenter.segment_text("a\nb\n\nc\n", &mut doc).unwrap();
        let mut plain = PlainText::default();
        plain.write(&doc, &labels_of(2));
        assert_eq!(plain.as_str(), "a b\n\nc");
    }

    #[test]
    fn items_begin_with_a_bullet() {
        let html =
            "a<ol><li>b<li><p>c<p>d<ul><li>e<li>no<li>f</ul>g<li>h</ol><ul><li><a>i</a></ul>";
        assert_eq!(
            plain(html),
            "a\n\n- b\n- c\n\nd\n  - e\n  - f\ng\n- h\n\n- i"
        );
        let dropped = "a<ul><li>no<ul><li>no</ul></ul>b<ul><li><p>no<p>c<li>no<ul><li>d</ul></ul>";
        assert_eq!(plain(dropped), "a\n\nb\n\n- c\n  - d");
        let deep = format!("{}x", "<ul><li>".repeat(50));
        assert_eq!(plain(&deep), format!("{}- x", "  ".repeat(MAX_INDENT - 1)));
    }

    #[test]
    fn a_row_of_data_is_a_line() {
        let html = "a<table><caption>b</caption><tr><th>c<th>d e<tr><td><td><p>f<br>g</p><tr><td>h<td><td>i</table>j";
        assert_eq!(plain(html), "a\n\nb\n\nc\td e\n\tf g\nh\t\ti\n\nj");
        let html = "<table><tr><td>a<td><h2>b</h2>c<tr><td>d</table>";
        assert_eq!(plain(html), "a\n\nb\n\nc\nd", "a layout");
    }

    #[test]
    fn line_ends_in_pre_are_kept() {
        let html = "a<pre>\n  b c\n\td<br>\n e\n</pre><pre>f\n</pre>g";
        assert_eq!(plain(html), "a\n\n  b c\n\td\n\n e\n\nf\n\ng");
        let lines = "<ol><li><pre><ol><li>  a<li> b</ol>no<div>c</div></pre></ol>";
        assert_eq!(plain(lines), "-   a\n b\nc");
    }

    #[test]
    fn blocks_on_one_line_are_separated_by_a_space() {
        let html = "<p>a <b>b</b>c<i>d</i></p><pre>x<b>y</b> z\n  <b>v</b></pre>";
        for segmentation in [Segmentation::Paper, Segmentation::Leaves] {
            assert_eq!(plain_as(segmentation, html), "a b c d\n\nx y z\n  v");
        }
        assert_eq!(
            plain_as(Segmentation::Justext, "a<br>b<br><br>c"),
            "a b\n\nc"
        );
    }
}
