//! Registered domains. Pages of one site share a template, so cross-validation folds hold whole
//! domains.

use psl::Psl;
use std::net::{Ipv4Addr, Ipv6Addr};

/// The registered domain of a URL: the public suffix and the label before it, in lower case, with
/// international names in ASCII form. Private suffixes count, so each blog on a blog host is its
/// own domain.
///
/// The scheme may be missing. A host that is an IP address, a public suffix itself, or under no
/// known suffix is returned as it is; for a URL without a host the result is empty.
///
/// ```
/// use warcsieve_eval::domain::registered_domain;
///
/// assert_eq!(registered_domain("https://user@News.BBC.co.uk:8080/x?y"), "bbc.co.uk");
/// assert_eq!(registered_domain("bücher.example.de/"), "example.de");
/// assert_eq!(registered_domain("http://[::1]/"), "::1");
/// ```
pub fn registered_domain(url: &str) -> String {
    let host = host(url);
    if let Some(ip) = ip(&host) {
        return ip;
    }
    let labels = host
        .split(['.', '。', '．', '｡'])
        .filter(|label| !label.is_empty());
    let ascii: Vec<String> = labels.map(to_ascii).collect();
    let host = ascii.join(".");
    match psl::List.domain(host.as_bytes()) {
        Some(domain) if domain.suffix().is_known() => {
            String::from_utf8_lossy(domain.as_bytes()).into_owned()
        }
        _ => host,
    }
}

/// The host of a URL, in lower case.
fn host(url: &str) -> String {
    let url = url.trim().trim_start_matches('<');
    let rest = match url.split_once("://") {
        Some((scheme, rest)) if !scheme.contains(['/', '?', '#']) => rest,
        _ => url.strip_prefix("//").unwrap_or(url),
    };
    let end = rest.find(['/', '\\', '?', '#', '>']).unwrap_or(rest.len());
    let authority = &rest[..end];
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    let bracketed = host.strip_prefix('[').and_then(|h| h.split_once(']'));
    let host = match bracketed.filter(|(host, _)| host.parse::<Ipv6Addr>().is_ok()) {
        Some((address, _)) => address,
        None if host.parse::<Ipv6Addr>().is_ok() => host,
        None => host.split_once(':').map_or(host, |(host, _)| host),
    };
    host.to_lowercase()
}

/// The ASCII form of a lower-case label: itself, or `xn--` and its Punycode. Labels of more than 63
/// characters cannot be registered and stay as they are.
fn to_ascii(label: &str) -> String {
    let encoded = match label.is_ascii() || label.chars().count() > 63 {
        true => None,
        false => idna::punycode::encode_str(label),
    };
    encoded.map_or_else(|| label.to_owned(), |encoded| format!("xn--{encoded}"))
}

fn ip(host: &str) -> Option<String> {
    let v4 = host.trim_end_matches('.').parse::<Ipv4Addr>();
    let v4 = v4.map(|ip| ip.to_string());
    let v6 = || host.parse::<Ipv6Addr>().map(|ip| ip.to_string());
    v4.or_else(|_| v6()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_registered_domain_is_extracted_from_urls() {
        for (url, domain) in [
            ("http://www.un.org/apps/news?x=http://a.com/", "un.org"),
            ("HTTP://NEWS.BBC.CO.UK", "bbc.co.uk"),
            ("https://a:b@c@www.example.com:8080", "example.com"),
            ("www.example.com/a@b.org", "example.com"),
            ("example.com:80?a.org", "example.com"),
            ("//cdn.example.com#x", "example.com"),
            ("<http://www.example.com./>", "example.com"),
            ("http://me.blogspot.com/", "me.blogspot.com"),
            ("http://blogspot.com/", "blogspot.com"),
            ("http://co.uk/", "co.uk"),
            ("http://www.city.kawasaki.jp/", "city.kawasaki.jp"),
            ("http://localhost:3000/", "localhost"),
            ("http://a.b.notasuffix/", "a.b.notasuffix"),
            ("http://127.0.0.1:80/", "127.0.0.1"),
            ("http://127.0.0.1./", "127.0.0.1"),
            ("http://[2001:DB8::1]:80/", "2001:db8::1"),
            ("2001:db8::1", "2001:db8::1"),
            ("http://www.食狮.公司.cn/", "xn--85x722f.xn--55qx5d.cn"),
            (
                "http://www.xn--85x722f.xn--55qx5d.cn/",
                "xn--85x722f.xn--55qx5d.cn",
            ),
            ("http://www.BÜCHER.ch。/", "xn--bcher-kva.ch"),
            ("mailto:a@example.com", "example.com"),
            ("", ""),
            ("http:///x", ""),
            ("http://..", ""),
        ] {
            assert_eq!(registered_domain(url), domain, "{url}");
        }
    }

    /// RFC 3492, section 7.1.
    #[test]
    fn labels_are_encoded_as_the_standard_prints_them() {
        for (label, ascii) in [
            ("ليهمابتكلموشعربي؟", "xn--egbpdaj6bu4bxfgehfvwxn"),
            ("他们为什么不说中文", "xn--ihqwcrb4cv8a8dqg056pqjye"),
            ("そのスピードで", "xn--d9juau41awczczp"),
            ("plain", "plain"),
        ] {
            assert_eq!(to_ascii(label), ascii);
        }
        let long = "é".repeat(64);
        assert_eq!(to_ascii(&long), long);
    }

    proptest! {
        #[test]
        fn a_domain_is_its_own_domain(url in "(https?://)?[a-zé.:@\\[\\]/0-9。]{0,30}(\\.(com|co\\.uk|公司\\.cn))?(/.*)?") {
            let domain = registered_domain(&url);
            prop_assert_eq!(registered_domain(&domain), domain.clone());
        }
    }
}
