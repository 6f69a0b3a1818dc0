//! The address that a page states for itself.

use warcsieve_html::document::Document;
use warcsieve_html::{Tag, attribute, decode_value};
use warcsieve_render::Base;

/// Maximum length of an address in bytes. Longer ones are ignored.
const MAX_ADDRESS: usize = 2048;

/// Maximum length in bytes of an address that is completed.
const MAX_RELATIVE: usize = 4096;

/// The address of a page whose record has none. Uses the canonical link, else `og:url`, else
/// `<base>`. Only absolute `http` and `https` addresses count.
pub fn stated_address(doc: &Document) -> Option<String> {
    let of = |wanted: Tag, is: &dyn Fn(&str) -> bool, name: &str| {
        let mut elements = doc.tree.elements.iter().filter(|e| e.tag == wanted);
        elements.find_map(|element| {
            let attributes = doc.attributes(element);
            let value = is(attributes)
                .then(|| attribute(attributes, name))
                .flatten()?;
            let address = decode_value(value).trim().to_owned();
            is_absolute(&address).then_some(address)
        })
    };
    let is_canonical = |attributes: &str| {
        let rel = attribute(attributes, "rel").unwrap_or_default();
        rel.split_ascii_whitespace()
            .any(|word| word.eq_ignore_ascii_case("canonical"))
    };
    let is_og = |attributes: &str| {
        let property = attribute(attributes, "property").unwrap_or_default();
        property.trim().eq_ignore_ascii_case("og:url")
    };
    of(Tag::Link, &is_canonical, "href")
        .or_else(|| of(Tag::Meta, &is_og, "content"))
        .or_else(|| of(Tag::Base, &|_| true, "href"))
}

/// Completes the addresses in a page.
pub(crate) struct Addresses<'a> {
    /// The address of the page; may be empty.
    pub url: &'a str,
    doc: &'a Document,
    /// The base of relative addresses, computed at the first one.
    base: Option<Base>,
}

impl<'a> Addresses<'a> {
    pub fn new(url: &'a str, doc: &'a Document) -> Self {
        Self {
            url,
            doc,
            base: None,
        }
    }

    /// An absolute web address. Relative ones are completed with the page's `<base>` and its
    /// address.
    pub fn absolute(&mut self, written: &str) -> Option<String> {
        let written = written.trim();
        if is_absolute(written) {
            return Some(written.to_owned());
        }
        if written.is_empty() || written.len() > MAX_RELATIVE {
            return None;
        }
        let (url, doc) = (self.url, self.doc);
        let base = self.base.get_or_insert_with(|| Base::of(url, doc));
        let whole = base.join(written).or_else(|| {
            let rest = written.strip_prefix("//")?;
            Some(format!("https://{rest}"))
        });
        whole.filter(|address| is_absolute(address))
    }
}

/// Whether it is an absolute `http` or `https` address without white space, and not too long.
pub(crate) fn is_absolute(address: &str) -> bool {
    let lower = address
        .get(..8.min(address.len()))
        .map(str::to_ascii_lowercase);
    let is_web = lower.is_some_and(|a| a.starts_with("http://") || a.starts_with("https://"));
    is_web && address.len() <= MAX_ADDRESS && !address.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;
    use warcsieve_html::{Segmenter, SegmenterOptions};

    #[test]
    fn the_canonical_link_comes_first() {
        let stated = |html: &str| {
            let mut doc = Document::default();
            let mut segmenter = Segmenter::new(SegmenterOptions::default());
            segmenter.segment_html(html, &mut doc).unwrap();
            stated_address(&doc)
        };
        let base = "<base href=http://a.example/b/>";
        let og = "<meta property='og:url' content='http://a.example/o?x=1&amp;y=2'>";
        let link = "<link rel='Canonical' href=' https://a.example/c '>";
        assert_eq!(stated("<p>x"), None);
        assert_eq!(stated(base).unwrap(), "http://a.example/b/");
        assert_eq!(
            stated(&[base, og].concat()).unwrap(),
            "http://a.example/o?x=1&y=2"
        );
        assert_eq!(
            stated(&[base, og, link].concat()).unwrap(),
            "https://a.example/c"
        );
        for other in [
            "<link rel=canonical href=/c>",
            "<link rel=icon href=http://a.example/>",
            "<base href='javascript:x'>",
            "<link rel=canonical href='http://a b/'>",
        ] {
            assert_eq!(stated(other), None, "{other}");
        }
    }
}
