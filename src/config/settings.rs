//! What a pipeline file sets beside its steps.

use crate::html::{Segmentation, Segmenter, SegmenterOptions, Tokenizer};
use crate::render::Output;
use serde::Deserialize;

/// Everything a pipeline file sets beside its steps.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// Overrides the segmentation of the first step's method.
    pub segmentation: Option<Segmentation>,
    /// What reads the markup of pages.
    pub tokenizer: Tokenizer,
    /// Record types that can be pages.
    pub records: Vec<PageRecord>,
    /// Take pages of any HTTP status; by default 200 to 299 only.
    pub any_status: bool,
    /// Take payloads of any media type as HTML (plain text stays text); by default HTML, XHTML
    /// and plain text only.
    pub any_content_type: bool,
    /// Largest page in bytes, as stored, as decoded, in UTF-8 and as cleaned HTML; larger ones are skipped
    /// as `too_large`.
    pub max_page_bytes: usize,
    /// Most elements of a page, and most blocks; pages with more are skipped as `too_large`.
    pub max_elements: usize,
    /// Deepest element; deeper ones are attached to their ancestor at this depth.
    pub max_depth: usize,
    /// What `documents.text` holds of the content.
    pub output: Output,
    /// Which blocks' text the `blocks` shard holds.
    pub block_text: BlockText,
    /// Which feature columns the `blocks` shard holds.
    pub features: FeatureSet,
    /// Write the `blocks` shard at all.
    pub blocks: bool,
    /// zstd level of the Parquet pages, 1 to 22.
    pub zstd: i32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            segmentation: None,
            tokenizer: Tokenizer::Builtin,
            records: vec![PageRecord::Response, PageRecord::Resource],
            any_status: false,
            any_content_type: false,
            max_page_bytes: 16 << 20,
            max_elements: 1_000_000,
            max_depth: 512,
            output: Output::Text,
            block_text: BlockText::All,
            features: FeatureSet::Core,
            blocks: true,
            zstd: 1,
        }
    }
}

impl Settings {
    /// A segmenter for pages within the bounds of these settings.
    pub fn segmenter(&self, segmentation: Segmentation) -> Segmenter {
        Segmenter::new(SegmenterOptions {
            segmentation,
            tokenizer: self.tokenizer,
            max_depth: self.max_depth,
            max_elements: self.max_elements,
            max_page_bytes: self.max_page_bytes,
        })
    }

    /// Whether both take the same records as pages, and read and bound them alike.
    pub fn reads_like(&self, other: &Self) -> bool {
        let key = |s: &Self| {
            let bounds = (s.max_page_bytes, s.max_elements, s.max_depth);
            (s.any_status, s.any_content_type, s.tokenizer, bounds)
        };
        key(self) == key(other) && self.records == other.records
    }

    /// Values that are of the right type and still make no sense: the key, and why.
    pub(super) fn check(&self) -> Result<(), (&'static str, String)> {
        let within = |key: &'static str, value: usize, low: usize, high: usize| {
            if (low..=high).contains(&value) {
                Ok(())
            } else {
                Err((
                    key,
                    format!("{key} = {value} is not within {low} to {high}"),
                ))
            }
        };
        within("max_page_bytes", self.max_page_bytes, 1 << 10, 1 << 30)?;
        within("max_elements", self.max_elements, 1, 100_000_000)?;
        within("max_depth", self.max_depth, 8, 4096)?;
        within("zstd", usize::try_from(self.zstd).unwrap_or(0), 1, 22)?;
        if self.records.is_empty() {
            return Err((
                "records",
                "records is empty: no record would be a page".to_owned(),
            ));
        }
        Ok(())
    }
}

/// Record types that can hold a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PageRecord {
    /// An HTTP response.
    Response,
    /// A payload without an HTTP header.
    Resource,
    /// A payload that was converted from another record's.
    Conversion,
}

/// Blocks whose text is written to the `blocks` shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BlockText {
    /// Every block.
    All,
    /// Blocks whose text `documents.text` does not hold.
    Boilerplate,
    /// No block; the column is null.
    None,
}

/// Feature columns of the `blocks` shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FeatureSet {
    /// No features.
    None,
    /// Counts of the block and the two densities.
    Core,
    /// Those, and the [shallow features](crate::features::SHALLOW) but for the frequencies.
    Shallow,
    /// Those of `Core`, and the features of the page's [structure](crate::features::structure).
    Structure,
}
