//! The links of a page: where each leads, and what its text says.

use crate::address::is_absolute;
use std::borrow::Cow;
use std::ops::Range;
use warcsieve_common::prefix;
use warcsieve_html::document::Document;
use warcsieve_html::{ElementId, Tag, attribute, decode_value};
use warcsieve_render::Base;

/// Most links of a page.
const MOST: u64 = 10_000;
/// Most bytes of a page's targets and texts.
const MOST_BYTES: usize = 4 << 20;
/// Longest target in bytes; longer ones are traps of crawlers rather than addresses of pages.
const LONGEST_TARGET: usize = 2048;
/// Bytes of a text that are kept.
const LONGEST_TEXT: usize = 1024;

/// A link, or the part of it that is in one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link<'d> {
    /// Where it leads: an absolute address of the web, without its fragment.
    pub target: &'d str,
    /// Its text, the first 1,024 bytes.
    pub text: &'d str,
    /// Number of its block.
    pub block: usize,
}

/// Calls `take` with the links of a page at `url`, in their order. Links without text have no block and are not among
/// them, nor are those that lead into the same page or out of the web. Returns how many were left out because the page has
/// more than 10,000 or 4 MiB of them, or their targets are longer than 2,048 bytes.
///
/// Memory: four bytes an element.
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
        let text = prefix(text, LONGEST_TEXT);
        let size = target.len() + text.len();
        if taken == MOST || target.len() > LONGEST_TARGET || bytes + size > MOST_BYTES {
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

/// Of each element, the link that it is or is in; the root where there is none.
fn links_around(doc: &Document) -> Vec<ElementId> {
    let mut around: Vec<ElementId> = Vec::with_capacity(doc.tree.elements.len());
    for (id, element) in (0..).zip(&doc.tree.elements) {
        let is_link = element.tag == Tag::A && attribute(doc.attributes(element), "href").is_some();
        let above = around.get(element.parent as usize).copied();
        around.push(if is_link { id } else { above.unwrap_or(0) });
    }
    around
}

/// Calls `take` with link, block and text of each part of a block that is in one link.
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

/// The address that a link states, completed; `None` where it is none of the web, or the page's own.
fn target_of(base: &Base, stated: &str, own: Option<&str>) -> Option<String> {
    let stated = stated.trim();
    let whole: Cow<'_, str> = match base.join(stated) {
        Some(joined) => joined.into(),
        // The page has no address of its own.
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
