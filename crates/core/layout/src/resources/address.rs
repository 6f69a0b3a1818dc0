//! Addresses of resources (RFC 3986).

/// Most bytes of an address that is looked up.
const MAX_ADDRESS_BYTES: usize = 4096;

/// The address that `reference` means on a page at `base` (§5.2). `None` if it is not a web
/// address, or if it is too long.
pub fn join(base: &str, reference: &str) -> Option<String> {
    let (base, reference) = (before(base, '#'), before(reference.trim(), '#'));
    if reference.len() > MAX_ADDRESS_BYTES || base.len() > MAX_ADDRESS_BYTES {
        return None;
    }
    if has_scheme(reference) {
        let (scheme, _) = reference.split_once("://")?;
        let is_web = ["http", "https"]
            .iter()
            .any(|s| s.eq_ignore_ascii_case(scheme));
        return is_web.then(|| without_dots(reference));
    }
    let (scheme, rest) = base.split_once("://")?;
    if reference.starts_with("//") {
        return Some(without_dots(&format!("{scheme}:{reference}")));
    }
    let (host, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let file = before(path, '?');
    let path = match reference.as_bytes() {
        [] => path.to_owned(),
        [b'?', ..] => format!("{file}{reference}"),
        [b'/', ..] => reference.to_owned(),
        _ => {
            let folder = file.rfind('/').map_or("/", |at| &file[..=at]);
            format!("{folder}{reference}")
        }
    };
    Some(without_dots(&format!("{scheme}://{host}{path}")))
}

/// The part that all addresses of one resource share: without scheme and fragment, the host in
/// lower case, and every character that is not allowed in an address in percent encoding.
pub fn key(url: &str) -> String {
    let url = before(url.trim(), '#');
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let (host, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let mut key = host.to_ascii_lowercase();
    for port in [":80", ":443"] {
        key.truncate(key.strip_suffix(port).map_or(key.len(), str::len));
    }
    if !path.starts_with('/') {
        key.push('/');
    }
    for byte in path.bytes() {
        match byte {
            b'!'..=b'~' => key.push(byte as char),
            _ => key.push_str(&format!("%{byte:02X}")),
        }
    }
    key
}

fn before(text: &str, end: char) -> &str {
    text.split(end).next().unwrap_or_default()
}

/// Whether the reference begins with a scheme, so that it is not a path.
fn has_scheme(reference: &str) -> bool {
    let (scheme, is_ended) = match reference.find([':', '/', '?']) {
        Some(at) => (&reference[..at], reference.as_bytes()[at] == b':'),
        None => ("", false),
    };
    let mut bytes = scheme.bytes();
    let is_scheme = bytes.next().is_some_and(|b| b.is_ascii_alphabetic())
        && bytes.all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
    is_ended && is_scheme
}

/// The address without `.` and `..` in its path (§5.2.4).
fn without_dots(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else {
        return url.to_owned();
    };
    let (host, path) = rest.split_at(rest.find(['/', '?']).unwrap_or(rest.len()));
    let (path, query) = path.split_at(path.find('?').unwrap_or(path.len()));
    let mut parts: Vec<&str> = Vec::new();
    let mut ends_in_folder = true;
    for part in path.split('/').skip(1) {
        ends_in_folder = matches!(part, "" | "." | "..");
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    // A path that ends in a folder has an empty last part.
    if ends_in_folder && parts.last().is_none_or(|part| !part.is_empty()) {
        parts.push("");
    }
    format!("{scheme}://{host}/{}{query}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_joined_as_the_standard_says() {
        // Examples of §5.4.1 and §5.4.2 with a base on the web, and some of our own.
        for (reference, joined) in [
            ("g", "http://a/b/c/g"),
            ("./g", "http://a/b/c/g"),
            ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g/"),
            ("//G.example/h", "http://G.example/h"),
            ("?y", "http://a/b/c/d;p?y"),
            ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q"),
            ("g#s", "http://a/b/c/g"),
            (";x", "http://a/b/c/;x"),
            ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"),
            ("..", "http://a/b/"),
            ("../g", "http://a/b/g"),
            ("../..", "http://a/"),
            ("../../g", "http://a/g"),
            ("../../../g", "http://a/g"),
            ("/./g", "http://a/g"),
            ("g.", "http://a/b/c/g."),
            ("..g", "http://a/b/c/..g"),
            ("./../g", "http://a/b/g"),
            ("g/./h", "http://a/b/c/g/h"),
            ("g?y/../x", "http://a/b/c/g?y/../x"),
            (" https://h.example/./s.css ", "https://h.example/s.css"),
        ] {
            let base = "http://a/b/c/d;p?q";
            assert_eq!(
                join(base, reference).as_deref(),
                Some(joined),
                "{reference}"
            );
        }
        for (base, reference) in [
            ("http://a/", "data:text/css,x"),
            ("http://a/", "ftp://b/c"),
            ("http://a/", "javascript:x"),
            ("", "a.css"),
            ("about:blank", "a.css"),
        ] {
            assert_eq!(join(base, reference), None, "{reference}");
        }
        assert_eq!(join("http://a", "b").as_deref(), Some("http://a/b"));
        assert_eq!(join("http://a?x/y", "b").as_deref(), Some("http://a/b"));
        assert_eq!(join("http://a/", &"x".repeat(MAX_ADDRESS_BYTES + 1)), None);
    }

    #[test]
    fn addresses_of_one_resource_have_one_key() {
        let same = [
            "http://A.example/b c?é",
            "https://a.example:443/b%20c?%C3%A9#x",
        ];
        assert_eq!(key(same[0]), key(same[1]));
        assert_eq!(key("http://a.example"), key("http://a.example:80/"));
        for other in [
            "http://a.example/B",
            "http://a.example/b?",
            "http://b.example/b",
        ] {
            assert_ne!(key(other), key("http://a.example/b"));
        }
    }
}
