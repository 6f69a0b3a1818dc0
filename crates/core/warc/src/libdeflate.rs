//! Inflates whole gzip members with libdeflate.
#![allow(unsafe_code, reason = "it calls C")]

use libdeflate_sys as sys;
use std::ptr::NonNull;

/// A decompressor of libdeflate.
pub(super) struct Libdeflate(NonNull<sys::libdeflate_decompressor>);

// SAFETY: a decompressor owns its memory and is not bound to a thread; it is only used through
// `&mut`.
unsafe impl Send for Libdeflate {}

impl Libdeflate {
    /// A new decompressor; `None` if memory is short.
    pub(super) fn new() -> Option<Self> {
        // SAFETY: it takes no arguments and returns null if memory is short.
        NonNull::new(unsafe { sys::libdeflate_alloc_decompressor() }).map(Self)
    }

    /// Inflates the member that `input` begins with into `output`, which is as long as the member's
    /// trailer says. Returns the member's compressed length, or `None` if anything about it is
    /// wrong, including its checksum and size; the content of `output` is then unspecified.
    pub(super) fn member(&mut self, input: &[u8], output: &mut [u8]) -> Option<usize> {
        let mut read = 0;
        // SAFETY: both slices are passed with their own lengths, beyond which libdeflate neither
        // reads nor writes; the out parameter outlives the call. With a null pointer for the number
        // of bytes written, libdeflate returns an error unless `output` is filled exactly.
        let result = unsafe {
            sys::libdeflate_gzip_decompress_ex(
                self.0.as_ptr(),
                input.as_ptr().cast(),
                input.len(),
                output.as_mut_ptr().cast(),
                output.len(),
                &mut read,
                std::ptr::null_mut(),
            )
        };
        (result == sys::libdeflate_result_LIBDEFLATE_SUCCESS).then_some(read)
    }
}

impl Drop for Libdeflate {
    fn drop(&mut self) {
        // SAFETY: it was made by `libdeflate_alloc_decompressor` and is not used again.
        unsafe { sys::libdeflate_free_decompressor(self.0.as_ptr()) }
    }
}
