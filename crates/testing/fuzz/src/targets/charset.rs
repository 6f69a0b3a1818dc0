//! The encoding of a page: it is found, and the page is decoded within the limit.
//!
//! The first byte says whether the body is HTML, and whether the first line is the label of its
//! transport.

use crate::Target;
use crate::digest::{choice, is_sampled};
use crate::seeds::{chosen, pages};
use std::cell::RefCell;
use warcsieve_page::charset::{Hints, decode};

/// The target.
pub const TARGET: Target = Target {
    name: "charset",
    check,
    seeds,
    max_len: 4096,
    fair: 2000.0,
};

thread_local! {
    static USED: RefCell<String> = RefCell::default();
}

fn check(input: &[u8]) {
    let (how, rest) = choice(input);
    let line = rest
        .iter()
        .position(|b| *b == b'\n')
        .filter(|_| how & 2 != 0);
    let (label, body) = match line {
        Some(end) => (Some(&rest[..end]), &rest[end + 1..]),
        None => (None, rest),
    };
    let hints = Hints {
        label,
        html: how & 1 != 0,
        url: if how & 4 != 0 {
            "http://host.example.ru/"
        } else {
            ""
        },
    };
    USED.with_borrow_mut(|used| {
        let Ok(decoded) = decode(body, hints, used, 4 * body.len() + 4) else {
            panic!("a byte gives three at most, and the text may have four times the bytes")
        };
        let text = decoded.text;
        if is_sampled(input, 8) {
            let mut fresh = String::new();
            let again = decode(body, hints, &mut fresh, text.len()).unwrap();
            assert_eq!((again.text, again.encoding), (text, decoded.encoding));
            assert_eq!((again.source, again.flaws), (decoded.source, decoded.flaws));
            if let Some(less) = text.len().checked_sub(1) {
                assert!(decode(body, hints, &mut fresh, less).is_err());
            }
        }
    });
}

fn seeds() -> Vec<Vec<u8>> {
    let mut seeds = chosen(&[1, 5, 0, 4], &pages());
    let whole = crate::seeds::files("testdata/pages").into_iter();
    let heads = whole.map(|(_, page)| [&[1], &page[..page.len().min(2000)]].concat());
    seeds.extend(heads);
    for label in [
        "shift_jis",
        "iso-2022-jp",
        "utf-16be",
        "gb18030",
        "x-user-defined",
        "hz",
    ] {
        seeds.push(format!("\x03{label}\n<p>caf\u{e9} \u{1b}$B").into_bytes());
    }
    seeds
}
