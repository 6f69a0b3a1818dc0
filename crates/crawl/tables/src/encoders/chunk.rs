//! A column chunk: its compressed pages, and its metadata for the footer.

use parquet::basic::{Compression, Encoding, PageType};
use parquet::column::page::{CompressedPage, Page, PageWriteSpec, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ColumnChunkMetaData, OffsetIndexBuilder, PageEncodingStats};
use parquet::file::page_index::column_index::ColumnIndexMetaData;
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;
use std::collections::BTreeSet;

/// Compresses pages. Keeps its internal tables from page to page.
#[derive(Default)]
pub(super) struct Zstd(Option<(i32, zstd::bulk::Compressor<'static>)>);

impl Zstd {
    fn compress(&mut self, page: &[u8], compression: Compression) -> std::io::Result<Vec<u8>> {
        let Compression::ZSTD(level) = compression else {
            return Ok(page.to_vec());
        };
        let level = level.compression_level();
        let kept = match self.0.take() {
            Some(kept) if kept.0 == level => kept,
            _ => (level, zstd::bulk::Compressor::new(level)?),
        };
        self.0.insert(kept).1.compress(page)
    }
}

/// A column chunk under construction.
pub(super) struct Chunk {
    descriptor: ColumnDescPtr,
    compression: Compression,
    /// The pages with their headers, without the dictionary.
    data: TrackedWrite<Vec<u8>>,
    offsets: OffsetIndexBuilder,
    encodings: Vec<PageEncodingStats>,
    rows: u64,
    uncompressed: usize,
}

/// Metadata of a whole chunk.
#[derive(Default)]
pub(super) struct About {
    /// The texts of the dictionary, each after its length, and their number.
    pub dictionary: Option<(Vec<u8>, usize)>,
    pub statistics: Option<Statistics>,
    pub index: Option<ColumnIndexMetaData>,
}

impl Chunk {
    pub fn new(descriptor: ColumnDescPtr, compression: Compression) -> Self {
        Self {
            descriptor,
            compression,
            data: TrackedWrite::new(Vec::new()),
            offsets: OffsetIndexBuilder::new(),
            encodings: Vec::new(),
            rows: 0,
            uncompressed: 0,
        }
    }

    /// Whether rows may lack a value.
    pub fn is_nullable(&self) -> bool {
        self.descriptor.max_def_level() > 0
    }

    /// Bytes of the pages so far.
    pub fn bytes(&self) -> usize {
        self.data.bytes_written()
    }

    /// Adds a data page of this many rows: levels and values, in this encoding.
    pub fn add(
        &mut self,
        rows: usize,
        page: &[u8],
        encoding: Encoding,
        zstd: &mut Zstd,
    ) -> Result<()> {
        let buf = zstd.compress(page, self.compression).map_err(error)?;
        let data = Page::DataPage {
            buf: buf.into(),
            num_values: u32::try_from(rows).map_err(error)?,
            encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        let spec = write(&mut self.data, CompressedPage::new(data, page.len()))?;
        let size = i32::try_from(spec.compressed_size).map_err(error)?;
        self.offsets
            .append_row_count(i64::try_from(rows).map_err(error)?);
        self.offsets
            .append_offset_and_size(i64::try_from(spec.offset).map_err(error)?, size);
        match self.encodings.last_mut() {
            Some(last) if last.encoding == encoding => last.count += 1,
            _ => self.encodings.push(stats(PageType::DATA_PAGE, encoding)),
        }
        self.rows += rows as u64;
        self.uncompressed += spec.uncompressed_size;
        Ok(())
    }

    /// The bytes of the chunk and its metadata. Offsets count from its first byte.
    pub fn close(mut self, about: About, zstd: &mut Zstd) -> Result<(Vec<u8>, ColumnCloseResult)> {
        let mut bytes = TrackedWrite::new(Vec::new());
        let has_dictionary = about.dictionary.is_some();
        if let Some((texts, number)) = about.dictionary {
            let page = Page::DictionaryPage {
                buf: zstd
                    .compress(&texts, self.compression)
                    .map_err(error)?
                    .into(),
                num_values: u32::try_from(number).map_err(error)?,
                encoding: Encoding::PLAIN,
                is_sorted: false,
            };
            let spec = write(&mut bytes, CompressedPage::new(page, texts.len()))?;
            self.uncompressed += spec.uncompressed_size;
            let page = stats(PageType::DICTIONARY_PAGE, Encoding::PLAIN);
            self.encodings.insert(0, page);
        }
        let mut bytes = bytes.into_inner()?;
        let begin = i64::try_from(bytes.len()).map_err(error)?;
        bytes.extend_from_slice(&self.data.into_inner()?);
        let mut offsets = self.offsets.build();
        for page in &mut offsets.page_locations {
            page.offset += begin;
        }
        let used: BTreeSet<_> = self.encodings.iter().map(|page| page.encoding).collect();
        let rows = i64::try_from(self.rows).map_err(error)?;
        let mut metadata = ColumnChunkMetaData::builder(self.descriptor)
            .set_compression(self.compression)
            .set_encodings(used.into_iter().chain([Encoding::RLE]).collect())
            .set_page_encoding_stats(self.encodings)
            .set_total_compressed_size(i64::try_from(bytes.len()).map_err(error)?)
            .set_total_uncompressed_size(i64::try_from(self.uncompressed).map_err(error)?)
            .set_num_values(rows)
            .set_data_page_offset(begin)
            .set_dictionary_page_offset(has_dictionary.then_some(0));
        if let Some(statistics) = about.statistics {
            metadata = metadata.set_statistics(statistics);
        }
        let closed = ColumnCloseResult {
            bytes_written: bytes.len() as u64,
            rows_written: self.rows,
            bloom_filter: None,
            metadata: metadata.build()?,
            column_index: about.index,
            offset_index: Some(offsets),
        };
        Ok((bytes, closed))
    }
}

fn write(to: &mut TrackedWrite<Vec<u8>>, page: CompressedPage) -> Result<PageWriteSpec> {
    SerializedPageWriter::new(to).write_page(page)
}

fn stats(page_type: PageType, encoding: Encoding) -> PageEncodingStats {
    PageEncodingStats {
        page_type,
        encoding,
        count: 1,
    }
}

fn error(error: impl std::error::Error + Send + Sync + 'static) -> ParquetError {
    ParquetError::External(Box::new(error))
}
