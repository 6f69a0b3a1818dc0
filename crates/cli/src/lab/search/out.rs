//! The output of a run.

use crate::{print, stdout};
use std::io::Write;
use std::path::Path;
use warcsieve_common::Result;
use warcsieve_store::HashedFile;

/// The output of a run: standard output, or a file that appears when it is complete.
pub enum Out {
    File(HashedFile),
    Standard(std::io::BufWriter<std::io::Stdout>),
}

impl Out {
    /// Opens it.
    pub fn open(path: Option<&Path>) -> Result<Self> {
        Ok(match path {
            Some(path) => Self::File(HashedFile::create(path)?),
            None => Self::Standard(std::io::BufWriter::new(stdout::open()?)),
        })
    }

    /// Its name in errors.
    pub fn path(&self) -> &Path {
        match self {
            Self::File(file) => file.target(),
            Self::Standard(_) => Path::new(stdout::NAME),
        }
    }

    /// Whether it is the standard output.
    pub fn is_standard(&self) -> bool {
        matches!(self, Self::Standard(_))
    }

    /// Completes the run. A file appears now.
    pub fn finish(self) -> Result<()> {
        match self {
            Self::File(file) => file.commit().map(drop),
            Self::Standard(mut out) => print::forgive(out.flush()),
        }
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::Standard(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::Standard(out) => out.flush(),
        }
    }
}
