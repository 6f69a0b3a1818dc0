//! What a page declares about itself, in `meta` elements and as types of schema.org.

use memchr::memmem::Finder;
use std::sync::LazyLock;
use warcsieve_html::document::Document;
use warcsieve_html::{Tag, attribute};

/// Attributes are read up to this length in bytes.
const MAX_ATTRIBUTES: usize = 1024;

/// The contents of the `meta` elements whose attribute `key` is `value`, in any case.
pub fn meta<'d>(doc: &'d Document, key: &'d str, value: &'d str) -> impl Iterator<Item = &'d str> {
    let elements = doc.tree.elements.iter().filter(|e| e.tag == Tag::Meta);
    let read = elements.map(|element| doc.attributes(element));
    let read = read.filter(|attrs| attrs.len() <= MAX_ATTRIBUTES);
    let named = read.filter(move |attrs| {
        attribute(attrs, key).is_some_and(|found| found.trim_ascii().eq_ignore_ascii_case(value))
    });
    named.filter_map(|attrs| Some(attribute(attrs, "content")?.trim_ascii()))
}

/// The types of schema.org that elements have as microdata, such as `NewsArticle`. One search through all attributes
/// decides for most pages that there is none.
pub fn types(doc: &Document) -> impl Iterator<Item = &str> {
    static PLACE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("schema.org/"));
    let is_found = |text: &str| PLACE.find(text.as_bytes()).is_some();
    let elements = match is_found(&doc.tree.attrs) {
        true => &doc.tree.elements[..],
        false => &[],
    };
    let read = elements.iter().map(|element| doc.attributes(element));
    let read = read.filter(move |attrs| attrs.len() <= MAX_ATTRIBUTES && is_found(attrs));
    let kinds = read.filter_map(|attrs| attribute(attrs, "itemtype"));
    let words = kinds.flat_map(str::split_ascii_whitespace);
    words.filter_map(|word| word.split_once("schema.org/").map(|(_, kind)| kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use warcsieve_fixture::segmented;
    use warcsieve_html::Segmentation;

    #[test]
    fn metas_and_types_are_found() {
        let html = "<meta property='og:Type' content=' article '><meta property=og:type><meta name=a content=b>\
            <div itemscope itemtype='https://schema.org/QAPage http://schema.org/Thing'><p itemtype=Other>x</div>";
        let doc = segmented(html, Segmentation::Inline);
        assert_eq!(
            meta(&doc, "property", "og:type").collect::<Vec<_>>(),
            ["article"]
        );
        assert_eq!(types(&doc).collect::<Vec<_>>(), ["QAPage", "Thing"]);
        let long = format!(
            "<div title='{}' itemtype='https://schema.org/QAPage'>x",
            "a".repeat(MAX_ATTRIBUTES)
        );
        assert_eq!(types(&segmented(&long, Segmentation::Inline)).count(), 0);
    }
}
