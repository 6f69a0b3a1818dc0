//! The product of microdata (`itemprop`) and RDFa (`property`).

use super::facts::{Fact, MAX_BYTES, Product, TYPES, WORDS};
use crate::metadata::marked::{name_in, text_of};
use std::ops::Range;
use warcsieve_html::document::Document;
use warcsieve_html::{ElementId, Tag, attribute, attributes, decode_value};

/// Maximum number of marked elements that are read.
const MAX_ELEMENTS: usize = 256;

/// Number of elements inside of a price that may be the new price.
const INSIDE: usize = 16;

/// Reads the page's own product: the one that holds an `h1`, or the only one. Without a product, the whole page is read.
pub(super) fn read(doc: &Document, product: &mut Product) {
    let products = products(doc);
    let has_title = |place: &&Range<ElementId>| {
        let mut inside = doc.tree.elements[place.start as usize..place.end as usize].iter();
        inside.any(|element| element.tag == Tag::H1)
    };
    let own = match &products[..] {
        [] => 0..doc.tree.elements.len() as ElementId,
        [only] => only.clone(),
        several => match several.iter().find(has_title) {
            Some(own) => own.clone(),
            None => return,
        },
    };
    let mut at = own.start;
    let mut left = MAX_ELEMENTS;
    while at < own.end && left > 0 {
        let element = &doc.tree.elements[at as usize];
        let source = doc.attributes(element);
        if at > own.start && is_product(source) {
            at = element.end;
            continue;
        }
        if let Some(fact) = marked_as(source).filter(|fact| !product.has(*fact)) {
            left -= 1;
            read_element(doc, at, fact, product);
        }
        at += 1;
    }
}

fn read_element(doc: &Document, id: ElementId, fact: Fact, product: &mut Product) {
    let element = &doc.tree.elements[id as usize];
    let content = attribute(doc.attributes(element), "content");
    if let Some(content) = content.filter(|content| !content.trim().is_empty()) {
        product.offer(fact, &decode_value(content), true);
        return;
    }
    let inside = |tag: Tag| {
        let mut inside = (id..element.end).take(INSIDE);
        inside.find(|&id| doc.tree.elements[id as usize].tag == tag)
    };
    let text = match fact {
        Fact::Brand => name_in(doc, id),
        // `ins` has the new price where `del` has the old one.
        Fact::Price => inside(Tag::Ins).map(|new| text_of(doc, new, MAX_BYTES)),
        _ => None,
    };
    let text = text.unwrap_or_else(|| text_of(doc, id, MAX_BYTES));
    product.offer(fact, &text, false);
}

/// The elements of the products of a page that are in no other product.
fn products(doc: &Document) -> Vec<Range<ElementId>> {
    let mut found: Vec<Range<ElementId>> = Vec::new();
    let mut at = 0;
    while let Some(element) = doc.tree.elements.get(at as usize) {
        if is_product(doc.attributes(element)) {
            found.push(at..element.end);
            at = element.end;
        } else {
            at += 1;
        }
    }
    found
}

/// Whether these are the attributes of an element that is a product.
fn is_product(source: &str) -> bool {
    let is_type = |value: &str| {
        let mut types = value.split_ascii_whitespace();
        types.any(|name| TYPES.contains(&name.rsplit(['/', '#', ':']).next().unwrap_or(name)))
    };
    attributes(source).any(|(key, value)| {
        (key.eq_ignore_ascii_case("itemtype") || key.eq_ignore_ascii_case("typeof"))
            && is_type(value)
    })
}

/// The fact that an element is marked as.
fn marked_as(source: &str) -> Option<Fact> {
    let marks = attributes(source).filter(|(key, _)| {
        key.eq_ignore_ascii_case("itemprop") || key.eq_ignore_ascii_case("property")
    });
    let mut words = marks.flat_map(|(_, value)| value.split_ascii_whitespace());
    words.find_map(|word| {
        let word = word.strip_prefix("schema:").unwrap_or(word);
        let known = WORDS
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(word));
        known.map(|(_, fact)| *fact)
    })
}
