//! A page as Python has it.

mod data;

pub use data::{Info, PageData};

use crate::blocks::Blocks;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::sync::Arc;
use warcsieve::{Field, Output};
use warcsieve_language::Identifier;
use warcsieve_page::rfc3339;

/// A page: its content, what it says of itself, its blocks with their labels.
///
/// Nothing of it changes. Memory: about the size of the page, and 170 bytes a block and element.
#[pyclass(frozen, module = "warcsieve._warcsieve")]
pub struct Page(pub Arc<PageData>);

/// Text that is absent if it is empty.
fn some(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

impl Page {
    fn field(&self, field: Field) -> Option<&str> {
        self.0.extracted.metadata().get(field)
    }
}

#[pymethods]
impl Page {
    /// The content in the form that was asked for.
    #[getter]
    fn content(&self) -> &str {
        self.0.content()
    }

    /// The content as plain text; empty if the page has none.
    #[getter]
    fn text(&self) -> &str {
        self.0.extracted.text()
    }

    /// The content as Markdown; rendered at each access.
    #[getter]
    fn markdown(&self, py: Python<'_>) -> String {
        py.detach(|| self.0.rendered(Output::Markdown))
    }

    /// The content as HTML without anything executable; rendered at each access.
    #[getter]
    fn html(&self, py: Python<'_>) -> String {
        py.detach(|| self.0.rendered(Output::Html))
    }

    /// The blocks, content and boilerplate, as columns.
    #[getter]
    fn blocks(&self) -> Blocks {
        Blocks(self.0.clone())
    }

    /// The text of `<title>`.
    #[getter]
    fn title(&self) -> Option<&str> {
        some(self.0.extracted.title())
    }

    /// The page's id in its crawl.
    #[getter]
    fn id(&self) -> Option<&str> {
        some(&self.0.info.id)
    }

    /// `WARC-Record-ID` as written.
    #[getter]
    fn record_id(&self) -> Option<&str> {
        some(&self.0.info.record_id)
    }

    /// The page's address: the one given, that of its record, or else what the page says.
    #[getter]
    fn url(&self) -> Option<&str> {
        some(&self.0.info.url)
    }

    /// When it was fetched (RFC 3339, UTC).
    #[getter]
    fn date(&self) -> Option<String> {
        self.0.info.date.map(rfc3339)
    }

    /// The HTTP status.
    #[getter]
    fn status(&self) -> Option<u16> {
        self.0.info.status
    }

    /// `WARC-Payload-Digest` as written.
    #[getter]
    fn digest(&self) -> Option<&str> {
        self.0.info.digest.as_deref()
    }

    /// The media type, in lower case.
    #[getter]
    fn mime(&self) -> &str {
        &self.0.info.mime
    }

    /// The WHATWG name of the page's encoding; UTF-8 for `str`.
    #[getter]
    fn charset(&self) -> &str {
        self.0.info.charset
    }

    /// How that was found: `bom`, `http`, `meta`, `utf8` or `guess`.
    #[getter]
    fn charset_source(&self) -> Option<&str> {
        self.0.info.charset_source
    }

    /// Why reading the page stopped early, if it did.
    #[getter]
    fn truncated(&self) -> Option<&str> {
        self.0.info.truncated.as_deref()
    }

    /// `WARC-Identified-Content-Language`, unchanged; ``None`` where the crawl does not say.
    #[getter]
    fn warc_language(&self) -> Option<&str> {
        self.0.info.warc_language.as_deref()
    }

    /// Flaws that did not prevent reading the page.
    #[getter]
    fn warnings(&self) -> Vec<&str> {
        self.0.info.warnings.clone()
    }

    /// The page's size in bytes of UTF-8.
    #[getter]
    fn html_bytes(&self) -> usize {
        self.0.info.html_bytes
    }

    /// The name of the input, of pages of a crawl.
    #[getter]
    fn input(&self) -> Option<&str> {
        self.0.info.place.as_ref().map(|(input, _)| input.as_str())
    }

    /// The byte offset in the input of the member that holds the record.
    #[getter]
    fn offset(&self) -> Option<u64> {
        self.0.info.place.as_ref().map(|(_, offset)| *offset)
    }

    /// The language of the text (ISO 639-1, else 639-3) and the probability of being right; `None` if it is unknown.
    #[getter]
    fn language(&self, py: Python<'_>) -> Option<(&'static str, f32)> {
        let found = py.detach(|| Identifier::default().identify(self.0.extracted.text()));
        found.map(|language| (language.code, language.score))
    }

    /// Its title, without the name of the site.
    #[getter]
    fn headline(&self) -> Option<&str> {
        self.field(Field::Headline)
    }

    /// Who wrote it; several names are joined by `; `.
    #[getter]
    fn author(&self) -> Option<&str> {
        self.field(Field::Author)
    }

    /// When it was published: `YYYY-MM-DD`, or with time of day.
    #[getter]
    fn published(&self) -> Option<&str> {
        self.field(Field::Published)
    }

    /// When it was last changed.
    #[getter]
    fn modified(&self) -> Option<&str> {
        self.field(Field::Modified)
    }

    /// The name of the site.
    #[getter]
    fn sitename(&self) -> Option<&str> {
        self.field(Field::Sitename)
    }

    /// What it is about, in a sentence or two.
    #[getter]
    fn description(&self) -> Option<&str> {
        self.field(Field::Description)
    }

    /// The address under which it wants to be known.
    #[getter]
    fn canonical(&self) -> Option<&str> {
        self.field(Field::Canonical)
    }

    /// The address of its picture.
    #[getter]
    fn image(&self) -> Option<&str> {
        self.field(Field::Image)
    }

    /// The attribute `lang` of its `html`.
    #[getter]
    fn html_lang(&self) -> Option<&str> {
        self.field(Field::HtmlLang)
    }

    /// What kind of page it says it is.
    #[getter]
    fn page_type(&self) -> Option<&str> {
        self.field(Field::PageType)
    }

    /// Words that it is filed under, at most 64.
    #[getter]
    fn tags(&self) -> Vec<String> {
        self.0.extracted.metadata().tags().to_vec()
    }

    /// What the page says of itself, as a dict: a value or None for each field, a list for `tags`; `metadata_source` is
    /// a dict that says of each field where it comes from.
    #[getter]
    fn metadata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let metadata = self.0.extracted.metadata();
        let found = PyDict::new(py);
        let sources = PyDict::new(py);
        for field in Field::ALL {
            match field {
                Field::Tags => found.set_item(field.as_str(), PyList::new(py, metadata.tags())?)?,
                _ => found.set_item(field.as_str(), metadata.get(field))?,
            }
            if let Some(source) = metadata.source(field) {
                sources.set_item(field.as_str(), source.as_str())?;
            }
        }
        found.set_item("metadata_source", sources)?;
        Ok(found)
    }

    fn __repr__(&self) -> String {
        let extracted = &self.0.extracted;
        let blocks = extracted.document().blocks.len();
        let url = some(&self.0.info.url).unwrap_or("no address");
        format!(
            "<Page {url}: {} of {blocks} blocks are content>",
            extracted.content_blocks()
        )
    }
}
