//! Buffers that are reused from one page to the next.

/// A buffer that grew over this many bytes is dropped after the page.
pub const BUFFER_LIMIT: usize = 4 << 20;

/// Frees a buffer if an unusual page made it grow over [`BUFFER_LIMIT`].
#[inline]
pub fn shrink<T>(buffer: &mut Vec<T>) {
    if buffer.capacity() * size_of::<T>() > BUFFER_LIMIT {
        *buffer = Vec::new();
    }
}

/// Empties a buffer for the next page, and returns it. See [`shrink`].
#[inline]
pub fn emptied<T>(buffer: &mut Vec<T>) -> &mut Vec<T> {
    shrink(buffer);
    buffer.clear();
    buffer
}

/// Like [`shrink`], for a string.
#[inline]
pub fn shrink_text(buffer: &mut String) {
    if buffer.capacity() > BUFFER_LIMIT {
        *buffer = String::new();
    }
}
