//! WARC files of `conversion` records, as Common Crawl's WET files.

use super::View;
use super::docno::{address, docno, one_line};
use data_encoding::{BASE32, HEXLOWER};
use sha1::{Digest, Sha1};
use std::borrow::Cow;
use std::fmt::Write;
use warcsieve_language::{UNDETERMINED, iso_639_3};
use warcsieve_page::rfc3339;
use warcsieve_render::TextFormat;

/// Appends the `warcinfo` record, which comes first in the file `name`. `first` is the first page of the file. Its date is
/// also that of the record, because the time of the export would make outputs differ.
pub(super) fn info(name: &str, first: Option<&View<'_>>, out: &mut String) {
    let block = concat!(
        "software: warcsieve/",
        env!("CARGO_PKG_VERSION"),
        "\r\nformat: WARC File Format 1.1\r\n"
    );
    let date = first.and_then(|view| view.page.date).unwrap_or_default();
    let headers = [
        ("WARC-Type", "warcinfo".into()),
        ("WARC-Record-ID", record_id(&["warcinfo", name])),
        ("WARC-Filename", one_line(name).into_owned()),
        ("WARC-Date", rfc3339(date)),
        ("Content-Type", "application/warc-fields".to_owned()),
    ];
    record(&headers, block, out);
}

/// Appends the record of a page.
pub(super) fn conversion(view: &View<'_>, out: &mut String) {
    let page = view.page;
    let url: Cow<'_, str> = match page.url.as_str() {
        "" => format!("urn:warcsieve:{}", docno(&page.id)).into(),
        url => address(url),
    };
    let digest = format!("sha1:{}", BASE32.encode(&Sha1::digest(view.text)));
    let media_type = match view.form {
        TextFormat::Text => "text/plain",
        TextFormat::Markdown => "text/markdown",
        TextFormat::Html => "text/html",
    };
    let kind = if view.raw { "raw" } else { media_type };
    let id = record_id(&[&page.warc_filename, &page.id, kind, &digest]);
    let mut headers = vec![
        ("WARC-Type", "conversion".to_owned()),
        ("WARC-Record-ID", id),
        ("WARC-Target-URI", url.into_owned()),
        ("WARC-Date", rfc3339(page.date.unwrap_or_default())),
    ];
    let origin = page.warc_record_id.as_str();
    if !origin.is_empty() {
        headers.push(("WARC-Refers-To", one_line(origin).into_owned()));
    }
    if origin.trim_matches(['<', '>']) != page.id {
        headers.push(("WARC-TREC-ID", docno(&page.id).into_owned()));
    }
    headers.push(("WARC-Block-Digest", digest));
    if let Some(language) = page
        .language
        .as_deref()
        .filter(|code| *code != UNDETERMINED)
    {
        let language = one_line(iso_639_3(language)).into_owned();
        headers.push(("WARC-Identified-Content-Language", language));
    }
    headers.push(("Content-Type", format!("{media_type}; charset=utf-8")));
    record(&headers, view.text, out);
}

/// Appends a record. Values of headers have no line ends.
fn record(headers: &[(&str, String)], block: &str, out: &mut String) {
    out.push_str("WARC/1.1\r\n");
    for (name, value) in headers {
        debug_assert!(!value.contains(char::is_control), "{name}");
        let _ = write!(out, "{name}: {value}\r\n");
    }
    let _ = write!(out, "Content-Length: {}\r\n\r\n", block.len());
    out.push_str(block);
    out.push_str("\r\n\r\n");
}

/// An id that depends on these texts alone: a UUID of version 8 (RFC 9562, section 5.8) made of their SHA-1.
fn record_id(of: &[&str]) -> String {
    let mut hash = Sha1::new();
    for text in of {
        hash.update(text.len().to_le_bytes());
        hash.update(text);
    }
    let mut id = [0; 16];
    id.copy_from_slice(&hash.finalize()[..16]);
    id[6] = 0x80 | id[6] & 0x0f;
    id[8] = 0x80 | id[8] & 0x3f;
    let hex = HEXLOWER.encode(&id);
    format!(
        "<urn:uuid:{}-{}-{}-{}-{}>",
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..]
    )
}
