//! A page labelled by one pipeline: everything after segmentation, up to the filters.

use super::filtering::{FilterInput, Filtering};
use super::labeller::Labeller;
use super::rendered::Rendered;
use super::view::{LanguageOf, PageView};
use crate::metadata::{Facts, ReadFacts};
use crate::{MetadataField, Pipeline};
use std::cell::{OnceCell, RefCell};
use std::mem::take;
use std::sync::Arc;
use warcsieve_classify::{Chain, Names};
use warcsieve_filters::filter::{Filters, Removal};
use warcsieve_html::Segmentation;
use warcsieve_html::document::Document;
use warcsieve_language::{Identifier, Language};
use warcsieve_page::{Page, Skip, SkipReason};
use warcsieve_render::{RenderOptions, TextFormat};
use warcsieve_warc::DigestCheck;

/// The steps, forms and filters of a pipeline. Its buffers are reused.
pub(super) struct Labelling {
    /// The pipeline's methods, joined by `+`.
    method: String,
    segmentation: Segmentation,
    rendering: RenderOptions,
    reads: ReadFacts,
    pub labeller: Labeller,
    /// The forms of the content other than plain text.
    rendered: Vec<Rendered>,
    output: TextFormat,
    identifier: RefCell<Identifier>,
    filtering: Filtering,
}

/// What has been found on a page so far, under its labels.
#[derive(Default)]
pub(super) struct Findings {
    facts: Facts,
    language: OnceCell<Option<Language>>,
    /// The filter rule that removes it.
    pub removal: Option<Removal>,
}

impl Labelling {
    /// For a pipeline with the steps `chain`. `names` has the texts of their classes and reasons.
    pub fn new(pipeline: &Pipeline, chain: Chain, names: Arc<Names>) -> Self {
        let settings = &pipeline.settings;
        let rendering = settings.render_options();
        let limit = settings.max_page_bytes;
        let rendered = |form| Rendered::new(form, pipeline.segmentation, limit, rendering);
        Self {
            method: pipeline.own_method().to_owned(),
            segmentation: pipeline.segmentation,
            rendering,
            reads: settings.into(),
            rendered: settings.rendered_forms().map(rendered).collect(),
            output: settings.output,
            identifier: RefCell::default(),
            filtering: Filtering::new(pipeline, &names),
            labeller: Labeller::with(chain, names),
        }
    }

    /// Labels a page and renders its content.
    ///
    /// # Errors
    /// The content as Markdown or HTML is larger than the pipeline's `max_page_bytes`.
    pub fn label(&mut self, page: &Page<'_>, doc: &Document) -> Result<Findings, Skip> {
        self.labeller.label(doc);
        let facts = Facts::default();
        for rendered in &mut self.rendered {
            let headline = || {
                let found = self.reads.metadata.then(|| facts.metadata(page, doc));
                found?.get(MetadataField::Headline)
            };
            let written = rendered.write(&page.url, doc, &self.labeller.labels, headline);
            written.map_err(|e| Skip {
                reason: SkipReason::TooLarge,
                detail: e.to_string(),
            })?;
        }
        Ok(Findings {
            facts,
            ..Findings::default()
        })
    }

    /// Applies the filters to the page that was labelled last.
    pub fn filter(&mut self, page: &Page<'_>, doc: &Document, findings: &mut Findings) {
        findings.removal = self.with_filters(page, doc, findings, |filtering, input| {
            filtering.apply(input)
        });
    }

    /// Whether the page that was labelled last meets a condition. The filters must be applied
    /// after it.
    pub fn meets(
        &mut self,
        page: &Page<'_>,
        doc: &Document,
        findings: &mut Findings,
        condition: &mut Filters,
    ) -> bool {
        self.with_filters(page, doc, findings, |filtering, input| {
            filtering.meets(input, condition)
        })
    }

    fn with_filters<T>(
        &mut self,
        page: &Page<'_>,
        doc: &Document,
        findings: &mut Findings,
        work: impl FnOnce(&mut Filtering, &FilterInput<'_>) -> T,
    ) -> T {
        let text = self.labeller.text.as_str();
        let known = take(&mut findings.language);
        let language = LanguageOf::new(&self.identifier, text, known);
        let input = FilterInput {
            page,
            doc,
            labels: &self.labeller.labels,
            text,
            text_blocks: self.labeller.text.blocks(),
            output: output(&self.rendered, self.output, text),
            chain: &self.labeller.chain,
            language: &language,
            facts: &findings.facts,
        };
        let done = work(&mut self.filtering, &input);
        findings.language = language.found;
        done
    }

    /// The page that was labelled and filtered last.
    pub fn view<'a>(
        &'a self,
        page: Page<'a>,
        doc: &'a Document,
        digest: Option<DigestCheck>,
        findings: Findings,
    ) -> PageView<'a> {
        let Self {
            labeller,
            filtering,
            ..
        } = self;
        let text = labeller.text.as_str();
        let mut view = PageView {
            page,
            digest,
            doc,
            labels: &labeller.labels,
            text,
            text_blocks: labeller.text.blocks(),
            output: output(&self.rendered, self.output, text),
            rendered: &self.rendered,
            cuts: filtering.edits.counts(),
            signals: &filtering.measurer,
            chain: &labeller.chain,
            names: labeller.names(),
            method: &self.method,
            labelled_by: None,
            segmentation: self.segmentation,
            rendering: self.rendering,
            filters: &filtering.filters,
            language: LanguageOf::new(&self.identifier, text, findings.language),
            facts: findings.facts,
            reads: self.reads,
            removal: findings.removal,
            replaced: &[],
        };
        if view.removal.is_none() && filtering.edits.is_changed() {
            view.labels = &filtering.labels;
            view.text_blocks = &filtering.places;
            view.replaced = &filtering.replaced;
            view.text = filtering.edits.text();
            view.output = view.text;
        }
        view
    }
}

/// The content in the form of the pipeline's `output`.
fn output<'a>(rendered: &'a [Rendered], form: TextFormat, text: &'a str) -> &'a str {
    let rendered = rendered.iter().find(|rendered| rendered.form == form);
    rendered.map_or(text, |rendered| &rendered.text)
}
