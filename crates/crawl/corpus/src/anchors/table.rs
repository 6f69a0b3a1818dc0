//! The table of pages with links to them.

use super::options::AnchorOptions;
use super::read::open_pages;
use super::summary::AnchorSummary;
use super::texts::KeptTexts;
use crate::dedup::sort::Sorted;
use crate::file::TableWriter;
use arrow_array::builder::{Int64Builder, StringBuilder};
use arrow_array::types::Int64Type;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use std::collections::HashSet;
use std::path::Path;
use std::sync::{Arc, LazyLock};
use warcsieve_common::{Error, Result};
use warcsieve_run::shards::{Checked, Rows, Shard};

/// Columns of the table. A page is row `row` of the documents of the input `shard`.
static SCHEMA: LazyLock<SchemaRef> = LazyLock::new(|| {
    let text = |name| Field::new(name, DataType::Utf8, false);
    let count = |name| Field::new(name, DataType::Int64, false);
    Arc::new(Schema::new(vec![
        text("shard"),
        count("row"),
        text("id"),
        count("inlinks"),
        count("linking_pages"),
        text("anchors"),
    ]))
});

/// Bytes of texts after which a batch is written.
const BATCH: usize = 4 << 20;

/// The links to one page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InLinks {
    /// Number of links.
    pub links: u64,
    /// Number of pages with such a link.
    pub pages: u64,
    /// The link texts, one per line. If one page has the same text several times, it is here once.
    pub texts: String,
}

#[derive(Default)]
struct Columns {
    texts: [StringBuilder; 3],
    numbers: [Int64Builder; 3],
    bytes: usize,
}

/// Writes a row for each page with links to it, in the order of shards and rows.
pub(super) fn write(
    shards: &[Shard],
    mut joined: Sorted<3>,
    texts: &KeptTexts,
    options: &AnchorOptions,
    out: &Path,
    summary: &mut AnchorSummary,
) -> Result<()> {
    let mut file = TableWriter::create(out, SCHEMA.clone())?;
    let mut columns = Columns::default();
    let mut next = joined.next()?;
    let mut number = 0;
    for shard in shards {
        let mut pages = open_pages(shard)?;
        for row in 0.. {
            if !pages.advance()? {
                break;
            }
            let mut found = Gathering::default();
            while let Some([page, source, place]) = next
                && page == number
            {
                found.add(source, place, texts, options.longest)?;
                next = joined.next()?;
            }
            number += 1;
            if found.links.links > 0 {
                columns.push(
                    &shard.name,
                    row,
                    pages.text("id").unwrap_or_default(),
                    &found.links,
                );
                if columns.bytes >= BATCH {
                    file.write(&columns.finish())?;
                }
            }
        }
    }
    file.write(&columns.finish())?;
    summary.pages_linked_to = file.finish()?;
    Ok(())
}

/// Collects the links to one page. They come sorted by the page that has them.
#[derive(Default)]
struct Gathering {
    links: InLinks,
    source: Option<u64>,
    /// Texts of the links in the page `source`.
    said: HashSet<String>,
}

impl Gathering {
    fn add(&mut self, source: u64, place: u64, texts: &KeptTexts, longest: usize) -> Result<()> {
        self.links.links += 1;
        if self.source.replace(source) != Some(source) {
            self.links.pages += 1;
            self.said.clear();
        }
        if self.links.texts.len() >= longest {
            return Ok(());
        }
        let text = texts.read(place)?;
        let has_room = self.links.texts.len() + text.len() < longest;
        if has_room && !self.said.contains(&text) {
            if !self.links.texts.is_empty() {
                self.links.texts.push('\n');
            }
            self.links.texts += &text;
            self.said.insert(text);
        }
        Ok(())
    }
}

impl Columns {
    fn push(&mut self, shard: &str, row: i64, id: &str, links: &InLinks) {
        for (column, text) in self.texts.iter_mut().zip([shard, id, &links.texts]) {
            column.append_value(text);
            self.bytes += text.len();
        }
        // The number of rows is below 2^63.
        let numbers = [row, links.links as i64, links.pages as i64];
        for (column, number) in self.numbers.iter_mut().zip(numbers) {
            column.append_value(number);
        }
    }

    fn finish(&mut self) -> RecordBatch {
        self.bytes = 0;
        let [shard, id, anchors] = &mut self.texts;
        let [row, links, pages] = &mut self.numbers;
        let columns: Vec<ArrayRef> = vec![
            Arc::new(shard.finish()),
            Arc::new(row.finish()),
            Arc::new(id.finish()),
            Arc::new(links.finish()),
            Arc::new(pages.finish()),
            Arc::new(anchors.finish()),
        ];
        RecordBatch::try_new(SCHEMA.clone(), columns)
            .expect("the columns have the order and types of the schema")
    }
}

/// The table, read in the order of shards and rows.
pub struct AnchorTable {
    rows: Rows,
    has_row: bool,
}

impl AnchorTable {
    /// Opens a table that [`gather`](super::gather) wrote.
    ///
    /// # Errors
    /// [`Error::Integrity`] if it is not such a table; [`Error::Io`].
    pub fn open(path: &Path) -> Result<Self> {
        let mut rows = Checked::unlisted(path)?.read(&SCHEMA, 256)?;
        let has_row = rows.advance()?;
        Ok(Self { rows, has_row })
    }

    /// The links to the page in row `row` of a shard; `None` if there are none. Ask for pages in
    /// ascending order of shard names and rows.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the page at this place has another id. [`Error::Integrity`] if the
    /// table cannot be decoded.
    pub fn links_to(&mut self, shard: &str, row: u64, id: &str) -> Result<Option<InLinks>> {
        let number = |rows: &Rows, name| {
            let number = rows.number::<Int64Type>(name);
            number.and_then(|n| u64::try_from(n).ok()).unwrap_or(0)
        };
        let place = |rows: &Rows| {
            (
                rows.text("shard").unwrap_or_default().to_owned(),
                number(rows, "row"),
            )
        };
        while self.has_row && place(&self.rows) < (shard.to_owned(), row) {
            self.has_row = self.rows.advance()?;
        }
        if !self.has_row || place(&self.rows) != (shard.to_owned(), row) {
            return Ok(None);
        }
        if self.rows.text("id") != Some(id) {
            let path = self.rows.path().display();
            return Err(Error::Invalid(format!(
                "{path}: row {row} of {shard} is not page {id}; run `anchors` on these shards"
            )));
        }
        Ok(Some(InLinks {
            links: number(&self.rows, "inlinks"),
            pages: number(&self.rows, "linking_pages"),
            texts: self.rows.text("anchors").unwrap_or_default().to_owned(),
        }))
    }
}
