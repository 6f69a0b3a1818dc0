//! Reads files that are usually small, such as pipeline files, models and lists.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// Reads a file of at most `max_bytes` bytes: a regular file, or a pipe that ends, as from the shell's
/// `<(…)`.
///
/// Memory: that of the content. At most `max_bytes` bytes are read of an endless device such as
/// `/dev/zero`. A pipe to which nobody writes blocks.
///
/// # Errors
/// [`ErrorKind::FileTooLarge`], whose message has the bound, or an error of the operating system.
pub fn read(path: &Path, max_bytes: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut file = File::open(path)?.take(max_bytes.saturating_add(1));
    if file.read_to_end(&mut bytes)? as u64 > max_bytes {
        let why = format!("larger than {max_bytes} bytes");
        return Err(Error::new(ErrorKind::FileTooLarge, why));
    }
    Ok(bytes)
}

/// Reads a file of text as [`read`] does.
///
/// # Errors
/// Those of [`read`], and [`ErrorKind::InvalidData`] where it is not UTF-8.
pub fn read_text(path: &Path, max_bytes: u64) -> Result<String> {
    let bytes = read(path, max_bytes)?;
    String::from_utf8(bytes).map_err(|e| Error::new(ErrorKind::InvalidData, e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_read_than_may_be() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/files.rs");
        let size = std::fs::metadata(&file).unwrap().len();
        assert_eq!(read(&file, size).unwrap().len() as u64, size);
        let error = read(&file, size - 1).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
        assert_eq!(error.to_string(), format!("larger than {} bytes", size - 1));
        if cfg!(unix) {
            let endless = read(Path::new("/dev/zero"), 1 << 16);
            assert_eq!(endless.unwrap_err().kind(), ErrorKind::FileTooLarge);
        }
    }
}
