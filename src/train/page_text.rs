//! A page's text beside what its gold says.

use crate::document::Document;
use crate::eval::bag::Bag;
use crate::eval::gold::GoldPage;
use crate::eval::score::Scores;
use crate::eval::words::Vocabulary;
use std::ops::Range;

/// The text of a page's blocks and its gold, to score what is kept of it.
#[derive(Clone, Debug, Default)]
pub struct PageText {
    /// Its id.
    pub id: String,
    /// The kind of page, as the gold says; empty if it does not.
    pub page_type: String,
    /// The gold text.
    pub gold: String,
    texts: BlockTexts,
}

/// The texts of a page's blocks.
#[derive(Clone, Debug, Default)]
pub struct BlockTexts {
    text: String,
    blocks: Vec<Range<u32>>,
}

impl BlockTexts {
    /// Of all blocks of a document.
    pub fn of(doc: &Document) -> Self {
        Self {
            text: doc.text.clone(),
            blocks: doc.blocks.iter().map(|b| b.text.clone()).collect(),
        }
    }
}

impl PageText {
    /// Of a page as it was segmented; of one that was not found the gold counts alone.
    pub fn new(gold: &GoldPage, texts: Option<BlockTexts>) -> Self {
        Self {
            id: gold.id.clone(),
            page_type: gold.page_type.clone(),
            gold: gold.text.clone(),
            texts: texts.unwrap_or_default(),
        }
    }

    /// The word scores of the page if these blocks are its content.
    pub fn scores(&self, kept: impl IntoIterator<Item = usize>) -> Scores {
        let mut text = String::new();
        for block in kept {
            let range = &self.texts.blocks[block];
            text += &self.texts.text[range.start as usize..range.end as usize];
            text.push('\n');
        }
        let mut vocabulary = Vocabulary::default();
        let gold = Bag::new(&vocabulary.ids(&self.gold));
        Bag::new(&vocabulary.ids(&text)).scores(&gold)
    }
}
