//! The search for the next member after damage.
//!
//! The magic bytes of gzip are only three bytes, and compressed data holds them by chance. So a
//! place counts as the beginning of a member only if the first bytes decoded from it begin a
//! record.
//!
//! Invariant: [`Hunt::find`] returns only places where a record begins, after optional line ends.
//! Each test subtracts the bytes that it read from `credit`, and no test starts that could read
//! more than is left. So the total work is bounded by the credit.
//!
//! Example: `1f 8b 08` is found at offset 500, but it is part of an image. Decoding from there
//! fails, or returns bytes that are not a record header, and the search continues. At 2000 the
//! decoded bytes are `WARC/1.0`, a line end and a field: the next member begins at 2000.

use super::codec::{Codec, Kind};
use super::framing::{self, Format};
use super::record_start::Start;
use super::{gzip, zstd};
use memchr::memmem;

/// Bytes of a member that are decoded to see whether it begins with a record.
const PROBE_OUTPUT: usize = 512;
/// Bytes of the input that a test of one place needs. For zstd this is the whole first block,
/// because the decoder returns nothing before it has all of it.
pub(super) const PROBE_INPUT: usize = 132 << 10;
/// Like [`PROBE_INPUT`], for gzip.
const GZIP_PROBE_INPUT: usize = 4 << 10;

/// Tests places in damaged input for the beginning of a member.
pub(super) struct Hunt<'c> {
    pub(super) codec: &'c mut Codec,
    pub(super) kind: Kind,
    pub(super) format: Option<Format>,
    /// Bytes of input that tests may still decode. A place whose test would need more than is left
    /// counts as no member, so that hostile input costs linear work.
    pub(super) credit: &'c mut u64,
}

impl Hunt<'_> {
    /// The first place before `to` where a member begins whose first bytes are a record. The magic
    /// bytes alone are not enough.
    pub(super) fn find(&mut self, bytes: &[u8], to: usize) -> Option<usize> {
        let magic: &[u8] = match self.kind {
            Kind::Plain => return framing::find_start(bytes, 0, to, self.format),
            Kind::Gzip => &gzip::MAGIC,
            Kind::Zstd => &zstd::MAGIC,
        };
        memmem::find_iter(bytes, magic)
            .take_while(|&at| at < to)
            .find(|&at| self.is_record(&bytes[at..]))
    }

    /// Whether `bytes` begin with a member whose first bytes are a record.
    pub(super) fn is_record(&mut self, bytes: &[u8]) -> bool {
        let ahead = if self.kind == Kind::Gzip {
            GZIP_PROBE_INPUT
        } else {
            PROBE_INPUT
        };
        let bytes = &bytes[..bytes.len().min(ahead)];
        if *self.credit < bytes.len() as u64 {
            return false;
        }
        let mut output = [0; PROBE_OUTPUT];
        let (probe, read) = self.codec.probe(bytes, &mut output);
        *self.credit -= read as u64;
        framing::starts(&probe[framing::blanks(probe)..], self.format).0 == Start::Yes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn gz(text: &[u8]) -> Vec<u8> {
        let mut w = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        w.write_all(text).unwrap();
        w.finish().unwrap()
    }

    fn find(bytes: &[u8], credit: &mut u64) -> Option<usize> {
        let mut codec = Codec::new(Kind::Gzip);
        let mut hunt = Hunt {
            codec: &mut codec,
            kind: Kind::Gzip,
            format: None,
            credit,
        };
        hunt.find(bytes, bytes.len())
    }

    #[test]
    fn only_a_member_with_a_record_is_found() {
        let mut bytes = [&b"\x1f\x8b\x08"[..], &gz(b"just a text"), b"\x1f\x8b\x08\0"].concat();
        assert_eq!(find(&bytes, &mut 1_000_000), None);
        let at = bytes.len();
        bytes.extend(gz(b"\r\nWARC/1.0\r\nWARC-Type: response\r\n\r\n"));
        assert_eq!(find(&bytes, &mut 1_000_000), Some(at));
        assert_eq!(find(&bytes[1..], &mut 1_000_000), Some(at - 1));
        assert_eq!(find(&bytes, &mut 10), None, "credit is spent");
    }

    #[test]
    fn false_magic_bytes_cost_little() {
        let fakes = b"\x1f\x8b\x08\0\0\0\0\0\0\0".repeat(100_000);
        let mut credit = u64::MAX;
        assert_eq!(find(&fakes, &mut credit), None);
        assert!(u64::MAX - credit < 40 * fakes.len() as u64);
    }
}
