//! Converts errors of candle.

use warcsieve_common::Error;

/// A failed training as one of our errors.
pub(crate) fn candle_error(e: candle_core::Error) -> Error {
    Error::Invalid(format!("training failed: {e}"))
}
