//! What each rule of the default adds, measured by switching it off.

use crate::corpora::{LEARNED_FROM, OTHERS, evaluate_all, mean, shipped_text};
use crate::{Job, Result, difference, points, row, table};
use warcsieve_classify::expected_f::Comments;
use warcsieve_eval::pages::Gold;
use warcsieve_extract::Pipeline;

/// Keys of the pipeline that switch a rule off.
const KEYS: [&str; 4] = [
    "headline = \"drop\"",
    "code = \"labels\"",
    "copies = \"labels\"",
    "outside = \"labels\"",
];

/// Parameters of the step `forest` that switch a rule off.
const PARAMETERS: [&str; 2] = ["forum_posts = \"comments\"", "least_tokens = 0"];

/// One row per rule, with the difference from the default that ships.
pub fn rules(job: &Job) -> Result<String> {
    let mut rows = vec!["default".to_owned()];
    rows.extend(KEYS.iter().chain(&PARAMETERS).map(|off| format!("`{off}`")));
    let learned = LEARNED_FROM.map(|corpus| (corpus, Comments::Drop));
    let sets: Vec<_> = OTHERS.into_iter().chain(learned).collect();
    for (corpus, comments) in &sets {
        let base = match comments {
            Comments::Drop => "default",
            Comments::Keep => "default-comments",
        };
        let gold = Gold::Texts(job.corpora.gold(corpus)?);
        let evaluation = evaluate_all(&job.corpora.inputs(corpus)?, &gold, &pipelines(base)?)?;
        let f1 = |at| mean(&evaluation, at, "f1", &[]);
        let default = f1(0)?;
        rows[0] = row(&rows[0], [points(default)]);
        for (at, line) in (1..).zip(&mut rows[1..]) {
            *line = row(&line, [difference(f1(at)? - default)]);
        }
        job.say(corpus);
    }
    Ok(table(&row("", sets.iter().map(|(corpus, _)| corpus)), rows))
}

/// The pipeline, then the pipeline without each of the rules.
fn pipelines(base: &str) -> Result<Vec<Pipeline>> {
    let text = shipped_text(base)?;
    let parse = |name: &str, text: &str| Pipeline::parse(&warcsieve_papers::METHODS, name, text);
    let mut pipelines = vec![parse(base, text)?];
    for key in KEYS {
        pipelines.push(without(parse(key, text)?, key)?);
    }
    for parameter in PARAMETERS {
        // The step is the last table of the file.
        pipelines.push(parse(parameter, &format!("{text}{parameter}\n"))?);
    }
    Ok(pipelines)
}

/// The pipeline with a key that switches a rule off.
pub fn without(mut pipeline: Pipeline, key: &str) -> Result<Pipeline> {
    pipeline.set(key)?;
    match pipeline.set.is_empty() {
        true => Err(format!("`{key}` changes nothing: the rule is off already").into()),
        false => Ok(pipeline),
    }
}
