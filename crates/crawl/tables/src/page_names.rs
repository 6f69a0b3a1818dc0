//! What the files of pages are called.

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Longest name made of an id or an address, in bytes; file systems allow 255.
const MAX_NAME_BYTES: usize = 180;

/// Endings of addresses of pages, which their files have not.
const ENDINGS: [&str; 3] = [".html", ".htm", ".xhtml"];

/// What pages of a crawl are named by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PageNames {
    /// Their address: `a.example_path_page`.
    #[default]
    Url,
    /// Their id.
    Id,
    /// Their number in the crawl, from `000001` on.
    Number,
}

impl PageNames {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Url, Self::Id, Self::Number];

    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Url => "url",
            Self::Id => "id",
            Self::Number => "number",
        }
    }
}

/// Names the pages of an input one after the other, so that no two have the same name.
///
/// Memory: 20 to 40 bytes a page, and 60 while the table of names grows; none if pages are numbered.
#[derive(Debug)]
pub struct PageNamer {
    names: PageNames,
    pages: u64,
    /// By the hash of a name that was given: the number of the last page that asked for it.
    taken: HashMap<u64, u64>,
}

impl PageNamer {
    /// For the pages of an input.
    pub fn new(names: PageNames) -> Self {
        Self {
            names,
            pages: 0,
            taken: HashMap::new(),
        }
    }

    /// The name of the next page's file, without its ending. Of pages of one id, all but the first get a number; of pages
    /// of one address, they get a hash of the id.
    pub fn next(&mut self, input: &str, id: &str, url: &str) -> String {
        self.pages += 1;
        match self.names {
            PageNames::Id => self.numbered(page_name(input, id)),
            PageNames::Number => format!("{:06}", self.pages),
            PageNames::Url => {
                let name = url_name(url).unwrap_or_else(|| page_name(input, id));
                let is_free = !self.taken.contains_key(&self.key(&name));
                self.numbered(if is_free { name } else { hashed(&name, id) })
            }
        }
    }

    fn numbered(&mut self, name: String) -> String {
        let (mut numbered, mut number) = (name.clone(), 1);
        if let Some(last) = self.taken.get(&self.key(&name)) {
            number = *last;
            while self.taken.contains_key(&self.key(&numbered)) {
                number += 1;
                numbered = format!("{name}-{number}");
            }
            self.taken.insert(self.key(&numbered), 1);
        }
        self.taken.insert(self.key(&name), number);
        numbered
    }

    /// Some file systems take two names for one that differ in case alone. Ids keep theirs.
    fn key(&self, name: &str) -> u64 {
        let mut hasher = DefaultHasher::new();
        match self.names {
            PageNames::Url => name.to_ascii_lowercase().hash(&mut hasher),
            PageNames::Id | PageNames::Number => name.hash(&mut hasher),
        }
        hasher.finish()
    }
}

/// What the file of a page in a crawl is called by its id, without its ending: its id, or its place in the crawl where
/// that is its id.
fn page_name(input: &str, id: &str) -> String {
    let place = id.strip_prefix(input).filter(|rest| rest.starts_with('@'));
    safe_name(place.unwrap_or(id))
}

/// A name that every file system takes, different for different ids: other characters are `%XX`,
/// and of a long one the end is a hash.
pub fn safe_name(id: &str) -> String {
    let mut name = String::new();
    for (at, byte) in id.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => name.push(char::from(byte)),
            // A name that begins with `-` is an option to most programs.
            b'.' | b'_' | b'-' if at > 0 => name.push(char::from(byte)),
            _ => name += &format!("%{byte:02X}"),
        }
    }
    match name.len() > MAX_NAME_BYTES {
        true => hashed(&name, id),
        false => name,
    }
}

/// What the file of a page with this address is called, without its ending: host and path, with `_` for `/` and `-` for
/// what file systems refuse, and of a long one the end is a hash. `None` for what is no address of the web.
fn url_name(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let is_web = ["http", "https"]
        .iter()
        .any(|s| scheme.eq_ignore_ascii_case(s));
    let rest = rest
        .split('#')
        .next()
        .filter(|rest| is_web && !rest.is_empty())?;
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let path = path.trim_end_matches('/');
    let ending = ENDINGS.iter().find(|ending| {
        let start = path.len().wrapping_sub(ending.len());
        path.get(start..)
            .is_some_and(|end| end.eq_ignore_ascii_case(ending))
    });
    let is_host = !path.contains('/');
    let stem = match ending {
        Some(ending) if !is_host => &path[..path.len() - ending.len()],
        _ => path,
    };
    let host = stem
        .split('/')
        .next()
        .unwrap_or_default()
        .to_ascii_lowercase();
    let named = [
        host.as_str(),
        &stem[host.len()..],
        if query.is_empty() { "" } else { "-" },
        query,
    ];
    let mut name = String::new();
    for c in named.concat().chars() {
        match c {
            '/' => name.push('_'),
            'a'..='z' | 'A'..='Z' | '0'..='9' | '_' | '=' | '%' => name.push(c),
            '.' if !name.is_empty() => name.push(c),
            _ => name.push('-'),
        }
        if name.len() > MAX_NAME_BYTES {
            break;
        }
    }
    if is_reserved(&name) || name.starts_with('-') {
        name.insert(0, '_');
    }
    Some(match name.len() > MAX_NAME_BYTES {
        true => hashed(&name, url),
        false => name,
    })
}

/// Whether Windows takes a name for a device, whatever its ending.
fn is_reserved(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    let port = ["com", "lpt"].iter().any(|device| {
        let number = stem.get(..3).filter(|s| s.eq_ignore_ascii_case(device));
        number.is_some() && stem.len() == 4 && stem.ends_with(|c: char| c.is_ascii_digit())
    });
    port || ["con", "prn", "aux", "nul"]
        .iter()
        .any(|device| stem.eq_ignore_ascii_case(device))
}

/// A name whose end is a hash of what it was made of, at most as long as names may be.
fn hashed(name: &str, of: &str) -> String {
    let hash = HEXLOWER.encode(&Sha256::digest(of.as_bytes())[..8]);
    let name = &name[..name.len().min(MAX_NAME_BYTES - 17)];
    format!("{name}-{hash}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_ids_are_safe_and_differ() {
        assert_eq!(
            safe_name("clueweb09-en0000-00-00000"),
            "clueweb09-en0000-00-00000"
        );
        assert_eq!(safe_name("urn:uuid:1/../x"), "urn%3Auuid%3A1%2F..%2Fx");
        assert_eq!(safe_name(".x"), "%2Ex");
        let long = ["a", "b"].map(|end| safe_name(&format!("{}{end}", "é".repeat(300))));
        assert!(long[0].len() == MAX_NAME_BYTES && long[0] != long[1]);
    }

    #[test]
    fn names_of_addresses_are_read_and_safe() {
        for (url, name) in [
            ("https://a.example/", "a.example"),
            ("HTTP://A.Example", "a.example"),
            ("https://a.example/b/C.html", "a.example_b_C"),
            ("https://a.example/b/?q=1&r=x y#z", "a.example_b-q=1-r=x-y"),
            (
                "https://a.example:8080/../../etc",
                "a.example-8080_.._.._etc",
            ),
            ("https://a.example/é/%2F\\", "a.example_-_%2F-"),
            ("http://a.html", "a.html"),
            ("http://../x", "_-._x"),
            ("http://con/", "_con"),
            ("http://COM1.example", "_com1.example"),
            ("http://com10", "com10"),
        ] {
            assert_eq!(url_name(url).as_deref(), Some(name), "{url}");
        }
        for other in ["", "urn:x", "ftp://a/b", "https://", "/b", "dns:a.example"] {
            assert_eq!(url_name(other), None, "{other}");
        }
        let long = ["a", "b"].map(|end| format!("https://a.example/{}{end}", "x/".repeat(200)));
        let long = long.map(|url| url_name(&url).unwrap());
        assert!(long[0].len() == MAX_NAME_BYTES && long[0] != long[1]);
    }

    #[test]
    fn no_two_pages_of_an_input_have_the_same_name() {
        let mut namer = PageNamer::new(PageNames::Id);
        let ids = ["x", "x-2", "x", "x-2", "x", "00.warc@7", "x-3"];
        let made = ids.map(|id| namer.next("00.warc", id, "https://a.example/"));
        assert_eq!(made, ["x", "x-2", "x-3", "x-2-2", "x-4", "%407", "x-3-2"]);

        let mut namer = PageNamer::new(PageNames::Url);
        let pages = [
            ("1", "https://a.example/b"),
            ("2", "https://a.example/B"),
            ("3", "http://a.example/b/"),
            ("3", "http://a.example/b/"),
            ("4", ""),
        ];
        let made = pages.map(|(id, url)| namer.next("00.warc", id, url));
        let of = |id| hashed("a.example_b", id);
        let third = of("3");
        assert_eq!(
            made,
            [
                "a.example_b",
                &hashed("a.example_B", "2"),
                &third,
                &format!("{third}-2"),
                "4"
            ]
        );

        let mut namer = PageNamer::new(PageNames::Number);
        assert_eq!(namer.next("00.warc", "x", ""), "000001");
        assert_eq!(namer.next("00.warc", "x", ""), "000002");
    }
}
