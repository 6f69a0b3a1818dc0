//! Inputs that are pages: files of HTML, not crawls.

use super::endings::{is_named_crawl, is_named_page, is_named_wacz};
use super::input::{Input, InputKind};
use flate2::read::GzDecoder;
use serde::Deserialize;
use std::borrow::Cow;
use std::io::{self, ErrorKind, Read};
use std::path::Path;
use warcsieve_common::{Error, Result};
use warcsieve_warc::{Limits, PageFile, begins_like_crawl};

/// Number of first bytes that distinguish a page from a crawl.
pub(super) const BEGINNING: usize = 1024;

/// Most bytes of the `.meta.json` file next to a page.
const META: u64 = 1 << 20;

/// Whether an argument is a web address that is not named like a crawl, so that it may be a page.
pub fn may_be_page_address(argument: &str) -> bool {
    let scheme = argument
        .split_once("://")
        .map(|(scheme, _)| scheme.to_ascii_lowercase());
    let is_web = scheme.is_some_and(|scheme| scheme == "http" || scheme == "https");
    let last = last_part(argument);
    is_web && !is_named_crawl(last) && !is_named_wacz(last)
}

/// The last part of an address's path.
fn last_part(address: &str) -> &str {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let path = path.split_once("://").map_or("", |(_, rest)| rest);
    let path = path.split_once('/').map_or("", |(_, path)| path);
    path.rsplit('/').next().unwrap_or_default()
}

/// Whether an argument is the web address of a page, by its last part: named like a page, as
/// `index.html`, like a program that makes pages, as `view.php?id=1`, or like a folder. Any other
/// address may be a crawl, whatever its name.
pub(super) fn is_page_address(argument: &str) -> bool {
    if !warcsieve_store::is_web(argument) || argument.contains(['*', '[']) {
        return false;
    }
    let last = last_part(argument);
    let Some((_, ending)) = last.rsplit_once('.') else {
        return last.is_empty();
    };
    is_named_page(last) || is_program(ending)
}

/// Whether programs that make pages have names of this ending.
pub(super) fn is_program(ending: &str) -> bool {
    ["php", "asp", "aspx", "jsp", "cgi", "shtml"]
        .iter()
        .any(|program| ending.eq_ignore_ascii_case(program))
}

/// Whether an input with this name and beginning is a page. A page under the name of a crawl does
/// not count: mostly a server sent it instead of the crawl.
pub(super) fn is_page(name: &str, beginning: &[u8]) -> bool {
    let lower = name.to_ascii_lowercase();
    if is_named_crawl(&lower) || is_named_page(&lower) && lower.ends_with(".gz") {
        return is_named_page(&lower);
    }
    let beginning = inflated(beginning);
    match is_named_page(&lower) {
        true => !begins_like_crawl(&beginning),
        false => begins_like_page(&beginning),
    }
}

/// The beginning of the bytes inside gzip, whatever the name of the file. Returns bytes that cannot
/// be inflated unchanged.
pub(super) fn inflated(beginning: &[u8]) -> Cow<'_, [u8]> {
    if !beginning.starts_with(&[0x1f, 0x8b]) {
        return beginning.into();
    }
    let mut text = Vec::new();
    // The gzip stream is cut off here. That is not an error of the file.
    let _ = GzDecoder::new(beginning)
        .take(BEGINNING as u64)
        .read_to_end(&mut text);
    match text.is_empty() {
        true => beginning.into(),
        false => text.into(),
    }
}

/// Whether text begins like a web page.
pub fn begins_like_page(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = text.trim_ascii_start();
    let begins = |with: &str| {
        let begin = text.get(..with.len());
        begin.is_some_and(|b| b.eq_ignore_ascii_case(with.as_bytes()))
    };
    // XML is often something other than a page.
    if begins("<?xml") {
        return text.windows(5).any(|w| w.eq_ignore_ascii_case(b"<html"));
    }
    match text {
        [b'<', b'!', ..] => begins("<!doctype html") || begins("<!--"),
        [b'<', letter, ..] => letter.is_ascii_alphabetic(),
        _ => false,
    }
}

/// What the file next to a page says about it: `page.html.meta.json` for `page.html`. Other keys
/// are ignored.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Meta {
    /// The page's address.
    url: Option<String>,
    /// When it was fetched, as `WARC-Date`.
    date: Option<String>,
}

/// The reader of a page: one record with what is known about the page.
pub(super) fn reader(
    input: &Input,
    bytes: Box<dyn Read + Send>,
    limits: Limits,
) -> Result<PageFile> {
    let meta = match &input.kind {
        InputKind::File(path) => read_meta(path)?,
        InputKind::Object(_) | InputKind::Zipped(_) | InputKind::Stdin => Meta::default(),
    };
    let of_web = match &input.kind {
        InputKind::Object(object) => Some(object.address().to_owned()),
        InputKind::File(_) | InputKind::Zipped(_) | InputKind::Stdin => None,
    };
    let of_web = of_web.filter(|address| warcsieve_store::is_web(address));
    let name = input.name.to_ascii_lowercase();
    let is_xhtml = name
        .strip_suffix(".gz")
        .unwrap_or(&name)
        .ends_with(".xhtml");
    let mime = if is_xhtml {
        "application/xhtml+xml"
    } else {
        "text/html"
    };
    let mut headers = vec![
        ("Content-Type", mime.to_owned()),
        ("WARC-Record-ID", input.name.clone()),
    ];
    let url = meta.url.or(of_web);
    headers.extend(url.map(|url| ("WARC-Target-URI", url)));
    headers.extend(meta.date.map(|date| ("WARC-Date", date)));
    Ok(PageFile::new(&input.origin(), bytes, headers, limits))
}

/// Reads the `.meta.json` file of a page, if there is one.
fn read_meta(page: &Path) -> Result<Meta> {
    let mut path = page.as_os_str().to_owned();
    path.push(".meta.json");
    let path = Path::new(&path);
    let error = |e| Error::io(path, e);
    // Its name may be too long although that of the page is not, and reading a pipe would block.
    match std::fs::metadata(path) {
        Ok(there) if there.is_file() => {}
        Ok(_) => return Ok(Meta::default()),
        Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::InvalidFilename) => {
            return Ok(Meta::default());
        }
        Err(e) => return Err(error(e)),
    }
    let file = std::fs::File::open(path).map_err(error)?;
    let mut text = Vec::new();
    file.take(META).read_to_end(&mut text).map_err(error)?;
    let json = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
    let wrong = |why: String| error(io::Error::new(ErrorKind::InvalidInput, why));
    let meta: Meta = serde_json::from_slice(json).map_err(|e| {
        wrong(format!(
            "{e}; it must be like {{\"url\": \"https://…\"}}, or be removed"
        ))
    })?;
    if let Some(date) = &meta.date
        && warcsieve_page::parse_date(date.as_bytes()).is_none()
    {
        let why = format!("its date `{date}` is not a date; write it like 2026-01-31T12:00:00Z");
        return Err(wrong(why));
    }
    if let Some(url) = &meta.url
        && !url.contains("://")
    {
        let why = format!("its url `{url}` has no scheme; write it like https://a.example/");
        return Err(wrong(why));
    }
    Ok(meta)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_told_by_name_and_first_bytes() {
        let html = b"\n<!DOCTYPE html><p>";
        for (name, beginning, expected) in [
            ("a.html", &b"<p>no head"[..], true),
            ("a.HTM", b"", true),
            ("a.xhtml", b"<?xml version='1.0'?>", true),
            ("a.html.gz", b"\x1f\x8b\x08", true),
            ("a.html", b"WARC/1.0\r\n", false),
            ("a.html", b"\x1f\x8b\x08", false),
            ("page", html, true),
            ("page", b"\xef\xbb\xbf<HTML>", true),
            ("page", b"<p>no head", true),
            ("page", b"<?xml version='1.0'?><rss>", false),
            ("page", b"<?xml version='1.0'?><html>", true),
            ("page", b"some text", false),
            ("page.warc", html, false),
            ("page.warc.gz", html, false),
        ] {
            assert_eq!(is_page(name, beginning), expected, "{name}");
        }
    }

    #[test]
    fn a_page_in_gzip_may_have_any_name_but_that_of_a_crawl() {
        let packed = |text: &str| {
            let mut gzip = flate2::write::GzEncoder::new(Vec::new(), Default::default());
            std::io::Write::write_all(&mut gzip, text.as_bytes()).unwrap();
            gzip.finish().unwrap()
        };
        let page = packed(&format!("<!DOCTYPE html>{}", "<p>text".repeat(9999)));
        let page = &page[..page.len().min(BEGINNING)];
        let crawl = packed("WARC/1.0\r\n");
        for (name, beginning, expected) in [
            ("page", page, true),
            ("a.html", page, true),
            ("a.gz", page, true),
            ("a.warc.gz", page, false),
            ("page", &crawl, false),
            ("a.html", &crawl, false),
        ] {
            assert_eq!(is_page(name, beginning), expected, "{name}");
        }
    }

    #[test]
    fn addresses_of_pages_are_told_from_those_of_files() {
        for page in [
            "https://a.example",
            "https://a.example/",
            "https://a.example/b/index.html?x=1.warc",
            "https://a.example/view.PHP?id=1",
        ] {
            assert!(is_page_address(page) && may_be_page_address(page), "{page}");
        }
        for either in [
            "http://a.example/b/c",
            "HTTPS://a.example/wiki/Node.js",
            "https://a.example/x?q=a*b",
            "http://[::1]:80/x",
            "https://a.example/b.bin",
        ] {
            assert!(
                !is_page_address(either) && may_be_page_address(either),
                "{either}"
            );
        }
        for other in [
            "https://a.example/b.warc.gz",
            "s3://bucket/page.html",
            "page.html",
        ] {
            assert!(
                !is_page_address(other) && !may_be_page_address(other),
                "{other}"
            );
        }
    }

    #[test]
    fn a_file_beside_the_page_says_its_address() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.html");
        assert!(read_meta(&path).unwrap().url.is_none());
        let meta = folder.path().join("a.html.meta.json");
        std::fs::write(&meta, "{\"url\": \"http://a.example/\", \"other\": [1]}").unwrap();
        let read = read_meta(&path).unwrap();
        assert_eq!(read.url.as_deref(), Some("http://a.example/"));
        for (written, word) in [
            ("{\"date\": \"yesterday\"}", "2026-01-31T12:00:00Z"),
            ("{\"url\": \"a.example\"}", "has no scheme"),
        ] {
            std::fs::write(&meta, written).unwrap();
            let error = read_meta(&path).unwrap_err().to_string();
            assert!(error.contains(word), "{error}");
        }
        std::fs::write(&meta, "url").unwrap();
        let error = read_meta(&path).unwrap_err().to_string();
        assert!(
            error.contains("a.html.meta.json") && error.contains("like"),
            "{error}"
        );
    }
}
