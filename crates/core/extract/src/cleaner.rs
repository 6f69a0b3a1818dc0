//! Cleans one record: from the record to the page, its blocks, their labels and the text.

use crate::address::stated_address;
use crate::{DigestMode, Extracted, Metadata, PageSegmenter, Pipeline};
use std::ops::Range;
use std::sync::Arc;
use warcsieve_classify::{Chain, Classifier, Label, Names};
use warcsieve_common::{BUFFER_LIMIT, shrink};
use warcsieve_html::document::Document;
use warcsieve_html::{SegmentError, Segmentation, Segmenter};
use warcsieve_layout::Resources;
use warcsieve_page::{Page, PageKind, PageOptions, PageReader, Skip, SkipReason, page_id};
use warcsieve_render::{Output, PlainText, RenderOptions, Renderer};
use warcsieve_warc::{DigestCheck, Digests, Location, Record};

/// Cleans one record at a time, with buffers it keeps.
///
/// ```
/// use warcsieve_extract::{Cleaner, Pipeline};
/// use warcsieve_warc::Record;
///
/// let mut cleaner = Cleaner::new(&Pipeline::built_in("numwords")?);
/// let headers = [("WARC-Type", "resource"), ("Content-Type", "text/html")];
/// let record = Record::from_parts(&headers, b"<title>A page</title><p>Few words.");
/// match cleaner.clean("00.warc.gz", &record) {
///     Ok(page) => println!("{}: {}", page.doc.title, page.text),
///     Err(skip) => eprintln!("{}: {}", skip.reason.as_str(), skip.detail),
/// }
/// # Ok::<(), warcsieve_common::Error>(())
/// ```
///
/// Memory: at most about 4 × `max_page_bytes`, 5 × with HTML or Markdown as output, once more if
/// all of a page is `pre`, and 174 bytes for an element and a block together, besides what the
/// methods keep.
pub struct Cleaner {
    options: PageOptions,
    digests: DigestMode,
    metadata: bool,
    segmentation: Segmentation,
    rendering: RenderOptions,
    reader: PageReader,
    segmenter: PageSegmenter,
    doc: Document,
    labeller: Labeller,
    /// Renders the output and its buffer, if the pipeline's output is not plain text.
    rendered: Option<(Renderer, String)>,
}

/// The steps of a pipeline with their buffers: from a segmented page to labels and text.
pub struct Labeller {
    names: Arc<Names>,
    /// The steps, to explain labels.
    pub chain: Chain,
    /// A label for each block of the last page.
    pub labels: Vec<Label>,
    /// The content of the last page.
    pub text: PlainText,
}

impl Labeller {
    /// Builds the pipeline's steps.
    pub fn new(pipeline: &Pipeline) -> Self {
        let (chain, names) = pipeline.build();
        Self {
            names: Arc::new(names),
            chain,
            labels: Vec::new(),
            text: PlainText::default(),
        }
    }

    /// Texts of the classes and reasons that labels give.
    pub fn names(&self) -> &Arc<Names> {
        &self.names
    }

    /// Labels a page that was segmented with the pipeline's segmentation.
    pub fn label(&mut self, doc: &Document) {
        self.labels.clear();
        shrink(&mut self.labels);
        self.labels.resize(doc.blocks.len(), Label::default());
        self.chain.classify(doc, &mut self.labels);
        self.text.write(doc, &self.labels);
    }
}

/// A cleaned page; borrows from the record and from the cleaner's buffers.
pub struct Cleaned<'a> {
    /// The page as it was read.
    pub page: Page<'a>,
    /// Whether its bytes agree with the digest that the record states; `None` unless the pipeline
    /// asks for it.
    pub digest: Option<DigestCheck>,
    /// What it says of itself; nothing if the pipeline leaves that out.
    pub metadata: Metadata,
    /// Its blocks and elements.
    pub doc: &'a Document,
    /// A label for each block.
    pub labels: &'a [Label],
    /// The content as [`PlainText`], whatever the pipeline's output is.
    pub text: &'a str,
    /// Byte range in `text` of each content block's text, in order.
    pub text_blocks: &'a [Range<u32>],
    /// The content in the form of the pipeline's `output`.
    pub output: &'a str,
    /// The steps, to explain labels.
    pub chain: &'a Chain,
    /// Texts of the classes and reasons that labels give.
    pub names: &'a Arc<Names>,
    /// How the page was segmented.
    pub segmentation: Segmentation,
    /// How links, images and tables are rendered.
    pub rendering: RenderOptions,
}

impl Cleaned<'_> {
    /// A copy of the page's content, blocks and labels, which may be kept.
    pub fn to_extracted(&self) -> Extracted {
        Extracted::of(self)
    }

    /// The number of content blocks.
    pub fn content_blocks(&self) -> usize {
        self.labels.iter().filter(|l| l.content).count()
    }

    /// Problems of the page and its markup: words of [`WARNINGS`](warcsieve_page::WARNINGS).
    pub fn warnings(&self) -> impl Iterator<Item = &'static str> {
        let page = self.page.warnings.iter().copied();
        page.chain(self.doc.flaws.words())
    }
}

/// Longest id of a page in bytes. The id is stored in every row of the page's blocks, so a longer
/// one is replaced by the record's location.
pub const MAX_ID: usize = 512;

impl Cleaner {
    /// Builds the pipeline's steps.
    pub fn new(pipeline: &Pipeline) -> Self {
        Self {
            labeller: Labeller::new(pipeline),
            options: pipeline.settings.page_options(),
            digests: pipeline.settings.digests,
            metadata: pipeline.settings.metadata,
            segmentation: pipeline.segmentation,
            rendering: pipeline.settings.render_options(),
            reader: PageReader::default(),
            segmenter: pipeline.page_segmenter(),
            doc: Document::default(),
            rendered: match pipeline.settings.output {
                Output::Text => None,
                other => {
                    let limit = pipeline.settings.max_page_bytes;
                    let renderer = Renderer::new(other, pipeline.segmentation, limit)
                        .with(pipeline.settings.render_options());
                    Some((renderer, String::new()))
                }
            },
        }
    }

    /// Texts of the classes and reasons that labels give.
    pub fn names(&self) -> &Arc<Names> {
        self.labeller.names()
    }

    /// Gives pages that an engine lays out these style sheets and pictures from now on.
    pub fn serve(&mut self, resources: Option<Arc<Resources>>) {
        self.segmenter.serve(resources);
    }

    /// Adds a step, for tests.
    #[doc(hidden)]
    pub fn push(&mut self, step: Box<dyn Classifier>) {
        self.labeller.chain.push(step);
    }

    /// Whether the pipeline takes the record as a page; do not clean other records.
    pub fn selects(&self, record: &Record) -> bool {
        self.options.selects(&record.record_type())
    }

    /// Reads, segments and labels the page in a record of the input `name`.
    ///
    /// # Errors
    /// Why the record is not a page for this pipeline.
    pub fn clean<'a>(&'a mut self, name: &str, record: &'a Record) -> Result<Cleaned<'a>, Skip> {
        let mut page = self.reader.read(record, &self.options)?;
        if !is_usable(&page.id) {
            page.id = location_id(name, &record.location);
        }
        self.segmenter.segment(&page, &mut self.doc)?;
        if page.url.is_empty() {
            page.url = stated_address(&self.doc).unwrap_or_default();
        }
        let metadata = match self.metadata {
            true => Metadata::of(&page, &self.doc),
            false => Metadata::default(),
        };
        self.labeller.label(&self.doc);
        let labeller = &self.labeller;
        let output = match &mut self.rendered {
            None => labeller.text.as_str(),
            Some((renderer, out)) => {
                empty(out);
                renderer.set_url(&page.url);
                let rendered = renderer.render(&self.doc, &labeller.labels, out);
                rendered.map_err(|e| Skip {
                    reason: SkipReason::TooLarge,
                    detail: e.to_string(),
                })?;
                out.as_str()
            }
        };
        let digest = match self.digests {
            DigestMode::Ignore => None,
            DigestMode::Verify => Some(Digests::check_page(record)),
        };
        Ok(Cleaned {
            page,
            digest,
            metadata,
            doc: &self.doc,
            labels: &self.labeller.labels,
            text: self.labeller.text.as_str(),
            text_blocks: self.labeller.text.blocks(),
            output,
            chain: &self.labeller.chain,
            names: &self.labeller.names,
            segmentation: self.segmentation,
            rendering: self.rendering,
        })
    }
}

/// Refills `doc` from a page, by its kind, without a layout.
///
/// # Errors
/// A [`Skip`] if the page exceeds a limit or the tokenizer gave up; `doc` is then unusable.
pub fn segment(segmenter: &mut Segmenter, page: &Page<'_>, doc: &mut Document) -> Result<(), Skip> {
    let segmented = match page.kind {
        PageKind::Html => segmenter.segment_html(page.payload, doc),
        PageKind::Text => segmenter.segment_text(page.payload, doc),
    };
    segmented.map_err(|error| skip(&error))
}

/// The skip of a page that could not be segmented.
pub fn skip(error: &SegmentError) -> Skip {
    Skip {
        reason: match error {
            SegmentError::Tokenizer(_) => SkipReason::Tokenizer,
            _ => SkipReason::TooLarge,
        },
        detail: error.to_string(),
    }
}

/// Clears a buffer and keeps its memory, unless it grew above 4 MiB.
pub(crate) fn empty(buffer: &mut String) {
    buffer.clear();
    if buffer.capacity() > BUFFER_LIMIT {
        *buffer = String::new();
    }
}

/// The id of the document made from a record of the input `name`: the page's own id, or else one
/// made from its location.
pub fn document_id(name: &str, record: &Record) -> String {
    match page_id(record) {
        id if is_usable(&id) => id,
        _ => location_id(name, &record.location),
    }
}

fn is_usable(id: &str) -> bool {
    !id.is_empty() && id.len() <= MAX_ID
}

/// The id of a page whose record has none, as in ARC: the input and the location in it.
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

    fn cleaner(pipeline: &str) -> Cleaner {
        Cleaner::new(&Pipeline::parse("test", pipeline).unwrap())
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
    fn content_is_returned_with_its_ranges_in_the_text() {
        let mut cleaner = cleaner("[[step]]\nmethod = 'min-words'\nwords = 2\n");
        let record = record("a", "<p>one two<p>three<p>four five");
        let cleaned = cleaner.clean("x", &record).ok().unwrap();
        assert_eq!(cleaned.text, "one two\n\nfour five");
        assert_eq!(cleaned.text_blocks, [0..7, 9..18]);
        assert_eq!(cleaned.page.id, "a");
        assert_eq!(cleaned.labels.len(), 3);
    }

    #[test]
    fn the_output_has_the_pipelines_format_and_the_text_is_plain() {
        let step = "[[step]]\nmethod = 'min-words'\nwords = 2\n";
        let html = "<p>one <b>two</b><p>three<ul><li>four five";
        let clean = |output| {
            let mut cleaner = cleaner(&format!("output = '{output}'\n{step}"));
            let record = record("a", html);
            cleaner.clean("x", &record).ok().unwrap();
            let cleaned = cleaner.clean("x", &record).ok().unwrap();
            [cleaned.text, cleaned.output].map(str::to_owned)
        };
        let plain = "one two\n\n- four five";
        assert_eq!(clean("text"), [plain, plain]);
        let printed =
            "<html><body><p>one <b>two</b></p>\n<ul><li>four five</li></ul></body></html>";
        assert_eq!(clean("html"), [plain, printed]);
        assert_eq!(clean("markdown"), [plain, "one **two**\n\n- four five"]);
    }

    #[test]
    fn missing_or_overlong_ids_are_replaced_by_the_location() {
        let mut cleaner = cleaner("[[step]]\nmethod = 'keep-all'\n");
        let long = "x".repeat(MAX_ID + 1);
        for id in ["", &long] {
            let mut record = record(id, "<p>one");
            record.location.offset = 12;
            record.location.offset_in_member = 3;
            let cleaned = cleaner.clean("a/b.arc", &record).ok().unwrap();
            assert_eq!(cleaned.page.id, "a/b.arc@12+3");
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
            let mut cleaner = cleaner(&format!("{setting}\n[[step]]\nmethod = 'keep-all'\n"));
            let record = Record::from_parts(&headers, body);
            let cleaned = cleaner.clean("x", &record).ok().unwrap();
            assert_eq!(cleaned.text.as_bytes(), body);
            cleaned.digest
        };
        let verify = "digests = 'verify'";
        assert_eq!(verdict(verify, b"abc"), Some(DigestCheck::Match));
        assert_eq!(verdict(verify, b"abd"), Some(DigestCheck::Mismatch));
        assert_eq!(verdict("digests = 'ignore'", b"abd"), None);
        assert_eq!(verdict("", b"abd"), None);
    }

    #[test]
    fn pages_beyond_the_limits_are_skipped() {
        let mut cleaner = cleaner("max_elements = 10\n[[step]]\nmethod = 'keep-all'\n");
        let many = record("a", &"<b>x</b>".repeat(20));
        let skip = cleaner.clean("x", &many).err().unwrap();
        assert_eq!(skip.reason, SkipReason::TooLarge);
        assert!(skip.detail.contains("10"), "{}", skip.detail);
    }

    #[test]
    fn a_page_whose_html_grows_beyond_the_limit_is_skipped() {
        let text = "max_page_bytes = 4096\noutput = 'html'\n[[step]]\nmethod = 'keep-all'\n";
        let mut cleaner = cleaner(text);
        let page = record("a", &"& ".repeat(1500));
        let skip = cleaner.clean("x", &page).err().unwrap();
        assert_eq!(skip.reason, SkipReason::TooLarge);
        assert_eq!(skip.detail, "output of more than 4096 bytes");
        let page = record("b", "<p>&amp;");
        let cleaned = cleaner.clean("x", &page).ok().unwrap();
        assert_eq!(cleaned.output, "<html><body><p>&amp;</p></body></html>");
    }
}
