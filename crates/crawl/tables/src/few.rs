//! Columns of texts of few values: a batch of rows has each text once, and each row its number.

use arrow_array::builder::{StringBuilder, UInt32Builder};
use arrow_array::types::UInt32Type;
use arrow_array::{ArrayRef, DictionaryArray};
use arrow_schema::{DataType, Field};
use std::sync::Arc;

/// No key.
const NONE: u32 = u32::MAX;

/// Collects a column of texts of few values. The caller knows which texts the batch has.
#[derive(Debug, Default)]
pub(super) struct FewTexts {
    keys: UInt32Builder,
    texts: StringBuilder,
    /// Number of texts.
    known: u32,
}

impl FewTexts {
    /// The field of such a column. In files it is a column of texts.
    pub fn field(name: &str, nullable: bool) -> Field {
        let texts = DataType::Dictionary(Box::new(DataType::UInt32), Box::new(DataType::Utf8));
        Field::new(name, texts, nullable)
    }

    /// Takes up a text that the batch does not have yet, and returns its key. A row with it must
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

    /// Adds rows that are alike.
    pub fn push_all(&mut self, key: u32, rows: usize) {
        self.keys.append_value_n(key, rows);
    }

    /// Adds a row without a text.
    #[inline]
    pub fn push_null(&mut self) {
        self.keys.append_null();
    }

    /// The rows since the last call.
    pub fn finish(&mut self) -> ArrayRef {
        self.known = 0;
        let texts = Arc::new(self.texts.finish());
        let column = DictionaryArray::<UInt32Type>::try_new(self.keys.finish(), texts);
        Arc::new(column.expect("each key is that of a text that was added"))
    }
}

/// Collects a column of texts that have numbers anyway, such as those of
/// [`Names`](warcsieve_classify::Names).
#[derive(Debug, Default)]
pub(super) struct NumberedTexts {
    column: FewTexts,
    /// The key of each number, or [`NONE`].
    keys: Vec<u32>,
}

impl NumberedTexts {
    /// Adds a row with the text of a number. Returns how many bytes the text has, if it is new.
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

    /// Adds a row without a text.
    pub fn push_null(&mut self) {
        self.column.push_null();
    }

    /// The rows since the last call.
    pub fn finish(&mut self) -> ArrayRef {
        self.keys.clear();
        self.column.finish()
    }
}
