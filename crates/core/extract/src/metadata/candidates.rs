//! Collects values from all sources, and chooses among them.

use super::field::{MetadataField, MetadataSource};
use super::plain::{MAX_BYTES, plain, shown};
use super::values::Metadata;
use super::{date, name};
use crate::address::Addresses;
use warcsieve_classify::is_same_name;
use warcsieve_common::prefix;
use warcsieve_html::document::Document;
use warcsieve_html::{attribute, decode_value};

/// Maximum bytes read of a value.
const MAX_READ: usize = 4 * MAX_BYTES;
/// Maximum number of tags per page.
pub(super) const MAX_TAGS: usize = 64;

/// The values of all sources.
pub(super) struct Candidates<'a> {
    pub(super) addresses: Addresses<'a>,
    /// The attribute `lang` of the page; empty if it has none.
    pub(super) language: String,
    texts: [[Option<String>; MetadataSource::COUNT]; MetadataField::TEXTS],
    tags: [Vec<String>; MetadataSource::COUNT],
}

impl<'a> Candidates<'a> {
    pub(super) fn new(url: &'a str, doc: &'a Document) -> Self {
        Self {
            addresses: Addresses::new(url, doc),
            language: language(doc),
            texts: Default::default(),
            tags: Default::default(),
        }
    }

    /// Whether any source has the field.
    pub(super) fn has(&self, field: MetadataField) -> bool {
        self.texts[field as usize].iter().any(Option::is_some)
    }

    /// Adds a value if this source has none yet. Ignores invalid dates, names and addresses.
    pub(super) fn offer(&mut self, field: MetadataField, source: MetadataSource, value: &str) {
        if self.texts[field as usize][source as usize].is_some() {
            return;
        }
        let value = prefix(value, MAX_READ);
        let value = match field {
            MetadataField::Canonical | MetadataField::Image => self.addresses.absolute(value),
            MetadataField::Published | MetadataField::Modified => {
                date::normalized(value, &self.language)
            }
            MetadataField::Author => name::person(&shown(value)).filter(|name| !self.is_site(name)),
            MetadataField::Description | MetadataField::Sitename => plain(&shown(value)),
            // Keep text that looks like a tag: a headline may be about `<div>`.
            _ => plain(value),
        };
        self.texts[field as usize][source as usize] = value;
    }

    /// Takes a value in place of the one that the source has.
    pub(super) fn replace(&mut self, field: MetadataField, source: MetadataSource, value: &str) {
        self.texts[field as usize][source as usize] = None;
        self.offer(field, source, value);
    }

    /// Adds a tag if this source does not have it yet.
    pub(super) fn offer_tag(&mut self, source: MetadataSource, tag: &str) {
        let tags = &mut self.tags[source as usize];
        if tags.len() < MAX_TAGS
            && let Some(tag) = plain(tag)
            && !tags.contains(&tag)
        {
            tags.push(tag);
        }
    }

    /// Adds tags separated by commas.
    pub(super) fn offer_tags(&mut self, source: MetadataSource, tags: &str) {
        tags.split([',', ';', '、', '，'])
            .for_each(|tag| self.offer_tag(source, tag));
    }

    /// Whether a name is that of the site. Many pages state their publisher as their author.
    pub(super) fn is_site(&self, name: &str) -> bool {
        let sites = self.texts[MetadataField::Sitename as usize].iter();
        sites.flatten().any(|site| is_same_name(site, name))
    }

    /// Drops authors that are the site. The name of the site may have been found after them.
    pub(super) fn drop_sites_as_authors(&mut self) {
        for source in 0..MetadataSource::COUNT {
            let author = self.texts[MetadataField::Author as usize][source].take();
            let author = author.filter(|author| !self.is_site(author));
            self.texts[MetadataField::Author as usize][source] = author;
        }
    }

    pub(super) fn choose(mut self) -> Metadata {
        if !self.has(MetadataField::Published) {
            let mut changed = MetadataField::Modified.trust().iter();
            let changed = changed
                .find_map(|s| self.texts[MetadataField::Modified as usize][*s as usize].clone());
            self.texts[MetadataField::Published as usize][MetadataSource::Modified as usize] =
                changed;
        }
        let mut metadata = Metadata::default();
        for field in MetadataField::ALL {
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

fn language(doc: &Document) -> String {
    let root = doc.tree.elements.first();
    let root = root.map_or("", |root| doc.attributes(root));
    let language = attribute(root, "lang").or_else(|| attribute(root, "xml:lang"));
    decode_value(language.unwrap_or_default()).trim().to_owned()
}
