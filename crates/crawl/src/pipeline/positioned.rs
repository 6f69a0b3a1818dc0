//! One open file, read from many positions at once.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

/// Reads a shared file from its own position; the file's own cursor does not matter.
pub(super) struct Positioned {
    file: Arc<File>,
    at: u64,
}

impl Positioned {
    pub(super) fn new(file: Arc<File>, at: u64) -> Self {
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
