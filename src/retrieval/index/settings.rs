//! What an index holds of a page.

use super::analyzer::Stemming;
use super::sliding::Sliding;
use serde::{Deserialize, Serialize};

/// Which of a page's texts is indexed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IndexedText {
    /// Its content blocks.
    #[default]
    Clean,
    /// All its blocks.
    Raw,
}

/// What an index holds of a page. It stands in the index, which is searched accordingly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct IndexSettings {
    /// Version of the index's layout.
    pub format: u32,
    /// The text that is indexed; cleaned text by default.
    pub text: IndexedText,
    /// Blocks of fewer words (letters or digits in them) are left out; 0 by default.
    pub min_words: u32,
    /// Blocks of smaller text density (Kohlschütter et al. 2010, Eq. 1) are left out; 0 by default.
    pub min_density: f32,
    /// Whether a page's title stands before its text; yes by default.
    pub title: bool,
    /// English stems by default.
    pub stemming: Stemming,
    /// Whether the text itself is kept, for excerpts and relevance feedback; yes by default.
    pub store: bool,
    /// Thresholds that a search may choose from; none by default.
    pub sliding: Sliding,
}

impl IndexSettings {
    /// Version of the layout that this program writes and reads.
    pub const FORMAT: u32 = 1;

    /// Whether the blocks of pages are needed, or their text is enough.
    pub fn needs_blocks(&self) -> bool {
        self.text == IndexedText::Raw || self.chooses_blocks() || !self.sliding.is_empty()
    }

    /// Whether blocks are left out for what they are.
    pub fn chooses_blocks(&self) -> bool {
        self.min_words > 0 || self.min_density > 0.0
    }
}

impl Default for IndexSettings {
    fn default() -> Self {
        Self {
            format: Self::FORMAT,
            text: IndexedText::default(),
            min_words: 0,
            min_density: 0.0,
            title: true,
            stemming: Stemming::default(),
            store: true,
            sliding: Sliding::default(),
        }
    }
}
