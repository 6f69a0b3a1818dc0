//! Rows of a published corpus as a Parquet file.

use super::values::{Column, Read, Row, Value};
use arrow_array::builder::{
    ArrayBuilder, Float64Builder, Int64Builder, ListBuilder, StringBuilder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Fields, Schema, SchemaRef};
use std::path::Path;
use std::sync::Arc;
use warcsieve_common::Result;
use warcsieve_corpus::TableWriter;

/// A row group ends at this many bytes of values. Until then it is in memory.
const GROUP_BYTES: usize = 16 << 20;

/// A Parquet file that appears whole or not at all.
pub(in crate::export) struct TableFile {
    columns: &'static [Column],
    cells: Vec<Cells>,
    bytes: usize,
    schema: SchemaRef,
    writer: TableWriter,
}

/// The values of a column that are not written yet.
enum Cells {
    Text(StringBuilder),
    Integer(Int64Builder),
    Number(Float64Builder),
    Texts(ListBuilder<StringBuilder>),
    Numbers(ListBuilder<Float64Builder>),
}

impl Cells {
    fn of(read: &Read) -> Self {
        match read {
            Read::Text(_) | Read::Crawl => Self::Text(StringBuilder::new()),
            Read::Integer(_) | Read::Tokens => Self::Integer(Int64Builder::new()),
            Read::Number(_) => Self::Number(Float64Builder::new()),
            Read::Label => Self::Texts(ListBuilder::new(StringBuilder::new())),
            Read::Numbers(_) => Self::Numbers(ListBuilder::new(Float64Builder::new())),
        }
    }

    /// Adds a value of this type. Returns its size in bytes.
    fn push(&mut self, value: Value<'_>) -> usize {
        let text_size = |text: &Option<_>| text.as_deref().map_or(0, str::len);
        match (self, value) {
            (Self::Text(cells), Value::Text(text)) => {
                cells.append_option(text.as_deref());
                text_size(&text)
            }
            (Self::Texts(cells), Value::Texts(text)) => {
                cells.append_value(text.as_deref().map(Some));
                text_size(&text)
            }
            (Self::Integer(cells), Value::Integer(number)) => {
                cells.append_option(number);
                size_of::<i64>()
            }
            (Self::Number(cells), Value::Number(number)) => {
                cells.append_option(number);
                size_of::<f64>()
            }
            (Self::Numbers(cells), Value::Numbers(number)) => {
                cells.append_value(number.map(Some));
                size_of::<f64>()
            }
            _ => unreachable!("a column has values of one type"),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        let builder: &mut dyn ArrayBuilder = match self {
            Self::Text(cells) => cells,
            Self::Integer(cells) => cells,
            Self::Number(cells) => cells,
            Self::Texts(cells) => cells,
            Self::Numbers(cells) => cells,
        };
        builder.finish()
    }

    fn kind(&mut self) -> DataType {
        self.finish().data_type().clone()
    }
}

impl TableFile {
    pub(super) fn create(path: &Path, columns: &'static [Column]) -> Result<Self> {
        let mut cells: Vec<_> = columns.iter().map(|c| Cells::of(&c.read)).collect();
        let fields = columns.iter().zip(&mut cells);
        let fields = fields.map(|(column, cells)| Field::new(column.name, cells.kind(), true));
        let schema = Arc::new(Schema::new(fields.collect::<Fields>()));
        Ok(Self {
            columns,
            cells,
            bytes: 0,
            writer: TableWriter::create(path, schema.clone())?,
            schema,
        })
    }

    pub(super) fn push(&mut self, row: &Row<'_>) -> Result<()> {
        for (column, cells) in self.columns.iter().zip(&mut self.cells) {
            self.bytes += cells.push(column.read.value(row));
        }
        match self.bytes >= GROUP_BYTES {
            true => self.end_group(),
            false => Ok(()),
        }
    }

    fn end_group(&mut self) -> Result<()> {
        self.bytes = 0;
        let columns = self.cells.iter_mut().map(Cells::finish).collect();
        let batch = RecordBatch::try_new(self.schema.clone(), columns);
        let batch = batch.expect("columns have the types of their fields, and a value per row");
        self.writer.write(&batch)?;
        self.writer.end_group()
    }

    /// Gives the file its final name. Returns its size in bytes and its SHA-256.
    pub fn commit(mut self) -> Result<(u64, String)> {
        self.end_group()?;
        let file = self.writer.complete(String::new())?;
        Ok((file.bytes, file.sha256))
    }
}
