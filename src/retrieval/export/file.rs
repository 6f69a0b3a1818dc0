//! A compressed file that appears whole or not at all.

use super::Compression;
use crate::error::{Error, Result};
use crate::sink::HashedFile;
use flate2::write::GzEncoder;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// zlib's own default.
const GZIP_LEVEL: u32 = 6;
/// zstd's own default.
const ZSTD_LEVEL: i32 = 3;

/// The bytes depend on what is written alone: no time, no name, no level to choose.
pub(super) struct CompressedFile {
    path: PathBuf,
    encoder: Encoder,
}

enum Encoder {
    None(HashedFile),
    Gz(GzEncoder<HashedFile>),
    Zst(zstd::Encoder<'static, HashedFile>),
}

impl CompressedFile {
    /// Starts the file `path`; its folder is made.
    pub fn create(path: &Path, compression: Compression) -> Result<Self> {
        let file = HashedFile::create(path)?;
        let encoder = match compression {
            Compression::None => Encoder::None(file),
            Compression::Gz => {
                Encoder::Gz(GzEncoder::new(file, flate2::Compression::new(GZIP_LEVEL)))
            }
            Compression::Zst => {
                let encoder = zstd::Encoder::new(file, ZSTD_LEVEL).and_then(|mut encoder| {
                    encoder.include_checksum(true)?;
                    Ok(encoder)
                });
                Encoder::Zst(encoder.map_err(|e| Error::io(path, e))?)
            }
        };
        Ok(Self {
            path: path.to_owned(),
            encoder,
        })
    }

    /// Appends bytes.
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let encoder: &mut dyn Write = match &mut self.encoder {
            Encoder::None(file) => file,
            Encoder::Gz(encoder) => encoder,
            Encoder::Zst(encoder) => encoder,
        };
        encoder
            .write_all(bytes)
            .map_err(|e| Error::io(&self.path, e))
    }

    /// Makes the file visible. Returns its size in bytes and its sha256.
    pub fn commit(self) -> Result<(u64, String)> {
        let file: io::Result<_> = match self.encoder {
            Encoder::None(file) => Ok(file),
            Encoder::Gz(encoder) => encoder.finish(),
            Encoder::Zst(encoder) => encoder.finish(),
        };
        file.map_err(|e| Error::io(&self.path, e))?.commit()
    }
}
