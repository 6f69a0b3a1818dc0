//! Turns a record into a page.

use super::media_type::{DeclaredKind, MediaType, binary};
use super::warning::PageFlaws;
use super::{Page, PageKind, Skip, SkipReason, auxiliary, date};
use crate::charset::{self, Hints};
use crate::options::PageOptions;
use warcsieve_common::BUFFER_LIMIT;
use warcsieve_warc::Record;
use warcsieve_warc::RecordType;
use warcsieve_warc::http::{BodyDecoder, HttpMessage, TooLarge};

/// Turns records into pages. Use one per worker; its buffers are reused.
///
/// Memory in addition to the record: at most three times `max_page_bytes` and the
/// windows of [`BodyDecoder`]. Buffers that grew over [`BUFFER_LIMIT`] are
/// dropped before the next page.
#[derive(Default)]
pub struct PageReader {
    decoder: BodyDecoder,
    text: String,
}

impl PageReader {
    /// Decodes the record's payload. The caller must have checked [`PageOptions::selects`] before.
    ///
    /// A `response` holds an HTTP message, or a bare payload labelled
    /// `application/http`; a `resource` or `conversion` holds a payload of the
    /// record's own `Content-Type`, unless that is `application/http`.
    ///
    /// # Errors
    /// A [`Skip`] for a record that is no page, status, content type or size, checked in this
    /// order.
    pub fn read<'r>(
        &'r mut self,
        record: &'r Record,
        options: &PageOptions,
    ) -> Result<Page<'r>, Skip> {
        if self.text.capacity() > BUFFER_LIMIT {
            self.text = String::new();
        }
        let url = bare(record.header("WARC-Target-URI").unwrap_or_default());
        if let Some(kind) = auxiliary::kind(record, &url) {
            return Err(Skip {
                reason: SkipReason::NotAPage,
                detail: format!("a {kind} record, which the crawler wrote beside its pages"),
            });
        }
        let (message, declared) = open(record)?;
        check_status(message.status, options)?;

        let declared_kind = DeclaredKind::of(declared.as_ref().map(|d| d.essence.as_str()));
        let found = declared.as_ref().map_or("none", |d| d.essence.as_str());
        let refused = |what: &str| {
            let detail = format!("content type {found}{what}");
            Skip {
                reason: SkipReason::ContentType,
                detail,
            }
        };
        if declared_kind == DeclaredKind::Other && !options.any_content_type {
            return Err(refused(""));
        }
        let limit = options.max_page_bytes;
        if record.flaws.too_large {
            let bytes = record.body().len();
            let detail =
                format!("record of {bytes} bytes or more, beyond the reader's record limit");
            return Err(Skip {
                reason: SkipReason::TooLarge,
                detail,
            });
        }
        let unlabelled = matches!(declared_kind, DeclaredKind::Html);
        let (body, body_flaws) = self
            .decoder
            .decode(&message, unlabelled, limit)
            .map_err(|TooLarge| too_large("body", message.body.len(), limit))?;

        if let Some(what) = binary(body).filter(|_| !options.any_content_type) {
            return Err(refused(&format!(", and the payload is {what}")));
        }
        let sniffed = declared_kind.needs_sniffing() && declared_kind.begins_as_html(body);
        let kind = match declared_kind {
            DeclaredKind::Text if !sniffed => PageKind::Text,
            DeclaredKind::Xml | DeclaredKind::Unknown if !sniffed && !options.any_content_type => {
                return Err(refused(", and the payload does not begin as HTML"));
            }
            _ => PageKind::Html,
        };
        let hints = Hints {
            label: declared.as_ref().and_then(|d| d.charset),
            html: kind == PageKind::Html,
            url: &url,
        };
        let text = charset::decode(body, hints, &mut self.text, limit)
            .map_err(|TooLarge| too_large("text", body.len(), limit))?;

        let flaws = PageFlaws {
            record: record.flaws,
            unended_header: message.unended,
            body: body_flaws,
            sniffed_against_header: sniffed && declared.is_some(),
            text: text.flaws,
        };
        let mime = match declared {
            Some(declared) if !sniffed => declared.essence,
            _ if kind == PageKind::Html => "text/html".to_owned(),
            _ => "text/plain".to_owned(),
        };
        Ok(Page {
            id: page_id(record),
            record_id: lossy(record.header("WARC-Record-ID").unwrap_or_default()),
            url,
            date: record.header("WARC-Date").and_then(date::parse),
            status: message.status,
            digest: record.header("WARC-Payload-Digest").map(lossy),
            mime,
            kind,
            payload: text.text,
            charset: text.encoding.name(),
            charset_source: text.source,
            truncated: record
                .header("WARC-Truncated")
                .map(lossy)
                .or_else(|| is_segment(record).then(|| "segmented".to_owned()))
                .or_else(|| flaws.cut().map(str::to_owned)),
            language: record.header("WARC-Identified-Content-Language").map(lossy),
            x_robots_tag: message.values("X-Robots-Tag").map(lossy).collect(),
            tdm_reservation: message.header("TDM-Reservation").map(lossy),
            http_headers: options
                .http_headers
                .iter()
                .map(|name| joined(&message, name))
                .collect(),
            warnings: flaws.words(),
        })
    }
}

/// Whether the rest of the page is in other records (WARC 1.1, section 7).
fn is_segment(record: &Record) -> bool {
    record.header("WARC-Segment-Number").is_some()
}

/// The HTTP message or bare payload of a record, with the payload's media type.
fn open(record: &Record) -> Result<(HttpMessage<'_>, Option<MediaType<'_>>), Skip> {
    let own = MediaType::from_values(record.header("Content-Type").into_iter());
    let is_response = record.record_type() == RecordType::Response;
    let is_http = match &own {
        Some(own) => own.essence == "application/http",
        None => is_response,
    };
    if (is_http || is_response)
        && let Some(message) = HttpMessage::parse(record.body())
    {
        return Ok((
            message,
            MediaType::from_values(message.values("Content-Type")),
        ));
    }
    let message = HttpMessage::bare(record.body());
    match own {
        _ if is_http => Ok((message, None)),
        Some(own) if is_response => Err(Skip {
            reason: SkipReason::ContentType,
            detail: format!(
                "response of content type {}, not application/http",
                own.essence
            ),
        }),
        own => Ok((message, own)),
    }
}

fn check_status(status: Option<u16>, options: &PageOptions) -> Result<(), Skip> {
    match status {
        Some(code) if !options.any_status && !(200..300).contains(&code) => Err(Skip {
            reason: SkipReason::Status,
            detail: format!("HTTP status {code}"),
        }),
        _ => Ok(()),
    }
}

fn too_large(what: &str, bytes: usize, limit: usize) -> Skip {
    let detail = if bytes > limit {
        format!("{what} of {bytes} bytes, max_page_bytes is {limit}")
    } else {
        format!("{what} of {bytes} bytes decodes to more than max_page_bytes {limit}")
    };
    Skip {
        reason: SkipReason::TooLarge,
        detail,
    }
}

/// The id of the page in a record; see [`Page::id`].
pub fn page_id(record: &Record) -> String {
    let name = ["WARC-TREC-ID", "ClueWeb22-ID", "WARC-Record-ID"]
        .into_iter()
        .find_map(|name| record.header(name).filter(|value| !value.is_empty()));
    bare(name.unwrap_or_default())
}

/// The values of an HTTP header, joined as RFC 9110 (§5.3) says; `None` if there is none.
fn joined(message: &HttpMessage<'_>, name: &str) -> Option<String> {
    let values: Vec<_> = message.values(name).map(lossy).collect();
    (!values.is_empty()).then(|| values.join(", "))
}

/// A value without the angle brackets around it.
fn bare(value: &[u8]) -> String {
    let inner = value.strip_prefix(b"<").and_then(|v| v.strip_suffix(b">"));
    lossy(inner.unwrap_or(value))
}

/// A value with U+FFFD for what no header may have: bytes that are not UTF-8, and controls.
fn lossy(value: &[u8]) -> String {
    let text = String::from_utf8_lossy(value);
    match text.contains(char::is_control) {
        true => text.replace(char::is_control, "\u{fffd}"),
        false => text.into_owned(),
    }
}
