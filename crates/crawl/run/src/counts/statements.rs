//! What files state about WARC files.

use std::path::PathBuf;
use warcsieve_engine::cdx::Ranges;

/// The kind of file that a statement is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Form {
    /// Files of ClueWeb09's `record_counts`.
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

/// What is stated about one WARC file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The file's name there.
    pub name: String,
    /// Number of records; for an offset file its number of lines.
    pub records: u64,
    /// Where it is stated, for messages: a file, and the line if it has many statements.
    pub place: String,
    /// The places of records, where they are stated.
    pub places: Places,
    /// The last line of an offset file.
    pub last: Option<u64>,
}

/// Stated places of records.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Places {
    /// No places are stated.
    NotStated,
    /// Where each record begins and the last ends, in an offset file, which is read when it is
    /// needed.
    Offsets(PathBuf),
    /// Their ranges.
    Ranges(Ranges),
}

/// A statement, and which input it is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matched {
    /// The statement.
    pub statement: Statement,
    /// The input's index in the list of names; `None` if there is no such input.
    pub input: Option<usize>,
}

/// The statements of one form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The form.
    pub form: Form,
    /// All statements, in the order of the files.
    pub statements: Vec<Matched>,
    /// What was odd about them and how it was interpreted, one line each.
    pub notes: Vec<String>,
}
