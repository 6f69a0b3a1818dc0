//! What a store's errors are to the rest of the program.

use super::watch::Lasting;
use std::error::Error;
use std::io::{self, ErrorKind};

/// A connection that broke.
pub(super) fn broken(what: String) -> io::Error {
    io::Error::new(ErrorKind::ConnectionAborted, what)
}

/// An object that is not what it was.
pub(super) fn changed(what: &str) -> io::Error {
    io::Error::new(
        ErrorKind::InvalidData,
        format!("changed while it was read: {what}"),
    )
}

/// Whether asking again would change nothing.
pub(super) fn is_final(error: &io::Error) -> bool {
    !matches!(
        error.kind(),
        ErrorKind::ConnectionAborted | ErrorKind::Other | ErrorKind::Unsupported
    )
}

/// A store's error as one of the system, of the kind that says whether it lasts.
pub(super) fn io_error(error: &object_store::Error) -> io::Error {
    use object_store::Error as E;
    let kind = match error {
        E::NotFound { .. } => ErrorKind::NotFound,
        E::PermissionDenied { .. } | E::Unauthenticated { .. } => ErrorKind::PermissionDenied,
        E::AlreadyExists { .. } => ErrorKind::AlreadyExists,
        E::InvalidPath { .. } | E::UnknownConfigurationKey { .. } => ErrorKind::InvalidInput,
        E::NotImplemented { .. } | E::NotSupported { .. } => ErrorKind::Unsupported,
        E::Precondition { .. } => return changed("the store has another object of that name"),
        _ if lasts(error) => ErrorKind::InvalidInput,
        _ => ErrorKind::Other,
    };
    io::Error::new(kind, brief(error))
}

/// The error of a write: what is not there any more, as the parts of an upload that another request ended, may be
/// there the next time.
pub(super) fn write_error(error: &object_store::Error) -> io::Error {
    use object_store::Error as E;
    match error {
        E::NotFound { .. } | E::Precondition { .. } => io::Error::other(brief(error)),
        _ => io_error(error),
    }
}

fn lasts(error: &object_store::Error) -> bool {
    lasting(error).is_some()
}

fn lasting(error: &object_store::Error) -> Option<&Lasting> {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(lasting) = error.downcast_ref() {
            return Some(lasting);
        }
        cause = error.source();
    }
    None
}

/// What went wrong, without the pages that servers answer with.
pub(super) fn brief(error: &object_store::Error) -> String {
    let text = lasting(error).map_or_else(|| error.to_string(), Lasting::to_string);
    // Addresses at which a machine in a cloud is asked for its role.
    if ["169.254.169.254", "metadata.google.internal"]
        .iter()
        .any(|a| text.contains(a))
    {
        return "no keys are set and this machine has no role; set the store's variables, such as \
                AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_SKIP_SIGNATURE=true for what is public"
            .to_owned();
    }
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(300) {
        Some((at, _)) => format!("{}…", &line[..at]),
        None => line,
    }
}
