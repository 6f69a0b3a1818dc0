//! Opens an object for reading.

use super::Stamp;
use super::object::Object;
use super::read::{self, Part};
use std::io::{self, ErrorKind, Read};
use std::ops::Range;
use warcsieve_common::{Error, Result};

/// Largest object that [`Object::read`] loads into memory.
const MAX_WHOLE: u64 = 1 << 30;

impl Object {
    /// Opens it for reading and returns its state. Its first bytes must be `accepted`. Otherwise
    /// the request is retried, because an overloaded store may answer with an HTML error page.
    /// Sends one request, and one more each time a read breaks. Reads up to 8 MiB ahead.
    ///
    /// # Errors
    /// [`Error::Io`]; the reader fails if the object has changed since, or a read broke too often.
    pub fn open(&self, accepted: fn(&[u8]) -> bool) -> Result<(Stamp, Box<dyn Read + Send>)> {
        let (stamp, reader) = read::open(self, Part::Whole(accepted));
        let stamp = stamp
            .blocking_recv()
            .unwrap_or_else(|_| Err(io::Error::other("the network thread is gone")))
            .map_err(|e| Error::io(self.address(), e))?;
        Ok((stamp, Box::new(reader)))
    }

    /// Reads a range of the object whose state was `stamp`. Reads up to 8 MiB ahead. The reader
    /// fails if the object has changed since.
    pub fn open_range(&self, range: Range<u64>, stamp: &Stamp) -> Box<dyn Read + Send> {
        Box::new(read::open(self, Part::Range(range, stamp.clone())).1)
    }

    /// Its content, if its first bytes are `accepted`; `None` if it does not exist.
    ///
    /// # Errors
    /// [`Error::Io`], also if it is larger than 1 GiB.
    pub fn read(&self, accepted: fn(&[u8]) -> bool) -> Result<Option<Vec<u8>>> {
        let (stamp, reader) = match self.open(accepted) {
            Ok(opened) => opened,
            Err(Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let error = |e| Error::io(self.address(), e);
        if stamp.size > MAX_WHOLE {
            return Err(error(io::Error::other("larger than 1 GiB")));
        }
        let mut bytes = Vec::new();
        reader
            .take(MAX_WHOLE)
            .read_to_end(&mut bytes)
            .map_err(error)?;
        Ok(Some(bytes))
    }
}
