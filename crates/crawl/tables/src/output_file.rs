//! The finished files of an output folder.

use serde::{Deserialize, Serialize};
use warcsieve_common::Result;
use warcsieve_store::HashedFile;

/// A finished output file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutputFile {
    /// Path below the output folder, with `/` between components.
    pub path: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Rows, as stated in the file's footer.
    pub rows: u64,
    /// sha256 of the file in hex.
    pub sha256: String,
}

impl OutputFile {
    /// Whether it is a file of this table.
    pub fn is_of(&self, table: &str) -> bool {
        let (folder, _) = self.path.split_once('/').unwrap_or_default();
        folder == table
    }
}

/// A file that is finished and not visible yet, its name and its number of rows.
pub(super) type Finished = (HashedFile, String, u64);

/// Makes finished files visible.
///
/// # Errors
/// [`Error::Io`](warcsieve_common::Error::Io).
pub(super) fn commit(files: Vec<Finished>) -> Result<Vec<OutputFile>> {
    files.into_iter().map(commit_one).collect()
}

/// Makes a finished file visible.
///
/// # Errors
/// [`Error::Io`](warcsieve_common::Error::Io).
pub(super) fn commit_one((file, path, rows): Finished) -> Result<OutputFile> {
    let (bytes, sha256) = file.commit()?;
    Ok(OutputFile {
        path,
        bytes,
        rows,
        sha256,
    })
}
