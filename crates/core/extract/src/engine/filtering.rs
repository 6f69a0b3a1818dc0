//! Applies filters to a page: they may remove the page or change its text.

use super::view::LanguageOf;
use crate::metadata::Facts;
use crate::{Pipeline, Rights};
use std::ops::Range;
use warcsieve_classify::{Chain, Classifier, Label, Names};
use warcsieve_filters::edits::{Edits, Reason, Replaced};
use warcsieve_filters::filter::{Filters, Removal, Row, Value};
use warcsieve_filters::signals::Measurer;
use warcsieve_html::document::Document;
use warcsieve_language::UNDETERMINED;
use warcsieve_page::Page;

/// Applies the filters of a pipeline. Its buffers are reused.
pub(super) struct Filtering {
    pub measurer: Measurer,
    pub filters: Filters,
    pub edits: Edits,
    /// Labels of the last page's blocks and places of their texts, after filters changed its text.
    pub labels: Vec<Label>,
    pub places: Vec<Range<u32>>,
    /// Numbers of the blocks in which text was replaced, in order.
    pub replaced: Vec<(usize, Replaced)>,
    /// Each reason of the line rules, with its number in the pipeline's reasons.
    reasons: Vec<(Reason, u32)>,
}

/// Everything about a page that filters may use.
pub(super) struct FilterInput<'p> {
    pub page: &'p Page<'p>,
    pub doc: &'p Document,
    pub labels: &'p [Label],
    pub text: &'p str,
    pub text_blocks: &'p [Range<u32>],
    pub output: &'p str,
    pub chain: &'p Chain,
    pub language: &'p LanguageOf<'p>,
    pub facts: &'p Facts,
}

impl Filtering {
    /// `names` has the pipeline's reasons.
    pub fn new(pipeline: &Pipeline, names: &Names) -> Self {
        let number = |reason: Reason| {
            let number = names.reasons.iter().position(|known| known == reason);
            // Numbers of reasons are below 2^32.
            (reason, number.unwrap_or_default() as u32)
        };
        let reasons = pipeline.filters.reasons();
        Self {
            measurer: Measurer::new(&pipeline.signals),
            filters: pipeline.filters.clone(),
            edits: Edits::default(),
            labels: Vec::new(),
            places: Vec::new(),
            replaced: Vec::new(),
            reasons: reasons.map(number).collect(),
        }
    }

    /// Applies the filters to a page. Returns the rule that removes it. If the page stays and
    /// [`Edits::is_changed`] is true, `labels`, `places` and `replaced` describe the new text.
    pub fn apply(&mut self, input: &FilterInput<'_>) -> Option<Removal> {
        self.measurer.begin();
        // Clear the edits, so that edits of the last page are not counted again.
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

    /// Whether a page meets a condition. [`apply`](Self::apply) must follow, because the signals are
    /// then those of the text before the filters.
    pub fn meets(&mut self, input: &FilterInput<'_>, condition: &mut Filters) -> bool {
        self.measurer.begin();
        self.edits.begin("", &[]);
        let broken = condition.first_broken(&mut Asked {
            input,
            measurer: &mut self.measurer,
            edits: &mut self.edits,
            is_begun: false,
        });
        broken.is_none()
    }

    /// Labels a block as boilerplate if filters cut all of its text. The cut is the reason.
    fn relabel(&mut self, labels: &[Label]) {
        warcsieve_common::shrink(&mut self.labels);
        warcsieve_common::shrink(&mut self.places);
        warcsieve_common::shrink(&mut self.replaced);
        self.labels.clear();
        self.labels.extend_from_slice(labels);
        self.places.clear();
        self.replaced.clear();
        let labels = self.labels.iter_mut().enumerate();
        let content = labels.filter(|(_, label)| label.content);
        for (n, ((number, label), block)) in content.zip(self.edits.blocks()).enumerate() {
            let replaced = self.edits.replaced(n);
            self.replaced
                .extend(replaced.map(|replaced| (number, replaced)));
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

/// A page as filters see it while they change its text.
struct Asked<'p, 'f> {
    input: &'f FilterInput<'p>,
    measurer: &'f mut Measurer,
    edits: &'f mut Edits,
    is_begun: bool,
}

impl Asked<'_, '_> {
    fn rights(&self) -> &Rights {
        let FilterInput {
            page, doc, facts, ..
        } = self.input;
        facts.rights(page, doc)
    }
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
            "noindex" => count(self.rights().noindex.into()),
            "noai" => count(self.rights().noai.into()),
            "tdm_reservation" => count((self.rights().tdm_reservation == Some(true)).into()),
            "licence" => {
                let licence = self.rights().licence.as_ref();
                Value::Text(licence.map_or("", |licence| &licence.address).into())
            }
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
