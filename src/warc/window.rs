//! Bytes of the input read ahead, addressed by their offset in the file.

use std::io::{self, ErrorKind, Read};

/// Bytes asked for at a time. A fill goes on until it has them all or the input
/// ends, so that nothing behind it depends on how the input was cut into reads.
const CHUNK: usize = 128 << 10;
/// A larger buffer is given back once it is no longer needed.
const SPARE: usize = 4 << 20;

/// A window on the input. Memory: the bytes from the released offset on, twice
/// that at most while they slide, and one chunk.
pub(super) struct Window {
    input: Box<dyn Read + Send>,
    buf: Vec<u8>,
    from: usize,
    filled: usize,
    /// File offset of `buf[0]`.
    base: u64,
    ended: bool,
}

impl Window {
    pub(super) fn new(input: Box<dyn Read + Send>) -> Self {
        Self {
            input,
            buf: Vec::new(),
            from: 0,
            filled: 0,
            base: 0,
            ended: false,
        }
    }

    /// Offset of the first byte that is still held.
    pub(super) fn start(&self) -> u64 {
        self.base + self.from as u64
    }

    /// Offset behind the last byte read.
    pub(super) fn end(&self) -> u64 {
        self.base + self.filled as u64
    }

    /// The bytes held from `offset` on; none if they are not held.
    pub(super) fn bytes(&self, offset: u64) -> &[u8] {
        let at = offset
            .checked_sub(self.base)
            .map_or(self.filled, |n| n.min(self.filled as u64) as usize);
        &self.buf[at.max(self.from)..self.filled]
    }

    /// Bytes before `offset` will not be asked for again.
    pub(super) fn release(&mut self, offset: u64) {
        let offset = offset.clamp(self.start(), self.end());
        self.from = (offset - self.base) as usize;
    }

    /// Reads a chunk more; `false` if the input has ended.
    pub(super) fn fill(&mut self) -> io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        // Moving no more than was released keeps the cost per byte constant.
        if self.from >= self.filled - self.from {
            self.buf.copy_within(self.from..self.filled, 0);
            self.base += self.from as u64;
            self.filled -= self.from;
            self.from = 0;
            if self.buf.len() > SPARE && self.filled + CHUNK < SPARE / 4 {
                self.buf.truncate(SPARE / 4);
                self.buf.shrink_to_fit();
            }
        }
        let before = self.filled;
        let target = before + CHUNK;
        if self.buf.len() < target {
            self.buf.resize(target, 0);
        }
        while self.filled < target {
            match self.input.read(&mut self.buf[self.filled..target]) {
                Ok(0) => {
                    self.ended = true;
                    break;
                }
                Ok(n) => self.filled += n,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        Ok(self.filled > before)
    }

    /// The bytes from `offset` on: at least `n` of them unless the input ends before.
    pub(super) fn at_least(&mut self, offset: u64, n: usize) -> io::Result<&[u8]> {
        while self.bytes(offset).len() < n && self.fill()? {}
        Ok(self.bytes(offset))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Drip(Vec<u8>, usize);

    impl Read for Drip {
        fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
            let n = self.1.min(self.0.len()).min(out.len());
            out[..n].copy_from_slice(&self.0[..n]);
            self.0.drain(..n);
            Ok(n)
        }
    }

    #[test]
    fn offsets_hold_while_the_buffer_slides() {
        let data: Vec<u8> = (0..1_000_000u32).map(|i| ((i * 7) >> 3) as u8).collect();
        let mut window = Window::new(Box::new(Drip(data.clone(), 999)));
        let mut at = 0u64;
        while !window.at_least(at, 5000).unwrap().is_empty() {
            let seen = window.bytes(at);
            assert_eq!(seen, &data[at as usize..at as usize + seen.len()]);
            at += 4321;
            window.release(at.saturating_sub(2000));
        }
        assert_eq!(window.end(), data.len() as u64);
        assert!(window.buf.len() < 4 * CHUNK);
    }

    #[test]
    fn released_and_unread_bytes_are_not_shown() {
        let mut window = Window::new(Box::new(Drip(vec![1; 100], 10)));
        assert_eq!(window.at_least(0, 1).unwrap().len(), 100);
        window.release(60);
        assert_eq!(window.start(), 60);
        assert_eq!(window.bytes(10).len(), 40);
        assert!(window.bytes(200).is_empty());
        assert!(!window.fill().unwrap());
    }
}
