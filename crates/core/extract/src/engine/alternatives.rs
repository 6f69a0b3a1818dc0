//! The pipelines that may label a page, and the choice among them.

use super::labelling::{Findings, Labelling};
use super::segmenter::PageSegmenter;
use super::view::PageView;
use crate::Pipeline;
use crate::fallback::When;
use std::sync::Arc;
use warcsieve_classify::{Chain, Names};
use warcsieve_html::Segmentation;
use warcsieve_html::document::Document;
use warcsieve_page::{Page, Skip};
use warcsieve_warc::DigestCheck;

/// The labelling of a pipeline, and those of the other pipelines that it names.
pub(super) struct Alternatives {
    /// That of the pipeline itself, then the others in the order in which a page tries them.
    all: Vec<Alternative>,
    /// When a page tries each of the others.
    whens: Vec<When>,
    /// The segmentations of the others, except that of the pipeline.
    cuts: Vec<Cut>,
}

struct Alternative {
    /// `None` if there is only one.
    name: Option<String>,
    labelling: Labelling,
    /// Its number in `cuts`; `None` if it has the segmentation of the pipeline.
    cut: Option<usize>,
}

/// The last page with another segmentation.
struct Cut {
    segmentation: Segmentation,
    segmenter: PageSegmenter,
    doc: Document,
    /// Whether `doc` is the page; `None` before that is tried.
    is_page: Option<bool>,
}

/// The labelling that a page has so far.
struct Chosen {
    at: usize,
    findings: Findings,
    is_filtered: bool,
}

impl Alternatives {
    /// Builds the steps of all these pipelines.
    pub fn new(pipeline: &Pipeline) -> Self {
        let mut names = Names::default();
        let own = pipeline.build_with(&mut names);
        let others = pipeline.alternatives().map(|(alternative, other)| {
            let chain = other.build_with(&mut names);
            (alternative, other, chain)
        });
        let others: Vec<_> = others.collect();
        let names = Arc::new(names);
        let mut built = Self {
            all: vec![Alternative {
                name: pipeline.own_name().map(str::to_owned),
                labelling: Labelling::new(pipeline, own, names.clone()),
                cut: None,
            }],
            whens: Vec::new(),
            cuts: Vec::new(),
        };
        for (alternative, other, chain) in others {
            let is_own = other.segmentation == pipeline.segmentation;
            let cut = (!is_own).then(|| built.cut(&other));
            built.whens.push(alternative.when.clone());
            built.all.push(Alternative {
                name: Some(alternative.name.clone()),
                labelling: Labelling::new(&other, chain, names.clone()),
                cut,
            });
        }
        built
    }

    /// The number of a pipeline's segmentation in `cuts`.
    fn cut(&mut self, pipeline: &Pipeline) -> usize {
        let segmentation = pipeline.segmentation;
        let known = self
            .cuts
            .iter()
            .position(|cut| cut.segmentation == segmentation);
        known.unwrap_or_else(|| {
            self.cuts.push(Cut {
                segmentation,
                segmenter: PageSegmenter::new(&pipeline.settings, segmentation),
                doc: Document::default(),
                is_page: None,
            });
            self.cuts.len() - 1
        })
    }

    /// Whether there is more than one.
    pub fn are_several(&self) -> bool {
        self.all.len() > 1
    }

    /// Texts of the classes and reasons in labels.
    pub fn names(&self) -> &Arc<Names> {
        self.all[0].labelling.labeller.names()
    }

    /// The steps of the pipeline itself.
    pub fn own_chain(&mut self) -> &mut Chain {
        &mut self.all[0].labelling.labeller.chain
    }

    /// Labels and filters a page. `doc` has the segmentation of the pipeline.
    ///
    /// # Errors
    /// The content as Markdown or HTML is larger than the pipeline's `max_page_bytes`.
    pub fn view<'a>(
        &'a mut self,
        mut page: Page<'a>,
        doc: &'a Document,
        digest: Option<DigestCheck>,
    ) -> Result<PageView<'a>, Skip> {
        if page.url.is_empty() {
            page.url.clone_from(&doc.url);
        }
        for cut in &mut self.cuts {
            cut.is_page = None;
        }
        let mut chosen = Chosen {
            at: 0,
            findings: self.all[0].labelling.label(&page, doc)?,
            is_filtered: false,
        };
        for at in 1..self.all.len() {
            if self.is_tried(at, &page, doc, &mut chosen) {
                self.try_on(at, &page, doc, &mut chosen);
            }
        }
        self.filter(&page, doc, &mut chosen);
        let alternative = &self.all[chosen.at];
        let doc = doc_of(alternative, &self.cuts, doc);
        let mut view = alternative
            .labelling
            .view(page, doc, digest, chosen.findings);
        view.labelled_by = alternative.name.as_deref();
        Ok(view)
    }

    /// Whether a page that has the labels of `chosen` tries another labelling.
    fn is_tried(
        &mut self,
        at: usize,
        page: &Page<'_>,
        doc: &Document,
        chosen: &mut Chosen,
    ) -> bool {
        match &mut self.whens[at - 1] {
            When::Removed => {
                self.filter(page, doc, chosen);
                chosen.findings.removal.is_some()
            }
            When::Meets(rule) => {
                let alternative = &mut self.all[chosen.at];
                let doc = doc_of(alternative, &self.cuts, doc);
                chosen.is_filtered = false;
                let labelling = &mut alternative.labelling;
                labelling.meets(page, doc, &mut chosen.findings, rule)
            }
        }
    }

    /// Gives a page another labelling, unless it should not be removed and is. A page that cannot be
    /// segmented or rendered within the limits keeps its labels.
    fn try_on(&mut self, at: usize, page: &Page<'_>, doc: &Document, chosen: &mut Chosen) {
        let other = &mut self.all[at];
        if let Some(cut) = other.cut
            && !self.cuts[cut].has(page)
        {
            return;
        }
        let labelled = doc_of(other, &self.cuts, doc);
        let Ok(findings) = other.labelling.label(page, labelled) else {
            return;
        };
        let mut found = Chosen {
            at,
            findings,
            is_filtered: false,
        };
        if matches!(self.whens[at - 1], When::Removed) {
            self.filter(page, doc, &mut found);
            if found.findings.removal.is_some() {
                return;
            }
        }
        *chosen = found;
    }

    /// Applies the filters to a page that has the labels of `chosen`, if that is not done.
    fn filter(&mut self, page: &Page<'_>, doc: &Document, chosen: &mut Chosen) {
        if !chosen.is_filtered {
            let alternative = &mut self.all[chosen.at];
            let doc = doc_of(alternative, &self.cuts, doc);
            alternative
                .labelling
                .filter(page, doc, &mut chosen.findings);
            chosen.is_filtered = true;
        }
    }
}

/// The page as an alternative segments it. `own` has the segmentation of the pipeline.
fn doc_of<'d>(alternative: &Alternative, cuts: &'d [Cut], own: &'d Document) -> &'d Document {
    alternative.cut.map_or(own, |cut| &cuts[cut].doc)
}

impl Cut {
    /// Segments the page, if that is not done. `false` if it exceeds a limit.
    fn has(&mut self, page: &Page<'_>) -> bool {
        let Self { segmenter, doc, .. } = self;
        *self
            .is_page
            .get_or_insert_with(|| segmenter.segment(page, doc).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use crate::{Engine, Pipeline};
    use warcsieve_classify::CORE;
    use warcsieve_html::Segmentation;

    /// Ten words and three, in two blocks of one paragraph.
    const PAGE: &str =
        "<p>one two three four five six seven eight nine ten<span></span><p>a <b>b</b> c";

    fn engine(text: &str) -> Engine {
        Engine::new(&Pipeline::parse(&CORE, "p.toml", text).unwrap())
    }

    fn labelled(text: &str, html: &str) -> (Option<String>, String) {
        let page = engine(text).extract(html, "").unwrap();
        (
            page.labelled_by().map(str::to_owned),
            page.text().to_owned(),
        )
    }

    fn fallback(when: &str, pipeline: &str) -> String {
        format!("[[fallback]]\nwhen = '{when}'\npipeline = '{pipeline}'\n")
    }

    const TEN: &str = "one two three four five six seven eight nine ten";
    const NOTHING: &str = "[[step]]\nmethod = 'min-words'\nwords = 99\n";

    #[test]
    fn a_page_gets_the_labels_of_the_last_whose_condition_it_meets() {
        let all = format!("{TEN}\n\na b c");
        let few = fallback("n_content_blocks < 1", "min-words");
        let own = |text: &str, others: &str| labelled(&format!("{others}{text}"), PAGE);
        let by = |name: &str, text: &str| (Some(name.to_owned()), text.to_owned());
        assert_eq!(own(NOTHING, &few), by("min-words", TEN));
        assert_eq!(
            own("[[step]]\nmethod = 'keep-all'\n", &few),
            by("own", &all)
        );
        let more = few.clone() + &fallback("n_content_blocks <= 1", "keep-all");
        assert_eq!(own(NOTHING, &more), by("keep-all", &all));
        let not = few + &fallback("n_content_blocks < 1", "keep-all");
        assert_eq!(own(NOTHING, &not), by("min-words", TEN));
        assert_eq!(own(NOTHING, ""), (None, String::new()));
    }

    #[test]
    fn a_method_that_does_not_know_its_confidence_is_believed() {
        let sure = format!(
            "{}[[step]]\nmethod = 'numwords'\n",
            fallback("confidence < 2", "keep-all")
        );
        assert_eq!(labelled(&sure, PAGE).0.as_deref(), Some("own"));
        let unsure = sure.replace("numwords", "forest");
        let (by, text) = labelled(&unsure, PAGE);
        assert_eq!(by.as_deref(), Some("keep-all"));
        assert!(text.ends_with("a b c"), "{text}");
    }

    #[test]
    fn a_union_keeps_the_first_that_passes_the_filters() {
        let union = "union = ['min-words', 'numwords', 'keep-all']\n";
        let of = |filter: &str| {
            let mut engine = engine(&format!("{union}[[filter]]\nkeep = '{filter}'\n"));
            engine.extract("<p>other", "").unwrap();
            let page = engine.extract(PAGE, "").unwrap();
            let by = page.labelled_by().map(str::to_owned);
            (
                by.unwrap(),
                page.text().len(),
                page.removed_by().map(str::to_owned),
            )
        };
        let all = format!("{TEN}\n\na b c").len();
        assert_eq!(
            of("n_blocks > 1"),
            ("min-words".to_owned(), TEN.len(), None)
        );
        assert_eq!(
            of("n_content_blocks > 1"),
            ("keep-all".to_owned(), all, None)
        );
        let rule = "n_blocks > 9";
        let removed = ("min-words".to_owned(), TEN.len(), Some(rule.to_owned()));
        assert_eq!(of(rule), removed);
    }

    #[test]
    fn selectors_of_a_file_are_for_all_pipelines_that_it_names() {
        let drop = "drop = ['p:first-child']\n";
        let few = fallback("n_content_blocks < 1", "keep-all");
        let kept = (Some("keep-all".to_owned()), "a b c".to_owned());
        assert_eq!(labelled(&format!("{drop}{few}{NOTHING}"), PAGE), kept);
        let union =
            "union = ['min-words', 'keep-all']\n[[filter]]\nkeep = 'n_content_blocks > 0'\n";
        assert_eq!(labelled(&format!("{drop}{union}"), PAGE), kept);
    }

    #[test]
    fn the_text_that_filters_change_is_that_of_the_labelling_that_stays() {
        let union = "union = ['min-words', 'keep-all']\n[[filter]]\nlines = 'c4'\n\
                     [[filter]]\nkeep = 'text_bytes > 60'\n";
        let (long, short) = (
            "This is a line of ten words in one block.",
            "And some words.",
        );
        let page = format!("<p>{long}<p>{long}<p>{short}<p>no end of a line");
        let (by, text) = labelled(union, &page);
        assert_eq!(by.as_deref(), Some("min-words"));
        assert_eq!(text, format!("{long}\n{long}"));
        let (by, text) = labelled(&union.replace("> 60", "> 85"), &page);
        assert_eq!(by.as_deref(), Some("keep-all"));
        assert_eq!(text, format!("{long}\n{long}\n{short}"));
        let (by, text) = labelled(&union.replace("> 60", "> 999"), &page);
        assert_eq!(
            (by.as_deref(), text),
            (Some("min-words"), format!("{long}\n\n{long}")),
            "none passes"
        );
    }

    #[test]
    fn another_segmentation_has_its_own_blocks_forms_and_reasons() {
        let folder = tempfile::tempdir().unwrap();
        let leaves = "segmentation = 'leaves'\n[[step]]\nmethod = 'keep-all'\n";
        std::fs::write(folder.path().join("leaves.toml"), leaves).unwrap();
        let file = folder.path().join("p.toml").display().to_string();
        let others = fallback("n_content_blocks < 1", "leaves.toml");
        let text = format!("output = 'markdown'\n{others}{NOTHING}");
        let pipeline = Pipeline::parse(&CORE, &file, &text).unwrap();
        assert!(
            !pipeline.has_one_segmentation()
                && pipeline.effective_settings().segmentation.is_none()
        );
        assert_eq!(
            (pipeline.method.as_str(), pipeline.segmentation),
            ("min-words|keep-all", Segmentation::Inline)
        );
        let mut alone = Engine::new(
            &Pipeline::parse(&CORE, "p", &format!("output = 'markdown'\n{leaves}")).unwrap(),
        );
        let mut engine = Engine::new(&pipeline);
        for _ in 0..2 {
            let alone = alone.html(PAGE, "").ok().unwrap();
            let view = engine.html(PAGE, "").ok().unwrap();
            assert_eq!(
                (view.labelled_by, view.method),
                (Some("leaves.toml"), "keep-all")
            );
            assert_eq!((view.text, view.output), (alone.text, alone.output));
            assert_eq!(view.doc.blocks, alone.doc.blocks);
            assert_eq!(view.segmentation, Segmentation::Leaves);
            for (label, other) in view.labels.iter().zip(alone.labels) {
                assert_eq!(view.names.reason_of(label), alone.names.reason_of(other));
            }
            assert_eq!(view.to_extraction().markdown(), alone.output);
        }
        std::fs::write(
            folder.path().join("leaves.toml"),
            format!("# changed\n{leaves}"),
        )
        .unwrap();
        let changed = Pipeline::parse(&CORE, &file, &text).unwrap();
        assert_eq!(changed.hash, pipeline.hash);
        assert_ne!(changed.model_hash, pipeline.model_hash);
    }

    #[test]
    fn a_page_that_exceeds_a_limit_under_another_segmentation_keeps_its_labels() {
        let folder = tempfile::tempdir().unwrap();
        let leaves = "segmentation = 'leaves'\n[[step]]\nmethod = 'keep-all'\n";
        std::fs::write(folder.path().join("leaves.toml"), leaves).unwrap();
        let file = folder.path().join("p.toml").display().to_string();
        let others = fallback("n_content_blocks < 1", "leaves.toml");
        let text = format!("max_elements = 5\n{others}{NOTHING}");
        let mut engine = Engine::new(&Pipeline::parse(&CORE, &file, &text).unwrap());
        let by = |engine: &mut Engine, html: &str| {
            let page = engine.extract(html, "").unwrap();
            page.labelled_by().map(str::to_owned)
        };
        let many = "a<b>b</b>c<b>d</b>e<b>f</b>g";
        assert_eq!(by(&mut engine, many).as_deref(), Some("own"));
        assert_eq!(by(&mut engine, "a<b>b</b>").as_deref(), Some("leaves.toml"));
    }
}
