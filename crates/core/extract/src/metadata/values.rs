//! The values that were found, a value and its source per field.

use super::field::{MetadataField, MetadataSource};

/// What a page says about itself.
///
/// Values are text without markup, white space collapsed: never empty, of at most 4,096 bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    pub(super) values: [Option<(String, MetadataSource)>; MetadataField::TEXTS],
    pub(super) tags: Vec<String>,
    pub(super) tags_source: Option<MetadataSource>,
}

impl Metadata {
    /// The value of a field other than [`MetadataField::Tags`], where the page says it.
    pub fn get(&self, field: MetadataField) -> Option<&str> {
        let (value, _) = self.values.get(field as usize)?.as_ref()?;
        Some(value)
    }

    /// Words that the page is filed under, in its order, each once; at most 64.
    pub fn tags(&self) -> &[String] {
        &self.tags
    }

    /// Where a field comes from, if the page says it.
    pub fn source(&self, field: MetadataField) -> Option<MetadataSource> {
        match self.values.get(field as usize) {
            Some(value) => value.as_ref().map(|(_, source)| *source),
            None => self.tags_source,
        }
    }
}
