//! Sort-friendly URLs, the keys of an index: hosts are reversed, and parts that rarely distinguish
//! pages are left out.

mod session;

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};
use session::{without_path_session, without_query_session};

/// The key of a URL, as in pywb and Common Crawl: `http://www.Example.com/A/?b&a=1` is
/// `com,example)/a?a=1&b`. ASCII without spaces; `-` for no URL.
///
/// Scheme, user, password, fragment, default port, a leading `www.` or `www2.`, session numbers,
/// a closing `/` and an empty query are left out; unnecessary escapes are undone, letters are lower
/// case, parameters sorted, dotted and plain numbers read as addresses, and names of other scripts
/// written in ASCII. The rules are those of the Internet Archive's canonicalizer (Python package
/// `surt`), with two differences: the case of `http` does not matter, and names are mapped by UTS
/// 46 instead of IDNA 2003, so that `straße` is not `strasse`. A URL whose port is no number is its
/// own key.
pub fn surt(url: &str) -> String {
    if url.is_empty() {
        return "-".to_owned();
    }
    if url.starts_with("filedesc") {
        return printable(url);
    }
    let Some(parts) = Parts::of(url) else {
        return printable(url);
    };
    let mut key = Vec::with_capacity(url.len());
    match &parts.host {
        Some(host) if !host.is_empty() => {
            for (i, label) in host.rsplit(|b| *b == b'.').enumerate() {
                if i > 0 {
                    key.push(b',');
                }
                key.extend(label);
            }
            if let Some(port) = parts.port {
                key.extend(format!(":{port}").into_bytes());
            }
            key.push(b')');
        }
        _ => key.extend([parts.scheme.as_bytes(), b":"].concat()),
    }
    if !parts.path.is_empty() {
        key.extend(&parts.path);
    } else if parts.query.is_some() {
        key.push(b'/');
    }
    if let Some(query) = &parts.query {
        key.push(b'?');
        key.extend(query);
    }
    printable(&String::from_utf8_lossy(&key))
}

/// The parts of a key.
struct Parts {
    scheme: String,
    host: Option<Vec<u8>>,
    port: Option<u16>,
    path: Vec<u8>,
    query: Option<Vec<u8>>,
}

impl Parts {
    /// `None` where the port is no number.
    fn of(url: &str) -> Option<Self> {
        let url: String = url
            .trim_matches(|c: char| c.is_ascii_whitespace() || c == '\u{b}')
            .chars()
            .filter(|c| !matches!(c, '\n' | '\r' | '\t'))
            .collect();
        let (scheme, rest) = match split_scheme(&url) {
            Some((scheme, rest)) => (scheme, rest.to_owned()),
            None => ("http", format!("//{url}")),
        };
        let kind = scheme.to_ascii_lowercase();
        let rest = rest.split('#').next().unwrap_or_default();
        let (rest, query) = match rest.split_once('?') {
            Some((rest, query)) => (rest, query),
            None => (rest, ""),
        };
        let (authority, path) = match rest.strip_prefix("//") {
            Some(rest) => rest.split_at(rest.find('/').unwrap_or(rest.len())),
            None => ("", rest),
        };
        let (mut host, port) = split_authority(authority)?;
        let mut path = path.to_owned();
        if host.is_empty() && kind.starts_with("http") && !path.is_empty() {
            // `http:////example.com` and `http:example.com`
            let below = path.trim_start_matches('/');
            let (first, more) = below.split_once('/').unwrap_or((below, ""));
            (host, path) = (first.to_owned(), format!("/{more}"));
        }
        let host = (!host.is_empty()).then(|| canonical_host(host.as_bytes(), kind == "dns"));
        let default = match &*kind {
            "http" => Some(80),
            "https" => Some(443),
            _ => None,
        };
        let mut path = unescape(path.as_bytes());
        if host.as_ref().is_some_and(|h| !h.is_empty()) {
            path = normal_path(&path);
        }
        let mut path = without_path_session(escape(&path).to_ascii_lowercase());
        if path.len() > 1 && path.last() == Some(&b'/') {
            path.pop();
        }
        let query = without_query_session(escape(&unescape(query.as_bytes())));
        let query = sorted(&query.to_ascii_lowercase());
        Some(Self {
            host,
            port: port.filter(|port| Some(*port) != default),
            path,
            query: Some(query).filter(|q| !q.is_empty()),
            scheme: scheme.to_owned(),
        })
    }
}

/// The scheme, and what follows its colon. Of several `http://` in a row the last counts.
fn split_scheme(url: &str) -> Option<(&str, &str)> {
    let scheme_of = |url: &str| {
        let end = url.find(':')?;
        let name = &url.as_bytes()[..end];
        let is_name = name.first().is_some_and(u8::is_ascii_alphabetic)
            && name
                .iter()
                .all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(b));
        is_name.then_some(end)
    };
    let (mut url, mut end) = (url, scheme_of(url)?);
    let is_web =
        |scheme: &str| scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    while is_web(&url[..end])
        && let Some(rest) = url[end + 1..].strip_prefix("//")
        && let Some(next) = scheme_of(rest)
        && is_web(&rest[..next])
        && rest[next + 1..].starts_with("//")
    {
        (url, end) = (rest, next);
    }
    Some((&url[..end], &url[end + 1..]))
}

/// Host and port, without user and brackets; `None` if the port is no number.
fn split_authority(authority: &str) -> Option<(String, Option<u16>)> {
    let authority = authority.trim_end_matches(':');
    let place = authority.rsplit('@').next().unwrap_or(authority);
    let (host, port) = match place.split_once('[') {
        Some((_, bracketed)) => {
            let (host, after) = bracketed.split_once(']').unwrap_or((bracketed, ""));
            (host, after.split_once(':').map_or("", |(_, port)| port))
        }
        None => place.split_once(':').unwrap_or((place, "")),
    };
    let port = match port {
        "" => 0,
        digits if digits.bytes().all(|b| b.is_ascii_digit()) => digits.parse().ok()?,
        _ => return None,
    };
    Some((host.to_owned(), Some(port).filter(|port| *port > 0)))
}

fn canonical_host(host: &[u8], dns: bool) -> Vec<u8> {
    let mut host = unescape(&host.to_ascii_lowercase());
    if !host.is_ascii() {
        let text = String::from_utf8_lossy(&host).replace(char::REPLACEMENT_CHARACTER, "");
        if let Some(ascii) = ascii_name(&text) {
            host = ascii;
        }
    }
    let mut single = Vec::with_capacity(host.len());
    let mut at = 0;
    while at < host.len() {
        single.push(host[at]);
        at += if host[at..].starts_with(b"..") { 2 } else { 1 };
    }
    let start = single.iter().take_while(|b| **b == b'.').count();
    let end = single.len()
        - single[start..]
            .iter()
            .rev()
            .take_while(|b| **b == b'.')
            .count();
    let host = &single[start..end];
    if let Some(ip) = address(host) {
        return ip.map(|byte| byte.to_string()).join(".").into_bytes();
    }
    let host = escape(&host.to_ascii_lowercase()).to_ascii_lowercase();
    match host.strip_prefix(b"www") {
        Some(rest) if !dns => {
            let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
            match rest.get(digits) {
                Some(b'.') => rest[digits + 1..].to_vec(),
                _ => host,
            }
        }
        _ => host,
    }
}

/// A name of other scripts in ASCII; `None` if it cannot be a name.
fn ascii_name(name: &str) -> Option<Vec<u8>> {
    let (any, hyphens, length) = (
        AsciiDenyList::EMPTY,
        Hyphens::Allow,
        DnsLength::VerifyAllowRootDot,
    );
    let ascii = Uts46::new().to_ascii(name.as_bytes(), any, hyphens, length);
    ascii.ok().map(|ascii| ascii.into_owned().into_bytes())
}

/// The address that one to four numbers stand for, as the C library reads them: a leading 0 means
/// octal, and the last number fills the remaining bytes, so `1.2` is 1.0.0.2. One number alone is
/// decimal, modulo 2³².
fn address(host: &[u8]) -> Option<[u8; 4]> {
    let parts: Vec<&[u8]> = host.split(|b| *b == b'.').collect();
    let digits = |part: &&[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    if parts.len() > 4 || !parts.iter().all(digits) {
        return None;
    }
    if let [number] = parts[..] {
        let n = number.iter().fold(0u32, |n, digit| {
            n.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'))
        });
        return Some(n.to_be_bytes());
    }
    let octal = |part: &[u8]| part.iter().all(|b| *b < b'8');
    if parts[0][0] == b'0' && !parts.iter().all(|part| octal(part)) {
        return None;
    }
    let mut ip = 0u32;
    for (i, part) in parts.iter().enumerate() {
        let radix = if part[0] == b'0' { 8 } else { 10 };
        let text = std::str::from_utf8(part).ok()?;
        let n = u32::from_str_radix(text, radix).ok()?;
        let last = i + 1 == parts.len();
        let bytes = if last { 4 - i } else { 1 };
        if bytes < 4 && n >> (8 * bytes) != 0 {
            return None;
        }
        ip |= n << (8 * (4 - i - bytes));
    }
    Some(ip.to_be_bytes())
}

/// Undoes all escapes, including those that appear when others are undone: `%2541` becomes `A`.
/// Takes linear time for any nesting: `out` never ends in an escape, so only its end needs to be
/// checked after each byte.
fn unescape(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for &byte in bytes {
        out.push(byte);
        while let [.., b'%', high, low] = out[..]
            && let (Some(high), Some(low)) = (hex(high), hex(low))
        {
            out.truncate(out.len() - 3);
            out.push(high << 4 | low);
        }
    }
    out
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).map(|n| n as u8)
}

/// Escapes characters that are not printable ASCII, and `%`, `#` and the space.
fn escape(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for &byte in bytes {
        if byte.is_ascii_graphic() && !matches!(byte, b'%' | b'#') {
            out.push(byte);
        } else {
            out.extend(format!("%{byte:02X}").into_bytes());
        }
    }
    out
}

/// Escapes what is not allowed in a key: white space, controls and other scripts.
fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_graphic() {
            out.push(char::from(byte));
        } else {
            out += &format!("%{byte:02x}");
        }
    }
    out
}

/// Removes `.`, `..` with the component before it, and empty components except the last one.
fn normal_path(path: &[u8]) -> Vec<u8> {
    let mut kept: Vec<&[u8]> = Vec::new();
    for part in path.split(|b| *b == b'/').skip(1) {
        match part {
            b"." => {}
            b".." if !kept.is_empty() => {
                kept.pop();
            }
            _ => kept.push(part),
        }
    }
    let last = kept.pop().unwrap_or_default();
    kept.retain(|part| !part.is_empty());
    kept.push(last);
    [b"/", &kept.join(&b'/')[..]].concat()
}

/// The parameters sorted by name, those without a value first.
fn sorted(query: &[u8]) -> Vec<u8> {
    if query.len() <= 1 {
        return query.to_vec();
    }
    let mut parameters: Vec<(&[u8], Option<&[u8]>)> = query
        .split(|b| *b == b'&')
        .map(|parameter| match memchr::memchr(b'=', parameter) {
            Some(at) => (&parameter[..at], Some(&parameter[at + 1..])),
            None => (parameter, None),
        })
        .collect();
    parameters.sort_unstable();
    let parameters = parameters.iter().map(|(name, value)| match value {
        Some(value) => [name, &b"="[..], value].concat(),
        None => name.to_vec(),
    });
    parameters.collect::<Vec<_>>().join(&b'&')
}

#[cfg(test)]
mod tests;
