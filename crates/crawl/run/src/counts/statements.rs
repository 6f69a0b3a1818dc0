//! Reads statements, and finds the inputs that they are about.

use super::{index, offsets, record_counts};
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use warcsieve_common::{Error, Result};
use warcsieve_engine::cdx::{Found, Names, Ranges, files_below, is_index_line, is_index_name};

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

/// Reads what files state about the inputs with these `names`; of folders, all files below them
/// that look like statements. The form of a file is detected by its content. An input's name there
/// may be longer or shorter than in `names`.
///
/// Memory: an index takes 16 bytes per record, other forms some 200 bytes per WARC file.
///
/// # Errors
/// [`Error::Invalid`] where a file states nothing, or a line of it is not as expected, with its
/// place; [`Error::Io`].
pub fn read_statements(paths: &[PathBuf], names: &[&str]) -> Result<Vec<Group>> {
    let mut files: [Vec<PathBuf>; 3] = Default::default();
    for path in paths {
        let before: usize = files.iter().map(Vec::len).sum();
        for (file, listed) in files_of(path)? {
            match form_of(&file)? {
                Some(form) => files[form as usize].push(file),
                None if listed => {}
                None => {
                    return Err(Error::Invalid(format!(
                        "{}: states no counts: expected ClueWeb09's record counts (a path and a \
                         number a line), a ClueWeb22 offset file (a number of ten digits a line), \
                         CDX, CDXJ or an index in Parquet",
                        file.display()
                    )));
                }
            }
        }
        if files.iter().map(Vec::len).sum::<usize>() == before {
            return Err(Error::Invalid(format!(
                "no file below {} states counts of WARC files",
                path.display()
            )));
        }
    }
    let [counts, starts, indexes] = files;
    let mut groups = Vec::new();
    if !counts.is_empty() {
        groups.push(record_counts::read(&counts, names)?);
    }
    if !starts.is_empty() {
        groups.push(offsets::read(&starts, names)?);
    }
    if !indexes.is_empty() {
        groups.push(index::read(&indexes, names)?);
    }
    Ok(groups)
}

/// Matches statements with inputs by name.
pub(super) fn matched(
    statements: impl IntoIterator<Item = Statement>,
    names: &Names<'_>,
    notes: &mut Vec<String>,
) -> Vec<Matched> {
    let find = |statement: Statement| {
        let input = match names.find(&statement.name) {
            Found::One(at) => Some(at),
            Found::None => None,
            Found::Several(..) => {
                notes.push(format!(
                    "{}: {} could be several inputs, so it is none; set --base so that inputs are \
                     called as there",
                    statement.place, statement.name
                ));
                None
            }
        };
        Matched { statement, input }
    };
    statements.into_iter().map(find).collect()
}

/// Unmatches statements about different files that all fit one input, except one that has the
/// input's own name. `called` are the names of the files, in the order of the statements.
pub(super) fn refuse_several(group: &mut Group, called: &[String], names: &[&str]) {
    let mut first: HashMap<usize, &str> = HashMap::new();
    let mut several: BTreeMap<usize, &str> = BTreeMap::new();
    for (matched, called) in group.statements.iter().zip(called) {
        let Some(at) = matched.input else { continue };
        let first = *first.entry(at).or_insert(called);
        if first != called {
            several.entry(at).or_insert(called);
        }
    }
    for (matched, called) in group.statements.iter_mut().zip(called) {
        let is_several = matched.input.filter(|at| several.contains_key(at));
        if is_several.is_some_and(|at| called != names[at]) {
            matched.input = None;
        }
    }
    let example = several
        .iter()
        .find(|(at, _)| !called.iter().any(|called| called == names[**at]));
    if let Some((at, other)) = example {
        group.notes.push(format!(
            "{} could be {} or {other}, so it is neither; set --base so that inputs are called as \
             there",
            names[*at], first[at]
        ));
    }
}

/// Endings of files in a folder that may state counts, besides those of indexes.
const ENDINGS: &[&str] = &[".txt", ".counts", ".count", ".offset", ".offsets"];

/// The file that a path names, or those of a folder, sorted; each with whether it comes from a
/// folder.
fn files_of(path: &Path) -> Result<Vec<(PathBuf, bool)>> {
    if !path.is_dir() {
        return Ok(vec![(path.to_owned(), false)]);
    }
    let files = files_below(path, |file| {
        let name = file.to_string_lossy().to_ascii_lowercase();
        is_index_name(file) || ENDINGS.iter().any(|e| name.ends_with(e))
    })?;
    Ok(files.into_iter().map(|file| (file, true)).collect())
}

/// The form of a file by its first bytes; `None` if it states nothing.
fn form_of(path: &Path) -> Result<Option<Form>> {
    let error = |e| Error::io(path, e);
    let mut first = Vec::new();
    let file = File::open(path).map_err(error)?;
    file.take(4096).read_to_end(&mut first).map_err(error)?;
    let packed: [&[u8]; 3] = [b"PAR1", &[0x1f, 0x8b], &[0x28, 0xb5, 0x2f, 0xfd]];
    if packed.iter().any(|magic| first.starts_with(magic)) {
        return Ok(Some(Form::Index));
    }
    let mut lines = first
        .split(|b| *b == b'\n')
        .filter(|l| !l.trim_ascii().is_empty());
    let digits = |l: &[u8]| l.trim_ascii().iter().all(u8::is_ascii_digit);
    let counts = |l: &[u8]| {
        let line = String::from_utf8_lossy(l);
        matches!(record_counts::parse(&line), Ok(Some(_)))
    };
    // `cdx` writes an empty file where there is nothing to index.
    if first.is_empty() && is_index_name(path) {
        return Ok(Some(Form::Index));
    }
    let form = if lines.clone().next().is_some_and(digits) {
        Some(Form::Offsets)
    } else if lines.clone().any(is_index_line) {
        Some(Form::Index)
    } else if lines.any(counts) {
        Some(Form::RecordCounts)
    } else {
        None
    };
    Ok(form)
}
