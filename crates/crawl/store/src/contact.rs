//! Whether a server has ever answered: one that refuses the first requests is given up soon.

use super::failure::Unreached;
use object_store::client::{HttpError, HttpErrorKind};
use std::error::Error;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// What is known of a server.
#[derive(Debug)]
pub(super) struct Contact {
    /// How long it may refuse connections while it has not answered; `None` is for ever.
    patience: Option<Duration>,
    has_answered: AtomicBool,
    refused_since: OnceLock<Instant>,
}

impl Contact {
    pub fn new(patience: Option<Duration>) -> Self {
        Self {
            patience,
            has_answered: AtomicBool::new(false),
            refused_since: OnceLock::new(),
        }
    }

    /// Notes an answer, of whatever kind.
    pub fn answered(&self) {
        self.has_answered.store(true, Relaxed);
    }

    /// The error, or one that ends the tries if the server has refused for too long.
    pub fn failed(&self, error: HttpError) -> HttpError {
        let Some(patience) = self.patience else {
            return error;
        };
        if error.kind() != HttpErrorKind::Connect || self.has_answered.load(Relaxed) {
            return error;
        }
        let since = self.refused_since.get_or_init(Instant::now);
        match since.elapsed() < patience {
            true => error,
            false => HttpError::new(HttpErrorKind::Unknown, Unreached(last_cause(&error))),
        }
    }
}

/// The words of the system, without those of the layers above it.
fn last_cause(error: &HttpError) -> String {
    let mut cause: &dyn Error = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use object_store::Error as StoreError;

    fn refusal(kind: HttpErrorKind) -> HttpError {
        HttpError::new(kind, std::io::Error::other("connection refused"))
    }

    fn is_over(contact: &Contact, kind: HttpErrorKind) -> bool {
        let error = contact.failed(refusal(kind));
        error.source().is_some_and(|e| e.is::<Unreached>())
    }

    #[test]
    fn a_server_that_never_answered_is_given_up_and_others_are_not() {
        let no_time = Some(Duration::ZERO);
        assert!(is_over(&Contact::new(no_time), HttpErrorKind::Connect));
        assert!(!is_over(&Contact::new(no_time), HttpErrorKind::Timeout));
        let much_time = Some(Duration::from_secs(60));
        assert!(!is_over(&Contact::new(much_time), HttpErrorKind::Connect));
        assert!(!is_over(&Contact::new(None), HttpErrorKind::Connect));
        let known = Contact::new(no_time);
        known.answered();
        assert!(!is_over(&known, HttpErrorKind::Connect));
    }

    #[test]
    fn the_words_are_those_of_the_system() {
        let contact = Contact::new(Some(Duration::ZERO));
        let error = contact.failed(refusal(HttpErrorKind::Connect));
        let error = StoreError::Generic {
            store: "HTTP",
            source: Box::new(error),
        };
        let error = crate::failure::io_error(&error);
        assert_eq!(error.to_string(), "no connection: connection refused");
        assert!(crate::failure::is_final(&error));
    }
}
