use super::*;
use proptest::prelude::*;

/// URLs and their keys by version 0.3.1 of the Python package `surt`.
const TABLE: &[(&str, &str)] = &[
    ("http://www.archive.org/goo/", "org,archive)/goo"),
    ("http://archive.org/goo/?", "org,archive)/goo"),
    ("http://archive.org/goo/?b&a", "org,archive)/goo?a&b"),
    (
        "http://archive.org/goo/?a=2&b&a=1",
        "org,archive)/goo?a=1&a=2&b",
    ),
    (
        "http://archive.org/goo/?B=X&a=Y",
        "org,archive)/goo?a=y&b=x",
    ),
    (
        "http://archive.org/goo/?a=1&A=0",
        "org,archive)/goo?a=0&a=1",
    ),
    (
        "http://archive.org/goo/?a=b=c&a=b",
        "org,archive)/goo?a=b&a=b=c",
    ),
    ("http://archive.org/goo/?&&a", "org,archive)/goo?&&a"),
    ("http://archive.org:80/goo/", "org,archive)/goo"),
    ("https://archive.org:443/", "org,archive)/"),
    ("http://archive.org:443/", "org,archive:443)/"),
    ("https://archive.org:8080/x", "org,archive:8080)/x"),
    ("http://archive.org:/x", "org,archive)/x"),
    ("http://archive.org", "org,archive)/"),
    ("http://archive.org/", "org,archive)/"),
    ("http://archive.org//", "org,archive)/"),
    ("http://archive.org/a//b///c/", "org,archive)/a/b/c"),
    ("archive.org/goo", "org,archive)/goo"),
    ("archive.org:8080/goo", "archive.org:8080/goo"),
    (
        "HTTP://WWW.Archive.ORG/Foo/BAR?Q=A#frag",
        "org,archive)/foo/bar?q=a",
    ),
    ("http://www2.example.com/", "com,example)/"),
    ("http://www./", "www)/"),
    ("http://wwwx.example.com/", "com,example,wwwx)/"),
    ("http://www.www.example.com/", "com,example,www)/"),
    ("http://user:pass@example.com:81/x", "com,example:81)/x"),
    ("http://user@x@example.com/", "com,example)/"),
    ("http://example.com/a/./b/../c", "com,example)/a/c"),
    ("http://example.com/../a", "com,example)/../a"),
    ("http://example.com/a/..", "com,example)/"),
    ("http://example.com/a/.", "com,example)/a"),
    ("http://example.com/%7Euser/%41%2f", "com,example)/~user/a"),
    ("http://example.com/%25%32%35", "com,example)/%25"),
    ("http://example.com/a%zz", "com,example)/a%25zz"),
    ("http://example.com/a b", "com,example)/a%20b"),
    ("http://example.com/a#b?c", "com,example)/a"),
    ("http://example.com/?x#y", "com,example)/?x"),
    ("http://example.com/%23", "com,example)/%23"),
    ("http://example.com/?a=%23%26", "com,example)/?&a=%23"),
    ("http://example.com/ü", "com,example)/%c3%bc"),
    ("http://example.com/%C3%BC", "com,example)/%c3%bc"),
    ("http://example.com/%FC", "com,example)/%fc"),
    ("http://bücher.example/", "example,xn--bcher-kva)/"),
    ("http://BÜCHER.example/", "example,xn--bcher-kva)/"),
    ("http://b%C3%BCcher.example/", "example,xn--bcher-kva)/"),
    ("http://b%FCcher.example/", "example,bcher)/"),
    ("http://xn--bcher-kva.example/", "example,xn--bcher-kva)/"),
    ("http://例え.テスト/", "xn--zckzah,xn--r8jz45g)/"),
    ("http://1.2.3.4/x", "4,3,2,1)/x"),
    ("http://1.2.3.4:8080/x", "4,3,2,1:8080)/x"),
    ("http://3279880203/blah", "11,0,127,195)/blah"),
    ("http://0300.0250.0.1/", "1,0,168,192)/"),
    ("http://10.1/", "1,0,0,10)/"),
    ("http://1.2.3/", "3,0,2,1)/"),
    ("http://256.1.1.1/", "1,1,1,256)/"),
    ("http://1.2.3.4.5/", "5,4,3,2,1)/"),
    ("http://01.02.03.04/", "4,3,2,1)/"),
    ("http://1.08.1.1/", "1,1,08,1)/"),
    ("http://0x7f.1/", "1,0x7f)/"),
    ("http://99999999999/", "255,231,118,72)/"),
    ("http://[::1]/x", "::1)/x"),
    ("http://[2001:db8::1]:8080/x", "2001:db8::1:8080)/x"),
    ("http://example..com/", "com,example)/"),
    ("http://.example.com./", "com,example)/"),
    ("http://example.com./", "com,example)/"),
    ("http:///example.com/x", "com,example)/x"),
    ("http:////////////////www.vikings.com", "com,vikings)/"),
    ("http:/example.com/x", "com,example)/x"),
    ("http:example.com/x", "com,example)/x"),
    ("http://https/order.1and1.com", "https)/order.1and1.com"),
    ("http://http://example.com/", "com,example)/"),
    ("http://https://example.com/", "com,example)/"),
    ("http://", "http:"),
    ("http:///", "http:/"),
    ("http://?", "http:"),
    ("http:", "http:"),
    ("dns:www.example.com", "dns:www.example.com"),
    ("dns:Example.com", "dns:example.com"),
    ("mailto:A@b.c", "mailto:a@b.c"),
    ("urn:uuid:ABC-1", "urn:uuid:abc-1"),
    ("urn:x:a b", "urn:x:a%20b"),
    ("ftp://www.example.com/A/", "com,example)/a"),
    ("ftp://ftp.example.com:21/", "com,example,ftp:21)/"),
    ("about:blank", "about:blank"),
    ("filedesc:foo.arc.gz", "filedesc:foo.arc.gz"),
    ("filedesc://x.arc", "filedesc://x.arc"),
    ("data:text/html,<B>", "data:text/html,<b>"),
    ("javascript:void(0)", "javascript:void(0)"),
    ("  http://example.com/x  ", "com,example)/x"),
    ("http://exa\tmple.com/a", "com,example)/a"),
    ("b", "b)/"),
    (
        "http://example.com/(S(abcdefghijklmnopqrstuvwx))/page.aspx?q",
        "com,example)/page.aspx?q",
    ),
    (
        "http://example.com/(abcdefghijklmnopqrstuvwx)/page.aspx",
        "com,example)/page.aspx",
    ),
    (
        "http://example.com/(a(abcdefghijklmnopqrstuvwx)b(abcdefghijklmnopqrstuvwx))/x/page.aspx",
        "com,example)/x/page.aspx",
    ),
    (
        "http://example.com/?jsessionid=0123456789abcdef0123456789abcdef",
        "com,example)/",
    ),
    (
        "http://example.com/?x=1&JSESSIONID=0123456789abcdef0123456789abcdef&y=2",
        "com,example)/?x=1&y=2",
    ),
    (
        "http://example.com/?phpsessid=0123456789abcdef0123456789abcdef&y",
        "com,example)/?y",
    ),
    (
        "http://example.com/?sid=0123456789abcdef0123456789abcdef",
        "com,example)/",
    ),
    (
        "http://example.com/?xsid=0123456789abcdef0123456789abcdef&y",
        "com,example)/?xy",
    ),
    (
        "http://example.com/?sid=0123456789abcdef0123456789abcdef0",
        "com,example)/?sid=0123456789abcdef0123456789abcdef0",
    ),
    (
        "http://example.com/?ASPSESSIONIDabcdefgh=abcdefghijklmnopqrstuvwx&x=y",
        "com,example)/?x=y",
    ),
    (
        "http://example.com/?cfid=1&cftoken=2&x=3",
        "com,example)/?x=3",
    ),
    ("http://example.com/?x&cfid=1&cftoken=2", "com,example)/?&x"),
    (
        "http://example.com/x;jsessionid=0123456789abcdef0123456789abcdef",
        "com,example)/x;jsessionid=0123456789abcdef0123456789abcdef",
    ),
    (
        "http://example.com/x;jsessionid=0123456789abcdef0123456789abcdef?y",
        "com,example)/x;jsessionid=0123456789abcdef0123456789abcdef?y",
    ),
    ("http://example.com:0/", "com,example)/"),
    ("http://example.com:080/", "com,example)/"),
    ("http://a_b.example.com/", "com,example,a_b)/"),
    ("http://a%20b.com/", "com,a%20b)/"),
    ("http://a b.com/x", "com,a%20b)/x"),
    ("http://-/", "-)/"),
    ("http://example.com/?a=1&&b=2", "com,example)/?&a=1&b=2"),
    ("http://example.com/?=", "com,example)/?="),
    ("http://example.com/?=&a", "com,example)/?=&a"),
    ("http://example.com/?a+b=c%20d", "com,example)/?a+b=c%20d"),
    ("http://example.com/a+b%2Bc", "com,example)/a+b+c"),
    (
        "http://example.com/\"quoted\"<tag>",
        "com,example)/\"quoted\"<tag>",
    ),
    ("http://example.com/\\back", "com,example)/\\back"),
    ("http:\\example.com\\x", "com\\x,\\example)/"),
    ("//example.com/x", "com,example)/x"),
    ("/path/only", "path)/only"),
    ("?query", "http:/?query"),
    ("#frag", "http:"),
    ("example", "example)/"),
    ("example.com:80", "example.com:80"),
    ("x:y", "x:y"),
    ("123.45", "45,0,0,123)/"),
    ("http://www1.www2.a.com/", "com,a,www2)/"),
    ("http://www12.com/", "com)/"),
    ("http://www.com/", "com)/"),
    ("http://com/", "com)/"),
    ("http://a.b.c.d.e/", "e,d,c,b,a)/"),
    (
        "screenshot:http://www.Example.com/A",
        "screenshot:http://www.example.com/a",
    ),
    (
        "metadata://gnu.org/software/wget/warc/MANIFEST.txt",
        "org,gnu)/software/wget/warc/manifest.txt",
    ),
    (
        "urn:text:http://example.com/",
        "urn:text:http://example.com",
    ),
    ("http://ex%41mple.com/", "com,example)/"),
    ("http://%77ww.example.com/", "com,example)/"),
    ("http://example.com%2Fx/y", "com/x,example)/y"),
    (
        "http://example.com/é?é=É",
        "com,example)/%c3%a9?%c3%a9=%c3%89",
    ),
    ("http://İstanbul.com/", "com,xn--istanbul-o0e)/"),
    ("http://a。b/", "b,a)/"),
    ("http://example.com/a/b/../../../c/", "com,example)/../c"),
    ("http://example.com/%2e%2e/x", "com,example)/../x"),
    ("http://example.com/a/%2E/b", "com,example)/a/b"),
    ("http://example.com?x=1", "com,example)/?x=1"),
    ("http://example.com#f", "com,example)/"),
    ("https://WWW.example.com:80/", "com,example:80)/"),
    ("http://example.com/A?B#C#D", "com,example)/a?b"),
    ("http://1/", "1,0,0,0)/"),
    ("http://0/", "0,0,0,0)/"),
    ("http://08/", "8,0,0,0)/"),
    ("http://0300/", "44,1,0,0)/"),
    ("http://1.2.3.4./", "4,3,2,1)/"),
    ("http://1..2.3.4/", "4,3,2,1)/"),
    ("http://exa\tmple.com/a\nb", "com,example)/ab"),
];

#[test]
fn keys_match_the_table() {
    let wrong: Vec<_> = TABLE
        .iter()
        .map(|(url, key)| (url, key, surt(url)))
        .filter(|(_, key, ours)| *key != ours)
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn keys_deviate_from_the_python_package_where_documented() {
    for (url, key) in [
        ("", "-"),
        (
            "http://example.com:99999/a b",
            "http://example.com:99999/a%20b",
        ),
        ("http://example.com:abc/", "http://example.com:abc/"),
        ("http://straße.de/", "de,xn--strae-oqa)/"),
        ("hTTp:example.com/x", "com,example)/x"),
        ("filedesc:a b.arc", "filedesc:a%20b.arc"),
    ] {
        assert_eq!(surt(url), key, "{url}");
    }
}

#[test]
fn nested_escapes_take_linear_time() {
    let begun = std::time::Instant::now();
    let deep = format!("http://a/%{}", "25".repeat(1 << 20));
    assert_eq!(surt(&deep), "a)/%25");
    let many = format!("http://a/?{}", "sid=0&cfid=1&".repeat(1 << 16));
    surt(&many);
    surt(&format!("http://a/{}", "(b)/".repeat(1 << 18)));
    assert!(begun.elapsed().as_secs() < 10, "{:?}", begun.elapsed());
}

/// Undoes escapes pass by pass, until none is left.
fn unescape_by_passes(bytes: &[u8]) -> Vec<u8> {
    let (mut out, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        match bytes[at..] {
            [b'%', a, b, ..] if hex(a).is_some() && hex(b).is_some() => {
                out.push(hex(a).unwrap() << 4 | hex(b).unwrap());
                at += 3;
            }
            [byte, ..] => {
                out.push(byte);
                at += 1;
            }
            [] => {}
        }
    }
    if out == bytes {
        out
    } else {
        unescape_by_passes(&out)
    }
}

proptest! {
    #[test]
    fn keys_are_printable_ascii(url in any::<String>(), tail in "[a-z0-9/?&=%.:@\\[\\]]{0,30}") {
        for url in [url.clone(), format!("http://{url}{tail}"), format!("http://{tail}{url}"), tail] {
            let key = surt(&url);
            prop_assert!(!key.is_empty() && key.bytes().all(|b| b.is_ascii_graphic()), "{key}");
        }
    }

    #[test]
    fn nested_escapes_are_undone_as_by_repeated_passes(text in "[%0-9a-f]{0,40}") {
        prop_assert_eq!(unescape(text.as_bytes()), unescape_by_passes(text.as_bytes()));
    }
}
