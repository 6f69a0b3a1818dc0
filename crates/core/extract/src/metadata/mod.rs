//! What a page says of itself: who wrote it, when, for which site.
//!
//! | file | where it reads |
//! |---|---|
//! | `head.rs` | `meta`, `link` and `html` elements |
//! | `json_ld.rs`, `linked.rs` | `script`s of JSON-LD |
//! | `marked.rs` | elements whose attributes say what their text is: microdata, `rel`, class names |
//! | `shown.rs` | text next to the headline, and the address |
//! | `date.rs`, `name.rs` | one date, one name of a person, as written |
//!
//! A field takes the first source in the order of [`Field::trust`] that has it.

mod date;
mod field;
mod head;
mod json_ld;
mod linked;
mod marked;
mod name;
mod shown;
#[cfg(test)]
mod tests;

pub use field::{Field, MetadataSource};

use head::Head;
use std::borrow::Cow;
use warcsieve_common::prefix;
use warcsieve_html::decode_value;
use warcsieve_html::document::Document;
use warcsieve_page::{Page, PageKind};
use warcsieve_render::Base;

/// Longest value of a field in bytes; a longer one is cut off, an address or a date left out.
const MOST_BYTES: usize = 4096;
/// Bytes of a value, as it is written, that are read.
const MOST_READ: usize = 4 * MOST_BYTES;
/// Most tags of a page.
const MOST_TAGS: usize = 64;

/// What a page says of itself.
///
/// Values are text without markup, white space collapsed: never empty, of at most 4,096 bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    values: [Option<(String, MetadataSource)>; Field::TEXTS],
    tags: Vec<String>,
    tags_source: Option<MetadataSource>,
}

impl Metadata {
    /// Reads what a page says of itself. `doc` is the page, segmented.
    ///
    /// Looks at the attributes of `meta`, `link`, `html` and `time` elements, and at the text of
    /// JSON-LD; only for an author or a date that these do not have, at the attributes of others.
    /// Takes time linear in the page's length.
    pub fn of(page: &Page<'_>, doc: &Document) -> Self {
        match page.kind {
            PageKind::Html => Self::of_html(page.payload, &page.url, doc),
            PageKind::Text => Self::default(),
        }
    }

    /// The same, of a page given as HTML and its address, which may be empty.
    pub fn of_html(html: &str, url: &str, doc: &Document) -> Self {
        let mut found = Candidates::new(url, doc);
        let head = Head::read(doc, &mut found);
        linked::read(html, &doc.json_ld, &mut found);
        marked::read_times(doc, &mut found);
        for field in [Field::Author, Field::Published] {
            if !found.has(field) {
                marked::read(doc, field, &head.language, &mut found);
            }
        }
        shown::read(doc, &head.language, &mut found);
        found.choose()
    }

    /// The value of a field other than [`Field::Tags`], where the page says it.
    pub fn get(&self, field: Field) -> Option<&str> {
        let (value, _) = self.values.get(field as usize)?.as_ref()?;
        Some(value)
    }

    /// Words that the page is filed under, in its order, each once; at most 64.
    pub fn tags(&self) -> &[String] {
        &self.tags
    }

    /// Where a field comes from, if the page says it.
    pub fn source(&self, field: Field) -> Option<MetadataSource> {
        match self.values.get(field as usize) {
            Some(value) => value.as_ref().map(|(_, source)| *source),
            None => self.tags_source,
        }
    }
}

/// What all sources say.
struct Candidates<'a> {
    /// The address of the page, which may be empty.
    url: &'a str,
    doc: &'a Document,
    /// What relative addresses are completed by, once one came.
    base: Option<Base>,
    texts: [[Option<String>; MetadataSource::COUNT]; Field::TEXTS],
    tags: [Vec<String>; MetadataSource::COUNT],
}

impl<'a> Candidates<'a> {
    fn new(url: &'a str, doc: &'a Document) -> Self {
        Self {
            url,
            doc,
            base: None,
            texts: Default::default(),
            tags: Default::default(),
        }
    }

    /// Whether any source has the field.
    fn has(&self, field: Field) -> bool {
        self.texts[field as usize].iter().any(Option::is_some)
    }

    /// Adds a value, unless the source has one already. Dates, names and addresses that are none
    /// are left out.
    fn offer(&mut self, field: Field, source: MetadataSource, value: &str) {
        if self.texts[field as usize][source as usize].is_some() {
            return;
        }
        let value = prefix(value, MOST_READ);
        let value = match field {
            Field::Canonical | Field::Image => self.absolute(value),
            Field::Published | Field::Modified => date::normalized(value),
            Field::Author => name::person(&shown(value)),
            Field::Description | Field::Sitename => plain(&shown(value)),
            // A headline may be about `<div>`.
            _ => plain(value),
        };
        self.texts[field as usize][source as usize] = value;
    }

    /// Adds a tag, unless the source has it.
    fn offer_tag(&mut self, source: MetadataSource, tag: &str) {
        let tags = &mut self.tags[source as usize];
        if tags.len() < MOST_TAGS
            && let Some(tag) = plain(tag)
            && !tags.contains(&tag)
        {
            tags.push(tag);
        }
    }

    /// Adds tags that commas separate.
    fn offer_tags(&mut self, source: MetadataSource, tags: &str) {
        tags.split([',', ';', '、', '，'])
            .for_each(|tag| self.offer_tag(source, tag));
    }

    /// An address of the web: as written, or completed by the page's `<base>` and its own address.
    fn absolute(&mut self, written: &str) -> Option<String> {
        let written = written.trim();
        if crate::address::is_absolute(written) {
            return Some(written.to_owned());
        }
        if written.is_empty() || written.len() > MOST_BYTES {
            return None;
        }
        let (url, doc) = (self.url, self.doc);
        let base = self.base.get_or_insert_with(|| Base::of(url, doc));
        let whole = base.join(written).or_else(|| {
            let rest = written.strip_prefix("//")?;
            Some(format!("https://{rest}"))
        });
        whole.filter(|address| crate::address::is_absolute(address))
    }

    fn choose(mut self) -> Metadata {
        if !self.has(Field::Published) {
            let mut changed = Field::Modified.trust().iter();
            let changed =
                changed.find_map(|s| self.texts[Field::Modified as usize][*s as usize].clone());
            self.texts[Field::Published as usize][MetadataSource::Modified as usize] = changed;
        }
        let mut metadata = Metadata::default();
        for field in Field::ALL {
            for source in field.trust() {
                let at = *source as usize;
                let Some(value) = metadata.values.get_mut(field as usize) else {
                    metadata.tags = std::mem::take(&mut self.tags[at]);
                    metadata.tags_source = (!metadata.tags.is_empty()).then_some(*source);
                    match metadata.tags_source {
                        Some(_) => break,
                        None => continue,
                    }
                };
                if let Some(text) = self.texts[field as usize][at].take() {
                    *value = Some((text, *source));
                    break;
                }
            }
        }
        metadata
    }
}

/// A value as a reader should see it: programs write text into attributes that is escaped once more, or is markup.
fn shown(value: &str) -> Cow<'_, str> {
    let value = match value.contains('&') {
        true => decode_value(value),
        false => Cow::Borrowed(value),
    };
    let begins_tag = |at: usize| {
        let next = value[at + 1..].chars().next();
        next.is_some_and(|c| c.is_ascii_alphabetic() || c == '/')
    };
    let mut text = String::new();
    let mut rest = 0;
    for (at, _) in value.match_indices('<') {
        if at >= rest && begins_tag(at) {
            // Where no tag ends, none after it does.
            let Some(length) = value[at..].find('>') else {
                break;
            };
            text.push_str(&value[rest..at]);
            // The end of a paragraph parts words; other tags may stand in one.
            if value[at..].starts_with("</p") || value[at..].starts_with("<br") {
                text.push(' ');
            }
            rest = at + length + 1;
        }
    }
    if rest == 0 {
        return value;
    }
    text.push_str(&value[rest..]);
    Cow::Owned(text)
}

/// The text with white space collapsed and without control characters, cut off at
/// [`MOST_BYTES`]; `None` if nothing is left.
fn plain(text: &str) -> Option<String> {
    let mut out = String::new();
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()) {
        if word.is_empty() {
            continue;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
        if out.len() > MOST_BYTES {
            out.truncate(prefix(&out, MOST_BYTES).len());
            break;
        }
    }
    (!out.is_empty()).then_some(out)
}
