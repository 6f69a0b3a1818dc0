//! The data that are shown of one page.

use super::blocks::Blocks;
use super::markdown;
use super::reference::{Measures, Reference};
use serde::Serialize;
use warcsieve_classify::Names;
use warcsieve_extract::{PageView, Pipeline};
use warcsieve_page::WARNINGS;
use warcsieve_render::{Renderer, TextFormat};
use warcsieve_warc::Record;

/// The maximum number of bytes of Markdown that are shown.
const MAX_MARKDOWN_BYTES: usize = 1 << 20;

/// The maximum number of characters of a title that are shown.
const MAX_TITLE_CHARS: usize = 300;

/// What a warning means; empty if it is none.
fn meaning(word: &str) -> &'static str {
    let known = WARNINGS.iter().find(|(known, _)| *known == word);
    known.map_or("", |(_, meaning)| meaning)
}

/// The first characters of a text; `…` after them if there are more.
fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// The data of a page except its text.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Facts {
    /// Its id.
    pub id: String,
    /// Its address; may be empty.
    pub url: String,
    /// Its title, cut if it is long; may be empty.
    pub title: String,
    /// The input that holds it.
    pub input: String,
    /// Byte offset of the record's member in the input.
    pub offset: u64,
    /// HTTP status.
    pub status: Option<u16>,
    /// Media type.
    pub mime: String,
    /// Encoding, and how it was found.
    pub charset: String,
    /// Bytes of the decoded page.
    pub html_bytes: usize,
    /// Warnings, each with its meaning.
    pub warnings: Vec<(&'static str, &'static str)>,
    /// Type in the gold; may be empty.
    pub page_type: String,
}

/// A page as a pipeline labels it.
#[derive(Debug, Serialize)]
pub struct ShownPage {
    /// Its data except the text.
    pub facts: Facts,
    /// The pipeline.
    pub pipeline: PipelineFacts,
    /// Its blocks.
    pub blocks: Blocks,
    /// The cleaned text.
    text: Text,
    /// The content as Markdown, in parts; none if it is too long.
    markdown: Vec<String>,
    /// The texts with which it is compared.
    pub references: Vec<Reference>,
    /// Texts of preformatted blocks, by the block's number.
    #[serde(skip)]
    pub preformatted: Vec<(usize, String)>,
}

/// A page that a pipeline has just labelled.
pub struct Labelled<'a> {
    /// The page.
    pub view: &'a PageView<'a>,
    /// Names of classes and reasons.
    pub names: &'a Names,
    /// Whether blocks are explained.
    pub reasons: bool,
}

/// A pipeline, and its result for the page.
#[derive(Clone, Debug, Serialize)]
pub struct PipelineFacts {
    /// Its name.
    pub name: String,
    /// Its steps' methods.
    pub method: String,
    /// How many blocks it keeps.
    pub kept: usize,
}

/// The cleaned text by its blocks. The texts of the blocks are not repeated.
#[derive(Debug, Default, Serialize)]
struct Text {
    /// The text before each content block.
    gaps: Vec<String>,
    /// Texts of content blocks that differ from the block's text, which are preformatted ones. By the number among the
    /// content blocks.
    own: Vec<(usize, String)>,
}

impl Text {
    fn of(view: &PageView<'_>) -> Self {
        let (mut text, mut last) = (Self::default(), 0);
        let content = view.doc.blocks.iter().zip(view.labels);
        let content = content.filter(|(_, label)| label.content);
        for (n, ((block, _), range)) in content.zip(view.text_blocks).enumerate() {
            let (start, end) = (range.start as usize, range.end as usize);
            text.gaps.push(view.text[last..start].to_owned());
            let own = &view.text[start..end];
            if own != view.doc.block_text(block) {
                text.own.push((n, own.to_owned()));
            }
            last = end;
        }
        text
    }
}

impl ShownPage {
    /// The data that are shown of a page of `input`.
    pub fn of(shown: &Labelled<'_>, pipeline: &Pipeline, input: &str, record: &Record) -> Self {
        let Labelled {
            view,
            names,
            reasons,
        } = shown;
        let page = &view.page;
        let preformatted = view.doc.preformatted.blocks.iter();
        let preformatted = preformatted.filter_map(|(block, _)| {
            let block = *block as usize;
            Some((block, view.doc.preformatted.block_text(block)?.to_owned()))
        });
        let mut markdown = String::new();
        let mut renderer =
            Renderer::new(TextFormat::Markdown, view.segmentation, MAX_MARKDOWN_BYTES);
        if renderer
            .render(view.doc, view.labels, &mut markdown)
            .is_err()
        {
            markdown.clear();
        }
        Self {
            facts: Facts {
                id: page.id.clone(),
                url: page.url.clone(),
                title: cut(&view.doc.title, MAX_TITLE_CHARS),
                input: input.to_owned(),
                offset: record.location.offset,
                status: page.status,
                mime: page.mime.clone(),
                charset: format!("{} ({})", page.charset, page.charset_source.as_str()),
                html_bytes: page.payload.len(),
                warnings: view.warnings().map(|word| (word, meaning(word))).collect(),
                page_type: String::new(),
            },
            pipeline: PipelineFacts {
                name: pipeline.name.clone(),
                method: view.method.to_owned(),
                kept: view.content_blocks(),
            },
            blocks: Blocks::of(view, names, *reasons),
            text: Text::of(view),
            markdown: markdown::parts(&markdown),
            references: Vec::new(),
            preformatted: preformatted.collect(),
        }
    }

    /// The measures of the shown pipeline's text against the gold, if there is any.
    pub fn against_gold(&self) -> Option<Measures> {
        let gold = self.references.iter().find(|r| r.is_gold);
        gold.map(|gold| gold.measures)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_titles_are_cut_between_characters() {
        assert_eq!(cut("äöü", 3), "äöü");
        assert_eq!(cut("äöüß", 3), "äöü…");
    }
}
