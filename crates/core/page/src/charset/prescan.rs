//! Finds the encoding that an HTML page declares (HTML standard, §13.2.3.2,
//! "prescan a byte stream to determine its encoding").

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};
use memchr::{memchr, memchr2_iter, memmem};

/// Bytes that the standard's prescan reads.
pub const PRESCAN_BYTES: usize = 1024;

const CHARSET: &[u8] = b"charset";

/// Elements whose content has no tags. `noscript` is not one of them: scripting is off.
const RAW_TEXT: [&[u8]; 8] = [
    b"script",
    b"style",
    b"textarea",
    b"title",
    b"xmp",
    b"iframe",
    b"noembed",
    b"noframes",
];

/// The encoding by prescan, by XML declaration, or by a later meta.
///
/// A later meta does what the parser calls "change the encoding" (§13.2.3.4): a meta after the prescanned bytes also
/// counts, unless it is in raw text. Takes time linear in the body; a body without any declaration is read to its end.
pub(super) fn declared(body: &[u8]) -> Option<&'static Encoding> {
    let start = &body[..body.len().min(PRESCAN_BYTES)];
    // The standard recognises UTF-16 by `<?x`. Any other tag is as certain, because no encoding of bytes begins with
    // `<` and a zero.
    match start {
        [b'<', 0, b'!' | b'?' | b'a'..=b'z' | b'A'..=b'Z', 0, ..] => return Some(UTF_16LE),
        [0, b'<', 0, b'!' | b'?' | b'a'..=b'z' | b'A'..=b'Z', ..] => return Some(UTF_16BE),
        _ => {}
    }
    Scan::new(start, false)
        .run()
        .or_else(|| xml_declaration(start))
        .or_else(|| {
            has_charset(body)
                .then(|| Scan::new(body, true).run())
                .flatten()
        })
}

/// Whether the word `charset`, which every declaration has, is anywhere in the bytes. Reading all tags takes three
/// times as long.
fn has_charset(body: &[u8]) -> bool {
    let has_it = |at: usize| {
        let word = body[at..].get(..CHARSET.len());
        word.is_some_and(|word| word.eq_ignore_ascii_case(CHARSET))
    };
    memchr2_iter(b'c', b'C', body).any(has_it)
}

/// A position in the bytes. Every step that runs out of bytes returns `None`,
/// which ends the scan, as the standard requires.
struct Scan<'b> {
    bytes: &'b [u8],
    at: usize,
    skip_raw_text: bool,
}

impl<'b> Scan<'b> {
    fn new(bytes: &'b [u8], skip_raw_text: bool) -> Self {
        Self {
            bytes,
            at: 0,
            skip_raw_text,
        }
    }

    fn run(&mut self) -> Option<&'static Encoding> {
        loop {
            self.at += memchr(b'<', self.rest())?;
            match self.rest() {
                [b'<', b'!', b'-', b'-', ..] => {
                    // The dashes of `<!--` may also be those of `-->`.
                    self.at += 2;
                    self.at += memmem::find(self.rest(), b"-->")? + 2;
                }
                [b'<', b'/', b, ..] if b.is_ascii_alphabetic() => self.tag()?,
                [b'<', b, ..] if b.is_ascii_alphabetic() => {
                    let name = self.tag_name()?;
                    if name.eq_ignore_ascii_case(b"meta") && self.byte()? != b'>' {
                        if let Some(encoding) = self.meta()? {
                            return Some(encoding);
                        }
                    } else {
                        self.tag()?;
                        self.raw_text(name)?;
                    }
                }
                [b'<', b'!' | b'/' | b'?', ..] => self.at += memchr(b'>', self.rest())?,
                _ => {}
            }
            self.at += 1;
        }
    }

    fn rest(&self) -> &'b [u8] {
        &self.bytes[self.at.min(self.bytes.len())..]
    }

    fn byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Advances to the first byte that `fits`, and returns the bytes before it.
    fn until(&mut self, fits: impl Fn(u8) -> bool) -> Option<&'b [u8]> {
        let length = self.rest().iter().position(|&b| fits(b))?;
        let passed = &self.rest()[..length];
        self.at += length;
        Some(passed)
    }

    /// The name of the start tag here. It ends at white space, `/` or `>`. Advances only past
    /// `meta`, so that its attributes can be read; other tags are skipped whole.
    fn tag_name(&mut self) -> Option<&'b [u8]> {
        let start = self.at + 1;
        let length = self.bytes[start..]
            .iter()
            .position(|&b| is_space(b) || b == b'/' || b == b'>')?;
        let name = &self.bytes[start..start + length];
        if name.eq_ignore_ascii_case(b"meta") {
            self.at = start + length;
        }
        Some(name)
    }

    /// Skips a tag with its attributes.
    fn tag(&mut self) -> Option<()> {
        self.until(|b| is_space(b) || b == b'>')?;
        while self.attribute()?.is_some() {}
        Some(())
    }

    /// Skips the content of a raw-text element.
    fn raw_text(&mut self, name: &[u8]) -> Option<()> {
        if !self.skip_raw_text || !RAW_TEXT.iter().any(|t| name.eq_ignore_ascii_case(t)) {
            return Some(());
        }
        loop {
            self.at += memchr(b'<', self.rest())?;
            let end = self.rest().get(1..name.len() + 2)?;
            if end[0] == b'/' && end[1..].eq_ignore_ascii_case(name) {
                self.at -= 1; // the caller advances
                return Some(());
            }
            self.at += 1;
        }
    }

    /// The encoding that the meta tag here declares; the inner `None` if it declares none.
    fn meta(&mut self) -> Option<Option<&'static Encoding>> {
        let (mut seen_pragma, mut seen_content, mut seen_charset) = (false, false, false);
        let mut got_pragma = false;
        let mut need_pragma = None;
        let mut charset = None;
        while let Some((name, value)) = self.attribute()? {
            let first = |seen: &mut bool| !std::mem::replace(seen, true);
            if name.eq_ignore_ascii_case(b"http-equiv") && first(&mut seen_pragma) {
                got_pragma = value.eq_ignore_ascii_case(b"content-type");
            } else if name.eq_ignore_ascii_case(b"content") && first(&mut seen_content) {
                let found = from_content(value).and_then(Encoding::for_label);
                if found.is_some() && charset.is_none() {
                    charset = Some(found);
                    need_pragma = Some(true);
                }
            } else if name.eq_ignore_ascii_case(CHARSET) && first(&mut seen_charset) {
                charset = Some(Encoding::for_label(value));
                need_pragma = Some(false);
            }
        }
        let applies = need_pragma.is_some_and(|needed| got_pragma || !needed);
        let encoding = charset.flatten().filter(|_| applies).map(not_utf16);
        Some(encoding.map(|e| if e == X_USER_DEFINED { WINDOWS_1252 } else { e }))
    }

    /// The standard's "get an attribute"; the inner `None` at the tag's end.
    fn attribute(&mut self) -> Option<Option<(&'b [u8], &'b [u8])>> {
        self.until(|b| !is_space(b) && b != b'/')?;
        if self.byte()? == b'>' {
            return Some(None);
        }
        let start = self.at;
        self.at += 1; // a leading `=` belongs to the name
        self.until(|b| is_space(b) || matches!(b, b'=' | b'/' | b'>'))?;
        let name = &self.bytes[start..self.at];
        self.until(|b| !is_space(b))?;
        if self.byte()? != b'=' {
            return Some(Some((name, b"")));
        }
        self.at += 1;
        self.until(|b| !is_space(b))?;
        let value = match self.byte()? {
            quote @ (b'"' | b'\'') => {
                self.at += 1;
                let value = self.until(|b| b == quote)?;
                self.at += 1;
                value
            }
            _ => self.until(|b| is_space(b) || b == b'>')?,
        };
        Some(Some((name, value)))
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | 0x0c | b'\r' | b' ')
}

/// Replaces UTF-16 by UTF-8: a declaration in ASCII bytes cannot be UTF-16.
fn not_utf16(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16LE || encoding == UTF_16BE {
        UTF_8
    } else {
        encoding
    }
}

/// The standard's "extracting a character encoding from a meta element" (§2.6.5): its label.
fn from_content(content: &[u8]) -> Option<&[u8]> {
    let skip_space = |s: &'_ [u8]| s.iter().take_while(|&&b| is_space(b)).count();
    let mut rest = content;
    loop {
        let found = rest
            .windows(CHARSET.len())
            .position(|w| w.eq_ignore_ascii_case(CHARSET))?;
        rest = &rest[found + CHARSET.len()..];
        rest = &rest[skip_space(rest)..];
        if let [b'=', value @ ..] = rest {
            let value = &value[skip_space(value)..];
            return match value {
                [quote @ (b'"' | b'\''), label @ ..] => Some(&label[..memchr(*quote, label)?]),
                [] => None,
                _ => value.split(|&b| is_space(b) || b == b';').next(),
            };
        }
    }
}

/// The standard's "get an XML encoding".
fn xml_declaration(bytes: &[u8]) -> Option<&'static Encoding> {
    if !bytes.starts_with(b"<?xml") {
        return None;
    }
    let declaration = &bytes[..memchr(b'>', bytes)?];
    let rest = &declaration[memmem::find(declaration, b"encoding")? + 8..];
    let trim = |s: &'_ [u8]| s.iter().take_while(|&&b| b <= b' ').count();
    let rest = rest[trim(rest)..].strip_prefix(b"=")?;
    let (quote, rest) = rest[trim(rest)..].split_first()?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let label = &rest[..memchr(*quote, rest)?];
    if label.iter().any(|&b| b <= b' ') {
        return None;
    }
    Encoding::for_label(label).map(not_utf16)
}
