//! Extraction from a page given as HTML, without a record or a crawl.

use crate::cleaner::{Cleaned, Labeller, empty};
use crate::metadata::Metadata;
use crate::pipeline::Pipeline;
use crate::segmented::PageSegmenter;
use std::ops::Range;
use std::sync::Arc;
use warcsieve_classify::{Label, Names};
use warcsieve_html::Segmentation;
use warcsieve_html::document::{Block, Document};
use warcsieve_page::{Skip, SkipReason};
use warcsieve_render::{Output, RenderOptions, Renderer};

/// Extracts the content of HTML pages with one pipeline, which it builds only once. Use one
/// extractor per thread. It applies no filters; [`Pipeline::refuse_filters`] says whether there are any.
///
/// ```
/// use warcsieve_extract::{Extractor, Pipeline};
///
/// let mut extractor = Extractor::new(&Pipeline::built_in("numwords")?);
/// for html in ["<p>one page", "<p>another page"] {
///     let page = extractor.extract(html).expect("it is small");
///     println!("{} of {} blocks kept", page.content_blocks(), page.blocks().count());
/// }
/// # Ok::<(), warcsieve_common::Error>(())
/// ```
pub struct Extractor {
    segmentation: Segmentation,
    segmenter: PageSegmenter,
    metadata: bool,
    longest: usize,
    options: RenderOptions,
    labeller: Labeller,
    /// The page of [`content`](Self::content), and its content rendered.
    doc: Document,
    rendered: String,
}

impl Extractor {
    /// Builds the pipeline's steps.
    pub fn new(pipeline: &Pipeline) -> Self {
        Self {
            segmentation: pipeline.segmentation,
            segmenter: pipeline.page_segmenter(),
            metadata: pipeline.settings.metadata,
            longest: pipeline.settings.max_page_bytes,
            options: pipeline.settings.render_options(),
            labeller: Labeller::new(pipeline),
            doc: Document::default(),
            rendered: String::new(),
        }
    }

    /// The content of a page in this form, and nothing else: buffers are used again from page to page, and what the
    /// page says of itself is not read. `url` completes links where the pipeline asks for it; it may be empty.
    ///
    /// ```
    /// use warcsieve_extract::{Extractor, Pipeline};
    /// use warcsieve_render::Output;
    ///
    /// let mut extractor = Extractor::new(&Pipeline::built_in("keep-all")?);
    /// assert_eq!(extractor.content("<p>one <b>page", "", Output::Markdown).ok(), Some("one **page**"));
    /// # Ok::<(), warcsieve_common::Error>(())
    /// ```
    ///
    /// Memory: that of a [`Cleaner`](crate::Cleaner).
    ///
    /// # Errors
    /// Those of [`extract`](Self::extract); Markdown or HTML beyond `max_page_bytes`.
    pub fn content(&mut self, html: &str, url: &str, form: Output) -> Result<&str, Skip> {
        self.segmenter.segment_html(html, &mut self.doc)?;
        self.labeller.label(&self.doc);
        if form == Output::Text {
            return Ok(self.labeller.text.as_str());
        }
        empty(&mut self.rendered);
        let labels = &self.labeller.labels;
        let mut renderer = Renderer::new(form, self.segmentation, self.longest).with(self.options);
        renderer.set_url(url);
        renderer
            .render(&self.doc, labels, &mut self.rendered)
            .map_err(|error| Skip {
                reason: SkipReason::TooLarge,
                detail: error.to_string(),
            })?;
        Ok(&self.rendered)
    }

    /// Segments and labels a page that has no address.
    ///
    /// Time is linear in the page's length for all methods that ship. Memory: the document that is
    /// returned, and what the methods keep.
    ///
    /// # Errors
    /// The page exceeds the pipeline's `max_page_bytes` or `max_elements`, or its tokenizer gave
    /// up.
    pub fn extract(&mut self, html: &str) -> Result<Extracted, Skip> {
        self.extract_at(html, "")
    }

    /// As [`extract`](Self::extract), of the page at the address `url`: relative addresses in its metadata are completed
    /// from it, links in its content where the pipeline asks for it, and it may say the date.
    ///
    /// # Errors
    /// Those of [`extract`](Self::extract).
    pub fn extract_at(&mut self, html: &str, url: &str) -> Result<Extracted, Skip> {
        let mut doc = Document::default();
        self.segmenter.segment_html(html, &mut doc)?;
        self.labeller.label(&doc);
        Ok(Extracted {
            metadata: match self.metadata {
                true => Metadata::of_html(html, url, &doc),
                false => Metadata::default(),
            },
            text: self.labeller.text.as_str().to_owned(),
            text_blocks: self.labeller.text.blocks().to_vec(),
            labels: self.labeller.labels.clone(),
            names: self.labeller.names().clone(),
            segmentation: self.segmentation,
            options: self.options,
            url: url.to_owned(),
            doc,
        })
    }
}

/// A page's content, and the label of each of its blocks.
#[derive(Clone, Debug)]
pub struct Extracted {
    text: String,
    text_blocks: Vec<Range<u32>>,
    metadata: Metadata,
    doc: Document,
    labels: Vec<Label>,
    names: Arc<Names>,
    segmentation: Segmentation,
    options: RenderOptions,
    url: String,
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
    /// The method's class of the label; empty for methods without classes.
    pub class: &'a str,
    /// Its counts and its position in the page.
    pub block: &'a Block,
}

impl Extracted {
    /// A copy of a page of a crawl that was cleaned.
    pub(crate) fn of(cleaned: &Cleaned<'_>) -> Self {
        Self {
            text: cleaned.text.to_owned(),
            text_blocks: cleaned.text_blocks.to_vec(),
            metadata: cleaned.metadata.clone(),
            doc: cleaned.doc.clone(),
            labels: cleaned.labels.to_vec(),
            names: cleaned.names.clone(),
            segmentation: cleaned.segmentation,
            options: cleaned.rendering,
            url: cleaned.page.url.clone(),
        }
    }

    /// The content as plain text: paragraphs, list items, rows and lines of `pre` are separated.
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
            class: self.names.class_of(label),
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
        let mut renderer = Renderer::new(output, self.segmentation, usize::MAX).with(self.options);
        renderer.set_url(&self.url);
        renderer
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
/// let page = warcsieve_extract::extract(html);
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
        let places = page
            .text_blocks()
            .iter()
            .map(|r| r.start as usize..r.end as usize);
        let kept: Vec<_> = places.map(|place| &page.text()[place]).collect();
        assert_eq!(kept, ["one two three", "four five six"]);
    }

    #[test]
    fn content_alone_is_that_of_the_whole_page() {
        let mut extractor = extractor("max_page_bytes = 4096\n[[step]]\nmethod = 'keep-all'\n");
        for page in [PAGE, "<p>other", PAGE] {
            let whole = extractor.extract(page).unwrap();
            for (form, expected) in [
                (Output::Text, whole.text().to_owned()),
                (Output::Markdown, whole.markdown()),
                (Output::Html, whole.html()),
            ] {
                assert_eq!(extractor.content(page, "", form).unwrap(), expected);
            }
        }
        let grows = "& ".repeat(1500);
        assert!(extractor.content(&grows, "", Output::Text).is_ok());
        let skip = extractor.content(&grows, "", Output::Html).unwrap_err();
        assert_eq!(skip.reason, SkipReason::TooLarge);
    }

    #[test]
    fn addresses_are_completed_from_the_pages_own() {
        use crate::Field;
        let html = "<link rel=canonical href=/cod><p>one";
        let mut extractor = extractor("[[step]]\nmethod = 'keep-all'\n");
        let canonical = |url| {
            let page = extractor.extract_at(html, url).unwrap();
            page.metadata().get(Field::Canonical).map(str::to_owned)
        };
        let expected = [None, Some("https://a.example/cod".to_owned())];
        assert_eq!(["", "https://a.example/x"].map(canonical), expected);
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
