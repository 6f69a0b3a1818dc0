//! What is said of a page's text: its language, signals, and whether filters remove or change it.

use std::ops::Range;
use warcsieve_classify::{Classifier, Label, Names};
use warcsieve_extract::{Cleaned, Pipeline};
use warcsieve_filters::edits::{Edits, Reason};
use warcsieve_filters::filter::{Filters, Removal, Row, Value};
use warcsieve_filters::personal::Kind;
use warcsieve_filters::signals::Measurer;
use warcsieve_language::{Identifier, Language, UNDETERMINED};

/// Appraises pages, with buffers it keeps.
#[derive(Debug)]
pub struct Appraiser {
    identifier: Identifier,
    measurer: Measurer,
    filters: Filters,
    edits: Edits,
    /// The labels and places of the last page's blocks after its text was changed.
    labels: Vec<Label>,
    places: Vec<Range<u32>>,
    /// The numbers of the reasons that line rules give.
    reasons: Vec<(Reason, u32)>,
}

/// A page, and what is said of it.
pub struct Appraised<'a> {
    /// The page as filters left it.
    pub page: Cleaned<'a>,
    /// The language of its text before that.
    pub(super) language: Option<Language>,
    /// Signals of the text as filters left it.
    pub(super) measurer: &'a Measurer,
    /// The rule that removes it.
    pub removal: Option<Removal>,
    filters: &'a Filters,
    /// How often a line or a piece of one went, by reason.
    pub lines: &'a [(Reason, u64)],
}

impl Appraised<'_> {
    /// The personal data that was looked for, and how many of each kind there were.
    pub fn personal(&self) -> impl Iterator<Item = (Kind, u64)> {
        let kinds = self.filters.kinds(false).into_iter();
        kinds.map(|kind| (kind, self.filters.found(kind)))
    }
}

impl Appraiser {
    /// For pages that are cleaned by a pipeline; `names` are those of its reasons.
    pub fn new(pipeline: &Pipeline, names: &Names) -> Self {
        let number = |reason: Reason| {
            let number = names.reasons.iter().position(|known| known == reason);
            // Reasons are numbered in 32 bits.
            (reason, number.unwrap_or_default() as u32)
        };
        let rules = pipeline.filters.line_rules();
        Self {
            identifier: Identifier::default(),
            measurer: Measurer::new(&pipeline.signals),
            filters: pipeline.filters.clone(),
            edits: Edits::default(),
            labels: Vec::new(),
            places: Vec::new(),
            reasons: rules
                .flat_map(|rules| rules.reasons)
                .map(|r| number(r))
                .collect(),
        }
    }

    /// Appraises a page by its plain text.
    pub fn appraise<'a>(&'a mut self, mut page: Cleaned<'a>) -> Appraised<'a> {
        let language = self.identifier.identify(page.text);
        self.measurer.begin();
        // So that nothing of the last page is counted again.
        self.edits.begin("", &[]);
        let removal = self.filters.judge(&mut Judged {
            page: &page,
            language: language.as_ref(),
            measurer: &mut self.measurer,
            edits: &mut self.edits,
            is_begun: false,
        });
        if self.edits.is_changed() && removal.is_none() {
            self.relabel(page.labels);
            page.labels = &self.labels;
            page.text_blocks = &self.places;
            page.text = self.edits.text();
            page.output = page.text;
        }
        if removal.is_none() {
            self.measurer.complete(page.text);
        }
        Appraised {
            page,
            language,
            measurer: &self.measurer,
            removal,
            filters: &self.filters,
            lines: self.edits.counts(),
        }
    }

    /// Blocks of which nothing is left are boilerplate, for the reason for which it went.
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

/// A page as filters see it.
struct Judged<'p, 'c> {
    page: &'p Cleaned<'c>,
    language: Option<&'p Language>,
    measurer: &'p mut Measurer,
    edits: &'p mut Edits,
    is_begun: bool,
}

impl Row for Judged<'_, '_> {
    fn column(&self, name: &str) -> Value<'_> {
        let (cleaned, page) = (self.page, &self.page.page);
        let count = |n: usize| Value::Number(n as f64);
        let score = |score: Option<f32>| score.map_or(Value::Missing, |n| Value::Number(n.into()));
        match name {
            "id" => Value::Text(page.id.as_str().into()),
            "url" => Value::Text(page.url.as_str().into()),
            "host" => Value::Text(warcsieve_common::host(&page.url).into()),
            "title" => Value::Text(cleaned.doc.title.as_str().into()),
            "content_mime_type" => Value::Text(page.mime.as_str().into()),
            "content_charset" => Value::Text(page.charset.into()),
            "language" => Value::Text(self.language.map_or(UNDETERMINED, |l| l.code).into()),
            "language_score" => score(self.language.map(|l| l.score)),
            "fetch_status" => page
                .status
                .map_or(Value::Missing, |n| Value::Number(n.into())),
            "n_blocks" => count(cleaned.doc.blocks.len()),
            "n_content_blocks" => count(match self.edits.is_changed() {
                true => self.edits.blocks().iter().flatten().count(),
                false => cleaned.content_blocks(),
            }),
            "confidence" => score(cleaned.chain.confidence()),
            "n_formulas" => count(cleaned.doc.formulas()),
            "html_bytes" => count(page.payload.len()),
            "text_bytes" => count(match self.edits.is_changed() {
                true => self.edits.text().len(),
                false => cleaned.output.len(),
            }),
            _ => Value::Missing,
        }
    }

    fn signal(&mut self, number: usize) -> Option<f64> {
        let text = match self.edits.is_changed() {
            true => self.edits.text(),
            false => self.page.text,
        };
        self.measurer.ask(number, text)
    }

    fn edits(&mut self) -> &mut Edits {
        if !std::mem::replace(&mut self.is_begun, true) {
            self.edits.begin(self.page.text, self.page.text_blocks);
        }
        self.edits
    }

    fn edited(&mut self) {
        self.measurer.begin();
    }
}
