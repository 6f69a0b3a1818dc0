//! Whether a retry can help: errors of a store as [`io::Error`], and those that are permanent.

use super::redacted;
use reqwest::StatusCode;
use std::error::Error;
use std::io::{self, ErrorKind};

/// A failure that a retry cannot change.
#[derive(Debug, thiserror::Error)]
#[error("{what}")]
pub(super) struct PermanentError {
    pub what: String,
    /// The server's status, if that is the reason.
    pub status: Option<StatusCode>,
}

impl PermanentError {
    pub fn new(what: String) -> Self {
        Self { what, status: None }
    }
}

/// A server that could not be reached, and has never answered.
#[derive(Debug, thiserror::Error)]
#[error("no connection: {0}")]
pub(super) struct Unreached(pub String);

/// The error of a connection that broke.
pub(super) fn broken(what: String) -> io::Error {
    io::Error::new(ErrorKind::ConnectionAborted, what)
}

/// The error for an object that has changed since it was read before.
pub(super) fn changed(what: &str) -> io::Error {
    io::Error::new(
        ErrorKind::InvalidData,
        format!("changed while it was read: {what}"),
    )
}

/// Whether a retry cannot help.
pub(super) fn is_final(error: &io::Error) -> bool {
    !matches!(
        error.kind(),
        ErrorKind::ConnectionAborted | ErrorKind::Other | ErrorKind::Unsupported
    )
}

/// A store's error as an I/O error; its kind says whether it is permanent (see [`is_final`]).
pub(super) fn io_error(error: &object_store::Error) -> io::Error {
    use object_store::Error as E;
    let kind = match error {
        E::NotFound { .. } => ErrorKind::NotFound,
        E::PermissionDenied { .. } | E::Unauthenticated { .. } => ErrorKind::PermissionDenied,
        E::AlreadyExists { .. } => ErrorKind::AlreadyExists,
        E::InvalidPath { .. } | E::UnknownConfigurationKey { .. } => ErrorKind::InvalidInput,
        E::NotImplemented { .. } | E::NotSupported { .. } => ErrorKind::Unsupported,
        E::Precondition { .. } => return changed("the store has another object of that name"),
        _ if is_permanent(error) => ErrorKind::InvalidInput,
        _ if cause::<Unreached>(error).is_some() => ErrorKind::HostUnreachable,
        _ => ErrorKind::Other,
    };
    io::Error::new(kind, brief(error))
}

/// The error of a write. "Not found" is not permanent here: if another request completed an upload,
/// its parts are gone, but a new upload can succeed.
pub(super) fn write_error(error: &object_store::Error) -> io::Error {
    use object_store::Error as E;
    match error {
        E::NotFound { .. } | E::Precondition { .. } => io::Error::other(brief(error)),
        _ => io_error(error),
    }
}

fn is_permanent(error: &object_store::Error) -> bool {
    permanent(error).is_some() || is_no_http(error)
}

/// Whether the server's answer is no HTTP, such as one with a control character in a header. The client says so only in
/// words.
pub(super) fn is_no_http(error: &(dyn Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(error) = cause {
        if error.to_string().starts_with("invalid HTTP ") {
            return true;
        }
        cause = error.source();
    }
    false
}

/// The answer or redirect that makes an error permanent.
pub(super) fn permanent(error: &object_store::Error) -> Option<&PermanentError> {
    cause(error)
}

/// The error of a kind that is behind an error.
fn cause<E: Error + 'static>(error: &object_store::Error) -> Option<&E> {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        cause = error.source();
    }
    None
}

/// The error in one line of at most 300 characters, without secrets, and without most of the page
/// that a server answered with.
pub(super) fn brief(error: &object_store::Error) -> String {
    let unreached = || cause::<Unreached>(error).map(Unreached::to_string);
    let text = permanent(error).map(PermanentError::to_string);
    let text = text.or_else(unreached).unwrap_or_else(|| error.to_string());
    // Addresses of the metadata services that tell a cloud machine its role.
    if ["169.254.169.254", "metadata.google.internal"]
        .iter()
        .any(|a| text.contains(a))
    {
        return "no keys are set and this machine has no role; set the store's variables, such as \
                AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_SKIP_SIGNATURE=true for what is public"
            .to_owned();
    }
    let line = redacted(&text.split_whitespace().collect::<Vec<_>>().join(" "));
    match line.char_indices().nth(300) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}
