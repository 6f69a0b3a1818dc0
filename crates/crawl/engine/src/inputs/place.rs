//! Paths in one spelling.

use std::fs;
use std::path::{Component, Path, PathBuf};
use warcsieve_common::{Error, Result};
use warcsieve_store::{check_place, is_address};

/// The path as an address, if it is one.
fn address(path: &Path) -> Option<&str> {
    path.to_str().filter(|text| is_address(text))
}

/// An absolute path in one spelling, or an address.
pub(super) fn place(path: &Path) -> Result<PathBuf> {
    path.to_str().map_or(Ok(()), check_place)?;
    if let Some(address) = address(path) {
        return Ok(address.trim_end_matches('/').into());
    }
    let path = std::path::absolute(path).map_err(|e| Error::io(path, e))?;
    // `a/./b`, `a//b` and `a/c/../b` name one file, and names must not depend on the spelling. `..`
    // after a link means the folder above the link's target.
    let mut clean = PathBuf::new();
    for component in path.components() {
        if component == Component::ParentDir {
            // A link without a target fails alone when it is opened.
            if let Some(there) = clean
                .is_symlink()
                .then(|| fs::canonicalize(&clean).ok())
                .flatten()
            {
                clean = there;
            }
            clean.pop();
        } else {
            clean.push(component);
        }
    }
    Ok(clean)
}
