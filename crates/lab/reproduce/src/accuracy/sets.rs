//! The sets, and the scores of every built-in pipeline on their pages.

use crate::Result;
use crate::corpora::shipped;
use crate::job::Job;
use warcsieve_eval::gold::Variant;
use warcsieve_eval::pages::Gold;
use warcsieve_eval::report::left_out;
use warcsieve_eval::run::evaluate;
use warcsieve_eval::score::Scores;
use warcsieve_eval::stats;
use warcsieve_extract::{Headline, Pipeline};

/// Pages with gold, and whether the gold includes readers' comments.
pub struct Set {
    pub name: &'static str,
    pub corpus: &'static str,
    pub variant: Variant,
    /// Which of the two default pipelines has the gold's convention on comments.
    pub pipeline: &'static str,
    pub about: &'static str,
}

const DROP: &str = "default";
const KEEP: &str = "default-comments";

/// The training sets of the built-in model, in this order.
pub const LEARNED_FROM: [&str; 2] = ["wcxb-dev", "readability"];

/// The sets over which means are computed.
pub const MEAN: [&str; 4] = ["wcxb-dev", "cleaneval-test", "l3s-gn1", "dragnet-a"];

pub const SETS: [Set; 7] = [
    Set {
        name: "cleaneval-test",
        corpus: "cleaneval-test",
        variant: Variant::Gold,
        pipeline: KEEP,
        about: "pages of 2006 from all over the web",
    },
    Set {
        name: "l3s-gn1",
        corpus: "l3s-gn1",
        variant: Variant::Gold,
        pipeline: KEEP,
        about: "news of 2008",
    },
    Set {
        name: "dragnet-a",
        corpus: "dragnet-a",
        variant: Variant::Gold,
        pipeline: DROP,
        about: "blogs and news of 2012 and 2013",
    },
    Set {
        name: "dragnet-a with comments",
        corpus: "dragnet-a",
        variant: Variant::Both,
        pipeline: KEEP,
        about: "the same pages; the gold is their gold text, followed by the text of the comments",
    },
    Set {
        name: "cleanportaleval",
        corpus: "cleanportaleval",
        variant: Variant::Gold,
        pipeline: DROP,
        about: "pages of four portals, by the rules of CleanEval, but without readers' comments",
    },
    Set {
        name: "readability",
        corpus: "readability",
        variant: Variant::Gold,
        pipeline: DROP,
        about: "articles, the test pages of Mozilla's Readability; the gold is what that program is expected to show",
    },
    Set {
        name: "wcxb-dev",
        corpus: "wcxb-dev",
        variant: Variant::Gold,
        pipeline: DROP,
        about: "pages of 2025 and 2026 of seven types",
    },
];

impl Set {
    /// Whether the built-in model was trained on the pages.
    pub fn is_seen(&self) -> bool {
        LEARNED_FROM.contains(&self.corpus)
    }
}

/// The scores of all pages of a set.
pub struct Measured {
    /// By pipeline, in the order of [`shipped`]; pages in the order of the gold.
    pub scores: Vec<Vec<Scores>>,
    /// The scores of the set's default with other settings, by [`SETTINGS`].
    pub settings: Vec<Vec<Scores>>,
    /// What could not be read, one line each. Such pages count as empty.
    pub left_out: Vec<String>,
}

/// Settings in place of the default's: the weight of recall, and what is done with the headline.
pub const SETTINGS: [(&str, Headline); 4] = [
    ("precision", Headline::Keep),
    ("balanced", Headline::Keep),
    ("recall", Headline::Keep),
    ("balanced", Headline::Drop),
];

/// The pipeline of a set with other settings.
fn with_settings(set: &Set, (beta, headline): (&str, Headline)) -> Result<Pipeline> {
    let comments = match set.pipeline {
        KEEP => "keep",
        _ => "drop",
    };
    let headline = match headline {
        Headline::Keep => "keep",
        Headline::Drop => "drop",
    };
    let text = format!(
        "segmentation = 'inline'\nheadline = '{headline}'\n[[step]]\nmethod = 'forest'\ncomments = '{comments}'\nbeta = '{beta}'\n"
    );
    Ok(Pipeline::parse(
        &warcsieve_papers::METHODS,
        "settings",
        &text,
    )?)
}

impl Measured {
    /// The scores of a pipeline.
    pub fn of(&self, pipeline: &str) -> &[Scores] {
        let at = shipped().position(|p| p.name == pipeline);
        at.map_or(&[], |at| &self.scores[at])
    }
}

/// Measures all built-in pipelines, set by set.
pub fn measure(job: &Job) -> Result<Vec<Measured>> {
    let pipelines: Vec<Pipeline> = shipped()
        .map(|pipeline| Pipeline::built_in(&warcsieve_papers::METHODS, pipeline.name))
        .collect::<warcsieve_common::Result<_>>()?;
    let mut all = Vec::new();
    for set in &SETS {
        let settings = SETTINGS.map(|settings| with_settings(set, settings));
        let settings = settings.into_iter().collect::<Result<Vec<_>>>()?;
        let both = [&pipelines[..], &settings[..]].concat();
        let gold = Gold::Texts(job.corpora.gold_of(set.corpus, set.variant)?);
        let evaluation = evaluate(&job.corpora.inputs(set.corpus)?, &gold, &both)?;
        let of = |p: usize| evaluation.pages.iter().map(move |page| page.scores[p].bag);
        let left_out = left_out(&evaluation).into_iter();
        all.push(Measured {
            scores: (0..pipelines.len()).map(|p| of(p).collect()).collect(),
            settings: (pipelines.len()..both.len())
                .map(|p| of(p).collect())
                .collect(),
            left_out: left_out
                .flat_map(|(what, lines)| lines.into_iter().map(move |l| format!("{what}: {l}")))
                .collect(),
        });
        job.say(set.name);
    }
    Ok(all)
}

/// The mean of one of the scores.
pub fn mean(scores: &[Scores], of: fn(&Scores) -> f64) -> f64 {
    let values: Vec<f64> = scores.iter().map(of).collect();
    stats::mean(&values).unwrap_or_default()
}
