//! Removes parts of URLs that identify a visit rather than a page.

/// Removes the session of ASP.NET from a lower-case path: `/(s(24 letters and digits))/page.aspx`,
/// or without the inner brackets.
pub(super) fn without_path_session(path: Vec<u8>) -> Vec<u8> {
    let letters = |part: &[u8]| part.len() == 24 && part.iter().all(u8::is_ascii_alphanumeric);
    let named = |part: &[u8]| {
        // a(24) one after the other: 27 bytes each
        !part.is_empty()
            && part.len().is_multiple_of(27)
            && part.chunks(27).all(|c| {
                c[0].is_ascii_alphabetic() && c[1] == b'(' && c[26] == b')' && letters(&c[2..26])
            })
    };
    let strip = |path: &[u8], is_session: &dyn Fn(&[u8]) -> bool| {
        let marks: Vec<usize> = memchr::memchr_iter(b'?', path).collect();
        let pages: Vec<usize> = memchr::memmem::find_iter(path, b".aspx").collect();
        // Whether a page's name with `.aspx` follows before the next `?`.
        let page = |start: usize| {
            let mark = marks.get(marks.partition_point(|at| *at < start));
            let page = pages.get(pages.partition_point(|at| *at <= start));
            page.is_some_and(|page| mark.is_none_or(|mark| page < mark))
        };
        let slashes: Vec<usize> = memchr::memchr_iter(b'/', path).collect();
        let found = slashes.windows(2).rev().find(|pair| {
            let part = &path[pair[0] + 1..pair[1]];
            let inner = part.strip_prefix(b"(").and_then(|p| p.strip_suffix(b")"));
            inner.is_some_and(is_session) && page(pair[1] + 1)
        })?;
        Some([&path[..=found[0]], &path[found[1] + 1..]].concat())
    };
    let path = strip(&path, &named).unwrap_or(path);
    strip(&path, &letters).unwrap_or(path)
}

/// Removes session ids from a query, one of each kind.
pub(super) fn without_query_session(mut query: Vec<u8>) -> Vec<u8> {
    let run = |bytes: &[u8], n: usize, is: fn(&u8) -> bool| {
        (bytes.len() >= n && bytes[..n].iter().all(is)).then_some(n)
    };
    let id = move |bytes: &[u8]| run(bytes, 32, u8::is_ascii_alphanumeric);
    let asp = move |bytes: &[u8]| {
        run(bytes, 8, u8::is_ascii_alphabetic)?;
        (*bytes.get(8)? == b'=').then_some(())?;
        run(&bytes[9..], 24, u8::is_ascii_alphabetic).map(|n| 9 + n)
    };
    type Length<'f> = &'f dyn Fn(&[u8]) -> Option<usize>;
    let kinds: [(&[u8], Length); 4] = [
        (b"jsessionid=", &id),
        (b"phpsessid=", &id),
        (b"sid=", &id),
        (b"aspsessionid", &asp),
    ];
    for (name, length) in kinds {
        let lower = query.to_ascii_lowercase();
        let found = memchr::memmem::rfind_iter(&lower, name).find_map(|at| {
            let end = at + name.len() + length(&query[at + name.len()..])?;
            matches!(query.get(end), None | Some(b'&')).then_some((at, end))
        });
        if let Some((at, end)) = found {
            query.drain(at..(end + 1).min(query.len()));
        }
    }
    if let Some((at, end)) = cold_fusion(&query.to_ascii_lowercase()) {
        query.drain(at..(end + 1).min(query.len()));
    }
    query
}

/// The range of the last `cfid=…&cftoken=…` in a lower-case query, where neither value is empty.
fn cold_fusion(query: &[u8]) -> Option<(usize, usize)> {
    let (id, token) = (b"cfid=", b"cftoken=");
    let mut end = query.len();
    let mut next: &[u8] = b"";
    for part in query.rsplit(|b| *b == b'&') {
        let start = end - part.len();
        if next.len() > token.len() && next.starts_with(token) {
            let mut ids = memchr::memmem::rfind_iter(part, id);
            if let Some(at) = ids.find(|at| at + id.len() < part.len()) {
                return Some((start + at, end + 1 + next.len()));
            }
        }
        next = part;
        end = start.saturating_sub(1);
    }
    None
}
