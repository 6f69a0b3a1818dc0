//! Columns of numbers without statistics.

use super::chunk::{About, Chunk, Zstd};
use super::{delta, hybrid};
use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Int32Type};
use arrow_array::{Array, ArrayRef};
use parquet::basic::Encoding;
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::Result;

/// A column of numbers of 32 bits.
pub(in super::super) struct Numbers {
    chunk: Chunk,
    values: Values,
    /// For each row of the open page 1, or 0 if it has no value. Empty if the column cannot lack
    /// values.
    levels: Vec<u32>,
    /// Rows of the open page, and their maximum.
    rows: usize,
    most_rows: usize,
    page: Vec<u8>,
}

/// Values of the open page.
enum Values {
    Ints(Vec<i32>),
    Floats(Vec<f32>),
}

impl Numbers {
    pub(super) fn ints(chunk: Chunk, most_rows: usize) -> Self {
        Self::new(chunk, most_rows, Values::Ints(Vec::new()))
    }

    pub(super) fn floats(chunk: Chunk, most_rows: usize) -> Self {
        Self::new(chunk, most_rows, Values::Floats(Vec::new()))
    }

    fn new(chunk: Chunk, most_rows: usize, values: Values) -> Self {
        Self {
            chunk,
            values,
            levels: Vec::new(),
            rows: 0,
            most_rows,
            page: Vec::new(),
        }
    }

    /// Appends rows.
    pub(super) fn write(&mut self, rows: &ArrayRef, zstd: &mut Zstd) -> Result<()> {
        let mut at = 0;
        while at < rows.len() {
            let count = (rows.len() - at).min(self.most_rows - self.rows);
            let part = rows.slice(at, count);
            let nulls = part.nulls().filter(|nulls| nulls.null_count() > 0);
            if self.chunk.is_nullable() {
                match nulls {
                    Some(nulls) => self.levels.extend(nulls.iter().map(u32::from)),
                    None => self.levels.resize(self.levels.len() + count, 1),
                }
            }
            let is_there = |at: &usize| nulls.is_none_or(|nulls| nulls.is_valid(*at));
            match &mut self.values {
                Values::Ints(to) => {
                    let from = part.as_primitive::<Int32Type>().values();
                    match nulls {
                        None => to.extend_from_slice(from),
                        Some(_) => to.extend((0..count).filter(is_there).map(|at| from[at])),
                    }
                }
                Values::Floats(to) => {
                    let from = part.as_primitive::<Float32Type>().values();
                    match nulls {
                        None => to.extend_from_slice(from),
                        Some(_) => to.extend((0..count).filter(is_there).map(|at| from[at])),
                    }
                }
            }
            self.rows += count;
            at += count;
            if self.rows == self.most_rows {
                self.end_page(zstd)?;
            }
        }
        Ok(())
    }

    fn end_page(&mut self, zstd: &mut Zstd) -> Result<()> {
        self.page.clear();
        levels(&mut self.levels, &mut self.page);
        let encoding = match &mut self.values {
            Values::Ints(values) => {
                delta::encode(values, &mut self.page);
                values.clear();
                Encoding::DELTA_BINARY_PACKED
            }
            Values::Floats(values) => {
                let bytes = values.iter().flat_map(|v| v.to_le_bytes());
                self.page.extend(bytes);
                values.clear();
                Encoding::PLAIN
            }
        };
        let rows = std::mem::take(&mut self.rows);
        self.chunk.add(rows, &self.page, encoding, zstd)
    }

    /// The approximate number of bytes it will have. Two bytes per number, because most are small.
    pub(super) fn bytes(&self) -> usize {
        let open = match &self.values {
            Values::Ints(values) => values.len() * 2,
            Values::Floats(values) => size_of_val(&values[..]),
        };
        self.chunk.bytes() + open
    }

    pub(super) fn close(mut self, zstd: &mut Zstd) -> Result<(Vec<u8>, ColumnCloseResult)> {
        if self.rows > 0 {
            self.end_page(zstd)?;
        }
        self.chunk.close(About::default(), zstd)
    }
}

/// Moves the levels of a page's rows to its beginning: their length in bytes, then their runs.
pub(super) fn levels(levels: &mut Vec<u32>, page: &mut Vec<u8>) {
    if levels.is_empty() {
        return;
    }
    page.extend_from_slice(&[0; 4]);
    hybrid::encode(levels, 1, page);
    let length = (page.len() - 4) as u32;
    page[..4].copy_from_slice(&length.to_le_bytes());
    levels.clear();
}
