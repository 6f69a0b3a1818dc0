//! The values that were found: one value and its source per field.

use super::field::{MetadataField, MetadataSource};

/// What a page says about itself.
///
/// Values are text without markup, with collapsed white space. They are never empty, and have at
/// most 4,096 bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    pub(super) values: [Option<(String, MetadataSource)>; MetadataField::TEXTS],
    pub(super) tags: Vec<String>,
    pub(super) tags_source: Option<MetadataSource>,
}

impl Metadata {
    /// The value of a field other than [`MetadataField::Tags`]; `None` if the page does not state
    /// it.
    pub fn get(&self, field: MetadataField) -> Option<&str> {
        let (value, _) = self.values.get(field as usize)?.as_ref()?;
        Some(value)
    }

    /// The page's keywords in its order, without duplicates; at most 64.
    pub fn tags(&self) -> &[String] {
        &self.tags
    }

    /// The source of a field; `None` if the page does not state it.
    pub fn source(&self, field: MetadataField) -> Option<MetadataSource> {
        match self.values.get(field as usize) {
            Some(value) => value.as_ref().map(|(_, source)| *source),
            None => self.tags_source,
        }
    }
}
