//! The links of a page: their targets and texts.

use crate::address::is_absolute;
use std::borrow::Cow;
use std::ops::Range;
use warcsieve_common::prefix;
use warcsieve_html::document::Document;
use warcsieve_html::{ElementId, Tag, attribute, decode_value};
use warcsieve_render::Base;

/// Maximum number of links per page.
const MAX_LINKS: u64 = 10_000;
/// Maximum bytes of all targets and texts of a page.
const MAX_BYTES: usize = 4 << 20;
/// Maximum length of a target in bytes. Longer ones are crawler traps, not addresses of pages.
const MAX_TARGET: usize = 2048;
/// Bytes kept of a link's text.
const MAX_TEXT: usize = 1024;

/// A link, or the part of a link that is in one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link<'d> {
    /// Its target: an absolute `http` or `https` address, without its fragment.
    pub target: &'d str,
    /// The first 1,024 bytes of its text.
    pub text: &'d str,
    /// Index of its block.
    pub block: usize,
}

/// Calls `take` for each link of a page, in document order. `url` is the page's address.
///
/// Three kinds of links are ignored: without text, to the same page, and to targets that are not
/// web addresses. Returns the number of links above the limits: 10,000 links or 4 MiB per page,
/// 2,048 bytes per target.
///
/// Memory: four bytes per element.
pub fn each_link(doc: &Document, url: &str, mut take: impl FnMut(Link<'_>)) -> u64 {
    let around = links_around(doc);
    let base = Base::of(url, doc);
    let own = Base::of(url, &Document::default()).join("");
    let (mut taken, mut bytes, mut left_out) = (0, 0, 0);
    let mut last = None;
    let mut target = None;
    each_part(doc, &around, |link, block, text| {
        if last.replace(link) != Some(link) {
            let element = &doc.tree.elements[link as usize];
            let stated = attribute(doc.attributes(element), "href").unwrap_or_default();
            target = target_of(&base, &decode_value(stated), own.as_deref());
        }
        let Some(target) = &target else {
            return;
        };
        let text = prefix(text, MAX_TEXT);
        let size = target.len() + text.len();
        if taken == MAX_LINKS || target.len() > MAX_TARGET || bytes + size > MAX_BYTES {
            left_out += 1;
            return;
        }
        taken += 1;
        bytes += size;
        take(Link {
            target,
            text,
            block,
        });
    });
    left_out
}

/// For each element, the link that it is in (or that it is), or the root if there is none.
fn links_around(doc: &Document) -> Vec<ElementId> {
    let mut around: Vec<ElementId> = Vec::with_capacity(doc.tree.elements.len());
    for (id, element) in (0..).zip(&doc.tree.elements) {
        let is_link = element.tag == Tag::A && attribute(doc.attributes(element), "href").is_some();
        let above = around.get(element.parent as usize).copied();
        around.push(if is_link { id } else { above.unwrap_or(0) });
    }
    around
}

/// Calls `take` with link, block and text for each part of a block that is inside one link.
fn each_part(doc: &Document, around: &[ElementId], mut take: impl FnMut(ElementId, usize, &str)) {
    let mut blocks = doc.blocks.iter().enumerate().peekable();
    let mut open: Option<(ElementId, usize, Range<usize>)> = None;
    let mut end = |open: Option<(ElementId, usize, Range<usize>)>| {
        if let Some((link, block, range)) = open {
            let text = doc.text[range].trim();
            if link > 0 && !text.is_empty() {
                take(link, block, text);
            }
        }
    };
    for (at, run) in doc.runs.iter().enumerate() {
        let start = run.start as usize;
        while blocks
            .next_if(|(_, block)| block.text.end as usize <= start)
            .is_some()
        {}
        let Some((number, block)) = blocks.peek() else {
            break;
        };
        let next = doc
            .runs
            .get(at + 1)
            .map_or(doc.text.len(), |run| run.start as usize);
        let range = start..next.min(block.text.end as usize);
        let link = around[run.element as usize];
        match &mut open {
            Some((same, of, range_so_far)) if (*same, *of) == (link, *number) => {
                range_so_far.end = range.end;
            }
            _ => end(open.replace((link, *number, range))),
        }
    }
    end(open);
}

/// The complete address that a link states. `None` if it is not a web address, or is the page's
/// own.
fn target_of(base: &Base, stated: &str, own: Option<&str>) -> Option<String> {
    let stated = stated.trim();
    let whole: Cow<'_, str> = match base.join(stated) {
        Some(joined) => joined.into(),
        // Without an address of the page, only absolute addresses can be used.
        None if own.is_none() && is_absolute(stated) => stated.into(),
        None => return None,
    };
    let without_fragment = |address: &'_ str| address.split('#').next().map(str::to_owned);
    let target = without_fragment(&whole)?;
    (own.and_then(without_fragment).as_ref() != Some(&target)).then_some(target)
}

#[cfg(test)]
mod tests {
    use super::*;
    use warcsieve_fixture::segmented;
    use warcsieve_html::Segmentation;

    fn links(url: &str, html: &str) -> (Vec<(String, String, usize)>, u64) {
        let doc = segmented(html, Segmentation::Inline);
        let mut found = Vec::new();
        let left_out = each_link(&doc, url, |link| {
            found.push((link.target.to_owned(), link.text.to_owned(), link.block));
        });
        (found, left_out)
    }

    fn link(target: &str, text: &str, block: usize) -> (String, String, usize) {
        (target.to_owned(), text.to_owned(), block)
    }

    #[test]
    fn each_link_has_target_text_and_block() {
        let html = "<p>See <a href='/cod?a=1&amp;b=2#top'>the <b>cod</b> page</a> and <a href=../x>x</a>.\
                    <p>None: <a href=#here>here</a>, <a href=mailto:a@b.org>mail</a>, <a href=/i><img src=i></a>,\
                    <a name=n>name</a>, <a href='http://a.example/b/c?d#e'>itself</a>.</p>\
                    <a href=https://b.example><h2>Two</h2><p>blocks</a>";
        let (found, left_out) = links("http://a.example/b/c?d", html);
        let expected = [
            link("http://a.example/cod?a=1&b=2", "the cod page", 0),
            link("http://a.example/x", "x", 0),
            link("https://b.example/", "Two", 2),
            link("https://b.example/", "blocks", 3),
        ];
        assert_eq!((found, left_out), (expected.to_vec(), 0));
    }

    #[test]
    fn a_base_completes_and_a_page_may_have_no_address() {
        let html = "<base href=http://c.example/d/><p><a href=e>e</a>";
        let expected = vec![link("http://c.example/d/e", "e", 0)];
        assert_eq!(links("http://a.example/", html).0, expected);
        let html = "<p><a href=e>e</a> <a href=http://c.example/f#g>f</a>";
        assert_eq!(links("", html).0, [link("http://c.example/f", "f", 0)]);
    }

    #[test]
    fn what_is_beyond_the_bounds_is_counted() {
        let html = "<a href=/x>x</a> ".repeat(10_003);
        let (found, left_out) = links("http://a.example/", &html);
        assert_eq!((found.len(), left_out), (10_000, 3));
        let html = format!(
            "<a href=/{}>long</a><a href=/y>{}</a>",
            "x".repeat(2050),
            "é".repeat(900)
        );
        let (found, left_out) = links("http://a.example/", &html);
        assert_eq!((found.len(), left_out), (1, 1));
        assert_eq!(found[0].1, "é".repeat(512));
    }
}
