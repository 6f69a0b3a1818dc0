//! How an input is read: in splits, in one piece, or record by selected record.

use crate::inputs::{Input, InputKind, Spans, is_named_texts, of_object, of_ranges};
use crate::positioned::file_from;
use crate::progress::Progress;
use std::fs::File;
use std::io::{self, ErrorKind};
use std::sync::Arc;
use warcsieve_common::{Error, Result};
use warcsieve_store::Stamp;
use warcsieve_warc::{Limits, ReadFrom, Splits};

/// An input, and how it is to be read.
pub(super) struct Opened {
    pub(super) stamp: Option<Stamp>,
    /// The open file, if it is one.
    pub(super) file: Option<Arc<File>>,
    pub(super) bytes: Bytes,
}

/// How the bytes of an input are read.
pub(super) enum Bytes {
    /// Splits of a file of this size.
    Splits(Splits, u64),
    /// One stream, and how to read it again if that is possible.
    Stream(Box<dyn io::Read + Send>, Option<ReadFrom>),
    /// Spans of selected records, one after the other.
    Selected(Spans),
}

/// Opens an input for reading with these bounds.
pub(super) fn open(input: &Input, limits: Limits) -> Result<Opened> {
    if input.selected.is_some() && is_named_texts(&input.name) {
        let what = "records can only be selected in crawls, and this is a file of texts";
        return Err(Error::Invalid(format!("{}: {what}", input.origin())));
    }
    if input.selected.is_some() && !limits.reader.is_builtin() {
        let what = "records can only be selected with reader = \"builtin\"";
        return Err(Error::Invalid(format!("{}: {what}", input.origin())));
    }
    if let (InputKind::Object(object), Some(ranges)) = (&input.kind, &input.selected) {
        let Some(stamp) = object.stamp()? else {
            return Err(Error::io(object.address(), ErrorKind::NotFound.into()));
        };
        let spans = of_object(object.clone(), stamp.clone(), ranges)?;
        return Ok(Opened {
            stamp: Some(stamp),
            file: None,
            bytes: Bytes::Selected(spans),
        });
    }
    if let InputKind::Zipped(zipped) = &input.kind
        && let Some((from, file)) = zipped.anywhere()?
    {
        let stamp = zipped.stamp()?;
        let bytes = in_place(input, (&stamp, from, file.is_some()), limits)?;
        return Ok(Opened {
            stamp: Some(stamp),
            file,
            bytes,
        });
    }
    let Some((stamp, file)) = input.open_file()? else {
        if input.selected.is_some() {
            let what = "records can only be selected in regular files and objects";
            return Err(Error::Invalid(format!("{}: {what}", input.origin())));
        }
        let (stamp, bytes, reopen) = input.open_stream()?;
        return Ok(Opened {
            stamp,
            file: None,
            bytes: Bytes::Stream(bytes, reopen),
        });
    };
    let file = Arc::new(file);
    let bytes = in_place(input, (&stamp, file_from(file.clone()), true), limits)?;
    Ok(Opened {
        stamp: Some(stamp),
        file: Some(file),
        bytes,
    })
}

/// How bytes are read that can be read from any offset: in splits if that costs nothing.
fn in_place(
    input: &Input,
    (stamp, from, in_splits): (&Stamp, ReadFrom, bool),
    limits: Limits,
) -> Result<Bytes> {
    if let Some(ranges) = &input.selected {
        return Ok(Bytes::Selected(of_ranges(from, ranges)));
    }
    let splits = match in_splits && !is_named_texts(&input.name) {
        true => Splits::of(&input.origin(), stamp.size, from.clone(), limits)?,
        false => None,
    };
    Ok(match splits {
        Some(splits) => Bytes::Splits(splits, stamp.size),
        None => Bytes::Stream(from(0), Some(from)),
    })
}

/// A reader that counts the bytes read in the run's progress.
pub(super) struct Counted {
    inner: Box<dyn io::Read + Send>,
    progress: Arc<Progress>,
}

impl Counted {
    pub(super) fn new(inner: Box<dyn io::Read + Send>, progress: Arc<Progress>) -> Self {
        Self {
            inner: progress.until_stopped(inner),
            progress,
        }
    }
}

impl io::Read for Counted {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let n = self.inner.read(buf)?;
        self.progress.add_bytes(n as u64);
        Ok(n)
    }
}
