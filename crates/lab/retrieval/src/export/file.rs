//! A compressed file that appears whole or not at all.

use super::Compression;
use flate2::write::GzEncoder;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use warcsieve_common::{Error, Result};
use warcsieve_store::HashedFile;

/// The default of zlib.
const GZIP_LEVEL: u32 = 6;
/// The default of zstd.
const ZSTD_LEVEL: i32 = 3;

/// A compressed file. Its bytes depend only on the written content: there is no time or name in the
/// header, and the level is fixed.
pub(super) struct CompressedFile {
    path: PathBuf,
    encoder: Encoder,
}

enum Encoder {
    None(HashedFile),
    Gz(GzEncoder<HashedFile>),
    Zst(zstd::Encoder<'static, HashedFile>),
}

/// Bytes as a gzip member or zstd frame of their own.
fn member(bytes: &[u8], compression: Compression) -> io::Result<Vec<u8>> {
    match compression {
        Compression::None => Ok(bytes.to_vec()),
        Compression::Gz => {
            let mut encoder = gz(Vec::new());
            encoder.write_all(bytes)?;
            encoder.finish()
        }
        Compression::Zst => {
            let mut encoder = zst(Vec::new())?;
            encoder.write_all(bytes)?;
            encoder.finish()
        }
    }
}

fn gz<W: Write>(to: W) -> GzEncoder<W> {
    GzEncoder::new(to, flate2::Compression::new(GZIP_LEVEL))
}

fn zst<W: Write>(to: W) -> io::Result<zstd::Encoder<'static, W>> {
    let mut encoder = zstd::Encoder::new(to, ZSTD_LEVEL)?;
    encoder.include_checksum(true)?;
    Ok(encoder)
}

impl CompressedFile {
    /// Starts the file `path` and creates its folder.
    pub fn create(path: &Path, compression: Compression) -> Result<Self> {
        let file = HashedFile::create(path)?;
        let encoder = match compression {
            Compression::None => Encoder::None(file),
            Compression::Gz => Encoder::Gz(gz(file)),
            Compression::Zst => Encoder::Zst(zst(file).map_err(|e| Error::io(path, e))?),
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

    /// Appends bytes as a gzip member or zstd frame of their own. The file itself must not be compressed.
    pub fn write_member(&mut self, bytes: &[u8], compression: Compression) -> Result<()> {
        let member = member(bytes, compression).map_err(|e| Error::io(&self.path, e))?;
        self.write(&member)
    }

    /// Gives the file its final name. Returns its size in bytes and its SHA-256.
    pub fn commit(self) -> Result<(u64, String)> {
        let file: io::Result<_> = match self.encoder {
            Encoder::None(file) => Ok(file),
            Encoder::Gz(encoder) => encoder.finish(),
            Encoder::Zst(encoder) => encoder.finish(),
        };
        file.map_err(|e| Error::io(&self.path, e))?.commit()
    }
}
