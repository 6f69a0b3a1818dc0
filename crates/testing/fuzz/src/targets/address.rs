//! Addresses: of objects, and the sort keys of URLs.
//!
//! The first byte selects the kind of the rest.

use crate::Target;
use crate::digest::choice;
use std::cell::RefCell;
use warcsieve_engine::cdx::surt;
use warcsieve_store::{Stores, check_place, is_address, is_web};

/// The target.
pub const TARGET: Target = Target {
    name: "address",
    check,
    seeds,
    max_len: 512,
    fair: 2000.0,
};

thread_local! {
    static STORES: RefCell<Stores> = RefCell::default();
}

/// Stores for which neither credentials nor a request is needed.
const ROOTS: [&str; 2] = ["http://host.example/", "https://host.example/"];

fn check(input: &[u8]) {
    let (kind, rest) = choice(input);
    let text = String::from_utf8_lossy(rest);
    match kind % 4 {
        0 => {
            let key = surt(&text);
            assert_eq!(surt(&text), key);
            assert!(!key.contains(['\n', ' ']), "{key:?}");
        }
        1 => {
            // It may be accepted or rejected, but must not panic.
            let _ = check_place(&text);
            assert!(is_address(&text) || !is_web(&text));
        }
        number => {
            let address = format!("{}{text}", ROOTS[number - 2]);
            STORES.with_borrow(|stores| {
                if let Ok(object) = stores.object(&address) {
                    assert_eq!(object.address(), address);
                    assert!(!text.contains(['?', '#']));
                }
            });
        }
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let urls = [
        "http://www.Example.com:80/a/../b//c;jsessionid=0?b=2&a=1&utm_source=x#f",
        "https://user:password@xn--mnchen-3ya.example/%7Efoo/%2e%2E/",
        "http://münchen.example/straße?ö",
        "ftp://1.2.3.4:21/x",
        "dns:example.com",
        "http://[::1]/",
        "urn:text:http://a/",
        "filedesc://x.arc",
    ];
    let places = [
        "s3://b/x",
        "hdfs:///x",
        "c:/x",
        "./a:/b",
        "https://host/a?sig=secret",
    ];
    let keys = [
        "a/b c.warc.gz",
        "a%20b/%C3%A4",
        "a//b",
        "../c",
        "a?sig=secret",
        "",
    ];
    let kinds: [(u8, &[&str]); 4] = [(0, &urls), (1, &places), (2, &keys), (3, &keys)];
    let seeds = kinds.iter().flat_map(|(kind, texts)| {
        texts
            .iter()
            .map(|text| [&[*kind], text.as_bytes()].concat())
    });
    seeds.collect()
}
