//! The ways members are compressed, and one decoder for all of them.

use super::gzip::{self, Gzip};
use super::progress::{Progress, State};
use super::zstd::{self, Zstd};

/// How the members of a file are compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Not at all; the whole file is one member.
    Plain,
    Gzip,
    Zstd,
}

impl Kind {
    /// The kind whose magic bytes `bytes` begin with.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(&gzip::MAGIC) {
            Some(Self::Gzip)
        } else if bytes.starts_with(&zstd::MAGIC) || zstd::is_skippable(bytes) {
            Some(Self::Zstd)
        } else {
            None
        }
    }
}

/// A decoder of members, reused from one to the next.
pub(super) enum Codec {
    Plain,
    Gzip(Box<Gzip>),
    Zstd(Box<Zstd>),
}

impl Codec {
    pub(super) fn new(kind: Kind) -> Self {
        match kind {
            Kind::Plain => Self::Plain,
            Kind::Gzip => Self::Gzip(Box::new(Gzip::new())),
            Kind::Zstd => Self::Zstd(Box::new(Zstd::new())),
        }
    }

    /// Prepares for the first byte of a member.
    pub(super) fn reset(&mut self) {
        match self {
            Self::Plain => {}
            Self::Gzip(gzip) => gzip.reset(),
            Self::Zstd(zstd) => zstd.reset(),
        }
    }

    /// Why the member cannot be decoded although its bytes may be intact.
    pub(super) fn refusal(&self) -> Option<&'static str> {
        match self {
            Self::Zstd(zstd) => zstd.refusal,
            Self::Plain | Self::Gzip(_) => None,
        }
    }

    /// Continues decoding from `input`, which must begin where the last call stopped reading.
    pub(super) fn decode(&mut self, input: &[u8], output: &mut [u8]) -> Progress {
        match self {
            Self::Plain => {
                let n = input.len().min(output.len());
                output[..n].copy_from_slice(&input[..n]);
                Progress::new(n, n, State::More)
            }
            Self::Gzip(gzip) => gzip.decode(input, output),
            Self::Zstd(zstd) => zstd.decode(input, output),
        }
    }

    /// Decodes the beginning of a member, as far as `input` and `output` reach.
    /// Returns the decoded bytes and how many bytes of input were read. The codec must be
    /// reset before its next use.
    pub(super) fn probe<'o>(&mut self, input: &[u8], output: &'o mut [u8]) -> (&'o [u8], usize) {
        self.reset();
        let (mut read, mut written) = (0, 0);
        while written < output.len() {
            let p = self.decode(&input[read..], &mut output[written..]);
            read += p.read;
            written += p.written;
            if p.state != State::More || p.read + p.written == 0 {
                break;
            }
        }
        (&output[..written], read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_kind_is_found_by_its_magic_bytes() {
        assert_eq!(Kind::of(&[0x1f, 0x8b, 8, 0]), Some(Kind::Gzip));
        assert_eq!(Kind::of(&[0x1f, 0x8b]), None);
        assert_eq!(Kind::of(&[0x28, 0xb5, 0x2f, 0xfd]), Some(Kind::Zstd));
        assert_eq!(Kind::of(&[0x5d, 0x2a, 0x4d, 0x18]), Some(Kind::Zstd));
        assert_eq!(Kind::of(b"WARC/1.0\r\n"), None);
    }

    #[test]
    fn a_probe_stays_within_bounds() {
        let member = ::zstd::bulk::compress(&[b'x'; 100_000], 1).unwrap();
        let mut output = [0; 16];
        let mut codec = Codec::new(Kind::Zstd);
        assert_eq!(codec.probe(&member, &mut output).0, [b'x'; 16]);
        assert_eq!(codec.probe(&member[..4], &mut output).0, b"");
    }
}
