//! The sets, and the scores of every built-in pipeline on their pages.

use crate::corpora::{LEARNED_FROM, built_in, shipped};
use crate::{Job, Result, data};
use warcsieve_eval::gold::Variant;
use warcsieve_eval::pages::Gold;
use warcsieve_eval::report::left_out;
use warcsieve_eval::run::{Evaluation, evaluate};
use warcsieve_eval::score::Scores;
use warcsieve_extract::Pipeline;

/// Pages with gold, and whether the gold includes readers' comments.
pub struct Set {
    pub name: &'static str,
    pub corpus: &'static str,
    pub variant: Variant,
    /// Which of the two default pipelines has the same convention on comments as the gold.
    pub pipeline: &'static str,
    pub about: &'static str,
}

/// The sets over which means are computed.
pub const MEAN: [&str; 4] = ["wcxb-dev", "cleaneval-test", "l3s-gn1", "dragnet-a"];

/// All sets.
pub fn sets() -> Result<Vec<Set>> {
    let sets = data!("accuracy/sets.tsv")?.rows()?.into_iter();
    let set = |[name, corpus, gold, pipeline, about]: [&'static str; 5]| Set {
        name,
        corpus,
        variant: match gold {
            "with comments" => Variant::Both,
            _ => Variant::Gold,
        },
        pipeline,
        about,
    };
    Ok(sets.map(set).collect())
}

impl Set {
    /// Whether the built-in model was trained on the pages.
    pub fn is_seen(&self) -> bool {
        LEARNED_FROM.contains(&self.corpus)
    }
}

/// The scores of all pages of a set.
pub struct Measured {
    pub set: Set,
    /// By pipeline, in the order of [`shipped`]; pages in the order of the gold.
    scores: Vec<Vec<Scores>>,
    /// The scores of the set's default with other settings, by [`SETTINGS`].
    pub settings: Vec<Vec<Scores>>,
    /// What could not be read, one line each. Such pages count as empty.
    pub left_out: Vec<String>,
}

/// Settings that replace the default's: the weight of recall, and whether the headline is kept.
pub type Setting = (&'static str, &'static str);

pub const SETTINGS: [Setting; 4] = [
    ("precision", "keep"),
    ("balanced", "keep"),
    ("recall", "keep"),
    ("balanced", "drop"),
];

/// The pipeline of a set with other settings.
fn with_setting(set: &Set, (beta, headline): Setting) -> Result<Pipeline> {
    let comments = match set.pipeline {
        "default-comments" => "keep",
        _ => "drop",
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
    let pipelines = built_in(shipped().map(|p| p.name))?;
    let mut all = Vec::new();
    for set in sets()? {
        let settings = SETTINGS.map(|setting| with_setting(&set, setting));
        let settings = settings.into_iter().collect::<Result<Vec<_>>>()?;
        let both = [&pipelines[..], &settings[..]].concat();
        let gold = Gold::Texts(job.corpora.gold_of(set.corpus, set.variant)?);
        let evaluation = evaluate(&job.corpora.inputs(set.corpus)?, &gold, &both)?;
        let mut scores: Vec<_> = (0..both.len()).map(|p| scores(&evaluation, p)).collect();
        let mut missing = Vec::new();
        for (what, lines) in left_out(&evaluation) {
            missing.extend(lines.iter().map(|line| format!("{what}: {line}")));
        }
        job.say(set.name);
        all.push(Measured {
            settings: scores.split_off(pipelines.len()),
            scores,
            left_out: missing,
            set,
        });
    }
    Ok(all)
}

/// The scores of a pipeline on each page.
pub fn scores(evaluation: &Evaluation, pipeline: usize) -> Vec<Scores> {
    let pages = evaluation.pages.iter();
    pages.map(|page| page.scores[pipeline].bag).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sets_are_those_of_the_means_and_more() {
        let sets = sets().unwrap();
        let names: Vec<_> = sets.iter().map(|set| set.name).collect();
        assert!(MEAN.iter().all(|name| names.contains(name)));
        let pipelines: Vec<_> = shipped().map(|p| p.name).collect();
        assert!(sets.iter().all(|set| pipelines.contains(&set.pipeline)));
        assert!(
            sets.iter()
                .all(|set| with_setting(set, SETTINGS[3]).is_ok())
        );
    }
}
