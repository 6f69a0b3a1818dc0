//! Extraction from a page given as HTML, without a record or a crawl.

use crate::cleaner::Labeller;
use crate::metadata::Metadata;
use crate::pipeline::Pipeline;
use crate::segmented::PageSegmenter;
use std::sync::Arc;
use warcsieve_classify::{Label, Names};
use warcsieve_html::Segmentation;
use warcsieve_html::document::{Block, Document};
use warcsieve_page::Skip;
use warcsieve_render::{Output, RenderOptions, Renderer};

/// Extracts the content of HTML pages with one pipeline, which it builds only once. Use one
/// extractor per thread.
///
/// ```
/// use warcsieve_clean::{Extractor, Pipeline};
///
/// let mut extractor = Extractor::new(&Pipeline::built_in("numwords")?);
/// for html in ["<p>one page", "<p>another page"] {
///     let page = extractor.extract(html).expect("it is small");
///     println!("{} of {} blocks kept", page.content_blocks(), page.blocks().count());
/// }
/// # Ok::<(), warcsieve_base::Error>(())
/// ```
pub struct Extractor {
    segmentation: Segmentation,
    segmenter: PageSegmenter,
    metadata: bool,
    options: RenderOptions,
    labeller: Labeller,
}

impl Extractor {
    /// Builds the pipeline's steps.
    pub fn new(pipeline: &Pipeline) -> Self {
        Self {
            segmentation: pipeline.segmentation,
            segmenter: pipeline.page_segmenter(),
            metadata: pipeline.settings.metadata,
            options: pipeline.settings.render_options(),
            labeller: Labeller::new(pipeline),
        }
    }

    /// Segments and labels a page.
    ///
    /// Time is linear in the page's length for all methods that ship. Memory: the document that is
    /// returned, and what the methods keep.
    ///
    /// # Errors
    /// The page exceeds the pipeline's `max_page_bytes` or `max_elements`, or its tokenizer gave
    /// up.
    pub fn extract(&mut self, html: &str) -> Result<Extracted, Skip> {
        let mut doc = Document::default();
        self.segmenter.segment_html(html, &mut doc)?;
        self.labeller.label(&doc);
        Ok(Extracted {
            metadata: match self.metadata {
                true => Metadata::of_html(html, "", &doc),
                false => Metadata::default(),
            },
            text: self.labeller.text.as_str().to_owned(),
            labels: self.labeller.labels.clone(),
            names: self.labeller.names().clone(),
            segmentation: self.segmentation,
            options: self.options,
            doc,
        })
    }
}

/// A page's content, and the label of each of its blocks.
#[derive(Clone, Debug)]
pub struct Extracted {
    text: String,
    metadata: Metadata,
    doc: Document,
    labels: Vec<Label>,
    names: Arc<Names>,
    segmentation: Segmentation,
    options: RenderOptions,
}

/// A block of a page with its label.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct LabelledBlock<'a> {
    /// Its text, white space collapsed.
    pub text: &'a str,
    /// The label after the last step of the pipeline; `score` is from 0 (boilerplate) to 1
    /// (content).
    pub label: Label,
    /// The method's reason for the label.
    pub reason: &'a str,
    /// Its counts and its position in the page.
    pub block: &'a Block,
}

impl Extracted {
    /// The content as plain text: paragraphs, list items, rows and lines of `pre` are separated.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of `<title>`; empty if there is none.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.doc.title
    }

    /// What the page says of itself: author, date, site and more.
    #[must_use]
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// The content as Markdown, with its headings, lists, tables, links and code.
    #[must_use]
    pub fn markdown(&self) -> String {
        self.rendered(Output::Markdown)
    }

    /// The content as HTML, with all enclosing elements and without anything executable.
    #[must_use]
    pub fn html(&self) -> String {
        self.rendered(Output::Html)
    }

    /// All blocks in document order, content and boilerplate.
    pub fn blocks(&self) -> impl Iterator<Item = LabelledBlock<'_>> {
        let blocks = self.doc.blocks.iter().zip(&self.labels);
        blocks.map(|(block, label)| LabelledBlock {
            text: self.doc.block_text(block),
            label: *label,
            reason: self.names.reason_of(label),
            block,
        })
    }

    /// The number of content blocks.
    #[must_use]
    pub fn content_blocks(&self) -> usize {
        self.labels.iter().filter(|l| l.content).count()
    }

    /// The page as it was segmented.
    #[must_use]
    pub fn document(&self) -> &Document {
        &self.doc
    }

    fn rendered(&self, output: Output) -> String {
        let mut out = String::new();
        Renderer::new(output, self.segmentation, usize::MAX)
            .with(self.options)
            .render(&self.doc, &self.labels, &mut out)
            .expect("the output is not bounded");
        out
    }
}

/// Extracts the content of an HTML page with the pipeline `default`.
///
/// It builds the pipeline on every call; for many pages an [`Extractor`] is far faster.
///
/// ```
/// let html = "<title>Cod</title><nav><a href=/>Home</a> <a href=/fish>Fish</a></nav><article><h1>Cod in winter</h1>
///     <p>Cod spawn from January to April, in water of four to six degrees, and the largest shoals are met
///     off the Lofoten islands, where they have been fished for a thousand years.</p></article>";
/// let page = warcsieve_clean::extract(html);
/// assert_eq!(page.title(), "Cod");
/// assert!(page.text().contains("thousand years") && !page.text().contains("Home"));
/// ```
///
/// # Panics
/// If the page is larger than 1 GiB.
#[must_use]
pub fn extract(html: &str) -> Extracted {
    let mut pipeline = Pipeline::built_in("default").expect("it ships, and a test builds it");
    // The caller holds the whole page in memory, so the limits for crawls are not needed.
    pipeline.settings.max_page_bytes = 1 << 30;
    pipeline.settings.max_elements = u32::MAX as usize;
    match Extractor::new(&pipeline).extract(html) {
        Ok(page) => page,
        Err(skip) => panic!("{}", skip.detail),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<title>t</title><p>one <b>two</b> three<ul><li>x<li>four five six</ul>";

    fn extractor(pipeline: &str) -> Extractor {
        Extractor::new(&Pipeline::parse("test", pipeline).unwrap())
    }

    #[test]
    fn a_page_is_returned_as_text_markdown_html_and_blocks() {
        let mut extractor = extractor("[[step]]\nmethod = 'min-words'\nwords = 2\n");
        let page = extractor.extract(PAGE).unwrap();
        assert_eq!((page.title(), page.content_blocks()), ("t", 2));
        assert_eq!(page.text(), "one two three\n\n- four five six");
        assert_eq!(page.markdown(), "one **two** three\n\n- four five six");
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
    }

    #[test]
    fn results_do_not_depend_on_earlier_pages() {
        let mut extractor = extractor("[[step]]\nmethod = 'keep-all'\n");
        let first = extractor.extract(PAGE).unwrap();
        extractor.extract("<p>other").unwrap();
        assert_eq!(extractor.extract(PAGE).unwrap().text(), first.text());
    }

    #[test]
    fn a_page_beyond_the_limits_is_skipped() {
        let mut extractor = extractor("max_elements = 3\n[[step]]\nmethod = 'keep-all'\n");
        let skip = extractor.extract(&"<b>x</b>".repeat(9)).unwrap_err();
        assert!(skip.detail.contains('3'), "{}", skip.detail);
    }

    #[test]
    fn the_limits_for_crawls_do_not_apply() {
        let page = extract(&format!("<p>{}", "long ".repeat(4 << 20)));
        assert_eq!(page.blocks().count(), 1);
        assert_eq!(extract("").text(), "");
    }
}
