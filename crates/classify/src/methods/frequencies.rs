//! The parameter `frequencies` of steps: a table of `warcsieve freq`.

use crate::params::{Files, ParamError};
use std::sync::Arc;
use toml::Spanned;
use warcsieve_features::Frequencies;

/// Largest table of frequencies: about 89 million texts.
const MAX_TABLE_BYTES: u64 = 1 << 30;

/// Reads the table that a step names.
pub(super) fn load(
    files: &mut Files,
    name: &Spanned<String>,
) -> Result<Arc<Frequencies>, ParamError> {
    files.load(name, MAX_TABLE_BYTES, |bytes| {
        Frequencies::from_bytes(bytes).map_err(|e| e.to_string())
    })
}
