//! Whether a folder is one to write to.

use parquet::arrow::arrow_reader::ArrowReaderOptions;
use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;
use warcsieve_common::{Error, Result};
use warcsieve_store::refuse_filled;
use warcsieve_tables::read::{TableFile, Unreadable};

/// How tables begin that say which program wrote them.
pub(super) const WRITER: &str = "warcsieve version ";

/// Refuses a folder of something else, and one where a table to write, one of `tables`, is a file that this program did
/// not write. `is_own` says whether `command` has written to the folder before.
///
/// # Errors
/// [`Error::Invalid`] if it is refused; [`Error::Io`].
pub(super) fn claim<P: AsRef<Path>>(
    out: &Path,
    command: &str,
    is_own: bool,
    tables: impl IntoIterator<Item = P>,
) -> Result<()> {
    if !is_own {
        refuse_filled(out, &format!("no output of `{command}`"))?;
    }
    for table in tables {
        let table = table.as_ref();
        if is_foreign(table)? {
            return Err(Error::Invalid(format!(
                "{}: no `{command}` has written it, and its output would replace it; use another folder",
                table.display()
            )));
        }
    }
    Ok(())
}

/// Whether there is a file that is no table of this program.
fn is_foreign(table: &Path) -> Result<bool> {
    let file = match File::open(table) {
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(false),
        file => file.map_err(|e| Error::io(table, e))?,
    };
    let read = match TableFile::open(file, ArrowReaderOptions::new()) {
        Ok(read) => read,
        Err(Unreadable::Damaged(_)) => return Ok(true),
        Err(Unreadable::System(e)) => return Err(Error::io(table, e)),
    };
    let writer = read.metadata().file_metadata().created_by();
    Ok(writer.is_none_or(|writer| !writer.starts_with(WRITER)))
}
