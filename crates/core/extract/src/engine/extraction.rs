//! A processed page that owns its text, blocks and labels.

use super::rendered::render;
use super::view::PageView;
use crate::metadata::{Metadata, MetadataField};
use std::ops::Range;
use std::sync::Arc;
use warcsieve_classify::{Label, Names};
use warcsieve_html::Segmentation;
use warcsieve_html::document::{Block, Document};
use warcsieve_language::Language;
use warcsieve_render::{RenderOptions, Renderer, TextFormat};

/// A page's content, with all blocks and their labels. It borrows nothing from the engine.
#[derive(Clone, Debug)]
pub struct Extraction {
    text: String,
    text_blocks: Vec<Range<u32>>,
    metadata: Metadata,
    language: Option<Language>,
    confidence: Option<f32>,
    removed_by: Option<String>,
    labelled_by: Option<String>,
    doc: Document,
    labels: Vec<Label>,
    names: Arc<Names>,
    segmentation: Segmentation,
    rendering: RenderOptions,
    url: String,
}

/// A block of a page with its label.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LabelledBlock<'a> {
    /// Its text, with white space collapsed.
    pub text: &'a str,
    /// The label after the last step of the pipeline. `score` is from 0 (boilerplate) to 1
    /// (content).
    pub label: Label,
    /// The method's reason for the label.
    pub reason: &'a str,
    /// The method's class of the label; empty for methods without classes.
    pub class: &'a str,
    /// Its counts and its position in the page.
    pub block: &'a Block,
}

impl PageView<'_> {
    /// Copies the result, so that the engine can go on. Reads the metadata and finds the language.
    pub fn to_extraction(&self) -> Extraction {
        self.without_document().with_document(self.doc.clone())
    }

    pub(super) fn without_document(&self) -> Extraction {
        Extraction {
            text: self.text.to_owned(),
            text_blocks: self.text_blocks.to_vec(),
            metadata: self.metadata().clone(),
            language: self.language().cloned(),
            confidence: self.confidence(),
            removed_by: self.removing_rule().map(str::to_owned),
            labelled_by: self.labelled_by.map(str::to_owned),
            doc: Document::default(),
            labels: self.labels.to_vec(),
            names: self.names.clone(),
            segmentation: self.segmentation,
            rendering: self.rendering,
            url: self.page.url.clone(),
        }
    }
}

impl Extraction {
    pub(super) fn with_document(self, doc: Document) -> Self {
        Self { doc, ..self }
    }

    /// The content as plain text, with line breaks between paragraphs, list items, rows and lines
    /// of `pre`.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Byte range in [`text`](Self::text) of each content block's text, in order.
    #[must_use]
    pub fn text_blocks(&self) -> &[Range<u32>] {
        &self.text_blocks
    }

    /// The text of `<title>`; empty if there is none.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.doc.title
    }

    /// The address of the page: the one it was read from, else the one that it states. Empty if
    /// there is none.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// What the page says about itself: author, date, site and more.
    #[must_use]
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// The language of the text; `None` if it is not known.
    #[must_use]
    pub fn language(&self) -> Option<&Language> {
        self.language.as_ref()
    }

    /// Expected accuracy of the labels, from 0 to 1; `None` if the pipeline's method does not
    /// estimate it.
    #[must_use]
    pub fn confidence(&self) -> Option<f32> {
        self.confidence
    }

    /// The filter rule that would remove the page from a crawl, as written in the pipeline file.
    /// The content is here anyway.
    #[must_use]
    pub fn removed_by(&self) -> Option<&str> {
        self.removed_by.as_deref()
    }

    /// The pipeline whose steps labelled the page: a name in `union` or `[[fallback]]`, or
    /// [`OWN`](crate::Pipeline::OWN). `None` if only one pipeline may label pages.
    #[must_use]
    pub fn labelled_by(&self) -> Option<&str> {
        self.labelled_by.as_deref()
    }

    /// The content as Markdown, with its headings, lists, tables, links and code.
    #[must_use]
    pub fn markdown(&self) -> String {
        self.rendered(TextFormat::Markdown)
    }

    /// The content as HTML with all enclosing elements, and without anything executable.
    #[must_use]
    pub fn html(&self) -> String {
        self.rendered(TextFormat::Html)
    }

    /// All blocks in document order, both content and boilerplate.
    pub fn blocks(&self) -> impl Iterator<Item = LabelledBlock<'_>> {
        let blocks = self.doc.blocks.iter().zip(&self.labels);
        blocks.map(|(block, label)| LabelledBlock {
            text: self.doc.block_text(block),
            label: *label,
            reason: self.names.reason_of(label),
            class: self.names.class_of(label),
            block,
        })
    }

    /// Number of content blocks.
    #[must_use]
    pub fn content_blocks(&self) -> usize {
        self.labels.iter().filter(|l| l.content).count()
    }

    /// The segmented page.
    #[must_use]
    pub fn document(&self) -> &Document {
        &self.doc
    }

    fn rendered(&self, output: TextFormat) -> String {
        let mut out = String::new();
        let mut renderer =
            Renderer::new(output, self.segmentation, usize::MAX).with(self.rendering);
        renderer.set_url(&self.url);
        let headline = || self.metadata.get(MetadataField::Headline);
        render(&mut renderer, &self.doc, &self.labels, headline, &mut out)
            .expect("the output is not bounded");
        out
    }
}

#[cfg(test)]
mod tests {
    use crate::{Engine, Pipeline};
    use warcsieve_page::SkipReason;

    const PAGE: &str = "<title>t</title><p>one <b>two</b> three<ul><li>x<li>four five six</ul>";

    fn engine(pipeline: &str) -> Engine {
        Engine::new(&Pipeline::parse(&warcsieve_classify::CORE, "test", pipeline).unwrap())
    }

    #[test]
    fn a_page_is_returned_as_text_markdown_html_and_blocks() {
        let mut engine = engine("[[step]]\nmethod = 'min-words'\nwords = 2\n");
        let page = engine.extract(PAGE, "").unwrap();
        assert_eq!((page.title(), page.content_blocks()), ("t", 2));
        assert_eq!(page.text(), "one two three\n\n- four five six");
        let markdown = "# t\n\none **two** three\n\n- four five six";
        assert_eq!(page.markdown(), markdown);
        assert!(page.html().contains("<li>four five six</li>"));
        let blocks: Vec<_> = page.blocks().map(|b| (b.text, b.label.content)).collect();
        assert_eq!(
            blocks,
            [
                ("one two three", true),
                ("x", false),
                ("four five six", true)
            ]
        );
        assert!(page.blocks().all(|b| !b.reason.is_empty()));
        let places = page
            .text_blocks()
            .iter()
            .map(|r| r.start as usize..r.end as usize);
        let kept: Vec<_> = places.map(|place| &page.text()[place]).collect();
        assert_eq!(kept, ["one two three", "four five six"]);
    }

    #[test]
    fn a_view_has_the_same_content_as_what_is_kept() {
        for output in ["text", "markdown", "html"] {
            let mut engine = engine(&format!(
                "output = '{output}'\nmax_page_bytes = 4096\n[[step]]\nmethod = 'keep-all'\n"
            ));
            for page in [PAGE, "<p>other", PAGE] {
                let kept = engine.extract(page, "").unwrap();
                let expected = match output {
                    "text" => kept.text().to_owned(),
                    "markdown" => kept.markdown(),
                    _ => kept.html(),
                };
                let view = engine.html(page, "").ok().unwrap();
                assert_eq!((view.output, view.text), (&*expected, kept.text()));
            }
            let grows = "& ".repeat(1500);
            let skip = engine.html(&grows, "").err().map(|skip| skip.reason);
            let expected = (output == "html").then_some(SkipReason::TooLarge);
            assert_eq!(skip, expected, "{output}");
        }
    }

    #[test]
    fn a_page_that_a_filter_removes_names_the_rule() {
        let mut engine =
            engine("[[step]]\nmethod = 'keep-all'\n[[filter]]\nkeep = 'n_blocks >= 2'\n");
        let removed_by = |html: &str, engine: &mut Engine| {
            let page = engine.extract(html, "").unwrap();
            page.removed_by().map(str::to_owned)
        };
        assert_eq!(removed_by("<p>one<p>two", &mut engine), None);
        let rule = removed_by("<p>one", &mut engine);
        assert_eq!(rule.as_deref(), Some("n_blocks >= 2"));
    }

    #[test]
    fn addresses_are_completed_from_the_pages_own() {
        use crate::MetadataField;
        let html = "<link rel=canonical href=/cod><p>one";
        let mut engine = engine("[[step]]\nmethod = 'keep-all'\n");
        let canonical = |url| {
            let page = engine.extract(html, url).unwrap();
            page.metadata()
                .get(MetadataField::Canonical)
                .map(str::to_owned)
        };
        let expected = [None, Some("https://a.example/cod".to_owned())];
        assert_eq!(["", "https://a.example/x"].map(canonical), expected);
    }

    #[test]
    fn results_do_not_depend_on_earlier_pages() {
        let mut engine = engine("[[step]]\nmethod = 'keep-all'\n");
        let first = engine.extract(PAGE, "").unwrap();
        engine.extract("<p>other", "").unwrap();
        assert_eq!(engine.extract(PAGE, "").unwrap().text(), first.text());
    }

    #[test]
    fn a_page_beyond_the_limits_is_skipped() {
        let mut engine = engine("max_elements = 3\n[[step]]\nmethod = 'keep-all'\n");
        let skip = engine.extract(&"<b>x</b>".repeat(9), "").unwrap_err();
        assert!(skip.detail.contains('3'), "{}", skip.detail);
    }
}
