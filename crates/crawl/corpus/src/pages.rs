//! Reads the texts of shards row by row.

use arrow_schema::{DataType, Field, Schema};
use warcsieve_common::{Error, Result};
use warcsieve_run::shards::{Checked, Rows, Shard};

/// Maximum number of rows in a batch.
const ROWS: usize = 64;

/// Opens these columns of a shard's documents. The texts must be plain text.
///
/// # Errors
/// [`Error::Invalid`] if texts have markup. [`Error::Integrity`] if a file or a column is missing,
/// or differs from the manifest row. [`Error::Io`].
pub(super) fn open(shard: &Shard, columns: &[(&str, DataType)]) -> Result<Rows> {
    let documents = Checked::open(&shard.folder, &shard.documents)?;
    if documents.footer("warcsieve.output") != Some("text") {
        return Err(Error::Invalid(format!(
            "{}: its texts have markup; run `clean` with output = \"text\"",
            documents.path().display()
        )));
    }
    let fields = columns.iter().cloned();
    let fields: Vec<_> = fields
        .map(|(name, kind)| Field::new(name, kind, true))
        .collect();
    documents.read(&Schema::new(fields), ROWS)
}

/// The columns that identify a page, and its text.
pub(super) const TEXTS: [(&str, DataType); 3] = [
    ("id", DataType::Utf8),
    ("url", DataType::Utf8),
    ("text", DataType::Utf8),
];

/// The type of the number column `name`.
///
/// # Errors
/// [`Error::Invalid`] if there is no column of that name, or it does not hold numbers. Those of
/// [`Checked::open`].
pub(super) fn number_column(shard: &Shard, name: &str) -> Result<DataType> {
    let documents = Checked::open(&shard.folder, &shard.documents)?;
    let kind = documents.kind(name).filter(|kind| kind.is_numeric());
    kind.cloned().ok_or_else(|| {
        let path = documents.path().display();
        Error::Invalid(format!("{path}: no column of numbers is called `{name}`"))
    })
}
