//! Auxiliary records, in which a crawler keeps something about its pages or about itself.

use warcsieve_warc::{Record, RecordType};

/// Names after `urn:` under which browser crawlers keep data of a page (Browsertrix, pywb): its
/// text, pictures of it, what it loaded, and the crawl's logs and lists of pages.
const URN_NAMES: &[&str] = &[
    "embeds",
    "fullpage",
    "fullpagefinal",
    "logs",
    "metadata",
    "pageinfo",
    "pages",
    "text",
    "textfinal",
    "thumbnail",
    "view",
    "viewfinal",
];

/// Schemes of such records of other crawlers: Wget (its log and arguments), Brozzler.
const SCHEMES: &[&str] = &["metadata", "screenshot", "thumbnail", "youtube-dl"];

/// The kind of an auxiliary record, such as `urn:text`; `None` if the record is not auxiliary. If
/// such records were read as pages, a page would appear twice, or something that is not a page
/// would appear as one.
///
/// The target URI decides. `urn:NAME:URL` counts whatever the name is. Other `urn:` names, such as
/// `urn:uuid:`, only identify the record, which may be a page.
pub(super) fn kind<'r>(record: &Record, url: &'r str) -> Option<&'r str> {
    if record.record_type() == RecordType::Response {
        return None;
    }
    let is_one_of = |name: &str, names: &[&str]| names.iter().any(|n| name.eq_ignore_ascii_case(n));
    let (scheme, rest) = url.split_once(':')?;
    if !scheme.eq_ignore_ascii_case("urn") {
        return is_one_of(scheme, SCHEMES).then_some(scheme);
    }
    let (name, about) = rest.split_once(':')?;
    let is_web = about.split_once("://").map(|(scheme, _)| scheme);
    let is_auxiliary = is_one_of(name, URN_NAMES)
        || is_web.is_some_and(|scheme| is_one_of(scheme, &["http", "https"]));
    let kind = &url[..scheme.len() + 1 + name.len()];
    let is_plain = name.len() <= 32 && name.bytes().all(|b| b.is_ascii_alphanumeric());
    is_auxiliary.then_some(if is_plain { kind } else { "urn" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind_of<'a>(record_type: &str, url: &'a str) -> Option<&'a str> {
        let record = Record::from_parts(&[("WARC-Type", record_type)], b"");
        kind(&record, url)
    }

    #[test]
    fn auxiliary_records_are_recognised_by_their_target() {
        for (url, expected) in [
            ("urn:text:https://example.com/", "urn:text"),
            ("urn:textFinal:https://example.com/", "urn:textFinal"),
            ("URN:Text:example", "URN:Text"),
            ("urn:pageinfo:https://example.com/", "urn:pageinfo"),
            ("urn:fullPage:https://example.com/", "urn:fullPage"),
            ("urn:thumbnail:https://example.com/", "urn:thumbnail"),
            ("urn:view:https://example.com/", "urn:view"),
            ("urn:logs:crawl-1.jsonl", "urn:logs"),
            ("urn:later:http://example.com/", "urn:later"),
            ("urn:a\nb:http://example.com/", "urn"),
            ("metadata://gnu.org/software/wget/warc/wget.log", "metadata"),
            ("screenshot:https://example.com/", "screenshot"),
        ] {
            for record_type in ["resource", "conversion"] {
                assert_eq!(kind_of(record_type, url), Some(expected), "{url}");
            }
            assert_eq!(kind_of("response", url), None, "{url}");
        }
        for url in [
            "urn:uuid:0b0e9b3c-4d2b-4c5e-8d0e-1d8b0b1f6f3a",
            "urn:isbn:0451450523",
            "urn:text",
            "https://example.com/urn:text:x",
            "file:///a.html",
            "",
        ] {
            assert_eq!(kind_of("resource", url), None, "{url}");
        }
    }
}
