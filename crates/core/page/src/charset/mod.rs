//! Finds a page's character encoding, in the order of the WHATWG standards, and decodes the page.

mod guess;
mod prescan;
#[cfg(test)]
mod tests;

pub use guess::GUESS_BYTES;
pub use prescan::PRESCAN_BYTES;

use encoding_rs::{Encoding, ISO_8859_15, REPLACEMENT, UTF_8, WINDOWS_1252};
use std::borrow::Cow;
use warcsieve_warc::http::TooLarge;

/// How the encoding of a page was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum CharsetSource {
    /// Byte order mark.
    Bom,
    /// `charset` of the HTTP `Content-Type`; without an HTTP header, that of the record's
    /// `Content-Type`.
    Http,
    /// `<meta charset>` or `<meta http-equiv>`, or the encoding of an XML declaration.
    Meta,
    /// The bytes are valid UTF-8, and nothing was declared, or the declaration in the body is wrong.
    Utf8,
    /// Guessed from at most [`GUESS_BYTES`] of the body.
    Guess,
}

impl CharsetSource {
    /// The stable word of the column `charset_source`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Bom => "bom",
            Self::Http => "http",
            Self::Meta => "meta",
            Self::Utf8 => "utf8",
            Self::Guess => "guess",
        }
    }
}

/// What is known about a body's encoding from outside of the body.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints<'a> {
    /// The `charset` parameter of the transport's `Content-Type`.
    pub label: Option<&'a [u8]>,
    /// Whether to search for meta elements and XML declarations: the body is HTML or XHTML.
    pub html: bool,
    /// URL of the page; its top-level domain helps guessing.
    pub url: &'a str,
}

/// A body in UTF-8.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Decoded<'r> {
    /// The text, without a byte order mark.
    pub text: &'r str,
    /// The original encoding.
    pub encoding: &'static Encoding,
    /// How the encoding was found.
    pub source: CharsetSource,
    /// What was wrong with the encoding.
    pub flaws: TextFlaws,
}

/// What was wrong with a body's encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct TextFlaws {
    /// Bytes that are invalid in the encoding were replaced by U+FFFD.
    pub malformed: bool,
    /// The charset of the transport is not in the Encoding standard; it was ignored.
    pub unknown_label: bool,
    /// The body declares another encoding, but it is UTF-8.
    pub mislabelled: bool,
    /// The declared encoding is one that the standard does not decode
    /// (ISO-2022-KR, HZ and others): the text is a single U+FFFD.
    pub unsupported: bool,
}

/// Decodes a body. The encoding comes from the byte order mark, the transport label, or the meta
/// element or XML declaration. Without these it is UTF-8 if the whole body is valid UTF-8, else it
/// is guessed. A byte order mark and a transport label win even if the bytes contradict them (HTML
/// standard, encoding sniffing algorithm). A declaration in the body does not win over a body that
/// is UTF-8 beyond chance: editors write such pages, and browsers show them garbled.
///
/// Valid UTF-8 and ASCII are borrowed from `body`, everything else is decoded
/// into `buffer`, which holds at most `limit` bytes plus one step of growth.
///
/// # Errors
/// [`TooLarge`] if the text is over `limit` bytes.
pub fn decode<'r>(
    body: &'r [u8],
    hints: Hints<'_>,
    buffer: &'r mut String,
    limit: usize,
) -> Result<Decoded<'r>, TooLarge> {
    let mut flaws = TextFlaws::default();
    let (encoding, source, body) = match Encoding::for_bom(body) {
        Some((encoding, length)) => (encoding, CharsetSource::Bom, &body[length..]),
        None => {
            let http = hints.label.and_then(Encoding::for_label);
            flaws.unknown_label = hints.label.is_some() && http.is_none();
            let (encoding, source) = match http {
                Some(encoding) => (encoding, CharsetSource::Http),
                None => unlabelled(body, hints, &mut flaws),
            };
            (encoding, source, body)
        }
    };
    flaws.unsupported = encoding == REPLACEMENT && !body.is_empty();
    let text = match as_utf8(body, encoding) {
        Some(text) if text.len() > limit => return Err(TooLarge),
        Some(text) => text,
        None => {
            flaws.malformed = transcode(body, encoding, buffer, limit)?;
            buffer
        }
    };
    Ok(Decoded {
        text,
        encoding,
        source,
        flaws,
    })
}

/// The encoding that the body itself declares: with a byte order mark, a meta element, or an XML
/// declaration.
pub fn declared(body: &[u8]) -> Option<(&'static Encoding, CharsetSource)> {
    match Encoding::for_bom(body) {
        Some((encoding, _)) => Some((encoding, CharsetSource::Bom)),
        None => Some((prescan::declared(body)?, CharsetSource::Meta)),
    }
}

/// The encoding if neither a byte order mark nor the transport gives one.
fn unlabelled(
    body: &[u8],
    hints: Hints<'_>,
    flaws: &mut TextFlaws,
) -> (&'static Encoding, CharsetSource) {
    if let Some(encoding) = hints.html.then(|| prescan::declared(body)).flatten() {
        flaws.mislabelled = encoding != UTF_8 && is_utf8_beyond_chance(body, encoding);
        match flaws.mislabelled {
            true => (UTF_8, CharsetSource::Utf8),
            false => (encoding, CharsetSource::Meta),
        }
    } else if is_utf8(body) {
        (UTF_8, CharsetSource::Utf8)
    } else {
        (guess::guess(body, hints.url), CharsetSource::Guess)
    }
}

/// Whether the body is valid UTF-8. If a body is cut off, the character at its end may be
/// incomplete.
fn is_utf8(body: &[u8]) -> bool {
    let (valid, tail) = body.split_at(Encoding::utf8_valid_up_to(body));
    tail.is_empty()
        || (!valid.is_ascii() && std::str::from_utf8(tail).is_err_and(|e| e.error_len().is_none()))
}

/// Whether a body is valid UTF-8 that is hardly text in the declared encoding. In an encoding of Western Europe, one
/// character of UTF-8 is a nonsense like `Ã©`. In others a word may be valid UTF-8, as `Ді` in windows-1251 and 联通 in GBK
/// are.
fn is_utf8_beyond_chance(body: &[u8], declared: &'static Encoding) -> bool {
    const MIN_CHARS: usize = 8;
    let is_western = [WINDOWS_1252, ISO_8859_15].contains(&declared);
    let least = if is_western { 1 } else { MIN_CHARS };
    // Most bodies have only ASCII, or fail soon after it.
    let rest = &body[Encoding::ascii_valid_up_to(body)..];
    let leads = rest.iter().filter(|&&byte| byte >= 0xc0);
    !rest.is_empty() && is_utf8(rest) && leads.take(least).count() == least
}

/// The body itself, if it is valid UTF-8 that decoding would not change.
fn as_utf8<'r>(body: &'r [u8], encoding: &'static Encoding) -> Option<&'r str> {
    let same = encoding == UTF_8
        || (encoding.is_ascii_compatible() && Encoding::ascii_valid_up_to(body) == body.len());
    // Unlike `str::from_utf8` this uses SIMD; valid UTF-8 is always returned borrowed.
    match same.then(|| UTF_8.decode_without_bom_handling_and_without_replacement(body))?? {
        Cow::Borrowed(text) => Some(text),
        Cow::Owned(_) => None,
    }
}

/// Decodes the body into `out`, replacing its content; `true` if there were malformed bytes.
fn transcode(
    body: &[u8],
    encoding: &'static Encoding,
    out: &mut String,
    limit: usize,
) -> Result<bool, TooLarge> {
    out.clear();
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut rest = body;
    let mut malformed = false;
    loop {
        // Enough room to decode at least half of the rest, because no encoding grows more than
        // threefold.
        let room = (rest.len() + rest.len() / 2).min(limit - out.len()) + 16;
        out.reserve_exact(room);
        let (result, read, replaced) = decoder.decode_to_string(rest, out, true);
        rest = &rest[read..];
        malformed |= replaced;
        if out.len() > limit {
            return Err(TooLarge);
        }
        if result == encoding_rs::CoderResult::InputEmpty {
            return Ok(malformed);
        }
    }
}
