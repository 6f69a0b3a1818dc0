//! Collects postings of more text than fits in memory. They are in a temporary tantivy index in its
//! own folder, whose segments hold the documents in order.

use super::message::{PostingsHead, encode_posting, encode_record};
use crate::index::analyzer::length;
use crate::index::fields::terms;
use crate::index::queue::{Queue, Queued};
use crate::index::{IndexSettings, engine_error, register};
use std::fs::{self, File};
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tantivy::merge_policy::NoMergePolicy;
use tantivy::postings::Postings;
use tantivy::schema::{FAST, Field, IndexRecordOption, Schema};
use tantivy::termdict::{TermMerger, TermStreamer};
use tantivy::{
    DocSet, Index, IndexWriter, InvertedIndexReader, TERMINATED, TantivyDocument, TantivyError,
};
use warcsieve_common::files::{is_there, make_folder};
use warcsieve_common::{Error, Result};
use warcsieve_store::FolderLock;

const NUMBER: &str = "number";
const BODY: &str = "body";

/// Bytes written at a time.
const PIECE: usize = 1 << 16;

/// An index under construction.
pub(super) struct TemporaryIndex {
    writer: IndexWriter<Queued>,
    queue: Arc<Queue>,
    body: Field,
    number: Field,
    records: BufWriter<File>,
    documents: u32,
    terms: u64,
    buffer: Vec<u8>,
    /// Dropped last, after all files in it are closed.
    folder: Folder,
}

/// A folder that is locked while its writer lives and removed on drop.
struct Folder {
    path: PathBuf,
    _lock: FolderLock,
}

impl Folder {
    /// Creates the folder. If a dead writer left one, empties it.
    fn create(path: PathBuf) -> Result<Self> {
        let lock = FolderLock::take(&path)?;
        let index = path.join("index");
        if is_there(&index)? {
            fs::remove_dir_all(&index).map_err(|e| Error::io(&index, e))?;
        }
        make_folder(&index)?;
        Ok(Self { path, _lock: lock })
    }

    fn index(&self) -> PathBuf {
        self.path.join("index")
    }

    fn records(&self) -> PathBuf {
        self.path.join("records")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

impl TemporaryIndex {
    /// Starts the index for the file `out`, with `heap` bytes of memory.
    pub fn create(out: &Path, settings: &IndexSettings, heap: usize) -> Result<Self> {
        let name = out.file_name().unwrap_or_default().to_string_lossy();
        let folder = Folder::create(out.with_file_name(format!(".{name}.index")))?;
        let mut schema = Schema::builder();
        let body = schema.add_text_field(BODY, terms());
        let number = schema.add_u64_field(NUMBER, FAST);
        let fail = |e| engine_error(&folder.path, e);
        let index = Index::create_in_dir(folder.index(), schema.build()).map_err(fail)?;
        register(&index, settings);
        let writer = index.writer_with_num_threads(1, heap).map_err(fail)?;
        writer.set_merge_policy(Box::new(NoMergePolicy));
        let records = folder.records();
        let file = File::create(&records).map_err(|e| Error::io(&records, e))?;
        Ok(Self {
            writer,
            queue: Arc::default(),
            body,
            number,
            records: BufWriter::with_capacity(PIECE, file),
            documents: 0,
            terms: 0,
            buffer: Vec::new(),
            folder,
        })
    }

    /// Adds the next document, which consists of several texts.
    pub fn add(&mut self, docno: &str, texts: &[&str]) -> Result<()> {
        let mut document = TantivyDocument::default();
        document.add_u64(self.number, u64::from(self.documents));
        texts
            .iter()
            .for_each(|text| document.add_text(self.body, text));
        let bytes = texts.iter().map(|text| text.len()).sum();
        let added = self.writer.add_document(self.queue.admit(document, bytes));
        added.map_err(|e| engine_error(&self.folder.path, e))?;
        let terms = texts.iter().map(|text| length(text)).sum();
        encode_record(self.documents, docno, terms, &mut self.buffer);
        let written = self.records.write_all(&self.buffer);
        written.map_err(|e| Error::io(self.folder.records(), e))?;
        self.documents += 1;
        self.terms += terms;
        Ok(())
    }

    /// Writes everything to the disk and opens it for reading.
    pub fn finish(mut self) -> Result<Built> {
        let fail = |e: TantivyError| engine_error(&self.folder.path, e);
        self.writer.commit().map_err(fail)?;
        let index = self.writer.index().clone();
        self.writer.wait_merging_threads().map_err(fail)?;
        let flushed = self.records.flush();
        flushed.map_err(|e| Error::io(self.folder.records(), e))?;
        let searcher = index.reader().map_err(fail)?.searcher();
        let mut segments = Vec::new();
        for segment in searcher.segment_readers() {
            let number = segment.fast_fields().u64(NUMBER).map_err(fail)?;
            segments.push(Segment {
                first: u32::try_from(number.first_or_default_col(0).get_val(0)).unwrap_or(u32::MAX),
                postings: segment.inverted_index(self.body).map_err(fail)?,
            });
        }
        // Tantivy lists segments in arbitrary order; sort them by document number.
        segments.sort_by_key(|segment| segment.first);
        Ok(Built {
            folder: self.folder,
            segments,
            terms: self.terms,
        })
    }
}

/// A segment: a contiguous part of the documents.
struct Segment {
    /// Number of its first document.
    first: u32,
    postings: Arc<InvertedIndexReader>,
}

/// A complete index, ready for reading.
pub(super) struct Built {
    segments: Vec<Segment>,
    terms: u64,
    folder: Folder,
}

impl Built {
    /// Number of segments.
    #[cfg(test)]
    pub fn segments(&self) -> usize {
        self.segments.len()
    }

    /// Sum of the documents' lengths.
    pub fn terms(&self) -> u64 {
        self.terms
    }

    /// Number of distinct terms.
    pub fn count_terms(&self) -> Result<u64> {
        let mut merger = self.merger()?;
        let mut terms = 0;
        while merger.advance() {
            terms += 1;
        }
        Ok(terms)
    }

    /// Writes the records of the documents.
    pub fn copy_records(&self, write: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let path = self.folder.records();
        let mut file = File::open(&path).map_err(|e| Error::io(&path, e))?;
        let mut piece = vec![0; PIECE];
        loop {
            match file.read(&mut piece).map_err(|e| Error::io(&path, e))? {
                0 => return Ok(()),
                n => write(&piece[..n])?,
            }
        }
    }

    /// The terms of all segments in byte order.
    fn merger(&self) -> Result<TermMerger<'_>> {
        let streams: std::io::Result<Vec<TermStreamer<'_>>> = self
            .segments
            .iter()
            .map(|s| s.postings.terms().stream())
            .collect();
        Ok(TermMerger::new(streams.map_err(|e| self.error(e))?))
    }

    fn error(&self, error: std::io::Error) -> Error {
        Error::io(&self.folder.path, error)
    }
}

/// Iterates over the postings lists in the order of their terms.
pub(super) struct TermLists<'a> {
    built: &'a Built,
    merger: TermMerger<'a>,
}

impl<'a> TermLists<'a> {
    /// Positioned before the first list.
    pub fn open(built: &'a Built) -> Result<Self> {
        let merger = built.merger()?;
        Ok(Self { built, merger })
    }

    /// Moves to the next list; `false` at the end.
    pub fn advance(&mut self) -> bool {
        self.merger.advance()
    }

    /// Writes the message of the current list in pieces. Postings are decoded twice, because the
    /// message starts with its length and a list may be too long to keep in memory; `buffer` is
    /// reused for the pieces.
    pub fn write(
        &self,
        buffer: &mut Vec<u8>,
        write: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let mut head = PostingsHead::default();
        self.each_posting(&mut |gap, tf| {
            head.add(gap, tf);
            Ok(())
        })?;
        let term = std::str::from_utf8(self.merger.key()).expect("terms are made of strings");
        head.encode(term, buffer);
        self.each_posting(&mut |gap, tf| {
            encode_posting(gap, tf, buffer);
            if buffer.len() >= PIECE {
                write(buffer)?;
                buffer.clear();
            }
            Ok(())
        })?;
        write(buffer)
    }

    /// Calls `each` with every posting: the distance from the previous document, and the frequency.
    fn each_posting(&self, each: &mut dyn FnMut(u32, u32) -> Result<()>) -> Result<()> {
        let mut before = 0;
        for (segment, term) in self.merger.current_segment_ords_and_term_infos() {
            let segment = &self.built.segments[segment];
            let postings = &segment.postings;
            let mut postings = postings
                .read_postings_from_terminfo(&term, IndexRecordOption::WithFreqs)
                .map_err(|e| self.built.error(e))?;
            while postings.doc() != TERMINATED {
                let document = segment.first + postings.doc();
                each(document - before, postings.term_freq())?;
                before = document;
                postings.advance();
            }
        }
        Ok(())
    }
}
