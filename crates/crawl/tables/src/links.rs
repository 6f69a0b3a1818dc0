//! The `links` table: one row for each link, or part of one, that has text.

use super::builders::to_i32;
use super::columns::{self, Collector, Table, schema_of};
use super::dictionary::{Dictionary, Numbered, OfPage, page_ids};
use arrow_schema::{Field, SchemaRef};
use warcsieve_classify::Label;
use warcsieve_extract::{Link, PageView, each_link};

/// The table.
pub(super) struct Links;

/// A link of a page.
pub(super) struct Row<'a> {
    view: &'a PageView<'a>,
    is_first: bool,
    link: Link<'a>,
}

impl Table for Links {
    type Row<'a> = Row<'a>;
}

type Column = columns::Column<Links>;

/// How many links a page has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkCounts {
    /// Rows.
    pub rows: u64,
    /// Links that were left out because a page has too many.
    pub left_out: u64,
}

/// Bytes of a row without the values of sized columns.
const ROW_BYTES: usize = 32;

/// The columns.
pub(super) fn columns() -> Vec<Column> {
    vec![
        page_ids::<Links>(
            "the page that has the link, as in [`documents`](documents.md)",
            |row| OfPage {
                id: &row.view.page.id,
                is_begun: row.is_first,
                rows: 1,
            },
        ),
        Column::text(
            "target",
            "the address that it leads to: an absolute web address, completed with the page's address and its `base`, \
             without fragment",
            |row| row.link.target,
        )
        .sized(),
        Column::text(
            "text",
            "its text in this block, white space collapsed; the first 1,024 bytes",
            |row| row.link.text,
        )
        .sized(),
        Column::number(
            "block",
            "the number of the block, as in [`blocks`](blocks.md)",
            |row| to_i32(row.link.block),
        ),
        Column::new(
            Dictionary::field("label", false),
            "of that block: `content` or `boilerplate`",
            Numbered::default(),
            |row, texts| texts.push_label(row.label()),
        ),
        Column::number(
            "score",
            "of that block: how likely it is content",
            |row| row.label().score,
        ),
    ]
}

impl Row<'_> {
    /// The label of the block that the link is in.
    fn label(&self) -> &Label {
        &self.view.labels[self.link.block]
    }
}

/// Fields of the table.
pub(super) fn schema() -> SchemaRef {
    schema_of(&columns())
}

/// The columns whose texts repeat.
pub(super) fn repeated_texts() -> Vec<Field> {
    columns::repeated_texts(columns())
}

/// Adds the links of a page. Returns their counts, and the approximate size of the rows in bytes.
pub(super) fn push(rows: &mut Collector<Links>, view: &PageView<'_>) -> (LinkCounts, usize) {
    let (mut links, mut bytes) = (0, view.page.id.len());
    let left_out = each_link(view.doc, &view.page.url, |link| {
        let is_first = links == 0;
        links += 1;
        bytes += ROW_BYTES
            + rows.push(&Row {
                view,
                is_first,
                link,
            });
    });
    let counts = LinkCounts {
        rows: links,
        left_out,
    };
    (counts, bytes)
}
