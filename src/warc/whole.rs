//! Gzip members inflated in one call, where their end is in view.
//!
//! Nothing is decided here: what is not a sound member in every respect is left to the streaming
//! [`Gzip`](super::gzip::Gzip), whose result counts.

use super::gzip;
use memchr::memmem;

/// Compressed bytes in which a member's end is looked for; a longer one is streamed.
pub(super) const REACH: usize = 4 << 20;
/// Deflate makes of a byte no more than this (RFC 1951: 258 bytes from two bits).
const GREATEST_RATIO: usize = 1032;

/// Inflates whole members.
pub(super) trait WholeInflate: Send {
    /// Inflates the member that `input` begins with into `output`, which is as long as the member
    /// says. Returns the member's length; `None` if anything about it is wrong, its checksum and its
    /// size included, and `output` then means nothing.
    fn member(&mut self, input: &[u8], output: &mut [u8]) -> Option<usize>;
}

/// The fastest that is built in; none where that is the streaming one.
pub(super) fn fastest() -> Option<Box<dyn WholeInflate>> {
    #[cfg(feature = "libdeflate")]
    if let Some(libdeflate) = super::libdeflate::Libdeflate::new() {
        return Some(Box::new(libdeflate));
    }
    None
}

/// Where the search for a member's end stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// Here something like the next member begins, or the input ends; the member's own word is that
    /// it inflates to so many bytes.
    Likely(usize),
    /// More input is wanted.
    Beyond,
    /// The member does not end where it could be inflated whole.
    Unknown,
}

/// Looks for the end of the member that `bytes` begin with, and how much it inflates to, in what
/// was not `searched` before. `limit`: most that a member may inflate to.
pub(super) fn end(bytes: &[u8], searched: usize, input_ended: bool, limit: usize) -> End {
    // The shortest member has a header of 10 bytes, 2 of data and a trailer of 8.
    let from = searched.saturating_sub(gzip::MAGIC.len()).max(20);
    let rest = bytes.get(from..).unwrap_or_default();
    let end = match memmem::find(rest, &gzip::MAGIC) {
        Some(n) => from + n,
        None if input_ended => bytes.len(),
        None if bytes.len() >= REACH => return End::Unknown,
        None => return End::Beyond,
    };
    let Some(size) = bytes[..end].last_chunk::<4>() else {
        return End::Unknown;
    };
    let size = u32::from_le_bytes(*size) as usize;
    if size < limit && size / GREATEST_RATIO <= end {
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
    fn an_end_is_the_next_member_or_that_of_the_input() {
        let text = b"a few words ".repeat(50);
        let one = member(&text, 6);
        let two = [&one[..], &one].concat();
        assert_eq!(end(&two, 0, false, 1 << 20), End::Likely(text.len()));
        assert_eq!(end(&two[..one.len() + 2], 0, false, 1 << 20), End::Beyond);
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
            "no data inflates so far"
        );
        assert_eq!(end(&vec![0; REACH], 0, false, 1 << 20), End::Unknown);
    }

    proptest! {
        #[test]
        fn members_inflate_to_what_they_were(text in prop::collection::vec(0u8..4, 0..3000), level in 0u32..10, behind in prop::collection::vec(any::<u8>(), 0..40)) {
            let whole = member(&text, level);
            let input = [&whole[..], &behind].concat();
            if let Some(mut inflate) = fastest() {
                let mut output = vec![0; text.len()];
                prop_assert_eq!(inflate.member(&input, &mut output), Some(whole.len()));
                prop_assert_eq!(&output, &text);
                // Room too little or too much is as wrong as any damage.
                prop_assert_eq!(inflate.member(&input, &mut vec![0; text.len() + 1]), None);
                if !text.is_empty() {
                    prop_assert_eq!(inflate.member(&input, &mut vec![0; text.len() - 1]), None);
                }
                for n in 0..whole.len() {
                    prop_assert_eq!(inflate.member(&whole[..n], &mut output), None);
                }
            }
        }

        #[test]
        fn damage_is_refused(text in prop::collection::vec(any::<u8>(), 1..300), at in any::<prop::sample::Index>(), bit in 0u8..8) {
            let mut bytes = member(&text, 6);
            // Behind the header, whose time and flags may be anything.
            let at = 15 + at.index(bytes.len() - 15);
            bytes[at] ^= 1 << bit;
            if let Some(mut inflate) = fastest() {
                let mut output = vec![0; text.len()];
                if inflate.member(&bytes, &mut output).is_some() {
                    prop_assert_eq!(output, text);
                }
            }
        }
    }
}
