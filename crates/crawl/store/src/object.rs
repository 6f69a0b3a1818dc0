//! One object of a store: its name, its state, writing it in one piece.

use super::clients::Clients;
pub use super::connect::Stores;
use super::failure::{io_error, permanent};
use super::response::OfObject;
use super::{Stamp, is_web};
use object_store::path::Path;
use object_store::{GetOptions, ObjectMeta, ObjectStore, ObjectStoreExt, PutMode};
use warcsieve_common::{Error, Result};

/// The name of an object in a store. The object itself need not exist.
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

    /// The object whose name is this one's, a `/` and `name`.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the result is not a valid name.
    pub fn below(&self, name: &str) -> Result<Self> {
        let address = format!("{}/{name}", self.address.trim_end_matches('/'));
        let path = match self.path.as_ref() {
            "" => name.to_owned(),
            path => format!("{path}/{name}"),
        };
        let path = Path::parse(path).map_err(|e| Error::Invalid(format!("{address}: {e}")))?;
        Ok(Self {
            path,
            address,
            ..self.clone()
        })
    }

    fn error(&self, error: &object_store::Error) -> Error {
        Error::io(&self.address, io_error(error))
    }

    /// Its current state; `None` if it does not exist. Sends one request, or two if a web server
    /// refuses HEAD.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn stamp(&self) -> Result<Option<Stamp>> {
        let send = |head| {
            let options = GetOptions {
                head,
                ..of_object()
            };
            let answer = self.clients.retrying.get_opts(&self.path, options);
            self.stores.wait(answer)
        };
        let mut answer = send(true);
        let status = answer.as_ref().err().and_then(permanent);
        let status = status.and_then(|e| e.status).map(|s| s.as_u16());
        if is_web(&self.address) && matches!(status, Some(405 | 501)) {
            answer = send(false);
        }
        match answer {
            Ok(answer) => Ok(Some(stamp(&answer.meta))),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(self.error(&error)),
        }
    }

    /// Writes its content in one request.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write(&self, bytes: &[u8]) -> Result<()> {
        let payload = bytes.to_vec().into();
        let put = self.clients.retrying.put(&self.path, payload);
        self.stores.wait(put).map(drop).map_err(|e| self.error(&e))
    }

    /// Writes it if it does not exist. Returns `false` if it exists. If a store has no conditional
    /// writes (a plain web server), it is asked first whether the object exists. Then two
    /// concurrent writers may both write.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write_new(&self, bytes: &[u8]) -> Result<bool> {
        let payload = bytes.to_vec().into();
        let put = self
            .clients
            .retrying
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

    /// Removes it; it is no error if it does not exist.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn remove(&self) -> Result<()> {
        match self.stores.wait(self.clients.retrying.delete(&self.path)) {
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

/// Options of a request for an object's bytes or state.
pub(super) fn of_object() -> GetOptions {
    let mut options = GetOptions::default();
    options.extensions.insert(OfObject);
    options
}

/// The state of an object according to the headers of an answer.
pub(super) fn stamp(meta: &ObjectMeta) -> Stamp {
    // A time before 1970, or an absent header, counts as unknown.
    let modified = meta.last_modified.timestamp_nanos_opt().unwrap_or(0);
    Stamp {
        size: meta.size,
        mtime_ns: u64::try_from(modified).ok().filter(|ns| *ns > 0),
        etag: meta.e_tag.clone(),
    }
}
