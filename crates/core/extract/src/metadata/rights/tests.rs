use super::*;
use crate::{Engine, Pipeline};
use warcsieve_warc::Record;

const ADDRESS: &str = "https://a.example/dir/page";

/// The rights of a page with these lines of its HTTP header.
fn rights(header: &str, html: &str) -> Rights {
    let pipeline = "[[step]]\nmethod = 'keep-all'\n";
    let pipeline = Pipeline::parse(&warcsieve_classify::CORE, "test", pipeline).unwrap();
    let headers = [
        ("WARC-Type", "response"),
        ("Content-Type", "application/http"),
        ("WARC-Target-URI", ADDRESS),
    ];
    let http = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{header}\r\n{html}");
    let record = Record::from_parts(&headers, http.as_bytes());
    let mut engine = Engine::new(&pipeline);
    let view = engine.record("x", &record).ok().unwrap();
    view.rights().clone()
}

fn meta(name: &str, content: &str) -> String {
    format!("<meta name=\"{name}\" content=\"{content}\"><p>text")
}

#[test]
fn directives_of_robots_are_read_from_header_and_page() {
    // What is said, and whether it says noindex and noai to all robots.
    let cases = [
        ("noindex", true, false),
        ("NOINDEX, NOFOLLOW", true, false),
        ("none", true, false),
        ("index, follow", false, false),
        ("all", false, false),
        ("nofollow", false, false),
        ("noai", false, true),
        ("noai, noimageai", false, true),
        ("noimageai", false, false),
        ("noml", false, true),
        ("noindex,noai", true, true),
        ("max-snippet:-1, noindex", true, false),
        ("max-image-preview:large", false, false),
        ("unavailable_after: 25 Jun 2030 15:00:00 PST", false, false),
        ("noarchive nosnippet noindex", true, false),
        ("googlebot: noindex", false, false),
        ("GPTBot: noai, noindex", false, false),
        ("noindexed", false, false),
    ];
    for (said, noindex, noai) in cases {
        let header = rights(&format!("X-Robots-Tag: {said}\r\n"), "<p>text");
        let page = rights("", &meta("robots", said));
        for found in [&header, &page] {
            assert_eq!((found.noindex, found.noai), (noindex, noai), "{said}");
        }
        assert_eq!(header.x_robots_tag.as_deref(), Some(said));
        assert_eq!(header.robots_meta, None);
        assert_eq!(page.robots_meta.as_deref(), Some(said));
        assert_eq!(page.x_robots_tag, None);
    }
}

#[test]
fn several_headers_and_elements_are_joined_and_all_count() {
    let header = "X-Robots-Tag: googlebot: noindex\r\nx-robots-tag: noai\r\n";
    let html = "<meta name=Robots content=nofollow><meta name=robots content='noindex'><meta name=googlebot content=noai>";
    let found = rights(header, html);
    assert_eq!(
        found.x_robots_tag.as_deref(),
        Some("googlebot: noindex, noai")
    );
    assert_eq!(found.robots_meta.as_deref(), Some("nofollow, noindex"));
    assert!(found.noindex && found.noai);
}

#[test]
fn a_reservation_is_that_of_the_header_or_else_of_the_page() {
    let cases = [
        ("TDM-Reservation: 1\r\n", "", Some(true)),
        ("tdm-reservation: 0\r\n", "", Some(false)),
        ("", "1", Some(true)),
        ("", " 0 ", Some(false)),
        ("tdm-reservation: 1\r\n", "0", Some(true)),
        ("tdm-reservation: 0\r\n", "1", Some(false)),
        ("tdm-reservation: yes\r\n", "1", Some(true)),
        ("", "true", None),
        ("", "", None),
    ];
    for (header, content, expected) in cases {
        let html = match content {
            "" => "<p>text".to_owned(),
            content => meta("tdm-reservation", content),
        };
        let found = rights(header, &html);
        assert_eq!(found.tdm_reservation, expected, "{header}{content}");
    }
}

#[test]
fn a_licence_is_read_from_where_it_is_trusted_most() {
    use LicenceSource as S;
    const BY: &str = "https://creativecommons.org/licenses/by/4.0/";
    const ZERO: &str = "http://creativecommons.org/publicdomain/zero/1.0/";
    let cases = [
        (format!("<link rel=license href={BY}>"), Some((BY, S::Link))),
        (
            format!("<link rel='license nofollow' href={BY}>"),
            Some((BY, S::Link)),
        ),
        (
            format!("<a rel=license href={BY}>CC</a>"),
            Some((BY, S::Rel)),
        ),
        (
            format!("<a REL='nofollow LICENSE' href=' {BY} '>CC</a>"),
            Some((BY, S::Rel)),
        ),
        (format!("<a href={BY}>CC</a>"), Some((BY, S::Address))),
        (format!("<a href={ZERO}>CC</a>"), Some((ZERO, S::Address))),
        (
            "<a href=//creativecommons.org/licenses/by/4.0/>CC</a>".to_owned(),
            Some((BY, S::Address)),
        ),
        (
            "<a href=https://www.CreativeCommons.org/Licenses/by/4.0/>CC</a>".to_owned(),
            Some((
                "https://www.CreativeCommons.org/Licenses/by/4.0/",
                S::Address,
            )),
        ),
        (
            "<a href=https://creativecommons.org/about/>CC</a>".to_owned(),
            None,
        ),
        (
            "<a href=https://creativecommons.org.evil.example/licenses/by>CC</a>".to_owned(),
            None,
        ),
        (
            "<a href=https://evil.example/creativecommons.org/licenses/by>CC</a>".to_owned(),
            None,
        ),
        ("<a href=/licenses/by/>CC</a>".to_owned(), None),
        (
            "<a rel=license href=/terms>terms</a>".to_owned(),
            Some(("https://a.example/terms", S::Rel)),
        ),
        (
            "<a rel=license href=terms>terms</a>".to_owned(),
            Some(("https://a.example/dir/terms", S::Rel)),
        ),
        (
            "<link rel=license href='javascript:alert(1)'>".to_owned(),
            None,
        ),
        ("<link rel=license>".to_owned(), None),
        ("<a rel=licensed href=/terms>terms</a>".to_owned(), None),
        (meta("dcterms.license", BY), Some((BY, S::Meta))),
        (meta("DC.rights", ZERO), Some((ZERO, S::Meta))),
        (meta("dc.rights", "All rights reserved"), None),
        (meta("copyright", BY), None),
        (
            format!("<a href={ZERO}>0</a><a rel=license href={BY}>by</a>"),
            Some((BY, S::Rel)),
        ),
        (
            format!("<a rel=license href={ZERO}>0</a><link rel=license href={BY}>"),
            Some((BY, S::Link)),
        ),
        (
            format!("<a rel=license href={BY}>by</a><a rel=license href={ZERO}>0</a>"),
            Some((BY, S::Rel)),
        ),
        (
            format!("{}<a rel=license href={BY}>", meta("dc.rights", ZERO)),
            Some((ZERO, S::Meta)),
        ),
        (
            format!("<a href='{BY}?a=1&amp;b=2'>CC</a>"),
            Some((
                "https://creativecommons.org/licenses/by/4.0/?a=1&b=2",
                S::Address,
            )),
        ),
        ("<p>no licence".to_owned(), None),
        (format!("<!-- <link rel=license href={BY}> -->"), None),
        (
            format!("<script>'<link rel=license href={BY}>'</script>"),
            None,
        ),
    ];
    for (html, expected) in cases {
        let found = rights("", &html).licence;
        let found = found.as_ref().map(|l| (l.address.as_str(), l.source));
        assert_eq!(found, expected, "{html}");
    }
}

#[test]
fn a_licence_without_a_scheme_needs_no_address_of_the_page() {
    let page = Page::of_html("<a href=//creativecommons.org/licenses/by/4.0/>CC</a>", "");
    let pipeline = "[[step]]\nmethod = 'keep-all'\n";
    let pipeline = Pipeline::parse(&warcsieve_classify::CORE, "test", pipeline).unwrap();
    let mut engine = Engine::new(&pipeline);
    let view = engine.html(page.payload, "").ok().unwrap();
    let licence = view.rights().licence.as_ref().unwrap();
    assert_eq!(
        licence.address,
        "https://creativecommons.org/licenses/by/4.0/"
    );
}

#[test]
fn filters_ask_for_rights_of_pages_that_say_nothing_too() {
    let removed = |rule: &str, html: &str| {
        let pipeline = format!("[[step]]\nmethod = 'keep-all'\n[[filter]]\nkeep = '{rule}'\n");
        let pipeline = Pipeline::parse(&warcsieve_classify::CORE, "test", &pipeline).unwrap();
        let page = Engine::new(&pipeline).extract(html, ADDRESS).unwrap();
        page.removed_by().is_some()
    };
    let by = "<a rel=license href=https://creativecommons.org/licenses/by/4.0/>CC</a>";
    let noai = meta("robots", "noai");
    let reserved = meta("tdm-reservation", "1");
    for (rule, html, expected) in [
        ("noai < 1", noai.as_str(), true),
        ("noai < 1", by, false),
        ("noindex < 1", &noai, false),
        ("tdm_reservation < 1", &reserved, true),
        ("tdm_reservation < 1", &noai, false),
        (r#"licence not in [""]"#, by, false),
        (r#"licence not in [""]"#, &noai, true),
    ] {
        assert_eq!(removed(rule, html), expected, "{rule}: {html}");
    }
}
