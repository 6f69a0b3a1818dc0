//! Statements of files about WARC files.

use std::path::PathBuf;
use warcsieve_engine::cdx::Ranges;

/// The kind of file that a statement comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// `record_counts` files of ClueWeb09.
    RecordCounts,
    /// Offset files of ClueWeb22.
    Offsets,
    /// An index: CDX, CDXJ, or Parquet with the columns of the cc-index.
    Index,
}

impl Form {
    /// The form's name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::RecordCounts => "record counts",
            Self::Offsets => "offset files",
            Self::Index => "index",
        }
    }
}

/// What a file states about one WARC file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The WARC file's name in the statement.
    pub name: String,
    /// Number of records. For an offset file, its number of lines.
    pub records: u64,
    /// Where the statement is, for messages: a file, and the line if the file has many statements.
    pub place: String,
    /// The places of records, if they are stated.
    pub places: Places,
    /// The number in the last line of an offset file.
    pub last: Option<u64>,
}

/// Stated places of records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Places {
    /// No places are stated.
    NotStated,
    /// The offset file with the beginning of each record and the end of the last. It is read when
    /// it is needed.
    Offsets(PathBuf),
    /// The byte ranges of the records.
    Ranges(Ranges),
}

/// A statement with the input that it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matched {
    /// The statement.
    pub statement: Statement,
    /// The input's index in the list of names; `None` if no input matches.
    pub input: Option<usize>,
}

/// The statements of one form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The form.
    pub form: Form,
    /// All statements, in the order of the files.
    pub statements: Vec<Matched>,
    /// What was unusual in the files and how it was interpreted, one line each.
    pub notes: Vec<String>,
}
