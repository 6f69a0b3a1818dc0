//! Offset files of ClueWeb22. They are next to their WARC files: `en0000-00.warc.offset` or
//! `en0000-00.offset` for `en0000-00.warc.gz`.
//!
//! A line is a number of ten digits: the offset in the WARC file at which the member of a page
//! begins. The last line is the offset at which the last member ends. The warcinfo record at the
//! beginning is not listed.

use super::matching::matched;
use super::statements::{Form, Group, Places, Statement};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use warcsieve_common::{Error, Result};
use warcsieve_engine::cdx::{Lines, Names};

/// Bytes per line: ten digits and a line feed.
const LINE: u64 = 11;

/// Reads the number of lines of offset files. The offsets are read when a file is compared.
pub(super) fn read(paths: &[PathBuf], names: &[&str]) -> Result<Group> {
    let mut statements = Vec::new();
    for path in paths {
        let name = path.to_string_lossy().replace('\\', "/");
        let name = [".offsets", ".offset"]
            .iter()
            .find_map(|end| name.strip_suffix(end))
            .unwrap_or(&name);
        statements.push(Statement {
            name: stem(name).to_owned(),
            records: lines_of(path)?,
            last: last_of(path)?,
            place: path.display().to_string(),
            places: Places::Offsets(path.clone()),
        });
    }
    let stems = Names::new(names.iter().map(|name| stem(name)));
    let mut notes = Vec::new();
    Ok(Group {
        form: Form::Offsets,
        statements: matched(statements, &stems, &mut notes),
        notes,
    })
}

/// Number of lines. If all lines have the same width, the file size is enough.
fn lines_of(path: &Path) -> Result<u64> {
    let error = |e| Error::io(path, e);
    let mut first = Vec::new();
    let file = File::open(path).map_err(error)?;
    let bytes = file.metadata().map_err(error)?.len();
    file.take(LINE).read_to_end(&mut first).map_err(error)?;
    // The last line may lack its line feed.
    if first.get(LINE as usize - 1) == Some(&b'\n') && matches!(bytes % LINE, 0 | 10) {
        return Ok(bytes.div_ceil(LINE));
    }
    load(path).map(|offsets| offsets.len() as u64)
}

/// The number in the last line; `None` if it is not a number.
fn last_of(path: &Path) -> Result<Option<u64>> {
    let error = |e| Error::io(path, e);
    let mut file = File::open(path).map_err(error)?;
    let bytes = file.metadata().map_err(error)?.len();
    let mut end = Vec::new();
    file.seek(SeekFrom::Start(bytes.saturating_sub(2 * LINE)))
        .map_err(error)?;
    file.take(2 * LINE).read_to_end(&mut end).map_err(error)?;
    let lines = end.trim_ascii_end().rsplit(|b| *b == b'\n');
    let last = lines.take(1).next().and_then(|l| str::from_utf8(l).ok());
    Ok(last.and_then(|l| l.parse().ok()))
}

/// A name without the endings of compression and format.
fn stem(name: &str) -> &str {
    let name = name
        .strip_suffix(".gz")
        .or(name.strip_suffix(".zst"))
        .unwrap_or(name);
    name.strip_suffix(".warc")
        .or(name.strip_suffix(".arc"))
        .unwrap_or(name)
}

/// All offsets of a file.
///
/// # Errors
/// [`Error::Invalid`] with the line that is not ten digits, or not greater than the line before.
/// [`Error::Io`].
pub(super) fn load(path: &Path) -> Result<Vec<u64>> {
    let mut lines = Lines::open(path)?;
    let mut offsets = Vec::new();
    while lines.advance()? {
        let line = std::str::from_utf8(lines.line()).unwrap_or_default();
        let digits = line.len() as u64 == LINE - 1 && line.bytes().all(|b| b.is_ascii_digit());
        let Some(offset) = line.parse().ok().filter(|_| digits) else {
            return Err(lines.wrong("expected a byte offset of ten digits alone in its line"));
        };
        if offsets.last().is_some_and(|last| *last >= offset) {
            return Err(lines.wrong("expected an offset after that of the line before"));
        }
        offsets.push(offset);
    }
    Ok(offsets)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn lines_are_counted_by_size_if_their_width_is_fixed() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for end in ["\n", "\r\n"] {
            for (n, last) in [(1, end), (22, end), (33, end), (5, "")] {
                let lines: Vec<_> = (1..=n).map(|i| format!("{i:010}")).collect();
                fs::write(file.path(), lines.join(end) + last).unwrap();
                assert_eq!(lines_of(file.path()).unwrap(), n);
                assert_eq!(last_of(file.path()).unwrap(), Some(n));
            }
        }
    }

    #[test]
    fn inputs_are_found_by_the_stems_of_offset_files() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path().join("html/en/en00/en0000");
        fs::create_dir_all(&folder).unwrap();
        let paths = [
            "en0000-00.warc.offset",
            "en0000-01.offset",
            "en0000-02.offset",
        ];
        let paths = paths.map(|name| folder.join(name));
        for path in &paths {
            fs::write(path, "0000000123\n0000000456\n0000000789\n").unwrap();
        }
        let names = [
            "en00/en0000/en0000-00.warc.gz",
            "en00/en0000/en0000-01.warc.gz",
        ];
        let group = read(&paths, &names).unwrap();
        let found: Vec<_> = group.statements.iter().map(|m| m.input).collect();
        assert_eq!(found, [Some(0), Some(1), None]);
        assert!(group.statements.iter().all(|m| m.statement.records == 3));
        assert_eq!(load(&paths[0]).unwrap(), [123, 456, 789]);
    }

    #[test]
    fn errors_name_the_wrong_line() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for text in [
            "0000000001\n123\n",
            "0000000001\n000000000x\n",
            "0000000005\n0000000005\n",
            "0000000005\n\n",
        ] {
            fs::write(file.path(), text).unwrap();
            let error = load(file.path()).unwrap_err().to_string();
            assert!(error.contains(":2: expected"), "{error}");
        }
    }
}
