//! A page of a shard.

use serde::{Serialize, Serializer};
use std::ops::Range;
use warcsieve_page::rfc3339;

/// A page's row of `documents`, and the requested parts of its blocks. The buffers are reused for
/// the next page.
///
/// Serialized, it is the row without its text: the columns of `documents` by name and in their
/// order, with `date` in RFC 3339 format.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ShardPage {
    /// Identifier of the page.
    pub id: String,
    /// The content in the format given by the pipeline's `output`.
    #[serde(skip)]
    pub text: String,
    /// The first `<title>`.
    pub title: String,
    /// Target URI.
    pub url: String,
    /// `WARC-Date` in microseconds since 1970, UTC.
    #[serde(serialize_with = "as_rfc3339")]
    pub date: Option<i64>,
    /// Name of the input.
    pub warc_filename: String,
    /// Byte offset in the input of the gzip member or record with the page.
    pub warc_record_offset: i64,
    /// Bytes of that member in the input.
    pub warc_record_length: Option<i64>,
    /// `WARC-Record-ID`.
    pub warc_record_id: String,
    /// HTTP status.
    pub fetch_status: Option<i32>,
    /// `WARC-Payload-Digest`.
    pub content_digest: Option<String>,
    /// Whether the record agrees with its digest; `None` unless the pipeline requested the check.
    pub digest_verdict: Option<String>,
    /// Media type.
    pub content_mime_type: String,
    /// WHATWG name of the encoding.
    pub content_charset: String,
    /// How the encoding was detected.
    pub charset_source: String,
    /// Why the payload is incomplete.
    pub content_truncated: Option<String>,
    /// Language of most of the text.
    pub language: Option<String>,
    /// Share of that language, 0 to 1.
    pub language_score: Option<f32>,
    /// The language that the crawler found, as it wrote it.
    pub warc_language: Option<String>,
    /// Number of blocks of the page.
    pub n_blocks: i32,
    /// Number of content blocks.
    pub n_content_blocks: i32,
    /// How right the labels are expected to be, from 0 to 1.
    pub confidence: Option<f32>,
    /// Number of formulas of the page.
    pub n_formulas: i32,
    /// Bytes of the decoded page.
    pub html_bytes: i32,
    /// Bytes of `text`.
    pub text_bytes: i32,
    /// The pipeline's methods, joined by `+`.
    pub method: String,
    /// The words of the warnings, joined by `,`.
    pub warnings: Option<String>,
    /// The texts of all blocks, joined by `\n`; empty unless [`Parts::raw`](super::Parts::raw) was
    /// requested.
    #[serde(skip)]
    pub raw: String,
    /// The blocks in document order; empty unless blocks were requested.
    #[serde(skip)]
    pub blocks: Vec<ShardBlock>,
}

fn as_rfc3339<S: Serializer>(date: &Option<i64>, to: S) -> Result<S::Ok, S::Error> {
    date.map(rfc3339).serialize(to)
}

/// A block of a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShardBlock {
    /// Byte range of its text in [`ShardPage::raw`]; empty unless that was requested.
    pub raw: Range<u32>,
    /// Byte range of its text in [`ShardPage::text`]; `None` for boilerplate, and unless the
    /// pipeline's `output` is `text`.
    pub text: Option<Range<u32>>,
    /// Whether it is content; otherwise it is boilerplate.
    pub content: bool,
    /// 0 (boilerplate) to 1 (content).
    pub score: f32,
    /// Tokens with a letter or digit; 0 unless features were requested.
    pub words: u32,
    /// Tokens per line of 80 columns; 0 unless features were requested.
    pub text_density: f32,
}
