//! Decodes an HTTP body: removes all its transfer and content codings.

#[cfg(test)]
mod tests;

use super::coding::{Codecs, Coding, Outcome};
use super::{HttpMessage, chunked};
use std::mem;
use warcsieve_common::shrink;

/// The maximum number of codings that are removed from one body, not counting `chunked`.
pub const MAX_CODINGS: usize = 4;

/// What was wrong with a body's codings.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BodyFlaws {
    /// `Transfer-Encoding: chunked` over a body that is not chunked, kept as it is.
    pub mislabelled_transfer: bool,
    /// A chunked body without its last chunk; what came before is kept.
    pub cut_transfer: bool,
    /// The bytes do not have the named content coding. Another coding was recognised by its magic
    /// bytes and removed, or the bytes were kept unchanged.
    pub mislabelled_content: bool,
    /// A content coding is unknown, or nested deeper than [`MAX_CODINGS`], and was not removed.
    pub undecoded_content: bool,
    /// Content decoding failed half way, or its checksum does not match; what
    /// came before is kept.
    pub cut_content: bool,
}

/// The body is longer than the limit, as stored or as decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// Removes transfer and content codings from bodies. Use one per worker.
///
/// Memory: two buffers of at most the limit plus 1 byte each, dropped before the
/// next body where they grew over [`BUFFER_LIMIT`](warcsieve_common::BUFFER_LIMIT),
/// and the decoders' windows: 8 MB for zstd, 16 MB for br, 45 KB for the rest.
#[derive(Default)]
pub struct BodyDecoder {
    decoded: Vec<u8>,
    spare: Vec<u8>,
    codecs: Codecs,
}

impl BodyDecoder {
    /// The body before it was encoded: chunks are joined first, then the content codings are
    /// removed in reverse order of their listing (RFC 9110 §8.4). A body without codings is
    /// borrowed, not copied.
    ///
    /// With `unlabelled`, gzip and zstd bodies are recognised by their magic bytes
    /// even if no header names the coding.
    ///
    /// # Errors
    /// [`TooLarge`] if the body is over `limit` bytes before, between or after decoding.
    pub fn decode<'r>(
        &'r mut self,
        message: &HttpMessage<'r>,
        unlabelled: bool,
        limit: usize,
    ) -> Result<(&'r [u8], BodyFlaws), TooLarge> {
        shrink(&mut self.decoded);
        shrink(&mut self.spare);
        if message.body.len() > limit {
            return Err(TooLarge);
        }
        let mut flaws = BodyFlaws::default();
        let mut state = State {
            decoder: self,
            body: message.body,
            copied: false,
            limit,
        };
        let mut room = MAX_CODINGS;
        let mut chunked = false;
        for label in labels(message).iter().rev() {
            if label.eq_ignore_ascii_case(b"chunked") && !chunked {
                chunked = true;
                match state.chunked() {
                    Outcome::Cut => flaws.cut_transfer = true,
                    Outcome::NotCoded => flaws.mislabelled_transfer = true,
                    Outcome::Whole | Outcome::TooLarge => {}
                }
                continue;
            }
            let Some(named) = Coding::from_label(label).filter(|_| room > 0) else {
                flaws.undecoded_content = true;
                continue;
            };
            room -= 1;
            let coding = Coding::from_magic(state.bytes()).unwrap_or(named);
            flaws.mislabelled_content |= coding != named;
            state.content(coding, &mut flaws)?;
        }
        while unlabelled && room > 0 {
            let Some(coding) = Coding::from_magic(state.bytes()) else {
                break;
            };
            room -= 1;
            flaws.mislabelled_content = true;
            state.content(coding, &mut flaws)?;
        }
        let copied = state.copied;
        Ok((if copied { &self.decoded } else { message.body }, flaws))
    }
}

/// A body from which some codings were removed.
struct State<'d, 'r> {
    decoder: &'d mut BodyDecoder,
    body: &'r [u8],
    copied: bool,
    limit: usize,
}

impl State<'_, '_> {
    fn bytes(&self) -> &[u8] {
        if self.copied {
            &self.decoder.decoded
        } else {
            self.body
        }
    }

    fn chunked(&mut self) -> Outcome {
        self.step(|_, input, out, _| chunked::decode(input, out))
    }

    fn content(&mut self, coding: Coding, flaws: &mut BodyFlaws) -> Result<(), TooLarge> {
        if self.bytes().is_empty() {
            return Ok(());
        }
        match self.step(|codecs, input, out, limit| codecs.decode(coding, input, out, limit)) {
            Outcome::Whole => {}
            Outcome::Cut => flaws.cut_content = true,
            Outcome::NotCoded => flaws.mislabelled_content = true,
            Outcome::TooLarge => return Err(TooLarge),
        }
        Ok(())
    }

    /// Runs one decoder from the current bytes into the spare buffer, and swaps the two buffers if
    /// it decoded something.
    fn step(
        &mut self,
        decode: impl FnOnce(&mut Codecs, &[u8], &mut Vec<u8>, usize) -> Outcome,
    ) -> Outcome {
        let mut out = mem::take(&mut self.decoder.spare);
        out.clear();
        let input = if self.copied {
            &self.decoder.decoded
        } else {
            self.body
        };
        let outcome = decode(&mut self.decoder.codecs, input, &mut out, self.limit);
        if matches!(outcome, Outcome::Whole | Outcome::Cut) {
            mem::swap(&mut self.decoder.decoded, &mut out);
            self.copied = true;
        }
        self.decoder.spare = out;
        outcome
    }
}

/// Names of the codings in the order they were applied: content codings, then
/// transfer codings. `identity` and empty names are left out.
fn labels<'r>(message: &HttpMessage<'r>) -> Vec<&'r [u8]> {
    ["Content-Encoding", "Transfer-Encoding"]
        .into_iter()
        .flat_map(|name| message.values(name))
        .flat_map(|value| value.split(|&b| b == b','))
        .map(<[u8]>::trim_ascii)
        .filter(|label| !label.is_empty() && !label.eq_ignore_ascii_case(b"identity"))
        .collect()
}
