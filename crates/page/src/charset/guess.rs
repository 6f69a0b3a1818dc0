//! Guesses an encoding that is not declared.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::Encoding;

/// Most bytes that a guess reads: the detector is far slower than decompression.
pub const GUESS_BYTES: usize = 16 << 10;

/// Bytes before the first one that is not ASCII, so that the detector sees the letters next to it.
const BEFORE: usize = 64;

/// Guesses the encoding of a body that is not ASCII as browsers do, from [`GUESS_BYTES`] around
/// its first byte that is not ASCII, with the URL's top-level domain as a hint.
pub(super) fn guess(body: &[u8], url: &str) -> &'static Encoding {
    let start = Encoding::ascii_valid_up_to(body).saturating_sub(BEFORE);
    let end = body.len().min(start + GUESS_BYTES);
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&body[start..end], end == body.len());
    let domain = top_level_domain(url);
    detector.guess(domain.as_deref().map(str::as_bytes), Utf8Detection::Allow)
}

/// The last label of the URL's host, in lower case; `None` for IP addresses and everything else
/// that is not a name.
fn top_level_domain(url: &str) -> Option<String> {
    let authority = url
        .split_once("://")?
        .1
        .split(['/', '?', '#', '\\'])
        .next()?;
    let host = authority.rsplit('@').next()?.split(':').next()?;
    let label = host.trim_end_matches('.').rsplit('.').next()?;
    let is_name = label.starts_with(|c: char| c.is_ascii_alphabetic())
        && label
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b == b'-');
    is_name.then(|| label.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_level_domain_of_a_url_is_found() {
        for (url, tld) in [
            ("http://example.co.JP/a.b", Some("jp")),
            ("https://user:p.w@example.ru.:8080?x=.com", Some("ru")),
            ("http://example.xn--p1ai#a", Some("xn--p1ai")),
            ("http://127.0.0.1/", None),
            ("http://[::1]/", None),
            ("http://пример.рф/", None),
            ("http://", None),
            ("dns:example.com", None),
            ("", None),
        ] {
            assert_eq!(top_level_domain(url).as_deref(), tld, "{url}");
        }
    }

    #[test]
    fn the_guess_reads_the_bytes_that_are_not_ascii() {
        let mut body = vec![b' '; 100_000];
        let (text, ..) = encoding_rs::SHIFT_JIS
            .encode("日本語のページです。これは文字コードの推定を試すための文章です。");
        body.extend_from_slice(&text);
        assert_eq!(guess(&body, "http://example.com/"), encoding_rs::SHIFT_JIS);
    }

    #[test]
    fn the_domain_decides_between_similar_encodings() {
        let (text, ..) = encoding_rs::WINDOWS_1251.encode("привет");
        assert_eq!(
            guess(&text, "http://example.ru/"),
            encoding_rs::WINDOWS_1251
        );
        assert_eq!(guess(&text, "http://example.gr/"), encoding_rs::ISO_8859_7);
    }
}
