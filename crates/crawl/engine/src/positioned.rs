//! One open file, read from many positions at once.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;
use warcsieve_warc::ReadFrom;

/// Readers of a file that start at any offset.
pub fn file_from(file: Arc<File>) -> ReadFrom {
    Arc::new(move |at| Box::new(Positioned::new(file.clone(), at)))
}

/// Reads a shared file at its own position. The file's own cursor does not matter.
struct Positioned {
    file: Arc<File>,
    at: u64,
}

impl Positioned {
    fn new(file: Arc<File>, at: u64) -> Self {
        Self { file, at }
    }
}

impl Read for Positioned {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        #[cfg(unix)]
        let n = std::os::unix::fs::FileExt::read_at(&*self.file, buf, self.at)?;
        #[cfg(windows)]
        let n = std::os::windows::fs::FileExt::seek_read(&*self.file, buf, self.at)?;
        #[cfg(not(any(unix, windows)))]
        let n: usize = Err(io::Error::from(io::ErrorKind::Unsupported))?;
        self.at += n as u64;
        Ok(n)
    }
}
