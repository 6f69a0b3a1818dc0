//! Reads files that are small by their nature, such as pipeline files, models and lists.

use std::fs::File;
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// Reads a file of at most `most` bytes: a regular file, or a pipe that ends, as the shell's
/// `<(…)` gives.
///
/// Memory: that of the content. Of an endless device such as `/dev/zero` no more than `most` bytes
/// are read; a pipe that nobody writes to blocks.
///
/// # Errors
/// [`ErrorKind::FileTooLarge`], saying the bound, or an error of the operating system.
pub fn read(path: &Path, most: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut file = File::open(path)?.take(most.saturating_add(1));
    if file.read_to_end(&mut bytes)? as u64 > most {
        let why = format!("larger than {most} bytes");
        return Err(Error::new(ErrorKind::FileTooLarge, why));
    }
    Ok(bytes)
}

/// Reads a file of text as [`read`] does.
///
/// # Errors
/// Those of [`read`], and [`ErrorKind::InvalidData`] where it is not UTF-8.
pub fn read_text(path: &Path, most: u64) -> Result<String> {
    let bytes = read(path, most)?;
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
