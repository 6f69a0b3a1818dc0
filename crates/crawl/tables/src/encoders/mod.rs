//! The columns of an open row group.
//!
//! Most columns of `blocks` hold numbers or texts with few values. These are encoded here, because
//! the encoders of `parquet` pass over each value several times: for the dictionary, for
//! statistics, and for levels. All other columns, and those with statistics, use the encoders of
//! `parquet`.

mod chunk;
mod delta;
mod hybrid;
mod numbers;
mod texts;

use self::chunk::Zstd;
use self::numbers::Numbers;
use self::texts::Texts;
use arrow_array::ArrayRef;
use arrow_schema::{DataType, Field, SchemaRef};
use bytes::Bytes;
use parquet::arrow::arrow_writer::{ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::basic::{Compression, Encoding};
use parquet::errors::Result;
use parquet::file::page_index::column_index::ColumnIndexMetaData;
use parquet::file::page_index::offset_index::OffsetIndexMetaData;
use parquet::file::properties::{EnabledStatistics, WriterPropertiesPtr};
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{ColumnDescPtr, SchemaDescriptor};
use std::io::Write;

/// The page indexes of a column chunk.
pub(super) type PageIndexes = (Option<ColumnIndexMetaData>, Option<OffsetIndexMetaData>);

/// Makes the columns of a table's row groups.
pub(super) struct Encoders {
    arrow: ArrowRowGroupWriterFactory,
    schema: SchemaRef,
    /// For each field its columns in the file. Lists and maps have more than one.
    descriptors: Vec<Vec<ColumnDescPtr>>,
    properties: WriterPropertiesPtr,
    /// One compressor for all columns, because its internal tables are larger than most pages.
    zstd: Zstd,
}

/// A field of the rows of an open row group.
pub(super) enum Encoder {
    Texts(Box<Texts>),
    Numbers(Box<Numbers>),
    /// Any other field, with a writer for each of its columns in the file.
    Arrow(Vec<ArrowColumnWriter>),
}

impl Encoders {
    /// For a file that has just been begun.
    pub(super) fn new<W: Write + Send>(
        writer: &SerializedFileWriter<W>,
        descriptor: &SchemaDescriptor,
        schema: SchemaRef,
    ) -> Self {
        let mut descriptors = vec![Vec::new(); schema.fields().len()];
        for (at, column) in descriptor.columns().iter().enumerate() {
            descriptors[descriptor.get_column_root_idx(at)].push(column.clone());
        }
        Self {
            arrow: ArrowRowGroupWriterFactory::new(writer, schema.clone()),
            schema,
            descriptors,
            properties: writer.properties().clone(),
            zstd: Zstd::default(),
        }
    }

    /// The columns of the row group with this number, in the order of the schema's fields.
    pub(super) fn open(&self, group: usize) -> Result<Vec<Encoder>> {
        let mut writers = self.arrow.create_column_writers(group)?.into_iter();
        let fields = self.schema.fields().iter().zip(&self.descriptors);
        Ok(fields
            .map(|(field, descriptors)| {
                let arrow = writers.by_ref().take(descriptors.len()).collect();
                let own = match &descriptors[..] {
                    [descriptor] => self.own(field, descriptor),
                    _ => None,
                };
                own.unwrap_or(Encoder::Arrow(arrow))
            })
            .collect())
    }

    /// The encoder of a column, if it is encoded here.
    fn own(&self, field: &Field, descriptor: &ColumnDescPtr) -> Option<Encoder> {
        let (path, properties) = (descriptor.path(), &self.properties);
        let rows = properties.column_data_page_row_count_limit(path);
        let compression = properties.compression(path);
        if !matches!(
            compression,
            Compression::ZSTD(_) | Compression::UNCOMPRESSED
        ) {
            return None;
        }
        let statistics = properties.statistics_enabled(path) != EnabledStatistics::None;
        let chunk = || chunk::Chunk::new(descriptor.clone(), compression);
        let plain = !statistics && !properties.dictionary_enabled(path);
        let delta = properties.encoding(path) == Some(Encoding::DELTA_BINARY_PACKED);
        match field.data_type() {
            DataType::Dictionary(..) => Some(Encoder::Texts(Box::new(Texts::new(
                chunk(),
                rows,
                statistics,
            )))),
            DataType::Int32 if plain && delta => {
                Some(Encoder::Numbers(Box::new(Numbers::ints(chunk(), rows))))
            }
            DataType::Float32 if plain => {
                Some(Encoder::Numbers(Box::new(Numbers::floats(chunk(), rows))))
            }
            _ => None,
        }
    }

    /// Appends values of a field.
    pub(super) fn write(
        &mut self,
        column: &mut Encoder,
        field: &Field,
        values: &ArrayRef,
    ) -> Result<()> {
        match column {
            Encoder::Texts(texts) => texts.write(values, &mut self.zstd),
            Encoder::Numbers(numbers) => numbers.write(values, &mut self.zstd),
            Encoder::Arrow(writers) => {
                let leaves = compute_leaves(field, values)?;
                let mut leaves = leaves.iter().zip(writers);
                leaves.try_for_each(|(leaf, writer)| writer.write(leaf))
            }
        }
    }

    /// Ends a field's columns and appends them to the row group. Returns their page indexes.
    pub(super) fn close<W: Write + Send>(
        &mut self,
        column: Encoder,
        group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<Vec<PageIndexes>> {
        let (bytes, closed) = match column {
            Encoder::Texts(texts) => texts.close(&mut self.zstd)?,
            Encoder::Numbers(numbers) => numbers.close(&mut self.zstd)?,
            Encoder::Arrow(writers) => {
                let mut indexes = Vec::with_capacity(writers.len());
                for writer in writers {
                    let chunk = writer.close()?;
                    let closed = chunk.close();
                    indexes.push((closed.column_index.clone(), closed.offset_index.clone()));
                    chunk.append_to_row_group(group)?;
                }
                return Ok(indexes);
            }
        };
        let indexes = (closed.column_index.clone(), closed.offset_index.clone());
        group.append_column(&Bytes::from(bytes), closed)?;
        Ok(vec![indexes])
    }
}

impl Encoder {
    /// The approximate number of bytes that it will have in the file.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Texts(texts) => texts.bytes(),
            Self::Numbers(numbers) => numbers.bytes(),
            Self::Arrow(writers) => {
                let bytes = writers
                    .iter()
                    .map(ArrowColumnWriter::get_estimated_total_bytes);
                bytes.sum()
            }
        }
    }
}

#[cfg(test)]
mod tests;
