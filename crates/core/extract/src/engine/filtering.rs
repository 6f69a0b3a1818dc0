//! Filters: whether they remove a page, and what they change in its text.

use super::view::LanguageOf;
use crate::Pipeline;
use std::ops::Range;
use warcsieve_classify::{Chain, Classifier, Label, Names};
use warcsieve_filters::edits::{Edits, Reason};
use warcsieve_filters::filter::{Filters, Removal, Row, Value};
use warcsieve_filters::signals::Measurer;
use warcsieve_html::document::Document;
use warcsieve_language::UNDETERMINED;
use warcsieve_page::Page;

/// Applies the filters of a pipeline, with buffers it keeps.
pub(super) struct Filtering {
    pub measurer: Measurer,
    pub filters: Filters,
    pub edits: Edits,
    /// The labels and places of the last page's blocks after its text was changed.
    pub labels: Vec<Label>,
    pub places: Vec<Range<u32>>,
    /// The numbers of the reasons that line rules give.
    reasons: Vec<(Reason, u32)>,
}

/// What filters may ask of a page.
pub(super) struct FilterInput<'p> {
    pub page: &'p Page<'p>,
    pub doc: &'p Document,
    pub labels: &'p [Label],
    pub text: &'p str,
    pub text_blocks: &'p [Range<u32>],
    pub output: &'p str,
    pub chain: &'p Chain,
    pub language: &'p LanguageOf<'p>,
}

impl Filtering {
    /// `names` are those of the pipeline's reasons.
    pub fn new(pipeline: &Pipeline, names: &Names) -> Self {
        let number = |reason: Reason| {
            let number = names.reasons.iter().position(|known| known == reason);
            // Reasons are numbered in 32 bits.
            (reason, number.unwrap_or_default() as u32)
        };
        let reasons = pipeline.filters.line_rules();
        let reasons = reasons.flat_map(|rules| rules.reasons);
        Self {
            measurer: Measurer::new(&pipeline.signals),
            filters: pipeline.filters.clone(),
            edits: Edits::default(),
            labels: Vec::new(),
            places: Vec::new(),
            reasons: reasons.map(|reason| number(reason)).collect(),
        }
    }

    /// Applies the filters to a page. Returns the rule that removes it. If the page stays and its text was changed,
    /// [`Edits::is_changed`] says so, and `labels` and `places` are those of the new text.
    pub fn apply(&mut self, input: &FilterInput<'_>) -> Option<Removal> {
        self.measurer.begin();
        // So that nothing of the last page is counted again.
        self.edits.begin("", &[]);
        let removal = self.filters.first_broken(&mut Asked {
            input,
            measurer: &mut self.measurer,
            edits: &mut self.edits,
            is_begun: false,
        });
        if removal.is_some() {
            return removal;
        }
        if self.edits.is_changed() {
            self.relabel(input.labels);
            self.measurer.complete(self.edits.text());
        } else {
            self.measurer.complete(input.text);
        }
        None
    }

    /// Blocks of which nothing is left are boilerplate, for the reason for which it was cut.
    fn relabel(&mut self, labels: &[Label]) {
        warcsieve_common::shrink(&mut self.labels);
        warcsieve_common::shrink(&mut self.places);
        self.labels.clear();
        self.labels.extend_from_slice(labels);
        self.places.clear();
        let content = self.labels.iter_mut().filter(|label| label.content);
        for (label, block) in content.zip(self.edits.blocks()) {
            match block {
                Ok(place) => self.places.push(place.clone()),
                Err(why) => {
                    let known = self.reasons.iter().find(|(reason, _)| reason == why);
                    label.change(false, known.map_or(0, |(_, number)| *number));
                }
            }
        }
    }
}

/// A page as filters see it, while they change its text.
struct Asked<'p, 'f> {
    input: &'f FilterInput<'p>,
    measurer: &'f mut Measurer,
    edits: &'f mut Edits,
    is_begun: bool,
}

impl Row for Asked<'_, '_> {
    fn column(&self, name: &str) -> Value<'_> {
        let FilterInput { page, doc, .. } = self.input;
        let count = |n: usize| Value::Number(n as f64);
        let score = |score: Option<f32>| score.map_or(Value::Missing, |n| Value::Number(n.into()));
        match name {
            "id" => Value::Text(page.id.as_str().into()),
            "url" => Value::Text(page.url.as_str().into()),
            "host" => Value::Text(warcsieve_common::host(&page.url).into()),
            "title" => Value::Text(doc.title.as_str().into()),
            "content_mime_type" => Value::Text(page.mime.as_str().into()),
            "content_charset" => Value::Text(page.charset.into()),
            "language" => {
                let language = self.input.language.get();
                Value::Text(language.map_or(UNDETERMINED, |l| l.code).into())
            }
            "language_score" => score(self.input.language.get().map(|l| l.score)),
            "fetch_status" => page
                .status
                .map_or(Value::Missing, |n| Value::Number(n.into())),
            "n_blocks" => count(doc.blocks.len()),
            "n_content_blocks" => count(match self.edits.is_changed() {
                true => self.edits.blocks().iter().flatten().count(),
                false => self.input.labels.iter().filter(|l| l.content).count(),
            }),
            "confidence" => score(self.input.chain.confidence()),
            "n_formulas" => count(doc.formulas()),
            "html_bytes" => count(page.payload.len()),
            "text_bytes" => count(match self.edits.is_changed() {
                true => self.edits.text().len(),
                false => self.input.output.len(),
            }),
            _ => Value::Missing,
        }
    }

    fn signal(&mut self, number: usize) -> Option<f64> {
        let text = match self.edits.is_changed() {
            true => self.edits.text(),
            false => self.input.text,
        };
        self.measurer.ask(number, text)
    }

    fn edits(&mut self) -> &mut Edits {
        if !std::mem::replace(&mut self.is_begun, true) {
            self.edits.begin(self.input.text, self.input.text_blocks);
        }
        self.edits
    }

    fn edited(&mut self) {
        self.measurer.begin();
    }
}
