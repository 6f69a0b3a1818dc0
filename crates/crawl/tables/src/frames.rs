//! Files that grow by frames. They can be read back after a crash, whatever is left of the last
//! frame.
//!
//! A frame is its length (4 bytes), the XXH64 of its content seeded with its offset (8 bytes), both
//! little-endian, and the content. Reading stops at the first frame that is cut off or has another
//! hash: after a power failure a file may have its full length without its bytes.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use twox_hash::XxHash64;
use warcsieve_common::{Error, Result};

/// Bytes of length and hash.
const HEAD: usize = 12;

/// A file that frames are appended to.
pub struct Frames {
    file: BufWriter<File>,
    path: PathBuf,
    end: u64,
}

impl Frames {
    /// Appends to a file from the offset `end` on. Anything after it is removed.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn append_to(file: File, path: &Path, end: u64) -> Result<Self> {
        let mut frames = Self {
            file: BufWriter::with_capacity(1 << 16, file),
            path: path.to_owned(),
            end,
        };
        frames.truncate(end)?;
        Ok(frames)
    }

    /// Appends a frame. It may stay in memory until [`flush`](Self::flush).
    ///
    /// # Errors
    /// [`Error::Io`], also for content of 4 GiB and more.
    pub fn push(&mut self, content: &[u8]) -> Result<()> {
        let written = (|| {
            let length = u32::try_from(content.len())
                .map_err(|_| std::io::Error::other("more rows at once than a frame can hold"))?;
            let hash = XxHash64::oneshot(self.end, content);
            self.file.write_all(&length.to_le_bytes())?;
            self.file.write_all(&hash.to_le_bytes())?;
            self.file.write_all(content)
        })();
        written.map_err(|e| Error::io(&self.path, e))?;
        self.end += (HEAD + content.len()) as u64;
        Ok(())
    }

    /// Hands all frames to the operating system, which keeps them if the process is killed.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn flush(&mut self) -> Result<()> {
        self.file.flush().map_err(|e| Error::io(&self.path, e))
    }

    /// Removes the frames from the offset `end` on.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn truncate(&mut self, end: u64) -> Result<()> {
        let truncated = (|| {
            self.file.flush()?;
            self.file.get_ref().set_len(end)?;
            self.file.seek(SeekFrom::Start(end))
        })();
        truncated.map_err(|e| Error::io(&self.path, e))?;
        self.end = end;
        Ok(())
    }
}

/// Reads the frames of a file, up to the first that is damaged.
pub struct FrameReader {
    file: BufReader<File>,
    /// Offset of the end of the last frame read.
    end: u64,
    size: u64,
}

impl FrameReader {
    /// Reads an open file from its start.
    ///
    /// # Errors
    /// The error of the file.
    pub fn new(mut file: File) -> std::io::Result<Self> {
        file.rewind()?;
        let size = file.metadata()?.len();
        Ok(Self {
            file: BufReader::new(file),
            end: 0,
            size,
        })
    }

    /// Offset of the end of the last frame read.
    pub fn end(&self) -> u64 {
        self.end
    }
}

impl Iterator for FrameReader {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let mut head = [0; HEAD];
        self.file.read_exact(&mut head).ok()?;
        let (length, hash) = head.split_at(4);
        let length = u32::from_le_bytes(length.try_into().ok()?);
        let end = self.end + HEAD as u64 + u64::from(length);
        if end > self.size {
            return None;
        }
        let mut content = vec![0; length as usize];
        self.file.read_exact(&mut content).ok()?;
        let is_sound = hash == XxHash64::oneshot(self.end, &content).to_le_bytes();
        is_sound.then(|| {
            self.end = end;
            content
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(path: &Path) -> File {
        let mut options = File::options();
        let options = options.read(true).write(true).create(true);
        options.truncate(false).open(path).unwrap()
    }

    fn read(path: &Path) -> Vec<Vec<u8>> {
        FrameReader::new(open(path)).unwrap().collect()
    }

    #[test]
    fn frames_are_read_up_to_the_first_that_is_not_sound() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("frames");
        let mut frames = Frames::append_to(open(&path), &path, 0).unwrap();
        let contents: [&[u8]; 3] = [b"one", b"", b"three"];
        for content in contents {
            frames.push(content).unwrap();
        }
        drop(frames);
        let whole = std::fs::read(&path).unwrap();
        assert_eq!(read(&path), contents);
        let ends = [15, 27, 44];
        assert_eq!(whole.len(), 44);
        for cut in 0..whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let sound = ends.iter().filter(|end| **end <= cut).count();
            assert_eq!(read(&path), contents[..sound], "cut at {cut}");
        }
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x10;
            std::fs::write(&path, &damaged).unwrap();
            let sound = ends.iter().filter(|end| **end <= at).count();
            assert_eq!(read(&path), contents[..sound], "damaged at {at}");
        }
    }

    #[test]
    fn appending_goes_on_after_the_last_sound_frame() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("frames");
        std::fs::write(&path, "nothing sound").unwrap();
        let mut frames = Frames::append_to(open(&path), &path, 0).unwrap();
        frames.push(b"one").unwrap();
        frames.push(b"two").unwrap();
        frames.truncate(15).unwrap();
        frames.push(b"deux").unwrap();
        drop(frames);
        assert_eq!(read(&path), [b"one".to_vec(), b"deux".to_vec()]);
    }
}
