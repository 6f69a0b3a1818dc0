//! The page engine: turns a record, HTML or a segmented document into blocks, labels, text,
//! language, metadata and filter results. All programs process pages with it.

mod alternatives;
mod extraction;
mod filtering;
mod labeller;
mod labelling;
mod rendered;
mod segmenter;
mod view;

pub use extraction::{Extraction, LabelledBlock};
pub use labeller::Labeller;
pub use segmenter::{PageSegmenter, segment, set_address, skip};
pub use view::PageView;

use crate::{DigestMode, Pipeline};
use alternatives::Alternatives;
use std::mem::take;
use std::sync::Arc;
use warcsieve_classify::{Classifier, Names};
use warcsieve_html::document::Document;
use warcsieve_layout::Resources;
use warcsieve_page::{Page, PageOptions, PageReader, Skip, page_id};
use warcsieve_warc::{Digests, Location, Record};

/// Processes one page at a time with one pipeline. Its buffers are reused. Use one engine per
/// thread.
///
/// ```
/// use warcsieve_extract::{Engine, Pipeline};
/// use warcsieve_warc::Record;
///
/// let mut engine = Engine::new(&Pipeline::built_in(&warcsieve_classify::CORE, "numwords")?);
/// let headers = [("WARC-Type", "resource"), ("Content-Type", "text/html")];
/// let record = Record::from_parts(&headers, b"<title>A page</title><p>Few words.");
/// match engine.record("00.warc.gz", &record) {
///     Ok(view) => println!("{}: {}", view.doc.title, view.text),
///     Err(skip) => eprintln!("{}: {}", skip.reason.as_str(), skip.detail),
/// }
/// let page = engine.extract("<p>one page", "").expect("it is small");
/// println!("{} of {} blocks kept", page.content_blocks(), page.blocks().count());
/// # Ok::<(), warcsieve_common::Error>(())
/// ```
///
/// Memory: at most about 4 × `max_page_bytes`, 1 × more for each of HTML and Markdown, and 1 × more
/// if the whole page is `pre`. In addition, 174 bytes per element with its block, and what the
/// methods keep. With `union` and `[[fallback]]`, these for each pipeline that may label a page.
pub struct Engine {
    options: PageOptions,
    digests: DigestMode,
    reader: PageReader,
    segmenter: PageSegmenter,
    doc: Document,
    alternatives: Alternatives,
}

/// Maximum length of a page's id in bytes. The id is stored in every row of the page's blocks, so a
/// longer one is replaced by the record's location.
pub const MAX_ID: usize = 512;

impl Engine {
    /// Builds the pipeline's steps.
    pub fn new(pipeline: &Pipeline) -> Self {
        let settings = &pipeline.settings;
        Self {
            options: settings.page_options(),
            digests: settings.digests,
            reader: PageReader::default(),
            segmenter: PageSegmenter::new(settings, pipeline.segmentation),
            doc: Document::default(),
            alternatives: Alternatives::new(pipeline),
        }
    }

    /// Texts of the classes and reasons in labels.
    pub fn names(&self) -> &Arc<Names> {
        self.alternatives.names()
    }

    /// From now on, a layout engine uses these style sheets and pictures for pages.
    pub fn set_resources(&mut self, resources: Option<Arc<Resources>>) {
        self.segmenter.set_resources(resources);
    }

    /// Adds a step; only for tests.
    #[doc(hidden)]
    pub fn push(&mut self, step: Box<dyn Classifier>) {
        self.alternatives.own_chain().push(step);
    }

    /// Whether the pipeline reads this record as a page. Call [`record`](Self::record) only for
    /// such records.
    pub fn selects(&self, record: &Record) -> bool {
        self.options.selects(&record.record_type())
    }

    /// Processes the page in a record of the input `name`.
    ///
    /// # Errors
    /// The reason why the record is not a page for this pipeline.
    pub fn record<'a>(&'a mut self, name: &str, record: &'a Record) -> Result<PageView<'a>, Skip> {
        let mut page = self.reader.read(record, &self.options)?;
        if !is_usable(&page.id) {
            page.id = location_id(name, &record.location);
        }
        let digest = match self.digests {
            DigestMode::Ignore => None,
            DigestMode::Verify => Some(Digests::check_page(record)),
        };
        self.segmenter.segment(&page, &mut self.doc)?;
        self.alternatives.view(page, &self.doc, digest)
    }

    /// Processes a page given as HTML. `url` is its address and may be empty. Relative addresses
    /// are completed with it if the pipeline asks for that, and a date may be found in it.
    ///
    /// Takes time linear in the page's length with all built-in methods.
    ///
    /// ```
    /// use warcsieve_extract::{Engine, Pipeline};
    ///
    /// let pipeline = Pipeline::parse(&warcsieve_classify::CORE, "md", "output = 'markdown'\n[[step]]\nmethod = 'keep-all'\n")?;
    /// let mut engine = Engine::new(&pipeline);
    /// let view = engine.html("<p>one <b>page", "").expect("it is small");
    /// assert_eq!((view.text, view.output), ("one page", "one **page**"));
    /// # Ok::<(), warcsieve_common::Error>(())
    /// ```
    ///
    /// # Errors
    /// The page, or its content as Markdown or HTML, is larger than the pipeline's
    /// `max_page_bytes`. The page has more than `max_elements` elements or blocks. The tokenizer
    /// failed.
    pub fn html<'a>(&'a mut self, html: &'a str, url: &str) -> Result<PageView<'a>, Skip> {
        let page = Page::of_html(html, url);
        self.segmenter.segment(&page, &mut self.doc)?;
        self.alternatives.view(page, &self.doc, None)
    }

    /// Processes a page that is already segmented with the pipeline's segmentation. Pipelines with
    /// another one, in `union` or `[[fallback]]`, segment the payload of `page`.
    ///
    /// # Errors
    /// The content as Markdown or HTML is larger than the pipeline's `max_page_bytes`.
    pub fn document<'a>(
        &'a mut self,
        page: Page<'a>,
        doc: &'a Document,
    ) -> Result<PageView<'a>, Skip> {
        self.alternatives.view(page, doc, None)
    }

    /// Like [`html`](Self::html), but the result can be kept. Memory: the document of the page.
    ///
    /// # Errors
    /// Those of [`html`](Self::html).
    pub fn extract(&mut self, html: &str, url: &str) -> Result<Extraction, Skip> {
        if self.alternatives.are_several() {
            return Ok(self.html(html, url)?.to_extraction());
        }
        let extraction = self.html(html, url)?.without_document();
        Ok(extraction.with_document(take(&mut self.doc)))
    }
}

/// The id of the document that comes from a record of the input `name`: the id of the page if it is
/// usable, else one made from its location.
pub fn document_id(name: &str, record: &Record) -> String {
    match page_id(record) {
        id if is_usable(&id) => id,
        _ => location_id(name, &record.location),
    }
}

fn is_usable(id: &str) -> bool {
    !id.is_empty() && id.len() <= MAX_ID
}

/// The id of a page whose record has none, as in ARC. Examples: `a.arc@120`, and `a.arc.gz@0+120`
/// if the record is at byte 120 of the decompressed member at byte 0.
fn location_id(name: &str, location: &Location) -> String {
    match location.offset_in_member {
        0 => format!("{name}@{}", location.offset),
        inner => format!("{name}@{}+{inner}", location.offset),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warcsieve_page::SkipReason;
    use warcsieve_render::TextFormat;
    use warcsieve_warc::DigestCheck;

    fn engine(pipeline: &str) -> Engine {
        Engine::new(&Pipeline::parse(&warcsieve_classify::CORE, "test", pipeline).unwrap())
    }

    fn record(id: &str, body: &str) -> Record {
        let headers = [
            ("WARC-Type", "resource"),
            ("Content-Type", "text/html"),
            ("WARC-TREC-ID", id),
        ];
        Record::from_parts(&headers, body.as_bytes())
    }

    #[test]
    fn steps_see_the_address_that_a_page_states() {
        let mut engine = engine("[[step]]\nmethod = 'keep-all'\n");
        let html = "<link rel=canonical href='https://forum.example.org/t/1'><p>text";
        let view = engine.html(html, "").ok().unwrap();
        assert_eq!(view.doc.url, "https://forum.example.org/t/1");
        assert_eq!(view.page.url, view.doc.url);
        let view = engine.html(html, "https://b.example/").ok().unwrap();
        assert_eq!(view.doc.url, "https://b.example/");
    }

    #[test]
    fn content_is_returned_with_its_ranges_in_the_text() {
        let mut engine = engine("[[step]]\nmethod = 'min-words'\nwords = 2\n");
        let record = record("a", "<p>one two<p>three<p>four five");
        let view = engine.record("x", &record).ok().unwrap();
        assert_eq!(view.text, "one two\n\nfour five");
        assert_eq!(view.text_blocks, [0..7, 9..18]);
        assert_eq!(view.page.id, "a");
        assert_eq!(view.labels.len(), 3);
    }

    #[test]
    fn the_output_has_the_pipelines_format_and_the_text_is_plain() {
        let step = "[[step]]\nmethod = 'min-words'\nwords = 2\n";
        let html = "<p>one <b>two</b><p>three<ul><li>four five";
        let clean = |output| {
            let mut engine = engine(&format!("output = '{output}'\n{step}"));
            let record = record("a", html);
            engine.record("x", &record).ok().unwrap();
            let view = engine.record("x", &record).ok().unwrap();
            [view.text, view.output].map(str::to_owned)
        };
        let plain = "one two\n\n- four five";
        assert_eq!(clean("text"), [plain, plain]);
        let printed =
            "<html><body><p>one <b>two</b></p>\n<ul><li>four five</li></ul></body></html>";
        assert_eq!(clean("html"), [plain, printed]);
        assert_eq!(clean("markdown"), [plain, "one **two**\n\n- four five"]);
    }

    #[test]
    fn each_of_several_forms_is_what_it_is_alone() {
        let step = "[[step]]\nmethod = 'keep-all'\n";
        let record = record("a", "<title>t</title><p>one <b>two</b><ul><li>four five");
        let mut all = engine(&format!("forms = ['text', 'markdown', 'html']\n{step}"));
        let view = all.record("x", &record).ok().unwrap();
        for form in TextFormat::ALL {
            let mut alone = engine(&format!("output = '{}'\n{step}", form.as_str()));
            let alone = alone.record("x", &record).ok().unwrap();
            assert_eq!(view.form(form), Some(alone.output));
        }
        let mut one = engine(step);
        let view = one.record("x", &record).ok().unwrap();
        assert_eq!(view.form(TextFormat::Html), None);
    }

    #[test]
    fn missing_or_overlong_ids_are_replaced_by_the_location() {
        let mut engine = engine("[[step]]\nmethod = 'keep-all'\n");
        let long = "x".repeat(MAX_ID + 1);
        for id in ["", &long] {
            let mut record = record(id, "<p>one");
            record.location.offset = 12;
            record.location.offset_in_member = 3;
            let view = engine.record("a/b.arc", &record).ok().unwrap();
            assert_eq!(view.page.id, "a/b.arc@12+3");
        }
    }

    #[test]
    fn a_digest_is_compared_where_the_pipeline_asks_and_the_page_comes_out() {
        let headers = [
            ("WARC-Type", "resource"),
            ("Content-Type", "text/html"),
            (
                "WARC-Payload-Digest",
                "md5:900150983cd24fb0d6963f7d28e17f72",
            ),
        ];
        let verdict = |setting: &str, body: &[u8]| {
            let mut engine = engine(&format!("{setting}\n[[step]]\nmethod = 'keep-all'\n"));
            let record = Record::from_parts(&headers, body);
            let view = engine.record("x", &record).ok().unwrap();
            assert_eq!(view.text.as_bytes(), body);
            view.digest
        };
        let verify = "digests = 'verify'";
        assert_eq!(verdict(verify, b"abc"), Some(DigestCheck::Match));
        assert_eq!(verdict(verify, b"abd"), Some(DigestCheck::Mismatch));
        assert_eq!(verdict("digests = 'ignore'", b"abd"), None);
        assert_eq!(verdict("", b"abd"), None);
    }

    #[test]
    fn pages_beyond_the_limits_are_skipped() {
        let mut engine = engine("max_elements = 10\n[[step]]\nmethod = 'keep-all'\n");
        let many = record("a", &"<b>x</b>".repeat(20));
        let skip = engine.record("x", &many).err().unwrap();
        assert_eq!(skip.reason, SkipReason::TooLarge);
        assert!(skip.detail.contains("10"), "{}", skip.detail);
    }

    #[test]
    fn a_page_whose_html_grows_beyond_the_limit_is_skipped() {
        let text = "max_page_bytes = 4096\noutput = 'html'\n[[step]]\nmethod = 'keep-all'\n";
        let mut engine = engine(text);
        let page = record("a", &"& ".repeat(1500));
        let skip = engine.record("x", &page).err().unwrap();
        assert_eq!(skip.reason, SkipReason::TooLarge);
        assert_eq!(skip.detail, "output of more than 4096 bytes");
        let page = record("b", "<p>&amp;");
        let view = engine.record("x", &page).ok().unwrap();
        assert_eq!(view.output, "<html><body><p>&amp;</p></body></html>");
    }
}
