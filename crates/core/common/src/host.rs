//! The host of an address.

/// The host of an address in lower case: without scheme, user, port and the dot that may end a full
/// name; empty if there is none.
///
/// ```
/// assert_eq!(warcsieve_common::host("https://user@News.Example.org:8080/x?y"), "news.example.org");
/// assert_eq!(warcsieve_common::host("mailto:a@b"), "");
/// ```
pub fn host(url: &str) -> String {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let is_bracketed = host.starts_with('[');
    let host = match host.rsplit_once(':') {
        Some((name, _)) if !is_bracketed || name.ends_with(']') => name,
        _ => host,
    };
    host.trim_end_matches('.').to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_read_off_addresses() {
        for (url, expected) in [
            ("http://me:x@A.org:80/b@c", "a.org"),
            ("https://[::1]:80/", "[::1]"),
            ("https://[::1]/", "[::1]"),
            ("http://a.org./x", "a.org"),
            ("http://a.org.:80/x", "a.org"),
            ("a.org/x", ""),
            ("", ""),
        ] {
            assert_eq!(host(url), expected);
        }
    }
}
