//! Guesses an encoding that is not declared.

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use encoding_rs::Encoding;

/// The maximum number of bytes that a guess reads: the detector is far slower than decompression.
pub const GUESS_BYTES: usize = 16 << 10;

/// How many bytes before the first non-ASCII byte are read, so that the detector sees the letters
/// next to it.
const BEFORE: usize = 64;

/// How many ASCII bytes on each side of non-ASCII bytes the detector sees. It uses pairs of bytes,
/// and the word or number that a byte is in. So bytes further away add nothing, but they would take
/// as much time.
const AROUND: usize = 32;

/// Guesses the encoding of a body that is not ASCII, as browsers do. Reads [`GUESS_BYTES`] around
/// its first non-ASCII byte, and uses the URL's top-level domain as a hint.
pub(super) fn guess(body: &[u8], url: &str) -> &'static Encoding {
    let start = Encoding::ascii_valid_up_to(body).saturating_sub(BEFORE);
    let end = body.len().min(start + GUESS_BYTES);
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    for part in parts(&body[start..end]) {
        detector.feed(part, false);
    }
    detector.feed(b"", end == body.len());
    let domain = top_level_domain(url);
    detector.guess(domain.as_deref().map(str::as_bytes), Utf8Detection::Allow)
}

/// The non-ASCII bytes with [`AROUND`] bytes on each side, and the first [`AROUND`] bytes.
fn parts(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        // Always directly after non-ASCII bytes, or at the beginning.
        let mut at = 0;
        loop {
            let ascii = Encoding::ascii_valid_up_to(&rest[at..]);
            if ascii > 2 * AROUND || at + ascii == rest.len() {
                let part = &rest[..at + ascii.min(AROUND)];
                let is_last = at + ascii == rest.len();
                rest = if is_last {
                    &[]
                } else {
                    &rest[at + ascii - AROUND..]
                };
                return Some(part);
            }
            at += ascii;
            at += rest[at..]
                .iter()
                .take_while(|byte| !byte.is_ascii())
                .count();
        }
    })
}

/// The last label of the URL's host, in lower case. `None` for IP addresses and for everything else
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
    use proptest::prelude::*;

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

    #[test]
    fn long_stretches_of_ascii_are_left_out() {
        // Each byte differs from the bytes next to it.
        let ascii: String = ('0'..='z').collect();
        let (first, last) = (&ascii[..AROUND], &ascii[ascii.len() - AROUND..]);
        assert_eq!(ascii.len(), 2 * AROUND + 11);
        let kept = &ascii[..2 * AROUND];
        let cut = &ascii[..2 * AROUND + 1];
        for (text, expected) in [
            (String::new(), vec![]),
            (ascii.clone(), vec![first.to_owned()]),
            (format!("é{ascii}"), vec![format!("é{first}")]),
            (format!("é{kept}é"), vec![format!("é{kept}é")]),
            (
                format!("é{cut}é"),
                vec![format!("é{first}"), format!("{}é", &cut[AROUND + 1..])],
            ),
            (
                format!("{ascii}é{ascii}ß short ö{ascii}"),
                vec![
                    first.to_owned(),
                    format!("{last}é{first}"),
                    format!("{last}ß short ö{first}"),
                ],
            ),
        ] {
            let found: Vec<&[u8]> = parts(text.as_bytes()).collect();
            let expected: Vec<&[u8]> = expected.iter().map(|part| part.as_bytes()).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    fn of_all_bytes(body: &[u8], url: &str) -> &'static Encoding {
        let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
        detector.feed(body, true);
        let domain = top_level_domain(url);
        detector.guess(domain.as_deref().map(str::as_bytes), Utf8Detection::Allow)
    }

    /// Words in languages that have encodings of their own, each with such an encoding.
    const WORDS: [(&str, &Encoding); 12] = [
        ("été l’Île n.º1 « cœur » ª", encoding_rs::WINDOWS_1252),
        ("Größe für Übung „so“ ©", encoding_rs::WINDOWS_1252),
        ("źródło Łódź żółć", encoding_rs::WINDOWS_1250),
        ("příliš žluťoučký", encoding_rs::ISO_8859_2),
        ("привет Мир ЭТО", encoding_rs::WINDOWS_1251),
        ("привет Мир ЭТО", encoding_rs::KOI8_U),
        ("καλημέρα Κόσμε", encoding_rs::WINDOWS_1253),
        ("günaydın İğne", encoding_rs::WINDOWS_1254),
        ("日本語 テスト", encoding_rs::SHIFT_JIS),
        ("你好 世界", encoding_rs::GBK),
        ("你好 世界", encoding_rs::BIG5),
        ("안녕 세계", encoding_rs::EUC_KR),
    ];

    proptest! {
        #[test]
        fn bytes_that_are_left_out_do_not_change_the_guess(
            (words, encoding) in prop::sample::select(&WORDS),
            pieces in prop::collection::vec(
                (0..9usize, prop::collection::vec("[A-Za-z0-9<>=/.\"&;]{1,12}[ \n]", 0..40)), 1..12),
        ) {
            let words: Vec<&str> = words.split(' ').collect();
            let mut text = String::new();
            for (word, ascii) in pieces {
                text += words[word % words.len()];
                text.push(' ');
                text.extend(ascii);
            }
            let (body, ..) = encoding.encode(&text);
            prop_assert_eq!(guess(&body, "http://a.com/"), of_all_bytes(&body, "http://a.com/"));
        }
    }
}
