//! Refuses tokenizers, because the crate that reads them is not part of this build.

use std::path::Path;
use warcsieve_common::{Error, Result};

#[derive(Debug)]
pub(super) enum Tokens {}

impl Tokens {
    pub fn read(_: &Path, _: &[u8]) -> Result<Self> {
        let why = "this build counts no tokens; build one with `cargo install --path . --features lab,object-store,tokenizers`";
        Err(Error::Invalid(why.to_owned()))
    }

    pub fn count(&self, _: &str) -> Result<usize, String> {
        match *self {}
    }
}
