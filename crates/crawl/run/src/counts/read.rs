//! Reads files of statements in all their forms.

use super::statements::{Form, Group};
use super::{index, offsets, record_counts};
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use warcsieve_common::files::is_folder;
use warcsieve_common::{Error, Result};
use warcsieve_engine::cdx::{files_below, is_index_line, is_index_name};

/// Reads what files state about the inputs with these `names`. Of a folder, it reads all files
/// below it that look like statements. The content of a file decides its form. A stated name may
/// have more or fewer leading folders than the name in `names`.
///
/// Memory: 16 bytes per record of an index; about 200 bytes per WARC file for other forms.
///
/// # Errors
/// [`Error::Invalid`] with the place, if a file states nothing or a line is not as expected.
/// [`Error::Io`].
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

/// Endings of files in a folder that may state counts, in addition to those of indexes.
const ENDINGS: &[&str] = &[".txt", ".counts", ".count", ".offset", ".offsets"];

/// The file at a path, or the sorted files of a folder. Each has a flag: whether it is from a
/// folder.
fn files_of(path: &Path) -> Result<Vec<(PathBuf, bool)>> {
    if !is_folder(path)? {
        return Ok(vec![(path.to_owned(), false)]);
    }
    let files = files_below(path, |file| {
        let name = file.to_string_lossy().to_ascii_lowercase();
        is_index_name(file) || ENDINGS.iter().any(|e| name.ends_with(e))
    })?;
    Ok(files.into_iter().map(|file| (file, true)).collect())
}

/// The form of a file, from its first bytes. `None` if it states nothing.
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
    // `cdx` writes an empty file if there is nothing to index.
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
