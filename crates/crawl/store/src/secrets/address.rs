//! One address, and the secrets in it.

/// Endings of the names of parameters that are signatures or passwords, in lower case: those of S3
/// and similar stores, of Google Cloud, of Azure, and of tokens.
const SECRETS: &[&str] = &[
    "signature",
    "sig",
    "token",
    "credential",
    "accesskeyid",
    "accessid",
    "accesskey",
    "access_key",
    "accountkey",
    "secretkey",
    "secret_key",
    "secret",
    "apikey",
    "api_key",
    "password",
    "passwd",
];

/// Which queries are hidden.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Queries {
    /// Queries with a parameter that is a signature or a password.
    Signed,
    /// Those, and all queries of web servers.
    All,
}

/// An address: `scheme` with its colon and slashes, and the rest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Address<'a> {
    pub(super) scheme: &'a str,
    pub(super) rest: &'a str,
}

/// A character of an address. It may be written in percent encoding, such as `%40`.
struct Letter {
    at: usize,
    /// The position after it.
    end: usize,
    byte: u8,
}

fn letters(text: &str) -> impl DoubleEndedIterator<Item = Letter> {
    let bytes = text.as_bytes();
    bytes.iter().enumerate().map(move |(at, &byte)| {
        let digits = bytes.get(at + 1..at + 3).filter(|_| byte == b'%');
        let digits = digits.filter(|d| d.iter().all(u8::is_ascii_hexdigit));
        let value = digits.and_then(|d| std::str::from_utf8(d).ok());
        match value.and_then(|d| u8::from_str_radix(d, 16).ok()) {
            Some(byte) => Letter {
                at,
                end: at + 3,
                byte,
            },
            None => Letter {
                at,
                end: at + 1,
                byte,
            },
        }
    })
}

impl<'a> Address<'a> {
    /// Whether it is on a web server.
    pub(super) fn is_web(self) -> bool {
        self.is_any(&["http", "https"])
    }

    fn is_any(self, schemes: &[&str]) -> bool {
        let name = self.scheme.split(':').next().unwrap_or_default();
        schemes.iter().any(|s| s.eq_ignore_ascii_case(name))
    }

    /// The user, and what follows the `@` after it.
    fn user(self) -> Option<(&'a str, &'a str)> {
        let rest = self.rest;
        let before = |ends: &[char]| rest.find(ends).unwrap_or(rest.len());
        let (authority, path) = (before(&['/', '?', '#']), before(&['?', '#']));
        let plain = rest[..authority].rfind('@').map(|at| at..at + 1);
        let colon = letters(&rest[..path]).find(|l| l.byte == b':');
        // Secret keys of S3 may hold a `/`, and a `?` if there is a colon in the authority.
        let last = |colon: Letter| {
            let to = match colon.at < authority {
                true => rest.len(),
                false => path,
            };
            let mut ends = letters(&rest[colon.end..to]).rev();
            let at = ends.find(|l| l.byte == b'@')?;
            Some(colon.end + at.at..colon.end + at.end)
        };
        let at = match (self.is_web(), colon) {
            (true, Some(colon)) if plain.is_none() => {
                let has_port = colon.at >= authority || has_port(&rest[..authority]);
                if has_port { None } else { last(colon) }
            }
            (false, Some(colon)) => last(colon).or(plain),
            _ => plain,
        }?;
        Some((&rest[..at.start], &rest[at.end..]))
    }

    /// Whether there is a user. The container of `abfs://container@account` does not count.
    pub(super) fn has_keys(self) -> bool {
        let is_azure = self.is_any(&["abfs", "abfss", "wasb", "wasbs"]);
        self.user()
            .is_some_and(|(user, _)| !is_azure || letters(user).any(|l| l.byte == b':'))
    }

    /// Whether a parameter is a signature or a password.
    pub(super) fn is_signed(self) -> bool {
        signed_at(self.user().map_or(self.rest, |(_, rest)| rest)).is_some()
    }

    /// The address without its secrets.
    pub(super) fn shown(self, queries: Queries) -> String {
        let mut shown = self.scheme.to_owned();
        let rest = match self.user() {
            Some((_, rest)) if self.has_keys() => {
                shown += "…@";
                rest
            }
            _ => self.rest,
        };
        let query = match queries {
            Queries::All if self.is_web() => rest.find(['?', '#']).map(|at| at + 1),
            _ => None,
        };
        match [query, signed_at(rest)].into_iter().flatten().min() {
            Some(at) if at < rest.len() => shown + &rest[..at] + "…",
            _ => shown + rest,
        }
    }
}

/// Where the first parameter begins, if any of them is secret.
pub(super) fn signed_at(rest: &str) -> Option<usize> {
    let begins: Vec<usize> = letters(rest)
        .filter(|l| matches!(l.byte, b'?' | b'#' | b'&' | b';'))
        .map(|l| l.end)
        .collect();
    let is_secret = |&begin: &usize| {
        let mut name = String::new();
        for letter in percent_decoded(&rest[begin..]) {
            match letter {
                b'=' => return SECRETS.iter().any(|s| name.ends_with(s)),
                b'?' | b'#' | b'&' | b';' => return false,
                _ => name.push(char::from(letter.to_ascii_lowercase())),
            }
        }
        false
    };
    begins.iter().any(is_secret).then(|| begins[0])
}

/// The bytes of a text, with percent encoding such as `%40` decoded.
fn percent_decoded(text: &str) -> impl Iterator<Item = u8> {
    let mut next = 0;
    letters(text).filter_map(move |l| {
        let is_new = l.at >= next;
        if is_new {
            next = l.end;
        }
        is_new.then_some(l.byte)
    })
}

/// Whether a web authority ends with its host, or with one colon and a port.
fn has_port(authority: &str) -> bool {
    let host = authority.rfind(']').map_or(0, |at| at + 1);
    match authority[host..].split_once(':') {
        Some((_, port)) => {
            (1..=5).contains(&port.len()) && port.bytes().all(|b| b.is_ascii_digit())
        }
        None => !letters(&authority[host..]).any(|l| l.byte == b':'),
    }
}
