//! Files and objects: their stamps, and how they are opened.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;
use warcsieve_common::{Error, Result};
use warcsieve_store::{Object, Stamp};
use warcsieve_warc::ReadFrom;

/// Opens the file of the input `name`, with its current stamp.
pub(super) fn open_file(name: &str, path: &Path) -> Result<(Option<Stamp>, File)> {
    check_name(name, path)?;
    let error = |e| Error::io(path, e);
    let file = File::open(path).map_err(error)?;
    let metadata = file.metadata().map_err(error)?;
    Ok((Stamp::from_metadata(&metadata), file))
}

/// The current stamp of the file of the input `name`; `None` if it is no regular file.
pub(super) fn stamp_of_file(name: &str, path: &Path) -> Result<Option<Stamp>> {
    check_name(name, path)?;
    let metadata = fs::metadata(path).map_err(|e| Error::io(path, e))?;
    Ok(Stamp::from_metadata(&metadata))
}

/// The current stamp of an object, which must exist.
pub(super) fn stamp_of_object(object: &Object) -> Result<Stamp> {
    match object.stamp()? {
        Some(stamp) => Ok(stamp),
        None => Err(Error::io(object.address(), ErrorKind::NotFound.into())),
    }
}

/// Refuses the file of an input if its part of the path is not UTF-8, as the outputs could not say which one it
/// is. The `name` of the input has `\xNN` for such bytes.
pub(super) fn check_name(name: &str, path: &Path) -> Result<()> {
    let parts = name.split('/').count();
    let mut named = path.components().rev().take(parts);
    match named.all(|part| part.as_os_str().to_str().is_some()) {
        true => Ok(()),
        false => {
            let what = "its name is not UTF-8; rename it";
            let error = io::Error::new(ErrorKind::InvalidFilename, what);
            Err(Error::io(path, error))
        }
    }
}

/// Readers that start at any offset of an object, as long as it has this stamp.
pub(super) fn object_from(object: &Object, stamp: &Stamp) -> ReadFrom {
    let (object, like) = (object.clone(), stamp.clone());
    Arc::new(move |at| object.open_range(at.min(like.size)..like.size, &like))
}
