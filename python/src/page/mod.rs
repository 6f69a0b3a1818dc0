//! A page as Python has it.

mod data;

pub use data::PageData;

use crate::blocks::Blocks;
use crate::dates::date;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::sync::Arc;
use warcsieve::{MetadataField, TextFormat};
use warcsieve_page::rfc3339;

/// A page: its content, what it says about itself, and its blocks with their labels.
///
/// A page that a filter of the pipeline removes has all of this, too; `removed_by` names the rule. Memory: about the size
/// of the page, and 170 bytes per block and element.
#[pyclass(frozen, module = "warcsieve._warcsieve")]
pub struct Page(pub Arc<PageData>);

/// Text that is absent if it is empty.
fn some(text: &str) -> Option<&str> {
    Some(text).filter(|text| !text.is_empty())
}

impl Page {
    fn field(&self, field: MetadataField) -> Option<&str> {
        self.0.extraction.metadata().get(field)
    }

    fn date_of<'py>(
        &self,
        py: Python<'py>,
        field: MetadataField,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.field(field) {
            Some(text) => date(py, text),
            None => Ok(None),
        }
    }
}

#[pymethods]
impl Page {
    /// The content in the form that was asked for: plain text, Markdown or HTML. Empty if the page has none.
    #[getter]
    fn content(&self) -> &str {
        self.0.content()
    }

    /// The content as plain text; empty if the page has none.
    #[getter]
    fn text(&self) -> &str {
        self.0.extraction.text()
    }

    /// The content as Markdown; rendered at each access.
    #[getter]
    fn markdown(&self, py: Python<'_>) -> String {
        py.detach(|| self.0.rendered(TextFormat::Markdown))
    }

    /// The content as HTML without anything executable; rendered at each access.
    #[getter]
    fn html(&self, py: Python<'_>) -> String {
        py.detach(|| self.0.rendered(TextFormat::Html))
    }

    /// All blocks, content and boilerplate, in the order of the page.
    #[getter]
    fn blocks(&self) -> Blocks {
        Blocks(self.0.clone())
    }

    /// The text of `<title>`.
    #[getter]
    fn title(&self) -> Option<&str> {
        some(self.0.extraction.title())
    }

    /// The id of the page in its crawl. None for a page that was given as HTML.
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
        some(self.0.extraction.url())
    }

    /// When the crawler fetched the page, in UTC. None if the record does not say it.
    #[getter]
    fn date<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        match self.0.info.date {
            Some(micros) => date(py, &rfc3339(micros)),
            None => Ok(None),
        }
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

    /// How the encoding was found: `bom`, `http`, `meta`, `utf8` or `guess`. None for `str`.
    #[getter]
    fn charset_source(&self) -> Option<&str> {
        self.0.info.charset_source
    }

    /// Why reading the page stopped early; None if it did not.
    #[getter]
    fn truncated(&self) -> Option<&str> {
        self.0.info.truncated.as_deref()
    }

    /// `WARC-Identified-Content-Language` as written; None if the crawl does not say it.
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

    /// The name of the input. None for a page that was given as HTML.
    #[getter]
    fn input(&self) -> Option<&str> {
        self.0.info.place.as_ref().map(|(input, _)| input.as_str())
    }

    /// The byte offset in the input of the member that holds the record. None for a page that was given as HTML.
    #[getter]
    fn offset(&self) -> Option<u64> {
        self.0.info.place.as_ref().map(|(_, offset)| *offset)
    }

    /// The language of the text (ISO 639-1, else 639-3) and the probability that it is right. None if it is not known.
    #[getter]
    fn language(&self) -> Option<(&'static str, f32)> {
        let found = self.0.extraction.language();
        found.map(|language| (language.code, language.score))
    }

    /// How right the labels of the blocks are expected to be, from 0 to 1. None if the pipeline's method does not say.
    #[getter]
    fn confidence(&self) -> Option<f32> {
        self.0.extraction.confidence()
    }

    /// The rule of the pipeline's filters that removes the page, as the pipeline file says it. None if the page stays.
    #[getter]
    fn removed_by(&self) -> Option<&str> {
        self.0.extraction.removed_by()
    }

    /// The pipeline that labelled the page, if the pipeline names others in `union` or `[[fallback]]`. Otherwise None.
    #[getter]
    fn labelled_by(&self) -> Option<&str> {
        self.0.extraction.labelled_by()
    }

    /// Why no block of the page is content, in words. None if one is.
    #[getter]
    fn why_empty(&self) -> Option<&str> {
        self.0.info.why_empty.as_deref()
    }

    /// The title of the page, without the name of the site.
    #[getter]
    fn headline(&self) -> Option<&str> {
        self.field(MetadataField::Headline)
    }

    /// Who wrote it; several names are joined by `; `.
    #[getter]
    fn author(&self) -> Option<&str> {
        self.field(MetadataField::Author)
    }

    /// When it was published: a `date` if the page says only the day, else a `datetime`, which has a time zone if the
    /// page says one.
    #[getter]
    fn published<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.date_of(py, MetadataField::Published)
    }

    /// When it was last changed: a `date` or `datetime`, as `published`.
    #[getter]
    fn modified<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.date_of(py, MetadataField::Modified)
    }

    /// The name of the site.
    #[getter]
    fn sitename(&self) -> Option<&str> {
        self.field(MetadataField::Sitename)
    }

    /// What the page is about, in a sentence or two.
    #[getter]
    fn description(&self) -> Option<&str> {
        self.field(MetadataField::Description)
    }

    /// The address that the page says is its own.
    #[getter]
    fn canonical(&self) -> Option<&str> {
        self.field(MetadataField::Canonical)
    }

    /// The address of a picture for the page.
    #[getter]
    fn image(&self) -> Option<&str> {
        self.field(MetadataField::Image)
    }

    /// The attribute `lang` of the element `html`.
    #[getter]
    fn html_lang(&self) -> Option<&str> {
        self.field(MetadataField::HtmlLang)
    }

    /// The kind of page that the page says it is: a type of OpenGraph, else of schema.org.
    #[getter]
    fn page_type(&self) -> Option<&str> {
        self.field(MetadataField::PageType)
    }

    /// Tags or keywords of the page, at most 64.
    #[getter]
    fn tags(&self) -> Vec<String> {
        self.0.extraction.metadata().tags().to_vec()
    }

    /// What the page says about itself, as a dict of text: the columns of the table `documents`. Dates are ISO 8601.
    /// `metadata_source` says for each field which source it comes from.
    #[getter]
    fn metadata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let metadata = self.0.extraction.metadata();
        let found = PyDict::new(py);
        let sources = PyDict::new(py);
        for field in MetadataField::ALL {
            match field {
                MetadataField::Tags => {
                    found.set_item(field.as_str(), PyList::new(py, metadata.tags())?)?
                }
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
        let extraction = &self.0.extraction;
        let blocks = extraction.document().blocks.len();
        let url = some(extraction.url()).unwrap_or("no address");
        format!(
            "<Page {url}: {} of {blocks} blocks are content>",
            extraction.content_blocks()
        )
    }
}
