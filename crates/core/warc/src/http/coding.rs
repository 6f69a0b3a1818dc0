//! Removes one content coding: gzip, deflate, br or zstd.

use crate::codec::Kind;
use crate::gzip::{self, Header};
use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};
use flate2::{Crc, Decompress, FlushDecompress, Status};
use zstd::stream::raw::{DParameter, Decoder, InBuffer, Operation, OutBuffer};

/// A content coding (RFC 9110 §8.4.1, RFC 7932, RFC 8878).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Coding {
    Gzip,
    Deflate,
    Brotli,
    Zstd,
}

/// Result of removing a coding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The encoded data is complete.
    Whole,
    /// The input ended early, was damaged, or its checksum does not match; what
    /// came before is in the output.
    Cut,
    /// The input is not in this coding.
    NotCoded,
    /// The output is longer than the limit.
    TooLarge,
}

/// Largest zstd window, log2 of bytes (RFC 9659: 8 MB).
const ZSTD_WINDOW_LOG: u32 = 23;

/// First growth of the output in bytes; it doubles from there.
const FIRST_GROWTH: usize = 64 << 10;

impl Coding {
    /// The coding of that name in `Content-Encoding`.
    pub(super) fn from_label(label: &[u8]) -> Option<Self> {
        const LABELS: [(&str, Coding); 6] = [
            ("gzip", Coding::Gzip),
            ("x-gzip", Coding::Gzip),
            ("deflate", Coding::Deflate),
            ("x-deflate", Coding::Deflate),
            ("br", Coding::Brotli),
            ("zstd", Coding::Zstd),
        ];
        LABELS
            .iter()
            .find(|(name, _)| label.eq_ignore_ascii_case(name.as_bytes()))
            .map(|&(_, coding)| coding)
    }

    /// The coding whose magic bytes `bytes` begin with.
    pub(super) fn from_magic(bytes: &[u8]) -> Option<Self> {
        match Kind::of(bytes)? {
            Kind::Plain => None,
            Kind::Gzip => Some(Self::Gzip),
            Kind::Zstd => Some(Self::Zstd),
        }
    }
}

/// The decoders, reused from page to page.
///
/// Memory: 45 KB for inflate; up to 8 MB for zstd once a zstd body was decoded, and
/// up to 16 MB while a br body is decoded (its window).
pub(super) struct Codecs {
    inflate: Decompress,
    zstd: Option<Decoder<'static>>,
}

impl Default for Codecs {
    fn default() -> Self {
        Self {
            inflate: Decompress::new(false),
            zstd: None,
        }
    }
}

impl Codecs {
    /// Appends the decoded input to `out`, which is empty. Allocates at most `limit` + 1 bytes.
    pub(super) fn decode(
        &mut self,
        coding: Coding,
        input: &[u8],
        out: &mut Vec<u8>,
        limit: usize,
    ) -> Outcome {
        let outcome = match coding {
            Coding::Gzip => self.gzip(input, out, limit),
            Coding::Deflate => self.deflate(input, out, limit),
            Coding::Brotli => brotli(input, out, limit),
            Coding::Zstd => self.zstd(input, out, limit),
        };
        match outcome {
            Outcome::NotCoded => out.clear(),
            // The byte after the limit shows that the output is longer, even if it is damaged.
            Outcome::Cut if out.len() > limit => return Outcome::TooLarge,
            _ => {}
        }
        outcome
    }

    /// Decodes all consecutive members (RFC 1952 §2.2); anything after the last is ignored.
    fn gzip(&mut self, input: &[u8], out: &mut Vec<u8>, limit: usize) -> Outcome {
        if Kind::of(input) != Some(Kind::Gzip) {
            return Outcome::NotCoded;
        }
        let mut rest = input;
        while Kind::of(rest) == Some(Kind::Gzip) {
            let Header::Whole(header) = gzip::header_len(rest) else {
                return Outcome::Cut;
            };
            let start = out.len();
            self.inflate.reset(false);
            match self.inflate(&rest[header..], out, limit) {
                Outcome::Whole => {}
                other => return other,
            }
            let end = header + self.consumed();
            let Some(trailer) = rest.get(end..end + 8) else {
                return Outcome::Cut;
            };
            let mut crc = Crc::new();
            crc.update(&out[start..]);
            if trailer[..4] != crc.sum().to_le_bytes() {
                return Outcome::Cut;
            }
            rest = &rest[end + 8..];
        }
        Outcome::Whole
    }

    /// Decodes zlib (RFC 1950), which the standard requires, or bare deflate (RFC 1951), which many
    /// servers send.
    fn deflate(&mut self, input: &[u8], out: &mut Vec<u8>, limit: usize) -> Outcome {
        let has_zlib_header = matches!(input, [cmf, flags, ..]
            if cmf & 15 == 8 && u16::from_be_bytes([*cmf, *flags]).is_multiple_of(31));
        let mut outcome = Outcome::NotCoded;
        if has_zlib_header {
            self.inflate.reset(true);
            outcome = self.inflate(input, out, limit);
        }
        if !has_zlib_header || (outcome != Outcome::Whole && out.is_empty()) {
            self.inflate.reset(false);
            outcome = self.inflate(input, out, limit);
        }
        without_magic(outcome, input, self.consumed(), out)
    }

    /// Input bytes that inflate has read since its reset.
    fn consumed(&self) -> usize {
        usize::try_from(self.inflate.total_in()).expect("the input is in memory")
    }

    /// Decodes one deflate stream; the decoder was just reset.
    fn inflate(&mut self, input: &[u8], out: &mut Vec<u8>, limit: usize) -> Outcome {
        while make_room(out, limit) {
            let before = (self.consumed(), out.len());
            match self
                .inflate
                .decompress_vec(&input[before.0..], out, FlushDecompress::None)
            {
                Ok(Status::StreamEnd) if out.len() > limit => return Outcome::TooLarge,
                Ok(Status::StreamEnd) => return Outcome::Whole,
                Ok(_) if (self.consumed(), out.len()) != before => {}
                Ok(_) | Err(_) => return Outcome::Cut,
            }
        }
        Outcome::TooLarge
    }

    /// Decodes all consecutive frames (RFC 8878 §3); anything after the last is ignored.
    fn zstd(&mut self, input: &[u8], out: &mut Vec<u8>, limit: usize) -> Outcome {
        if Kind::of(input) != Some(Kind::Zstd) {
            return Outcome::NotCoded;
        }
        if self.zstd.is_none() {
            self.zstd = Decoder::new().ok();
        }
        let Some(decoder) = &mut self.zstd else {
            return Outcome::Cut;
        };
        let ready = decoder.reinit();
        if ready
            .and(decoder.set_parameter(DParameter::WindowLogMax(ZSTD_WINDOW_LOG)))
            .is_err()
        {
            return Outcome::Cut;
        }
        let mut source = InBuffer::around(input);
        while make_room(out, limit) {
            let before = (source.pos(), out.len());
            let at = out.len();
            let result = decoder.run(&mut source, &mut OutBuffer::around_pos(out, at));
            match result {
                Ok(0) if out.len() > limit => return Outcome::TooLarge,
                Ok(0) if Kind::of(&input[source.pos()..]) != Some(Kind::Zstd) => {
                    return Outcome::Whole;
                }
                Ok(_) if (source.pos(), out.len()) != before => {}
                Ok(_) | Err(_) => return Outcome::Cut,
            }
        }
        Outcome::TooLarge
    }
}

fn brotli(input: &[u8], out: &mut Vec<u8>, limit: usize) -> Outcome {
    // `new_strict`: without the large windows of up to 1 GB, which are not in RFC 7932.
    let mut state = BrotliState::new_strict(
        StandardAlloc::default(),
        StandardAlloc::default(),
        StandardAlloc::default(),
    );
    let (mut left, mut consumed, mut total) = (input.len(), 0, 0);
    let outcome = loop {
        if out.len() > limit {
            break Outcome::TooLarge;
        }
        let mut at = out.len();
        // How much is decoded of damaged data depends on the room for it. The room must not depend
        // on the previous content of the buffer.
        let mut room = at.max(FIRST_GROWTH).min(limit + 1 - at);
        out.reserve_exact(room);
        out.resize(at + room, 0);
        let result = BrotliDecompressStream(
            &mut left,
            &mut consumed,
            input,
            &mut room,
            &mut at,
            out,
            &mut total,
            &mut state,
        );
        out.truncate(at);
        match result {
            BrotliResult::NeedsMoreOutput => {}
            BrotliResult::ResultSuccess if out.len() > limit => break Outcome::TooLarge,
            BrotliResult::ResultSuccess => break Outcome::Whole,
            BrotliResult::NeedsMoreInput | BrotliResult::ResultFailure => break Outcome::Cut,
        }
    };
    without_magic(outcome, input, consumed, out)
}

/// Distinguishes cut data from data that was never encoded, for codings without magic bytes: plain
/// text can decode to something for a while before it fails.
fn without_magic(outcome: Outcome, input: &[u8], consumed: usize, out: &[u8]) -> Outcome {
    match outcome {
        Outcome::Whole if consumed == input.len() => outcome,
        Outcome::Whole | Outcome::Cut if is_text(input) => Outcome::NotCoded,
        Outcome::Cut if out.is_empty() => Outcome::NotCoded,
        _ => outcome,
    }
}

/// Whether the first 512 bytes contain no binary data byte of the MIME Sniffing standard.
fn is_text(bytes: &[u8]) -> bool {
    bytes
        .iter()
        .take(512)
        .all(|b| !matches!(b, 0..=8 | 0x0b | 0x0e..=0x1a | 0x1c..=0x1f))
}

/// Makes sure that `out` has spare capacity, doubling up to `limit` + 1 bytes;
/// `false` if it is already longer than the limit.
fn make_room(out: &mut Vec<u8>, limit: usize) -> bool {
    if out.len() > limit {
        return false;
    }
    if out.len() == out.capacity() {
        let more = out.len().max(FIRST_GROWTH);
        out.reserve_exact(more.min(limit + 1 - out.len()));
    }
    true
}
