//! Compares the bytes of a file with what was written.

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::Read;
use std::path::Path;
use warcsieve_common::{Error, Result};

/// Whether a file has this sha256. `go_on` is called before each read.
///
/// # Errors
/// [`Error::Io`]; the error of `go_on`.
pub fn has_sha256<E: From<Error>>(
    path: &Path,
    sha256: &str,
    go_on: impl Fn() -> Result<(), E>,
) -> Result<bool, E> {
    let mut file = File::open(path).map_err(|e| Error::io(path, e))?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 18];
    loop {
        go_on()?;
        match file.read(&mut buffer).map_err(|e| Error::io(path, e))? {
            0 => return Ok(HEXLOWER.encode(&hash.finalize()) == sha256),
            n => hash.update(&buffer[..n]),
        }
    }
}
