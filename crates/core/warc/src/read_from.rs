//! Readers of a file from any offset.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

/// Returns a reader of the file from an offset on.
pub type ReadFrom = Arc<dyn Fn(u64) -> Box<dyn Read + Send> + Send + Sync>;

/// Readers that start at any offset of a file. They all move the cursor of the same file, so only
/// the one made last may be read.
pub(super) fn seeking(file: Arc<File>) -> ReadFrom {
    Arc::new(move |at| match (&*file).seek(SeekFrom::Start(at)) {
        Ok(_) => Box::new(Arc::clone(&file)),
        Err(error) => Box::new(Unreadable(Some(error))),
    })
}

/// An input that returns one error.
struct Unreadable(Option<io::Error>);

impl Read for Unreadable {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
