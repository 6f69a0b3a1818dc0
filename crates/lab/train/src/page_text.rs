//! A page's text together with its gold text.

use std::ops::Range;
use warcsieve_eval::bag::Bag;
use warcsieve_eval::gold::GoldPage;
use warcsieve_eval::score::Scores;
use warcsieve_eval::words::Vocabulary;
use warcsieve_html::document::Document;

/// The texts of a page's blocks and its gold, to score a selection of the blocks.
#[derive(Clone, Debug, Default)]
pub struct PageText {
    /// Its id.
    pub id: String,
    /// The page type from the gold; empty if the gold has none.
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
    /// The texts of all blocks of a document.
    pub fn of(doc: &Document) -> Self {
        Self {
            text: doc.text.clone(),
            blocks: doc.blocks.iter().map(|b| b.text.clone()).collect(),
        }
    }
}

impl PageText {
    /// The text of a segmented page; for a page that was not found, `texts` is `None` and only the
    /// gold counts.
    pub fn new(gold: &GoldPage, texts: Option<BlockTexts>) -> Self {
        Self {
            id: gold.id.clone(),
            page_type: gold.page_type.clone(),
            gold: gold.text.clone(),
            texts: texts.unwrap_or_default(),
        }
    }

    /// The text of all its blocks; empty if the page was not found.
    pub fn text(&self) -> &str {
        &self.texts.text
    }

    /// The number of its blocks.
    pub fn blocks(&self) -> usize {
        self.texts.blocks.len()
    }

    /// The text of a block.
    pub fn block(&self, block: usize) -> &str {
        let range = &self.texts.blocks[block];
        &self.texts.text[range.start as usize..range.end as usize]
    }

    /// The word scores of the page if these blocks are its content.
    pub fn scores(&self, kept: impl IntoIterator<Item = usize>) -> Scores {
        let mut text = String::new();
        for block in kept {
            text += self.block(block);
            text.push('\n');
        }
        let mut vocabulary = Vocabulary::default();
        let gold = Bag::new(&vocabulary.ids(&self.gold));
        Bag::new(&vocabulary.ids(&text)).scores(&gold)
    }
}
