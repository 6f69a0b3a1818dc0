//! Selects the text of a shard's pages that is indexed.

use super::entry::Entry;
use super::parts::EntryBlock;
use super::settings::{IndexSettings, IndexedText};
use crate::shards::{Pages, Parts, Shard, ShardBlock, ShardPage};
use std::borrow::Cow;
use warcsieve_common::Result;
use warcsieve_render::TextFormat;

/// Changes the texts of a page's blocks before they are indexed: receives the page's id and the
/// texts of all its blocks in order, and returns the same number of texts.
pub type Edit<'e> = dyn Fn(&str, &[&str]) -> Vec<String> + 'e;

/// The pages of a shard, prepared for an index with some settings.
pub struct Source<'s> {
    pages: Pages,
    page: ShardPage,
    settings: &'s IndexSettings,
    edit: Option<&'s Edit<'s>>,
    by_blocks: bool,
    text: String,
}

impl<'s> Source<'s> {
    /// Opens a shard, and its blocks if they are needed.
    ///
    /// # Errors
    /// Those of [`Shard::pages`].
    pub fn open(
        shard: &Shard,
        settings: &'s IndexSettings,
        edit: Option<&'s Edit<'s>>,
    ) -> Result<Self> {
        let mut pages = Pages::open(shard, Parts::default())?;
        // Markdown and HTML markup must not become terms; the texts of blocks have no markup.
        let by_blocks =
            settings.needs_blocks() || edit.is_some() || pages.form() != TextFormat::Text;
        if by_blocks {
            pages = Pages::open(
                shard,
                Parts {
                    blocks: true,
                    raw: true,
                    features: settings.chooses_blocks() || !settings.sliding.is_empty(),
                },
            )?;
        }
        Ok(Self {
            pages,
            page: ShardPage::default(),
            settings,
            edit,
            by_blocks,
            text: String::new(),
        })
    }

    /// Calls `take` with the next page; `false` at the end.
    ///
    /// # Errors
    /// Those of [`Pages::read_page`], and those of `take`.
    pub fn next(&mut self, take: impl FnOnce(&Entry<'_>) -> Result<()>) -> Result<bool> {
        if !self.pages.read_page(&mut self.page)? {
            return Ok(false);
        }
        let page = &self.page;
        let texts = match self.by_blocks {
            true => texts(page, self.edit),
            false => Vec::new(),
        };
        let mut blocks = Vec::new();
        self.text.clear();
        for (block, text) in page.blocks.iter().zip(&texts) {
            if is_chosen(block, self.settings) {
                if !blocks.is_empty() {
                    self.text.push('\n');
                }
                self.text.push_str(text);
                blocks.push(EntryBlock {
                    text,
                    words: block.words,
                    density: block.text_density,
                    score: block.score,
                });
            }
        }
        take(&Entry {
            id: &page.id,
            url: &page.url,
            title: &page.title,
            text: if self.by_blocks {
                &self.text
            } else {
                &page.text
            },
            blocks: &blocks,
            inlinks: None,
        })?;
        Ok(true)
    }
}

/// The texts of a page's blocks.
fn texts<'p>(page: &'p ShardPage, edit: Option<&Edit<'_>>) -> Vec<Cow<'p, str>> {
    let of = |block: &ShardBlock| &page.raw[block.raw.start as usize..block.raw.end as usize];
    let texts: Vec<&str> = page.blocks.iter().map(of).collect();
    match edit {
        None => texts.into_iter().map(Cow::Borrowed).collect(),
        Some(edit) => edit(&page.id, &texts).into_iter().map(Cow::Owned).collect(),
    }
}

fn is_chosen(block: &ShardBlock, settings: &IndexSettings) -> bool {
    let of_text = settings.text == IndexedText::Raw || block.content;
    let long = block.words >= settings.min_words && block.text_density >= settings.min_density;
    of_text && long
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shards::fixture::shard_of;

    const LONG: &str = "eleven words stand in this block, which is more than ten";

    /// The indexed text of a page with two links, a long and a short paragraph.
    fn taken(pipeline: &str, settings: &IndexSettings, edit: Option<&Edit<'_>>) -> String {
        let folder = tempfile::tempdir().unwrap();
        let page = format!(
            "<title>T</title><p><a href=/a>one link</a><p><a href=/b>two</a><p>{LONG}</p><p><b>{LONG}</b>"
        );
        let shard = shard_of(&[&page], folder.path(), pipeline);
        let mut source = Source::open(&shard, settings, edit).unwrap();
        let mut text = String::new();
        let next = source.next(|page| {
            assert_eq!((page.title, page.id), ("T", "1"));
            text = page.text.to_owned();
            Ok(())
        });
        assert!(next.unwrap());
        assert!(!source.next(|_| unreachable!()).unwrap());
        text
    }

    #[test]
    fn an_index_contains_what_its_settings_say() {
        let clean = IndexSettings::default();
        let raw = IndexSettings {
            text: IndexedText::Raw,
            ..IndexSettings::default()
        };
        let twice = format!("{LONG}\n{LONG}");
        assert_eq!(taken("", &raw, None), format!("one link\ntwo\n{twice}"));
        let long = IndexSettings {
            min_words: 2,
            ..raw.clone()
        };
        assert_eq!(taken("", &long, None), format!("one link\n{twice}"));
        let dense = IndexSettings {
            min_density: 5.0,
            ..raw.clone()
        };
        assert_eq!(taken("", &dense, None), twice);
        // Plain text is used unchanged; markup of other formats is not.
        let plain = taken("", &clean, None);
        assert!(plain.starts_with(LONG), "{plain}");
        for output in ["html", "markdown"] {
            let text = taken(&format!("output = '{output}'"), &clean, None);
            assert_eq!(text, plain.replace("\n\n", "\n"));
        }
        let edit = |_: &str, texts: &[&str]| texts.iter().map(|t| t[..3].to_owned()).collect();
        assert_eq!(taken("", &raw, Some(&edit)), "one\ntwo\nele\nele");
    }
}
