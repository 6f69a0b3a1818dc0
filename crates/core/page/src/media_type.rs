//! Media types: from headers, and from a payload's first bytes.

use encoding_rs::Encoding;

/// A media type from a header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct MediaType<'h> {
    /// `type/subtype`, lower case.
    pub essence: String,
    /// The `charset` parameter.
    pub charset: Option<&'h [u8]>,
}

impl<'h> MediaType<'h> {
    /// The media type of all `Content-Type` values together: the last valid one,
    /// with the charset of an earlier one of the same type if it has none itself
    /// (Fetch standard, "extract a MIME type").
    pub(super) fn from_values(values: impl Iterator<Item = &'h [u8]>) -> Option<Self> {
        let mut found: Option<Self> = None;
        for value in values.flat_map(|v| split_unquoted(v, b',')) {
            let Some(mut next) = Self::parse(value) else {
                continue;
            };
            if let Some(last) = found.filter(|last| last.essence == next.essence) {
                next.charset = next.charset.or(last.charset);
            }
            found = Some(next);
        }
        found
    }

    /// Parses one value: `type/subtype; name=value; name="value"`.
    fn parse(value: &'h [u8]) -> Option<Self> {
        let mut parts = split_unquoted(value, b';');
        let essence = parts.next()?.trim_ascii();
        let (main, sub) = essence.split_at(essence.iter().position(|&b| b == b'/')?);
        let is_token = |t: &[u8]| {
            !t.is_empty()
                && t.iter()
                    .all(|b| b.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(b))
        };
        if !is_token(main) || !is_token(&sub[1..]) || essence == b"*/*" {
            return None;
        }
        let charset = parts.find_map(|part| {
            let (name, value) = part.split_at(part.iter().position(|&b| b == b'=')?);
            let value = value[1..].trim_ascii();
            let value = value.strip_prefix(b"\"").unwrap_or(value);
            let value = value.strip_suffix(b"\"").unwrap_or(value);
            name.trim_ascii()
                .eq_ignore_ascii_case(b"charset")
                .then_some(value)
        });
        Some(Self {
            essence: String::from_utf8_lossy(essence).to_ascii_lowercase(),
            charset: charset.filter(|c| !c.is_empty()),
        })
    }
}

/// Splits at a separator outside of double quotes.
fn split_unquoted(value: &[u8], separator: u8) -> impl Iterator<Item = &[u8]> {
    let mut quoted = false;
    value.split(move |&b| {
        quoted ^= b == b'"';
        b == separator && !quoted
    })
}

/// Name of the binary format that a payload has by its first bytes, whatever the header says
/// (MIME Sniffing standard, §6).
pub(super) fn binary(payload: &[u8]) -> Option<&'static str> {
    const SIGNATURES: &[(&[u8], &str)] = &[
        (b"%PDF-", "PDF"),
        (b"\x89PNG\r\n\x1a\n", "PNG"),
        (b"\xff\xd8\xff", "JPEG"),
        (b"GIF87a", "GIF"),
        (b"GIF89a", "GIF"),
        (b"PK\x03\x04", "ZIP"),
        (b"Rar!\x1a\x07", "RAR"),
        (b"\x00\x00\x01\x00", "an icon"),
        (b"\x1f\x8b\x08", "gzip"),
        (b"7z\xbc\xaf\x27\x1c", "7-Zip"),
        (b"%!PS-Adobe-", "PostScript"),
        (b"II*\x00", "TIFF"),
        (b"MM\x00*", "TIFF"),
        (b"OggS\x00", "Ogg"),
        (b"\x1a\x45\xdf\xa3", "WebM"),
        (b"wOFF", "a font"),
        (b"wOF2", "a font"),
        (b"\x00asm", "WebAssembly"),
        (b"\x7fELF", "a program"),
        (b"SQLite format 3\x00", "SQLite"),
    ];
    let found = SIGNATURES
        .iter()
        .find(|(bytes, _)| payload.starts_with(bytes));
    // Formats that have their signature after a length.
    let later = || match (payload.get(..4), payload.get(4..8), payload.get(8..12)) {
        (Some(b"RIFF"), _, Some(b"WEBP")) => Some("WebP"),
        (Some(b"RIFF"), _, Some(b"WAVE" | b"AVI ")) => Some("RIFF"),
        (Some(length), Some(b"ftyp"), Some(_)) => is_box(length, payload).then_some("MP4"),
        _ => None,
    };
    found.map(|(_, name)| *name).or_else(later)
}

/// Whether these first bytes are the length of an MP4 box in the payload (MIME Sniffing standard, §6.2.1). Four letters
/// never are: as a number they are more than 100 MB.
fn is_box(length: &[u8], payload: &[u8]) -> bool {
    let length = length
        .iter()
        .fold(0, |sum, byte| sum << 8 | usize::from(*byte));
    length <= payload.len() && length.is_multiple_of(4)
}

/// What the media type in the header says about the payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DeclaredKind {
    /// HTML or XHTML.
    Html,
    /// Plain text, unless it begins as an HTML document.
    Text,
    /// XML: XHTML if it begins as an HTML document.
    Xml,
    /// Nothing: there is no type, or it is one that servers use for unknown content.
    Unknown,
    /// Something that is not a page.
    Other,
}

impl DeclaredKind {
    pub(super) fn of(essence: Option<&str>) -> Self {
        match essence {
            None | Some("application/octet-stream" | "application/unknown" | "unknown/unknown") => {
                Self::Unknown
            }
            Some("text/html" | "application/xhtml+xml" | "application/vnd.wap.xhtml+xml") => {
                Self::Html
            }
            Some("text/plain") => Self::Text,
            Some("text/xml" | "application/xml") => Self::Xml,
            Some(_) => Self::Other,
        }
    }

    /// Whether the payload's first bytes must decide.
    pub(super) fn needs_sniffing(self) -> bool {
        matches!(self, Self::Text | Self::Xml | Self::Unknown)
    }

    /// Whether the first bytes are those of HTML. For unknown types these are the HTML patterns of the MIME Sniffing
    /// standard (§7.1). A named type is overruled only by a doctype or `<html`. A byte order mark, white space and an
    /// XML declaration may come before.
    pub(super) fn begins_as_html(self, payload: &[u8]) -> bool {
        const DOCUMENT: &[&str] = &["!doctype html", "html"];
        const ANY: &[&str] = &[
            "!doctype html",
            "html",
            "head",
            "script",
            "iframe",
            "h1",
            "div",
            "font",
            "table",
            "a",
            "style",
            "title",
            "b",
            "body",
            "br",
            "p",
        ];
        let head = &payload[..payload.len().min(512)];
        let text = match Encoding::for_bom(head) {
            Some((encoding, length)) => encoding.decode_without_bom_handling(&head[length..]).0,
            None => String::from_utf8_lossy(head),
        };
        let mut text = text.trim_ascii_start();
        if text.starts_with("<?xml")
            && let Some(end) = text.find('>')
        {
            text = text[end + 1..].trim_ascii_start();
        }
        let Some(tag) = text.strip_prefix('<') else {
            return false;
        };
        let patterns = match self {
            Self::Unknown if tag.starts_with("!--") => return true,
            Self::Unknown => ANY,
            Self::Text | Self::Xml => DOCUMENT,
            Self::Html | Self::Other => return false,
        };
        patterns.iter().any(|name| {
            let (Some(start), Some(end)) = (tag.get(..name.len()), tag.as_bytes().get(name.len()))
            else {
                return false;
            };
            start.eq_ignore_ascii_case(name) && (end.is_ascii_whitespace() || *end == b'>')
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(values: &[&'static str]) -> (String, Option<&'static str>) {
        let found = MediaType::from_values(values.iter().map(|v| v.as_bytes()));
        found.map_or_else(Default::default, |m| {
            (
                m.essence,
                m.charset.map(|c| std::str::from_utf8(c).unwrap()),
            )
        })
    }

    #[test]
    fn mp4_is_distinguished_from_text_by_its_length() {
        assert_eq!(binary(b"\0\0\0\x10ftypisom\0\0\x02\0moov"), Some("MP4"));
        assert_eq!(binary(b"\0\0\0\x20ftypisom\0\0\x02\0"), None);
        assert_eq!(binary(b"<p>rftyp is no film, and this is a page"), None);
    }

    #[test]
    fn the_last_valid_content_type_counts() {
        let html = |charset| ("text/html".to_owned(), charset);
        assert_eq!(parse(&["text/html"]), html(None));
        assert_eq!(
            parse(&[" Text/HTML ;a=b; CharSet = UTF-8 "]),
            html(Some("UTF-8"))
        );
        assert_eq!(
            parse(&["text/html; charset=\"a;b,c\""]),
            html(Some("a;b,c"))
        );
        assert_eq!(parse(&["text/html;charset="]), html(None));
        assert_eq!(parse(&["text/html;\r\n charset=x"]), html(Some("x")));
        assert_eq!(parse(&["text/html; charset=x, text/html"]), html(Some("x")));
        assert_eq!(
            parse(&["text/html; charset=x", "text/html;charset=y"]),
            html(Some("y"))
        );
        assert_eq!(parse(&["text/plain; charset=x", "text/html"]), html(None));
        assert_eq!(parse(&["text/html", "*/*", "nonsense", ""]), html(None));
        for bad in [
            "",
            "html",
            "text/",
            "/html",
            "te xt/html",
            "*/*",
            ";charset=x",
        ] {
            assert_eq!(parse(&[bad]), Default::default(), "{bad}");
        }
    }

    #[test]
    fn html_is_recognised_by_its_first_bytes() {
        let yes: [(DeclaredKind, &[u8]); 9] = [
            (DeclaredKind::Unknown, b"<P>x"),
            (DeclaredKind::Unknown, b"\n <!-- x"),
            (DeclaredKind::Unknown, b"<a href=x>"),
            (DeclaredKind::Unknown, b"\xef\xbb\xbf<!DOCTYPE HTML PUBLIC"),
            (DeclaredKind::Unknown, b"\xff\xfe<\0H\x001\0>\0"),
            (DeclaredKind::Unknown, b"<?xml version='1.0'?>\n<html>"),
            (DeclaredKind::Text, b" <!doctype html>"),
            (DeclaredKind::Text, b"<HTML\n>"),
            (
                DeclaredKind::Xml,
                b"<?xml version='1.0'?><!DOCTYPE html PUBLIC",
            ),
        ];
        for (named, payload) in yes {
            assert!(named.begins_as_html(payload), "{payload:?}");
        }
        let no: [(DeclaredKind, &[u8]); 8] = [
            (DeclaredKind::Unknown, b"x <html>"),
            (DeclaredKind::Unknown, b"<abbr>"),
            (DeclaredKind::Unknown, b"<html"),
            (DeclaredKind::Unknown, b"<?xml version='1.0'?><rss>"),
            (DeclaredKind::Unknown, "<é".as_bytes()),
            (DeclaredKind::Text, b"<p>x"),
            (DeclaredKind::Text, b"<!-- x"),
            (DeclaredKind::Other, b"<html>"),
        ];
        for (named, payload) in no {
            assert!(!named.begins_as_html(payload), "{payload:?}");
        }
    }
}
