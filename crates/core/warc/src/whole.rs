//! Inflates a gzip member in one call, if its end is in view.
//!
//! This is only a fast path. If a member is not intact in every respect, the streaming [`Gzip`](super::gzip::Gzip)
//! decodes it and decides what is wrong with it.

use super::gzip;
use memchr::memmem;

/// Compressed bytes that are searched for a member's end; a longer member is streamed.
pub(super) const MAX_SEARCH: usize = 4 << 20;
/// Deflate expands a byte to no more than this (RFC 1951: 258 bytes from two bits).
const MAX_RATIO: usize = 1032;

/// Inflates the member that its first argument begins with into the second, which is as long as the member's trailer
/// says. Returns the member's compressed length, or `None` if anything about it is wrong, including its checksum and
/// size. After `None` the content of the second argument is unspecified.
pub(super) type WholeInflate = Box<dyn FnMut(&[u8], &mut [u8]) -> Option<usize> + Send>;

/// The fastest implementation that is compiled in; `None` if that is the streaming one.
pub(super) fn fastest() -> Option<WholeInflate> {
    #[cfg(feature = "libdeflate")]
    if let Some(mut libdeflate) = super::libdeflate::Libdeflate::new() {
        return Some(Box::new(move |input, output| {
            libdeflate.member(input, output)
        }));
    }
    None
}

/// Result of a search for a member's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// A likely end: the input ends, or bytes like those of the next member begin. If it is the end, the four bytes
    /// before it are the member's size field. They say that the member inflates to this many bytes.
    Likely(usize),
    /// More input is needed.
    NeedInput,
    /// No end was found at which the member can be inflated whole.
    Unknown,
}

/// Searches for the end of the member that `bytes` begin with, and for the size it inflates to. The first `searched`
/// bytes were searched before. A member that inflates to `limit` bytes or more is not accepted.
pub(super) fn end(bytes: &[u8], searched: usize, input_ended: bool, limit: usize) -> End {
    // The shortest member has a header of 10 bytes, 2 of data and a trailer of 8.
    let from = searched.saturating_sub(gzip::MAGIC.len()).max(20);
    let rest = bytes.get(from..).unwrap_or_default();
    let end = match memmem::find(rest, &gzip::MAGIC) {
        Some(n) => from + n,
        None if input_ended => bytes.len(),
        None if bytes.len() >= MAX_SEARCH => return End::Unknown,
        None => return End::NeedInput,
    };
    let Some(size) = bytes[..end].last_chunk::<4>() else {
        return End::Unknown;
    };
    let size = u32::from_le_bytes(*size) as usize;
    if size < limit && size / MAX_RATIO <= end {
        End::Likely(size)
    } else {
        End::Unknown
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, GzBuilder};
    use proptest::prelude::*;
    use std::io::Write;

    fn member(text: &[u8], level: u32) -> Vec<u8> {
        let mut writer = GzBuilder::new()
            .filename("name")
            .write(Vec::new(), Compression::new(level));
        writer.write_all(text).unwrap();
        writer.finish().unwrap()
    }

    #[test]
    fn a_member_ends_at_the_next_member_or_at_the_end_of_the_input() {
        let text = b"a few words ".repeat(50);
        let one = member(&text, 6);
        let two = [&one[..], &one].concat();
        assert_eq!(end(&two, 0, false, 1 << 20), End::Likely(text.len()));
        assert_eq!(
            end(&two[..one.len() + 2], 0, false, 1 << 20),
            End::NeedInput
        );
        // The magic bytes may lie across the end of what was searched.
        assert_eq!(
            end(&two, one.len() + 2, false, 1 << 20),
            End::Likely(text.len())
        );
        assert_eq!(end(&one, 0, true, 1 << 20), End::Likely(text.len()));
        assert_eq!(end(&one, 0, true, text.len()), End::Unknown, "too large");
        assert_eq!(end(&one[..12], 0, true, 1 << 20), End::Unknown, "cut");
        let mut liar = one.clone();
        liar.truncate(liar.len() - 4);
        liar.extend_from_slice(&(60u32 << 20).to_le_bytes());
        assert_eq!(
            end(&liar, 0, true, 64 << 20),
            End::Unknown,
            "no data inflates that much"
        );
        assert_eq!(end(&vec![0; MAX_SEARCH], 0, false, 1 << 20), End::Unknown);
    }

    proptest! {
        #[test]
        fn members_inflate_to_their_content(text in prop::collection::vec(0u8..4, 0..3000), level in 0u32..10, after in prop::collection::vec(any::<u8>(), 0..40)) {
            let whole = member(&text, level);
            let input = [&whole[..], &after].concat();
            if let Some(mut inflate) = fastest() {
                let mut output = vec![0; text.len()];
                prop_assert_eq!(inflate(&input, &mut output), Some(whole.len()));
                prop_assert_eq!(&output, &text);
                // An output buffer that is too short or too long is rejected like damage.
                prop_assert_eq!(inflate(&input, &mut vec![0; text.len() + 1]), None);
                if !text.is_empty() {
                    prop_assert_eq!(inflate(&input, &mut vec![0; text.len() - 1]), None);
                }
                for n in 0..whole.len() {
                    prop_assert_eq!(inflate(&whole[..n], &mut output), None);
                }
            }
        }

        #[test]
        fn a_damaged_member_is_refused(text in prop::collection::vec(any::<u8>(), 1..300), at in any::<prop::sample::Index>(), bit in 0u8..8) {
            let mut bytes = member(&text, 6);
            // After the header, whose time and flags may have any value.
            let at = 15 + at.index(bytes.len() - 15);
            bytes[at] ^= 1 << bit;
            if let Some(mut inflate) = fastest() {
                let mut output = vec![0; text.len()];
                if inflate(&bytes, &mut output).is_some() {
                    prop_assert_eq!(output, text);
                }
            }
        }
    }
}
