//! The parameter `frequencies` of steps: a table of `warcsieve freq`.

use crate::params::{Files, ParamError};
use std::sync::Arc;
use toml::Spanned;
use warcsieve_features::Frequencies;
use warcsieve_features::frequency::MAX_TABLE_BYTES;

/// Reads the table that a step names.
///
/// # Errors
/// The file cannot be read, or is not such a table.
pub fn load(files: &mut Files, name: &Spanned<String>) -> Result<Arc<Frequencies>, ParamError> {
    files.load(name, MAX_TABLE_BYTES, |bytes| {
        Frequencies::from_bytes(bytes).map_err(|e| e.to_string())
    })
}
