//! Small indexes for tests.

use super::{Entry, EntryBlock, IndexSettings, IndexWriter, WriterOptions};
use std::path::Path;
use warcsieve_corpus::InLinks;

pub const OPTIONS: WriterOptions = WriterOptions {
    heap: 0,
    threads: 2,
};

/// A page of blocks.
#[derive(Clone, Debug, Default)]
pub struct TestPage {
    pub id: String,
    pub title: String,
    pub blocks: Vec<String>,
    pub inlinks: Option<InLinks>,
}

impl TestPage {
    pub fn text(&self) -> String {
        self.blocks.join("\n")
    }

    /// The blocks, with words separated by white space. The density is twice the number of words, and the score a
    /// twelfth of it.
    pub fn entry_blocks(&self) -> Vec<EntryBlock<'_>> {
        let block = |text: &'_ String| -> u32 { text.split_whitespace().count() as u32 };
        let blocks = self.blocks.iter().map(|text| EntryBlock {
            text,
            words: block(text),
            density: block(text) as f32 * 2.0,
            score: block(text) as f32 / 12.0,
        });
        blocks.collect()
    }

    pub fn add_to(&self, writer: &mut IndexWriter) {
        let entry = Entry {
            id: &self.id,
            url: "http://x/",
            title: &self.title,
            text: &self.text(),
            blocks: &self.entry_blocks(),
            inlinks: self.inlinks.as_ref(),
        };
        writer.add(&entry).unwrap();
    }
}

/// Indexes pages in shards of `shard` pages, each shard with its own writer.
pub fn index(path: &Path, settings: &IndexSettings, pages: &[TestPage], shard: usize) {
    for (i, pages) in pages.chunks(shard.max(1)).enumerate() {
        let mut writer = IndexWriter::open(path, settings, OPTIONS).unwrap();
        pages.iter().for_each(|page| page.add_to(&mut writer));
        writer.end_shard(&i.to_string(), &i.to_string()).unwrap();
        writer.finish().unwrap();
    }
}
