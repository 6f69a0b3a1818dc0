//! Parses JSON-LD, and keeps only what is needed.

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// Maximum size of a script in bytes. A page's own data is a few thousand bytes.
const MAX_BYTES: usize = 256 << 10;
/// Maximum number of items per list or object.
const MAX_ITEMS: usize = 256;

/// Keys whose values are kept, sorted.
const KEYS: &[&str] = &[
    "@graph",
    "@id",
    "@type",
    "author",
    "brand",
    "contentUrl",
    "creator",
    "dateCreated",
    "dateModified",
    "datePublished",
    "description",
    "familyName",
    "givenName",
    "gtin",
    "gtin12",
    "gtin13",
    "gtin14",
    "gtin8",
    "headline",
    "image",
    "isPartOf",
    "isbn",
    "keywords",
    "lowPrice",
    "mainEntity",
    "mainEntityOfPage",
    "name",
    "offers",
    "price",
    "priceCurrency",
    "priceSpecification",
    "publisher",
    "sku",
    "thumbnailUrl",
    "uploadDate",
    "url",
];

/// A JSON value.
#[derive(Debug, PartialEq)]
pub(super) enum Json {
    Text(String),
    Node(Node),
    List(Vec<Json>),
    Number(f64),
    /// `true`, `false` or `null`.
    Other,
}

/// An object, with those keys that are in [`KEYS`].
#[derive(Debug, Default, PartialEq)]
pub(super) struct Node(Vec<(&'static str, Json)>);

impl Node {
    /// The value of a key. If it occurs more than once, the last one.
    pub fn get(&self, key: &str) -> Option<&Json> {
        let found = self.0.iter().rev().find(|(k, _)| *k == key);
        found.map(|(_, value)| value)
    }

    /// The text of a key, or the first text in its list.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.get(key)?.texts().next()
    }
}

impl Json {
    /// The texts of this value: itself, or those in the list.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.items().iter().filter_map(|item| match item {
            Self::Text(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// The items of a list. Any other value is a list of one item.
    pub fn items(&self) -> &[Json] {
        match self {
            Self::List(items) => items,
            one => std::slice::from_ref(one),
        }
    }
}

/// Parses the text of a script. `None` if it is not JSON, nests deeper than 127 levels, or is too
/// long.
///
/// Tolerates two common mistakes: line breaks inside strings, and comment marks that hide a script
/// from old browsers.
pub(super) fn read(text: &str) -> Option<Json> {
    if text.len() > MAX_BYTES {
        return None;
    }
    serde_json::from_str(text).ok().or_else(|| {
        let text: String = text
            .chars()
            .map(|c| if c.is_control() { ' ' } else { c })
            .collect();
        let mut text = text.as_str();
        for around in ["<!--", "//", "/*", "<![CDATA[", "*/"] {
            let trimmed = text.trim_start();
            text = trimmed.strip_prefix(around).unwrap_or(trimmed);
        }
        for around in ["-->", "*/", "]]>", "/*", "//", ";"] {
            let trimmed = text.trim_end();
            text = trimmed.strip_suffix(around).unwrap_or(trimmed);
        }
        serde_json::from_str(text).ok()
    })
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_str<E>(self, text: &str) -> Result<Json, E> {
        Ok(Json::Text(text.to_owned()))
    }

    fn visit_bool<E>(self, _: bool) -> Result<Json, E> {
        Ok(Json::Other)
    }

    fn visit_i64<E>(self, number: i64) -> Result<Json, E> {
        Ok(Json::Number(number as f64))
    }

    fn visit_u64<E>(self, number: u64) -> Result<Json, E> {
        Ok(Json::Number(number as f64))
    }

    fn visit_f64<E>(self, number: f64) -> Result<Json, E> {
        Ok(Json::Number(number))
    }

    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Other)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut from: A) -> Result<Json, A::Error> {
        let mut items = Vec::new();
        while items.len() < MAX_ITEMS {
            match from.next_element()? {
                Some(item) => items.push(item),
                None => return Ok(Json::List(items)),
            }
        }
        while from.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Json::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut from: A) -> Result<Json, A::Error> {
        let mut node = Node::default();
        while let Some(key) = from.next_key::<Cow<'de, str>>()? {
            match KEYS.binary_search(&key.as_ref()) {
                // An object may repeat a key without end, so the number of values is limited.
                Ok(at) if node.0.len() < MAX_ITEMS => {
                    node.0.push((KEYS[at], from.next_value()?));
                }
                _ => {
                    from.next_value::<IgnoredAny>()?;
                }
            }
        }
        Ok(Json::Node(node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_sorted() {
        assert!(KEYS.is_sorted());
    }

    #[test]
    fn what_is_needed_is_kept() {
        let json = read(r#"{"@type": ["A", "B"], "x": {"name": "no"}, "name": "n", "url": 1}"#);
        let Some(Json::Node(node)) = json else {
            panic!("{json:?}")
        };
        assert_eq!(node.text("name"), Some("n"));
        assert_eq!(node.text("url"), None);
        let types: Vec<_> = node.get("@type").unwrap().texts().collect();
        assert_eq!(types, ["A", "B"]);
        assert_eq!(node.get("x"), None);
    }

    #[test]
    fn common_mistakes_are_forgiven_and_others_are_not_read() {
        for text in [
            "{\"name\": \"a\nb\"}",
            "<!-- {\"name\": \"a b\"} -->",
            "//<![CDATA[\n{\"name\": \"a b\"};\n//]]>",
            "/* <![CDATA[ */ {\"name\": \"a b\"} /* ]]> */",
        ] {
            match read(text) {
                Some(Json::Node(node)) => assert_eq!(node.text("name"), Some("a b"), "{text}"),
                other => panic!("{text}: {other:?}"),
            }
        }
        for text in ["", "{", "{'name': 'a'}", "{\"name\": \"a\"} x"] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read(&"[".repeat(100_000)), None);
        assert_eq!(read(&" ".repeat(MAX_BYTES + 1)), None);
        let deep = ["[".repeat(200), "]".repeat(200)].concat();
        assert_eq!(read(&deep), None);
    }

    #[test]
    fn lists_and_keys_without_end_are_cut() {
        let Some(Json::List(items)) = read(&format!("[{}0]", "0,".repeat(1000))) else {
            panic!()
        };
        assert_eq!(items.len(), MAX_ITEMS);
        let again = "\"name\":\"a\",".repeat(1000);
        let Some(Json::Node(node)) = read(&format!("{{{again}\"url\":\"b\"}}")) else {
            panic!()
        };
        assert_eq!(node.0.len(), MAX_ITEMS);
    }
}
