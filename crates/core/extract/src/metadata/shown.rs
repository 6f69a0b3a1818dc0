//! Reads text next to the headline, and the page's address.

use super::candidates::Candidates;
use super::field::{MetadataField, MetadataSource};
use super::{date, marked};
use warcsieve_classify::{is_of_site, is_same_name, names_site, without_site};
use warcsieve_html::document::Document;
use warcsieve_html::{ElementId, Tag};

/// Number of blocks after and before the headline that may have the date.
const AFTER: usize = 10;
const BEFORE: usize = 4;
/// Maximum number of headings examined.
const MAX_HEADINGS: usize = 16;
/// Maximum length of a headline in bytes.
const MAX_BYTES: usize = 1000;
/// Maximum length of a block with the date, in characters.
const MAX_CHARS: u32 = 100;

/// Offers the headline. If no other source has a date, also offers a date.
pub(super) fn read(doc: &Document, found: &mut Candidates<'_>) {
    let heading = headline(doc, found);
    if found.has(MetadataField::Published) {
        return;
    }
    if let Some(date) = date::of_address(found.addresses.url) {
        found.offer(MetadataField::Published, MetadataSource::Url, &date);
        return;
    }
    if let Some(heading) = heading
        && let Some(date) = date_near(doc, heading, &found.language)
    {
        found.offer(MetadataField::Published, MetadataSource::Text, &date);
    }
}

/// Offers the text of an `h1` and returns that element. Candidates have letters, and are not in
/// navigation or the name of the site. If there are several, takes the first one that the title
/// contains, else the first. If the only `h1` is the name of the site, offers the title without it.
fn headline(doc: &Document, found: &mut Candidates<'_>) -> Option<ElementId> {
    let elements = doc.tree.elements.iter().zip(0..);
    let headings = elements.filter(|(element, _)| element.tag == Tag::H1);
    let own = headings
        .take(MAX_HEADINGS)
        .filter(|(_, id)| !is_of_site(doc, *id));
    let texts = own.map(|(_, id)| (id, marked::text_of(doc, id, MAX_BYTES)));
    let texts = texts.filter(|(_, text)| text.chars().any(char::is_alphabetic));
    let names = |text: &str| {
        names_site(
            &doc.title,
            text,
            |text| found.is_site(text),
            |own| has_heading(doc, own),
        )
    };
    let (names, texts): (Vec<_>, Vec<_>) = texts.partition(|(_, text)| names(text));
    let mut texts = texts.into_iter();
    let Some(first) = texts.next() else {
        let (id, name) = names.first()?;
        if let Some(own) = without_site(&doc.title, name) {
            found.replace(MetadataField::Headline, MetadataSource::Title, own);
        }
        return Some(*id);
    };
    let is_titled = |text: &str| doc.title.contains(text.trim());
    let (id, text) = match is_titled(&first.1) {
        true => first,
        false => texts.find(|(_, text)| is_titled(text)).unwrap_or(first),
    };
    found.offer(MetadataField::Headline, MetadataSource::H1, &text);
    Some(id)
}

/// Whether an `h1`, `h2` or `h3` has this text.
fn has_heading(doc: &Document, text: &str) -> bool {
    let elements = doc.tree.elements.iter().zip(0..);
    let headings = elements.filter(|(e, _)| matches!(e.tag, Tag::H1 | Tag::H2 | Tag::H3));
    let mut texts = headings
        .take(MAX_HEADINGS)
        .map(|(_, id)| marked::text_of(doc, id, MAX_BYTES));
    texts.any(|other| is_same_name(&other, text))
}

/// The date in a short block: the first one after the headline, else the last one before it.
fn date_near(doc: &Document, heading: ElementId, language: &str) -> Option<String> {
    let first = doc.blocks.partition_point(|block| block.element < heading);
    let (before, after) = doc.blocks.split_at(first);
    let after = after.iter().take(AFTER);
    let before = before.iter().rev().take(BEFORE);
    let mut short = after.chain(before).filter(|block| block.chars <= MAX_CHARS);
    short.find_map(|block| date::found(doc.block_text(block), language))
}
