//! Columns of texts with few values: a batch of rows has each text once, and each row holds its
//! number.

use super::builders::Build;
use super::columns::{Column, Table};
use arrow_array::builder::{StringBuilder, UInt32Builder};
use arrow_array::types::UInt32Type;
use arrow_array::{ArrayRef, DictionaryArray};
use arrow_schema::{DataType, Field};
use std::sync::Arc;
use warcsieve_classify::Label;

/// No key.
const NONE: u32 = u32::MAX;

/// Collects a column of texts with few values. The caller knows which texts the batch has.
#[derive(Debug, Default)]
pub(super) struct Dictionary {
    keys: UInt32Builder,
    texts: StringBuilder,
    /// Number of texts.
    known: u32,
}

impl Dictionary {
    /// The field of such a column. In files it is a column of texts.
    pub fn field(name: &str, nullable: bool) -> Field {
        let texts = DataType::Dictionary(Box::new(DataType::UInt32), Box::new(DataType::Utf8));
        Field::new(name, texts, nullable)
    }

    /// Adds a text that the batch does not have yet, and returns its key. A row with it must
    /// follow.
    pub fn add(&mut self, text: &str) -> u32 {
        self.texts.append_value(text);
        self.known += 1;
        self.known - 1
    }

    /// Adds a row.
    #[inline]
    pub fn push(&mut self, key: u32) {
        self.keys.append_value(key);
    }

    /// Adds several rows with the same text.
    pub fn push_all(&mut self, key: u32, rows: usize) {
        self.keys.append_value_n(key, rows);
    }

    /// Adds a row without a text.
    #[inline]
    pub fn push_null(&mut self) {
        self.keys.append_null();
    }
}

impl Build for Dictionary {
    fn finish(&mut self) -> ArrayRef {
        self.known = 0;
        let texts = Arc::new(self.texts.finish());
        let column = DictionaryArray::<UInt32Type>::try_new(self.keys.finish(), texts);
        Arc::new(column.expect("each key is that of a text that was added"))
    }
}

/// Collects a column of texts that already have numbers, such as those of
/// [`Names`](warcsieve_classify::Names).
#[derive(Debug, Default)]
pub(super) struct Numbered {
    column: Dictionary,
    /// The key of each number, or [`NONE`].
    keys: Vec<u32>,
}

impl Numbered {
    /// Adds a row with the text of this number. Returns the bytes of the text if it is new.
    #[inline]
    pub fn push(&mut self, number: usize, text: &str) -> usize {
        if let Some(&key) = self.keys.get(number)
            && key != NONE
        {
            self.column.push(key);
            return 0;
        }
        let end = self.keys.len().max(number + 1);
        self.keys.resize(end, NONE);
        self.keys[number] = self.column.add(text);
        self.column.push(self.keys[number]);
        text.len()
    }

    /// Adds a row that says whether a block is content.
    #[inline]
    pub fn push_label(&mut self, label: &Label) -> usize {
        let text = ["boilerplate", "content"][usize::from(label.content)];
        self.push(usize::from(label.content), text)
    }

    /// Adds a row without a text.
    pub fn push_null(&mut self) {
        self.column.push_null();
    }
}

impl Build for Numbered {
    fn finish(&mut self) -> ArrayRef {
        self.keys.clear();
        self.column.finish()
    }
}

/// Collects a column with the page of each row. Rows of a page follow each other.
#[derive(Debug, Default)]
struct Pages {
    column: Dictionary,
    /// Key of the open page; `None` at the beginning of a batch.
    key: Option<u32>,
}

impl Build for Pages {
    fn finish(&mut self) -> ArrayRef {
        self.key = None;
        self.column.finish()
    }
}

/// Some rows of a page.
pub(super) struct OfPage<'r> {
    pub id: &'r str,
    /// Whether these are the first rows of the page.
    pub is_begun: bool,
    pub rows: usize,
}

/// The column `id` of a table with more rows than pages.
pub(super) fn page_ids<T: Table>(
    doc: &'static str,
    of: impl for<'r> Fn(&'r T::Row<'_>) -> OfPage<'r> + Send + 'static,
) -> Column<T> {
    let field = Dictionary::field("id", false);
    Column::new(field, doc, Pages::default(), move |row, pages| {
        let of = of(row);
        let (key, new) = match pages.key.filter(|_| !of.is_begun) {
            Some(key) => (key, 0),
            None => (pages.column.add(of.id), of.id.len()),
        };
        pages.key = Some(key);
        pages.column.push_all(key, of.rows);
        new
    })
}
