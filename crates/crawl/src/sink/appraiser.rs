//! What is said of a page's text: its language, signals, and whether filters remove it.

use warcsieve_classify::Classifier;
use warcsieve_clean::{Cleaned, Pipeline};
use warcsieve_corpus::filter::{self, Filters, Removal, Row, Value};
use warcsieve_corpus::signals::Measurer;
use warcsieve_language::{Identifier, Language, UNDETERMINED};

/// Appraises pages, with buffers it keeps.
#[derive(Debug)]
pub(super) struct Appraiser {
    identifier: Identifier,
    measurer: Measurer,
}

/// What is said of a page.
pub(super) struct Appraisal<'a> {
    pub(super) language: Option<Language>,
    pub(super) measurer: &'a Measurer,
    /// The rule that removes it.
    pub(super) removal: Option<Removal>,
}

impl Appraiser {
    pub(super) fn new(pipeline: &Pipeline) -> Self {
        let mut numbers = pipeline.signals.clone();
        numbers.extend(pipeline.filters.signals());
        Self {
            identifier: Identifier::default(),
            measurer: Measurer::new(&numbers),
        }
    }

    /// Appraises a page by its plain text.
    pub(super) fn appraise(&mut self, cleaned: &Cleaned<'_>, filters: &Filters) -> Appraisal<'_> {
        let language = self.identifier.identify(cleaned.text);
        self.measurer.measure(cleaned.text);
        let page = Page {
            cleaned,
            language: language.as_ref(),
            measurer: &self.measurer,
        };
        let removal = filters.judge(&page);
        Appraisal {
            language,
            measurer: &self.measurer,
            removal,
        }
    }
}

/// A page as filters see it.
struct Page<'p> {
    cleaned: &'p Cleaned<'p>,
    language: Option<&'p Language>,
    measurer: &'p Measurer,
}

impl Row for Page<'_> {
    fn column(&self, name: &str) -> Value<'_> {
        let (cleaned, page) = (self.cleaned, &self.cleaned.page);
        let count = |n: usize| Value::Number(n as f64);
        let score = |score: Option<f32>| score.map_or(Value::Missing, |n| Value::Number(n.into()));
        match name {
            "id" => Value::Text(page.id.as_str().into()),
            "url" => Value::Text(page.url.as_str().into()),
            "host" => Value::Text(filter::host(&page.url).into()),
            "title" => Value::Text(cleaned.doc.title.as_str().into()),
            "content_mime_type" => Value::Text(page.mime.as_str().into()),
            "content_charset" => Value::Text(page.charset.into()),
            "language" => Value::Text(self.language.map_or(UNDETERMINED, |l| l.code).into()),
            "language_score" => score(self.language.map(|l| l.score)),
            "fetch_status" => page
                .status
                .map_or(Value::Missing, |n| Value::Number(n.into())),
            "n_blocks" => count(cleaned.doc.blocks.len()),
            "n_content_blocks" => count(cleaned.content_blocks()),
            "confidence" => score(cleaned.chain.confidence()),
            "n_formulas" => count(cleaned.doc.formulas()),
            "html_bytes" => count(page.payload.len()),
            "text_bytes" => count(cleaned.output.len()),
            _ => Value::Missing,
        }
    }

    fn signal(&self, number: usize) -> Option<f64> {
        self.measurer.value(number)
    }
}
