//! What candle says of a training that failed.

use warcsieve_common::Error;

/// As one of our errors.
pub(crate) fn failed(e: candle_core::Error) -> Error {
    Error::Invalid(format!("training failed: {e}"))
}
