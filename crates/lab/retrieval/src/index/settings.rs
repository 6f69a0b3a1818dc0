//! The settings that say what an index contains of a page.

use super::analyzer::Stemming;
use super::bands::Bands;
use super::sliding::Sliding;
use serde::{Deserialize, Serialize};
use warcsieve_common::{Error, Result, with_defaults};

/// Which text of a page is indexed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum IndexedText {
    /// Its content blocks.
    #[default]
    Clean,
    /// All its blocks.
    Raw,
}

with_defaults! {
    /// What an index contains of a page. The settings are stored in the index and used when it is
    /// searched.
    #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct IndexSettings {
        /// Version of the index's layout.
        pub format: u32 = Self::FORMAT,
        /// The text that is indexed; cleaned text by default.
        pub text: IndexedText = IndexedText::default(),
        /// Blocks with fewer words (tokens with a letter or digit) are left out; 0 by default.
        pub min_words: u32 = 0,
        /// Blocks with a smaller text density (Kohlschütter et al. 2010, Eq. 1) are left out; 0 by
        /// default.
        pub min_density: f32 = 0.0,
        /// Whether a page's title is indexed before its text; yes by default.
        pub title: bool = true,
        /// Stemming of terms; English by default.
        pub stemming: Stemming = Stemming::default(),
        /// Whether the text is stored, for excerpts and relevance feedback; yes by default.
        pub store: bool = true,
        /// Thresholds that a search can choose from; none by default.
        pub sliding: Sliding = Sliding::default(),
        /// Bands of score that a search can weigh; none by default.
        pub bands: Bands = Bands::default(),
        /// sha256 of the table of anchors that is indexed, in hex. By default there is none, and then this key is not
        /// written.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub anchors: Option<String> = None,
    }
}

impl IndexSettings {
    /// Version of the layout that this program writes and reads.
    pub const FORMAT: u32 = 2;

    /// Whether the blocks of pages are needed, not only their text.
    pub fn needs_blocks(&self) -> bool {
        self.text == IndexedText::Raw || self.chooses_blocks() || self.has_parts()
    }

    /// Whether a search can select or weight the blocks of a page.
    pub fn has_parts(&self) -> bool {
        !self.sliding.is_empty() || !self.bands.is_empty()
    }

    /// Rejects invalid steps and bands, and bands if only a part of the blocks is indexed.
    ///
    /// # Errors
    /// [`Error::Invalid`].
    pub fn check(&self) -> Result<()> {
        self.sliding.check()?;
        self.bands.check()?;
        if !self.bands.is_empty() && (self.text != IndexedText::Raw || self.chooses_blocks()) {
            let why = "bands weigh all blocks of a page; index raw text, without --min-words and --min-density";
            return Err(Error::Invalid(why.to_owned()));
        }
        Ok(())
    }

    /// Whether a threshold leaves blocks out.
    pub fn chooses_blocks(&self) -> bool {
        self.min_words > 0 || self.min_density > 0.0
    }
}
