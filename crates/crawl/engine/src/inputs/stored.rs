//! Files and objects: their stamps, and how they are opened.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::Arc;
use warcsieve_common::files::metadata;
use warcsieve_common::{Error, Result};
use warcsieve_store::{Object, Stamp};
use warcsieve_warc::ReadFrom;

/// Opens the file of the input `name`, with its current stamp.
pub(super) fn open_file(name: &str, path: &Path) -> Result<(Option<Stamp>, File)> {
    check_name(name, path)?;
    let error = |e| Error::io(path, e);
    check_device(path)?;
    let file = File::open(path).map_err(error)?;
    let metadata = file.metadata().map_err(error)?;
    Ok((Stamp::from_metadata(&metadata), file))
}

/// Refuses a device such as `/dev/zero`, which has no end. Those that are standard input or another open file are read.
///
/// # Errors
/// [`Error::Invalid`] for a device; [`Error::Io`].
#[cfg(unix)]
pub(super) fn check_device(path: &Path) -> Result<()> {
    use std::os::unix::fs::FileTypeExt;
    let is_device = metadata(path)?.is_some_and(|there| {
        let kind = there.file_type();
        kind.is_char_device() || kind.is_block_device()
    });
    let open_files = ["/dev/stdin", "/dev/fd", "/proc"];
    match is_device && !open_files.iter().any(|open| path.starts_with(open)) {
        true => {
            let what = "it is a device, and inputs are files; save what comes from it";
            Err(Error::Invalid(format!("{}: {what}", path.display())))
        }
        false => Ok(()),
    }
}

/// Other systems have no paths of devices.
#[cfg(not(unix))]
pub(super) fn check_device(_: &Path) -> Result<()> {
    Ok(())
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

/// Refuses the file of an input if its part of the path is not UTF-8, because the outputs could not
/// say which file it is. The `name` of the input has `\xNN` for such bytes.
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

/// Readers that start at any offset of an object. They fail once the object has another stamp.
pub(super) fn object_from(object: &Object, stamp: &Stamp) -> ReadFrom {
    let (object, like) = (object.clone(), stamp.clone());
    Arc::new(move |at| object.open_range(at.min(like.size)..like.size, &like))
}
