//! CDXJ: a sort key, a timestamp and a JSON object a line (pywb; Common Crawl's `cdx-*.gz`). Index
//! servers answer with the object alone, and the key and timestamp in it.

use super::entry::Entry;
use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};
use std::fmt;

/// The fields that are read of the object.
#[derive(Deserialize)]
struct Object {
    filename: Option<String>,
    offset: Option<Number>,
    length: Option<Number>,
    url: Option<String>,
    digest: Option<String>,
}

/// A whole number, written as a number or as a string.
struct Number(u64);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl Visitor<'_> for Either {
            type Value = Number;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a number of bytes")
            }

            fn visit_u64<E: de::Error>(self, n: u64) -> Result<Number, E> {
                Ok(Number(n))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Number, E> {
                let digits = text.bytes().all(|b| b.is_ascii_digit());
                match text.parse() {
                    Ok(n) if digits => Ok(Number(n)),
                    _ => Err(E::invalid_value(de::Unexpected::Str(text), &self)),
                }
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// The object of a line: the whole line, or what follows key and timestamp. `None` if there is
/// none.
pub(super) fn object(line: &[u8]) -> Option<&[u8]> {
    if line.first() == Some(&b'{') {
        return Some(line);
    }
    let mut spaces = memchr::memchr_iter(b' ', line);
    let second = spaces.nth(1)?;
    let rest = line[second..].trim_ascii_start();
    (rest.first() == Some(&b'{')).then_some(rest)
}

/// Reads the object of a line.
///
/// # Errors
/// What is wrong with it.
pub(super) fn read(object: &[u8], entry: &mut Entry) -> Result<(), String> {
    let object: Object =
        serde_json::from_slice(object).map_err(|e| format!("the JSON cannot be used: {e}"))?;
    let need = |name: &str| {
        format!(
            "the JSON has no `{name}`: a record is found by filename, offset and length; make an \
             index that has them with `warcsieve cdx`"
        )
    };
    entry.filename = object
        .filename
        .filter(|name| !name.is_empty())
        .ok_or_else(|| need("filename"))?;
    entry.offset = object.offset.ok_or_else(|| need("offset"))?.0;
    entry.length = object.length.ok_or_else(|| need("length"))?.0;
    entry.url = object.url.unwrap_or_default();
    entry.digest = object.digest.unwrap_or_default();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(line: &str) -> Result<Entry, String> {
        let mut entry = Entry::default();
        read(object(line.as_bytes()).expect("an object"), &mut entry).map(|()| entry)
    }

    #[test]
    fn numbers_may_be_strings() {
        for line in [
            r#"com,a)/ 20140101000000 {"url": "http://a.com/", "length": "10", "offset": "20", "filename": "x"}"#,
            r#"com,a)/ 20140101000000 {"length":10,"offset":20,"filename":"x","url":"http://a.com/","more":[1]}"#,
            r#"{"urlkey":"com,a)/","length":"10","offset":20,"filename":"x","url":"http://a.com/"}"#,
        ] {
            let entry = of(line).unwrap();
            assert_eq!((entry.offset, entry.length), (20, 10));
            assert_eq!((&*entry.filename, &*entry.url), ("x", "http://a.com/"));
        }
    }

    #[test]
    fn wrong_objects_say_what_is_wrong() {
        for (json, what) in [
            (r#"{"offset": 1, "length": 1}"#, "no `filename`"),
            (r#"{"filename": "x", "length": 1}"#, "no `offset`"),
            (r#"{"filename": "x", "offset": 1}"#, "no `length`"),
            (r#"{"filename": "x", "offset": -1}"#, "a number of bytes"),
            (r#"{"filename": "x", "offset": "1e3"}"#, "a number of bytes"),
            (r#"{"filename": "x", "offset": ""}"#, "a number of bytes"),
            (r#"{"filename": "x", "offset": 1.5}"#, "a number of bytes"),
            (r#"{"filename": "#, "cannot be used"),
            (r#"{"message": "No Captures found"}"#, "no `filename`"),
        ] {
            let why = of(json).unwrap_err();
            assert!(why.contains(what), "{why}");
        }
    }

    #[test]
    fn names_that_are_not_utf8_are_refused() {
        let line = b"{\"filename\": \"a\xff\", \"offset\": 1, \"length\": 1}";
        assert!(read(line, &mut Entry::default()).is_err());
    }

    #[test]
    fn lines_of_other_formats_hold_no_object() {
        assert_eq!(object(b"a b c {"), None);
        assert_eq!(object(b"a {}"), None);
        assert_eq!(object(b""), None);
    }
}
