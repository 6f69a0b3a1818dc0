//! Checks that a folder may be written to.

use parquet::arrow::arrow_reader::ArrowReaderOptions;
use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;
use warcsieve_common::{Error, Result};
use warcsieve_store::refuse_filled;
use warcsieve_tables::WRITER;
use warcsieve_tables::read::{TableFile, Unreadable};

/// Refuses a folder with files of another program. Also refuses to replace a file, one of `tables`,
/// that this program did not write. `is_own` says whether `command` wrote to the folder before.
///
/// # Errors
/// [`Error::Invalid`] if the folder is refused; [`Error::Io`].
pub(super) fn claim<P: AsRef<Path>>(
    out: &Path,
    command: &str,
    is_own: bool,
    tables: impl IntoIterator<Item = P>,
) -> Result<()> {
    if !is_own {
        refuse_filled(out, &format!("an output of `{command}`"))?;
    }
    for table in tables {
        let table = table.as_ref();
        if is_foreign(table)? {
            return Err(Error::Invalid(format!(
                "{}: was not written by `{command}`, which would replace it; use another folder",
                table.display()
            )));
        }
    }
    Ok(())
}

/// Whether the file exists and is not a table of this program.
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
