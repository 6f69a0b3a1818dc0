//! One object: what it is like, reading it, writing it.

use super::clients::Clients;
pub use super::connect::Stores;
use super::failure::io_error;
use super::read::{self, Part};
use super::{Stamp, upload};
use crate::error::{Error, Result};
use object_store::path::Path;
use object_store::{ObjectMeta, ObjectStoreExt, PutMode};
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::ops::Range;

/// Most that [`Object::read`] takes into memory.
const WHOLE: u64 = 1 << 30;

/// An object of a store, there or not.
#[derive(Clone)]
pub struct Object {
    pub(super) stores: Stores,
    pub(super) clients: Clients,
    pub(super) path: Path,
    address: String,
}

impl Object {
    pub(super) fn new(stores: Stores, clients: Clients, path: Path, address: &str) -> Self {
        Self {
            stores,
            clients,
            path,
            address: address.to_owned(),
        }
    }

    /// Its address.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The object whose name goes on from this one's, behind a `/`.
    ///
    /// # Errors
    /// [`Error::Usage`] where that is no name.
    pub fn below(&self, name: &str) -> Result<Self> {
        let address = format!("{}/{name}", self.address.trim_end_matches('/'));
        let path = match self.path.as_ref() {
            "" => name.to_owned(),
            path => format!("{path}/{name}"),
        };
        let path = Path::parse(path).map_err(|e| Error::Usage(format!("{address}: {e}")))?;
        Ok(Self {
            path,
            address,
            ..self.clone()
        })
    }

    fn error(&self, error: &object_store::Error) -> Error {
        Error::io(&self.address, io_error(error))
    }

    /// What it is like now; `None` where there is none. One request.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn stamp(&self) -> Result<Option<Stamp>> {
        match self.stores.wait(self.clients.ask.head(&self.path)) {
            Ok(meta) => Ok(Some(stamp(&meta))),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.error(&error)),
        }
    }

    /// Opens it, and says what it is like. What it begins with must be `accepted`, or it is asked for
    /// again: a store in trouble may answer with a page for people. One request, and one
    /// more each time a read breaks; up to 8 MiB are read ahead.
    ///
    /// # Errors
    /// [`Error::Io`]; the reader fails where the object changed since, or a read broke too often.
    pub fn open(&self, accepted: fn(&[u8]) -> bool) -> Result<(Stamp, Box<dyn Read + Send>)> {
        let (stamp, reader) = read::open(self, Part::Whole(accepted));
        let stamp = stamp
            .blocking_recv()
            .unwrap_or_else(|_| Err(io::Error::other("the network thread is gone")))
            .map_err(|e| Error::io(&self.address, e))?;
        Ok((stamp, Box::new(reader)))
    }

    /// Reads a range of the object that was like `stamp`, of which up to 8 MiB are read ahead at once.
    /// Fails where the object is another now.
    pub fn open_range(&self, range: Range<u64>, stamp: &Stamp) -> Box<dyn Read + Send> {
        Box::new(read::open(self, Part::Range(range, stamp.clone())).1)
    }

    /// All of it, if it begins as is `accepted`; `None` where there is none.
    ///
    /// # Errors
    /// [`Error::Io`], also where it is larger than 1 GiB.
    pub fn read(&self, accepted: fn(&[u8]) -> bool) -> Result<Option<Vec<u8>>> {
        let (stamp, reader) = match self.open(accepted) {
            Ok(opened) => opened,
            Err(Error::Io { source, .. }) if source.kind() == ErrorKind::NotFound => {
                return Ok(None);
            }
            Err(error) => return Err(error),
        };
        let error = |e| Error::io(&self.address, e);
        if stamp.size > WHOLE {
            return Err(error(io::Error::other("larger than 1 GiB")));
        }
        let mut bytes = Vec::new();
        reader.take(WHOLE).read_to_end(&mut bytes).map_err(error)?;
        Ok(Some(bytes))
    }

    /// Writes it whole.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write(&self, bytes: &[u8]) -> Result<()> {
        let payload = bytes.to_vec().into();
        let put = self.clients.ask.put(&self.path, payload);
        self.stores.wait(put).map(drop).map_err(|e| self.error(&e))
    }

    /// Writes it if there is none; `false` if there is. Where the store knows no conditional writes
    /// (plain web servers), it asks first, and two at once may both write.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write_new(&self, bytes: &[u8]) -> Result<bool> {
        let payload = bytes.to_vec().into();
        let put = self
            .clients
            .ask
            .put_opts(&self.path, payload, PutMode::Create.into());
        match self.stores.wait(put) {
            Ok(_) => Ok(true),
            Err(object_store::Error::AlreadyExists { .. })
            | Err(object_store::Error::Precondition { .. }) => Ok(false),
            Err(object_store::Error::NotImplemented { .. }) => {
                if self.stamp()?.is_some() {
                    return Ok(false);
                }
                self.write(bytes).map(|()| true)
            }
            Err(error) => Err(self.error(&error)),
        }
    }

    /// Writes the `size` bytes of a file: in parts under no name until all are there, as far as the store
    /// can. Several that write the same bytes at once do not disturb each other.
    ///
    /// # Errors
    /// [`Error::Io`]; nothing is left behind then that has a name.
    pub fn upload(&self, file: &mut File, size: u64) -> Result<()> {
        upload::upload(self, file, size)
    }

    /// Removes it; it need not be there.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn remove(&self) -> Result<()> {
        match self.stores.wait(self.clients.ask.delete(&self.path)) {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(self.error(&error)),
        }
    }
}

impl std::fmt::Debug for Object {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Object").field(&self.address).finish()
    }
}

impl PartialEq for Object {
    fn eq(&self, other: &Self) -> bool {
        self.address == other.address
    }
}

impl Eq for Object {}

/// What an answer's headers say of the object.
pub(super) fn stamp(meta: &ObjectMeta) -> Stamp {
    // Times before 1970 and the time of an absent header are no times.
    let modified = meta.last_modified.timestamp_nanos_opt().unwrap_or(0);
    Stamp {
        size: meta.size,
        mtime_ns: u64::try_from(modified).ok().filter(|ns| *ns > 0),
        etag: meta.e_tag.clone(),
    }
}
