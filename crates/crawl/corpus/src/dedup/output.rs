//! A table that is written row by row. The table of bands is written while pairs are found.

use crate::file::TableWriter;
use arrow_array::builder::{Float64Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema, SchemaRef};
use std::path::Path;
use std::sync::Arc;
use warcsieve_common::Result;

/// Number of rows in a batch.
const BATCH: u64 = 8192;

/// A table with `T` text columns and `N` number columns, written row by row.
pub(super) struct Output<const T: usize, const N: usize> {
    file: TableWriter,
    schema: SchemaRef,
    texts: [StringBuilder; T],
    numbers: [Int64Builder; N],
    jaccard: Option<Float64Builder>,
    rows: u64,
}

impl<const T: usize, const N: usize> Output<T, N> {
    /// Creates the table: text columns, then number columns, then `jaccard` if asked for.
    pub(super) fn create(
        path: &Path,
        texts: [&str; T],
        numbers: [&str; N],
        jaccard: bool,
    ) -> Result<Self> {
        let texts_fields = texts.map(|name| Field::new(name, DataType::Utf8, name == "kept_id"));
        let numbers_fields = numbers.map(|name| Field::new(name, DataType::Int64, false));
        let jaccard_field = jaccard.then(|| Field::new("jaccard", DataType::Float64, true));
        let fields = texts_fields.into_iter().chain(numbers_fields);
        let schema = Arc::new(Schema::new(fields.chain(jaccard_field).collect::<Vec<_>>()));
        Ok(Self {
            file: TableWriter::create(path, schema.clone())?,
            schema,
            texts: std::array::from_fn(|_| StringBuilder::new()),
            numbers: std::array::from_fn(|_| Int64Builder::new()),
            jaccard: jaccard.then(Float64Builder::new),
            rows: 0,
        })
    }

    pub(super) fn push(
        &mut self,
        texts: [Option<&str>; T],
        numbers: [u64; N],
        jaccard: Option<f64>,
    ) -> Result<()> {
        for (column, text) in self.texts.iter_mut().zip(texts) {
            column.append_option(text);
        }
        for (column, number) in self.numbers.iter_mut().zip(numbers) {
            // Hashes have 64 bits. A negative value is the same hash.
            column.append_value(number as i64);
        }
        if let Some(column) = &mut self.jaccard {
            column.append_option(jaccard);
        }
        self.rows += 1;
        if self.rows.is_multiple_of(BATCH) {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        let texts = self
            .texts
            .iter_mut()
            .map(|c| -> ArrayRef { Arc::new(c.finish()) });
        let numbers = self
            .numbers
            .iter_mut()
            .map(|c| -> ArrayRef { Arc::new(c.finish()) });
        let jaccard = self
            .jaccard
            .iter_mut()
            .map(|c| -> ArrayRef { Arc::new(c.finish()) });
        let columns = texts.chain(numbers).chain(jaccard).collect();
        let rows = RecordBatch::try_new(self.schema.clone(), columns)
            .expect("the columns have the order and types of the schema");
        self.file.write(&rows)
    }

    pub(super) fn finish(mut self) -> Result<u64> {
        self.flush()?;
        self.file.finish()
    }
}

/// `bands.parquet`: the keys of bands, and the pages that have them.
pub(super) struct BandTable(Output<0, 2>);

impl BandTable {
    pub(super) fn create(out: &Path) -> Result<Self> {
        let path = out.join("bands.parquet");
        Output::create(&path, [], ["page", "key"], false).map(Self)
    }

    pub(super) fn push(&mut self, key: u64, pages: &[u64]) -> Result<()> {
        let mut pages = pages.iter();
        pages.try_for_each(|page| self.0.push([], [*page, key], None))
    }

    pub(super) fn finish(self) -> Result<u64> {
        self.0.finish()
    }
}
