//! The buffer of decoded bytes of a member.

/// A larger buffer is freed before the next member.
const SPARE: usize = 4 << 20;

/// A buffer that is filled at its end and consumed from its front.
///
/// Invariant: `from <= to <= buf.len()`, and `buf[i]` is the byte at offset `base + i` of the
/// member.
#[derive(Default)]
pub(super) struct Decoded {
    /// Bytes from `to` on are initialised but unused.
    buf: Vec<u8>,
    from: usize,
    to: usize,
    /// Offset in the member of `buf[0]`.
    base: u64,
}

impl Decoded {
    /// The bytes not consumed yet.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.buf[self.from..self.to]
    }

    /// Offset in the member of the first byte not consumed yet.
    pub(super) fn offset(&self) -> u64 {
        self.base + self.from as u64
    }

    /// Empties the buffer for a new member.
    pub(super) fn clear(&mut self) {
        if self.buf.len() > SPARE {
            self.buf.truncate(SPARE / 4);
            self.buf.shrink_to_fit();
        }
        (self.from, self.to, self.base) = (0, 0, 0);
    }

    /// Empties the buffer; the next byte is the one at `offset` of the member.
    pub(super) fn restart(&mut self, offset: u64) {
        (self.from, self.to, self.base) = (0, 0, offset);
    }

    pub(super) fn consume(&mut self, n: usize) {
        self.from += n;
        debug_assert!(self.from <= self.to);
    }

    /// Space for `n` more bytes. [`grow`](Self::grow) then says how many of them were written.
    pub(super) fn room(&mut self, n: usize) -> &mut [u8] {
        // Moves no more bytes than were consumed, so the cost per byte is constant.
        if self.from > 0 && self.from >= self.to - self.from {
            self.buf.copy_within(self.from..self.to, 0);
            self.base += self.from as u64;
            self.to -= self.from;
            self.from = 0;
        }
        if self.buf.len() < self.to + n {
            self.buf.resize(self.to + n, 0);
        }
        &mut self.buf[self.to..self.to + n]
    }

    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        self.buf.capacity()
    }

    pub(super) fn grow(&mut self, n: usize) {
        self.to += n;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_stay_right_while_the_buffer_slides() {
        let (mut decoded, mut written, mut read) = (Decoded::default(), 0u8, 0u8);
        for step in 1..200usize {
            let room = decoded.room(step % 7);
            for byte in room.iter_mut() {
                *byte = written;
                written = written.wrapping_add(1);
            }
            let n = room.len();
            decoded.grow(n);
            let take = decoded.bytes().len() * 2 / 3;
            for byte in &decoded.bytes()[..take] {
                assert_eq!(*byte, read);
                read = read.wrapping_add(1);
            }
            decoded.consume(take);
            assert_eq!(decoded.offset() % 256, u64::from(read));
        }
        assert!(decoded.buf.len() < 100);
    }

    #[test]
    fn a_large_buffer_is_freed() {
        let mut decoded = Decoded::default();
        decoded.room(SPARE * 2);
        decoded.clear();
        assert!(decoded.buf.capacity() < SPARE);
    }
}
