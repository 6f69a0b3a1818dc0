//! The extractors of boilerpipe, the program of the authors of Kohlschütter,
//! Fankhauser, Nejdl: Boilerplate Detection using Shallow Text Features, WSDM 2010.
//!
//! An extractor is a list of filters, run one after the other on *parts*: blocks
//! at first, then fused into larger ones. `filters` names them in order; a name
//! stands alone or with parameters, `{ proximity-fusion = { max_distance = 1 } }`.
//! The default is ArticleExtractor as in the sources after 1.2; the shipped
//! pipelines list those of DefaultExtractor, ArticleExtractor (that, and 1.2's) and
//! LargestContentExtractor.
//!
//! Text in `option`, `object`, `applet` and `noscript` is passed over, as there.
//!
//! A block's reason is the filter that decided last; inspection lists them all.
//!
//! # Deviations
//! * Blocks are those of the pipeline's segmentation. `inline` is nearest: it also
//!   lets `img`, `small`, `big`, `cite`, `q` and unknown tags through, which
//!   boilerpipe separates at.
//! * Words are white-space separated tokens with a letter or digit; boilerpipe also
//!   separates at word borders without a sign it knows (`a|b` is two words).
//! * Lines are wrapped by all tokens, not by words alone.
//! * A tag level counts the elements around the whole block, links included;
//!   boilerpipe counts those around its first character.
//! * The title is matched, and ends of articles are found, in the first block of a part;
//!   in all shipped lists these filters run before any fusion.

mod around;
mod ending;
mod filter;
mod fusion;
mod largest;
mod part;
mod rules;

use self::filter::{Filter, Filters};
use self::part::Parts;
use super::{Classifier, Label, Names};
use crate::config::{ParamError, StepParams};
use crate::document::Document;
use serde::Deserialize;
use std::fmt::Write as _;

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields, default)]
struct Params {
    filters: Filters,
}

/// A filter with the reasons it gives, by the numbers it uses for them.
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

pub(super) fn build(
    params: StepParams<'_>,
    names: &mut Names,
) -> Result<Box<dyn Classifier>, ParamError> {
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
