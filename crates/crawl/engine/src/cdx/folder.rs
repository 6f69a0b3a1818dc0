//! The index files of a folder.

use std::fs;
use std::path::{Path, PathBuf};
use warcsieve_common::files::is_folder;
use warcsieve_common::{Error, Result};

/// Endings of files in a folder that are indexes.
const ENDINGS: &[&str] = &[
    ".cdx",
    ".cdxj",
    ".cdx.gz",
    ".cdxj.gz",
    ".cdx.zst",
    ".cdxj.zst",
    ".parquet",
];

/// Whether a file is named like an index.
pub fn is_index_name(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default();
    let name = name.to_string_lossy().to_ascii_lowercase();
    let is_chunk = name.starts_with("cdx-") && name.ends_with(".gz");
    is_chunk || ENDINGS.iter().any(|e| name.ends_with(e))
}

/// All files below a folder that are `wanted`, sorted. Names that begin with `.` or `_` are
/// skipped.
///
/// # Errors
/// [`Error::Io`].
pub fn files_below(folder: &Path, wanted: impl Fn(&Path) -> bool) -> Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(|e| Error::io(&folder, e))? {
            let entry = entry.map_err(|e| Error::io(&folder, e))?;
            if entry.file_name().to_string_lossy().starts_with(['.', '_']) {
                continue;
            }
            let kind = entry.file_type().map_err(|e| Error::io(entry.path(), e))?;
            if kind.is_dir() {
                folders.push(entry.path());
            } else if wanted(&entry.path()) {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

/// The files that paths name, sorted within each: of a folder all files below it that end in
/// `.cdx`, `.cdxj`, either with `.gz` or `.zst`, or `.parquet`, and Common Crawl's `cdx-*.gz`.
/// Names that begin with `.` or `_` are skipped.
///
/// # Errors
/// [`Error::Invalid`] where a folder holds none; [`Error::Io`].
pub fn index_files(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if !is_folder(path)? {
            files.push(path.clone());
            continue;
        }
        let found = files_below(path, is_index_name)?;
        if found.is_empty() {
            return Err(Error::Invalid(format!(
                "no file below {} ends in {}",
                path.display(),
                ENDINGS.join(", ")
            )));
        }
        files.extend(found);
    }
    Ok(files)
}
