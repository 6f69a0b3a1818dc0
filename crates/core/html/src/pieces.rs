//! A page that arrives in pieces, until it is whole.

use std::borrow::Cow;

/// A larger buffer is freed after its page.
const SPARE: usize = 4 << 20;

/// The bytes of a page so far, at most `limit` of them.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    bytes: Vec<u8>,
    /// All bytes that were written, also those beyond the limit.
    written: usize,
}

impl Pieces {
    /// Adds a piece; `Err` with the bytes so far if these are more than `limit`. Then none is kept.
    pub(super) fn write(&mut self, piece: &[u8], limit: usize) -> Result<(), usize> {
        self.written = self.written.saturating_add(piece.len());
        if self.written > limit {
            self.bytes = Vec::new();
            return Err(self.written);
        }
        self.bytes.extend_from_slice(piece);
        Ok(())
    }

    /// The page, as text. What is not UTF-8 becomes U+FFFD.
    pub(super) fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.bytes)
    }

    /// How many bytes were written.
    pub(super) fn written(&self) -> usize {
        self.written
    }

    /// Begins the next page.
    pub(super) fn clear(&mut self) {
        self.written = 0;
        self.bytes.clear();
        if self.bytes.capacity() > SPARE {
            self.bytes = Vec::new();
        }
    }
}
