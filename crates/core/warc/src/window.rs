//! Bytes of the input that were read ahead, addressed by their offset in the file.

use std::io::{self, ErrorKind, Read};

/// How many bytes one fill reads. It repeats reads until it has them all or the input ends, so that
/// no result depends on how the input is split into reads.
const CHUNK: usize = 128 << 10;
/// A larger buffer is freed once it is no longer needed.
const SPARE: usize = 4 << 20;

/// A sliding window on the input. Memory: the bytes from the released offset on, at most twice that
/// while they are moved, and one chunk.
///
/// Invariant: `from <= filled <= read <= buf.len()`, and `buf[i]` is the byte at file offset
/// `base + i`. Only `buf[from..filled]` is visible from outside.
pub(super) struct Window {
    input: Box<dyn Read + Send>,
    buf: Vec<u8>,
    from: usize,
    /// Bytes of `buf` that are visible.
    filled: usize,
    /// Bytes of `buf` that were read. More than `filled` only after a restart, which hides bytes
    /// that were read ahead.
    read: usize,
    /// File offset of `buf[0]`.
    base: u64,
    ended: bool,
}

impl Window {
    /// `base`: the offset in the file of the first byte of `input`.
    pub(super) fn new(input: Box<dyn Read + Send>, base: u64) -> Self {
        Self {
            input,
            buf: Vec::new(),
            from: 0,
            filled: 0,
            read: 0,
            base,
            ended: false,
        }
    }

    /// Continues from `offset` exactly as a new window that begins there. The bytes that were read
    /// ahead are hidden. They become visible again in the chunks in which a new window would read
    /// them.
    pub(super) fn restart(&mut self, offset: u64) {
        self.release(offset);
        self.filled = self.from;
        self.ended = false;
    }

    /// Offset of the first byte that is still held.
    pub(super) fn start(&self) -> u64 {
        self.base + self.from as u64
    }

    /// Offset after the last visible byte.
    pub(super) fn end(&self) -> u64 {
        self.base + self.filled as u64
    }

    /// Whether a fill has reached the end of the input.
    pub(super) fn has_ended(&self) -> bool {
        self.ended
    }

    /// The visible bytes from `offset` on; none if `offset` is not in the window.
    pub(super) fn bytes(&self, offset: u64) -> &[u8] {
        let at = offset
            .checked_sub(self.base)
            .map_or(self.filled, |n| n.min(self.filled as u64) as usize);
        &self.buf[at.max(self.from)..self.filled]
    }

    /// Drops the bytes before `offset`: they will not be read again.
    pub(super) fn release(&mut self, offset: u64) {
        let offset = offset.clamp(self.start(), self.end());
        self.from = (offset - self.base) as usize;
    }

    /// Makes one more chunk visible; `false` if the input has ended.
    pub(super) fn fill(&mut self) -> io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        // Moving no more than was released keeps the cost per byte constant.
        if self.from >= self.filled - self.from {
            self.buf.copy_within(self.from..self.read, 0);
            self.base += self.from as u64;
            self.filled -= self.from;
            self.read -= self.from;
            self.from = 0;
            if self.buf.len() > SPARE && self.read.max(self.filled + CHUNK) < SPARE / 4 {
                self.buf.truncate(SPARE / 4);
                self.buf.shrink_to_fit();
            }
        }
        let before = self.filled;
        let target = before + CHUNK;
        if self.buf.len() < target {
            self.buf.resize(target, 0);
        }
        while self.read < target {
            match self.input.read(&mut self.buf[self.read..target]) {
                Ok(0) => {
                    self.ended = true;
                    break;
                }
                Ok(n) => self.read += n,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        self.filled = self.read.min(target);
        Ok(self.filled > before)
    }

    /// The bytes from `offset` on, at least `n` of them unless the input ends first.
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
    fn offsets_stay_right_while_the_buffer_slides() {
        let data: Vec<u8> = (0..1_000_000u32).map(|i| ((i * 7) >> 3) as u8).collect();
        let mut window = Window::new(Box::new(Drip(data.clone(), 999)), 0);
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
        let mut window = Window::new(Box::new(Drip(vec![1; 100], 10)), 0);
        assert_eq!(window.at_least(0, 1).unwrap().len(), 100);
        window.release(60);
        assert_eq!(window.start(), 60);
        assert_eq!(window.bytes(10).len(), 40);
        assert!(window.bytes(200).is_empty());
        assert!(!window.fill().unwrap());
    }

    #[test]
    fn a_restarted_window_equals_a_new_one() {
        let data: Vec<u8> = (0..700_000u32).map(|i| (i >> 5) as u8).collect();
        for at in [0, 1, 300_000, 700_000 - CHUNK, 650_000, 700_000] {
            let mut window = Window::new(Box::new(Drip(data.clone(), 70_001)), 0);
            window.at_least(0, 600_000).unwrap();
            window.at_least(at as u64, 1).unwrap();
            window.restart(at as u64);
            let mut new = Window::new(Box::new(Drip(data[at..].to_vec(), 999)), at as u64);
            loop {
                assert_eq!(window.bytes(at as u64), new.bytes(at as u64));
                assert_eq!(
                    (window.end(), window.has_ended()),
                    (new.end(), new.has_ended())
                );
                let more = new.fill().unwrap();
                assert_eq!(window.fill().unwrap(), more);
                if !more {
                    break;
                }
            }
        }
    }
}
