//! The extractors of boilerpipe, the program of the authors of Kohlschütter,
//! Fankhauser, Nejdl: Boilerplate Detection using Shallow Text Features, WSDM 2010.
//!
//! An extractor is a list of filters, which run one after the other on *parts*. At first each block
//! is a part; then parts are fused into larger ones. `filters` names the filters in order, with or
//! without parameters: `{ proximity-fusion = { max_distance = 1 } }`. The default is
//! ArticleExtractor as in the sources after 1.2. The shipped pipelines list the filters of
//! DefaultExtractor, ArticleExtractor (this one, and the one of 1.2) and LargestContentExtractor.
//! one, and that of 1.2) and LargestContentExtractor.
//!
//! Text in `option`, `object`, `applet` and `noscript` is ignored, as in boilerpipe.
//!
//! The reason of a block is the last filter that decided on it; the explanation lists all of them.
//!
//! # Deviations
//! * Blocks are those of the pipeline's segmentation. `inline` is the most similar one. Unlike
//!   boilerpipe, it does not separate at `img`, `small`, `big`, `cite`, `q` and unknown tags.
//! * Words are tokens between white space that have a letter or digit. boilerpipe also separates at
//!   word boundaries without a character it knows (`a|b` is two words).
//! * Lines are wrapped by all tokens, not only by words.
//! * A tag level counts the elements around the whole block, including links; boilerpipe counts
//!   those around its first character.
//! * Titles and ends of articles are searched in the first block of a part; in all shipped lists
//!   these filters run before any fusion.

mod ending;
mod filter;
mod fusion;
mod largest;
mod part;
mod rules;
mod surroundings;

use self::filter::{Filter, Filters};
use self::part::Parts;
use serde::Deserialize;
use std::fmt::Write as _;
use warcsieve_classify::params::StepParams;
use warcsieve_classify::{Built, Classifier, Label, Method, Names, shipped};
use warcsieve_html::document::Document;

/// The method as pipeline files and the command line know it.
pub const METHOD: Method = Method {
    name: "boilerpipe",
    summary: "a list of filters: numwords or density, then fusion, title, end and largest part",
    family: "boilerpipe: the program of Kohlschütter et al.",
    paper: "boilerpipe 1.2, the program of Kohlschütter et al. 2010 (its extractors)",
    pipelines: &[
        shipped!(
            "boilerpipe-default",
            "DefaultExtractor of boilerpipe: Algorithm 1 after neighbouring blocks are fused. Unlike `boilerpipe-article`, it does not look for the title, the end or the largest part of an article."
        ),
        shipped!(
            "boilerpipe-article",
            "ArticleExtractor of boilerpipe: it fuses blocks, looks for the title and the end of the article, and keeps the largest part. It has the best F1 of boilerpipe's extractors on news and on blogs without comments, because of its precision. \
        On forums, listings and collections it loses about half of the text or more."
        ),
        shipped!(
            "boilerpipe-article-1-2",
            "The same with the list of filters of release 1.2. Use it to compare figures with papers that used that release."
        ),
        shipped!(
            "boilerpipe-largest",
            "LargestContentExtractor of boilerpipe: it keeps only the largest fused part."
        ),
    ],
    build,
    ..Method::PLAIN
};

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Params {
    filters: Filters,
}

/// A filter with the texts of its reasons and their registered indices.
struct Step {
    filter: Filter,
    texts: Vec<String>,
    reasons: Vec<u32>,
}

struct Boilerpipe {
    steps: Vec<Step>,
    ignored: u32,
    parts: Parts,
}

pub(super) fn build(params: StepParams<'_>, names: &mut Names) -> Built {
    let Params { filters } = params.read()?;
    let ignored = names.reason("inside option, object, applet or noscript");
    let steps = filters.into_iter().map(|filter| {
        let texts = filter.reasons();
        let reasons = texts.iter().map(|text| names.reason(text)).collect();
        Step {
            filter,
            texts,
            reasons,
        }
    });
    Ok(Box::new(Boilerpipe {
        steps: steps.collect(),
        ignored,
        parts: Parts::default(),
    }))
}

impl Classifier for Boilerpipe {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        labels.fill(Label::plain(false, self.ignored));
        self.parts.begin(doc);
        for step in &self.steps {
            step.filter.run(doc, &mut self.parts, &step.reasons);
        }
        for kept in self.parts.blocks() {
            labels[kept.block as usize] = Label::plain(kept.content, kept.reason);
        }
    }

    fn explain(&self, doc: &Document, _: &[Label], block: usize) -> String {
        let mut parts = Parts::default();
        parts.begin(doc);
        let find = |parts: &Parts| {
            let mut blocks = parts.blocks().iter();
            blocks.find(|kept| kept.block as usize == block).copied()
        };
        let Some(mut before) = find(&parts) else {
            return "boilerpipe: inside option, object, applet or noscript".to_owned();
        };
        let mut text = "boilerpipe".to_owned();
        for step in &self.steps {
            step.filter.run(doc, &mut parts, &step.reasons);
            let Some(after) = find(&parts) else {
                continue;
            };
            if (after.content, after.reason) != (before.content, before.reason) {
                let why = step.reasons.iter().position(|&r| r == after.reason);
                let mark = if after.content {
                    "content"
                } else {
                    "boilerplate"
                };
                let why = why.map_or("", |i| &step.texts[i]);
                // Writing to a string cannot fail.
                let _ = write!(text, "; {why} → {mark}");
            }
            before = after;
        }
        text.replacen("; ", ": ", 1)
    }
}

#[cfg(test)]
mod tests;
