//! The words of the column `warnings`.

use crate::charset::TextFlaws;
use warcsieve_warc::RecordFlaws;
use warcsieve_warc::http::BodyFlaws;

const CUT_CONTENT_ENCODING: &str = "cut_content_encoding";
const CUT_OFF: &str = "cut_off";
const CUT_TRANSFER_ENCODING: &str = "cut_transfer_encoding";
const MALFORMED_TEXT: &str = "malformed_text";
const MISLABELLED_CHARSET: &str = "mislabelled_charset";
const MISLABELLED_CONTENT_ENCODING: &str = "mislabelled_content_encoding";
const MISLABELLED_CONTENT_TYPE: &str = "mislabelled_content_type";
const MISLABELLED_TRANSFER_ENCODING: &str = "mislabelled_transfer_encoding";
const SUSPECT_MEMBER: &str = "suspect_member";
const TOO_DEEP: &str = "too_deep";
const UNCLOSED_RAW_TEXT: &str = "unclosed_raw_text";
const UNDECODED_CONTENT_ENCODING: &str = "undecoded_content_encoding";
const UNENDED_HTTP_HEADER: &str = "unended_http_header";
const UNKNOWN_CHARSET: &str = "unknown_charset";
const UNSUPPORTED_CHARSET: &str = "unsupported_charset";
const WRONG_LENGTH: &str = "wrong_length";

/// Every word that the column `warnings` can hold, with its meaning, sorted.
pub static WARNINGS: &[(&str, &str)] = &[
    (
        CUT_CONTENT_ENCODING,
        "content decoding failed half way or its checksum does not match; the text is what came before",
    ),
    (CUT_OFF, "the input ended inside the record"),
    (
        CUT_TRANSFER_ENCODING,
        "the last chunk is missing; the text is what came before",
    ),
    (
        MALFORMED_TEXT,
        "bytes that are invalid in the encoding became U+FFFD",
    ),
    (
        MISLABELLED_CHARSET,
        "the page declares another encoding, but its bytes are UTF-8, and they were decoded as UTF-8",
    ),
    (
        MISLABELLED_CONTENT_ENCODING,
        "Content-Encoding names another coding than that of the bytes; they were decoded by their own coding, or kept",
    ),
    (
        MISLABELLED_CONTENT_TYPE,
        "the named media type was overruled by the payload's first bytes",
    ),
    (
        MISLABELLED_TRANSFER_ENCODING,
        "Transfer-Encoding says that the body is chunked, but it is not; it was kept unchanged",
    ),
    (
        SUSPECT_MEMBER,
        "the checksum of the member that holds the record does not match",
    ),
    (
        TOO_DEEP,
        "elements deeper than max_depth were attached at that depth",
    ),
    (
        UNCLOSED_RAW_TEXT,
        "a title, script or other raw text element was never closed and was ended early",
    ),
    (
        UNDECODED_CONTENT_ENCODING,
        "a content coding is unknown or nested too deep and was not decoded",
    ),
    (UNENDED_HTTP_HEADER, "no blank line ends the HTTP header"),
    (
        UNKNOWN_CHARSET,
        "the Encoding standard does not know the charset of Content-Type; it was ignored",
    ),
    (
        UNSUPPORTED_CHARSET,
        "the Encoding standard does not decode the declared encoding; the text is a single U+FFFD",
    ),
    (
        WRONG_LENGTH,
        "Content-Length of the record was absent or wrong; the record was cut at the next boundary",
    ),
];

/// All flaws that were found while reading a page.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PageFlaws {
    pub record: RecordFlaws,
    pub unended_header: bool,
    pub body: BodyFlaws,
    pub sniffed_against_header: bool,
    pub text: TextFlaws,
}

impl PageFlaws {
    /// The words, sorted.
    pub(super) fn words(&self) -> Vec<&'static str> {
        let Self {
            record, body, text, ..
        } = self;
        [
            (body.cut_content, CUT_CONTENT_ENCODING),
            (record.cut_off, CUT_OFF),
            (body.cut_transfer, CUT_TRANSFER_ENCODING),
            (text.malformed, MALFORMED_TEXT),
            (text.mislabelled, MISLABELLED_CHARSET),
            (body.mislabelled_content, MISLABELLED_CONTENT_ENCODING),
            (self.sniffed_against_header, MISLABELLED_CONTENT_TYPE),
            (body.mislabelled_transfer, MISLABELLED_TRANSFER_ENCODING),
            (record.suspect, SUSPECT_MEMBER),
            (body.undecoded_content, UNDECODED_CONTENT_ENCODING),
            (self.unended_header, UNENDED_HTTP_HEADER),
            (text.unknown_label, UNKNOWN_CHARSET),
            (text.unsupported, UNSUPPORTED_CHARSET),
            (record.wrong_length, WRONG_LENGTH),
        ]
        .into_iter()
        .filter_map(|(is, word)| is.then_some(word))
        .collect()
    }

    /// Why reading stopped early, if it did.
    pub(super) fn cut(&self) -> Option<&'static str> {
        [
            (self.record.cut_off, CUT_OFF),
            (self.body.cut_transfer, CUT_TRANSFER_ENCODING),
            (self.body.cut_content, CUT_CONTENT_ENCODING),
        ]
        .into_iter()
        .find_map(|(is, word)| is.then_some(word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_contains_every_word() {
        assert!(WARNINGS.windows(2).all(|w| w[0].0 < w[1].0));
        let all = PageFlaws {
            record: RecordFlaws {
                wrong_length: true,
                cut_off: true,
                suspect: true,
                too_large: true,
            },
            unended_header: true,
            body: BodyFlaws {
                mislabelled_transfer: true,
                cut_transfer: true,
                mislabelled_content: true,
                undecoded_content: true,
                cut_content: true,
            },
            sniffed_against_header: true,
            text: TextFlaws {
                malformed: true,
                unknown_label: true,
                mislabelled: true,
                unsupported: true,
            },
        };
        let words = all.words();
        let of_markup = [TOO_DEEP, UNCLOSED_RAW_TEXT];
        let known = WARNINGS
            .iter()
            .map(|w| w.0)
            .filter(|w| !of_markup.contains(w));
        assert_eq!(words, known.collect::<Vec<_>>());
        assert!(PageFlaws::default().words().is_empty());
    }
}
