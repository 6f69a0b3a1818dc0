//! The outlines of a run of blocks.

use std::ops::Range;
use warcsieve_common::{shrink, shrink_text};
use warcsieve_extract::TreeColumns;
use warcsieve_html::document::Document;
use warcsieve_html::outline::Outline;

/// The outline of each block of a run, in the columns that a pipeline asks for.
pub struct Outlines {
    columns: TreeColumns,
    outline: Outline,
    pub trees: Texts,
    pub attributes: Texts,
    pub preformatted: Vec<Option<String>>,
}

/// Texts one after the other.
#[derive(Default)]
pub struct Texts {
    text: String,
    ends: Vec<usize>,
}

impl Outlines {
    /// For these columns.
    pub fn new(columns: TreeColumns) -> Self {
        Self {
            columns,
            outline: Outline::default(),
            trees: Texts::default(),
            attributes: Texts::default(),
            preformatted: Vec::new(),
        }
    }

    /// Computes the outlines of some blocks. The blocks of a page come in order from 0.
    pub fn compute(&mut self, doc: &Document, blocks: Range<usize>) {
        self.trees.clear();
        self.attributes.clear();
        self.preformatted.clear();
        if self.columns == TreeColumns::None {
            return;
        }
        for block in blocks {
            match self.columns {
                TreeColumns::Attributes => self.outline.block(doc, block),
                _ => {
                    self.outline.tags(doc, block);
                }
            }
            self.trees.push(&self.outline.tree);
            self.attributes.push(&self.outline.attributes);
            self.preformatted.push(self.outline.preformatted.take());
        }
    }
}

impl Texts {
    fn clear(&mut self) {
        shrink_text(&mut self.text);
        self.text.clear();
        shrink(&mut self.ends);
        self.ends.clear();
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.ends.push(self.text.len());
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts
            .zip(&self.ends)
            .map(|(start, end)| &self.text[start..*end])
    }
}
