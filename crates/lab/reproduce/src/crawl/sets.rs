//! The labelled sets, each taken for a crawl.

use super::{RULES, count, pipeline};
use crate::Result;
use crate::accuracy::out_of_fold;
use crate::accuracy::sets::{LEARNED_FROM, MEAN, SETS, Set, mean};
use crate::job::Job;
use crate::old::{points, table};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;
use warcsieve_common::host;
use warcsieve_engine::Input;
use warcsieve_eval::pages::Gold;
use warcsieve_eval::run::evaluate;
use warcsieve_eval::score::Scores;
use warcsieve_eval::stats::randomization;
use warcsieve_model::Forest;
use warcsieve_warc::WarcReader;

/// The scores of the pages of a set by each of [`RULES`].
type ByRule = Vec<Vec<Scores>>;

pub fn write(job: &Job) -> Result<String> {
    let scratch = job.scratch("crawl")?;
    let trained = out_of_fold::measure(job)?;
    let sets: Vec<&Set> = SETS.iter().filter(|set| MEAN.contains(&set.name)).collect();
    let mut rows: Vec<Vec<String>> = RULES.iter().map(|r| vec![r.about.to_owned()]).collect();
    let mut head = vec!["rule".to_owned()];
    let mut reach = Vec::new();
    let mut tests = Vec::new();
    for set in &sets {
        let inputs = job.corpora.inputs(set.corpus)?;
        count(&inputs, &scratch, &format!("{}.freq", set.name))?;
        let found = match set.is_seen() {
            false => measure(job, &scratch, set, &inputs, None)?,
            true => held_out(job, &scratch, set, &inputs, &trained)?,
        };
        let in_reach = in_reach(job, set)?;
        head.push(set.name.to_owned());
        reach.push(format!("{in_reach} of {}", found[0].len()));
        let base: Vec<f64> = found[0].iter().map(|s| s.f1).collect();
        for (row, scores) in rows.iter_mut().zip(&found) {
            let own: Vec<f64> = scores.iter().map(|s| s.f1).collect();
            let count = |is: fn(f64, f64) -> bool| {
                own.iter()
                    .zip(&base)
                    .filter(|(own, base)| is(**own, **base))
                    .count()
            };
            let (better, worse) = (count(|a, b| a > b), count(|a, b| a < b));
            row.push(format!(
                "{} ({better}, {worse})",
                points(mean(scores, |s| s.f1))
            ));
        }
        let shipped: Vec<f64> = found[1].iter().map(|s| s.f1).collect();
        let p = randomization(&shipped, &base).map_or(1.0, |test| test.p);
        tests.push(format!("{} {p:.3}", set.name));
        job.say(set.name);
    }
    let mut first = vec!["*pages in reach*".to_owned()];
    first.extend(reach);
    rows.insert(0, first);
    Ok(format!(
        "{}\nThe probability of a difference as large as that of `default-crawl` by chance alone is (randomization): {}.\n",
        table(&head, &rows),
        tests.join(", ")
    ))
}

fn measure(
    job: &Job,
    scratch: &Path,
    set: &Set,
    inputs: &[Input],
    only: Option<(&str, &Forest, &BTreeSet<&str>)>,
) -> Result<ByRule> {
    let table = std::path::absolute(scratch.join(format!("{}.freq", set.name)))?;
    let forest = only.map(|(name, forest, _)| (name, forest));
    let pipelines = RULES.map(|rule| pipeline(scratch, set.pipeline, rule, &table, forest));
    let pipelines = pipelines.into_iter().collect::<Result<Vec<_>>>()?;
    let mut gold = job.corpora.gold_of(set.corpus, set.variant)?;
    if let Some((_, _, own)) = only {
        gold.retain(|page| own.contains(page.id.as_str()));
    }
    let evaluation = evaluate(inputs, &Gold::Texts(gold), &pipelines)?;
    let of = |p: usize| {
        evaluation
            .pages
            .iter()
            .map(|page| page.scores[p].bag)
            .collect()
    };
    Ok((0..RULES.len()).map(of).collect())
}

/// Each page by the forest that did not see its domain; pages without blocks by the one that ships.
fn held_out(
    job: &Job,
    scratch: &Path,
    set: &Set,
    inputs: &[Input],
    trained: &out_of_fold::OutOfFold,
) -> Result<ByRule> {
    let mut all: ByRule = vec![Vec::new(); RULES.len()];
    let pages = &trained.pages().pages;
    let ids = |of: &[usize]| -> BTreeSet<&str> {
        of.iter()
            .map(|page| pages[*page].text.id.as_str())
            .collect()
    };
    let own = trained.count(LEARNED_FROM[0]);
    let mut rest: BTreeSet<&str> = ids(&(0..own).collect::<Vec<_>>());
    let mut measured = |forest: (&str, &Forest), of: &BTreeSet<&str>| -> Result {
        let (name, forest) = forest;
        let found = measure(job, scratch, set, inputs, Some((name, forest, of)))?;
        for (all, found) in all.iter_mut().zip(found) {
            all.extend(found);
        }
        Ok(())
    };
    for (fold, held_out) in trained.held_out().iter().enumerate() {
        let of: BTreeSet<&str> = ids(&held_out.pages).intersection(&rest).copied().collect();
        rest = &rest - &of;
        measured((&format!("fold-{fold}.forest"), &held_out.forest), &of)?;
    }
    if !rest.is_empty() {
        measured(("all.forest", trained.forest()), &rest)?;
    }
    Ok(all)
}

/// How many pages of the gold are of hosts with three or more.
fn in_reach(job: &Job, set: &Set) -> Result<usize> {
    let gold = job.corpora.gold_of(set.corpus, set.variant)?;
    let mut hosts: HashMap<String, usize> = HashMap::new();
    for record in WarcReader::open(job.corpora.file(set.corpus)?)? {
        let record = record?;
        let is_page = gold.find(&warcsieve_page::page_id(&record)).is_some();
        if let Some(url) = record.header("WARC-Target-URI").filter(|_| is_page) {
            *hosts
                .entry(host(&String::from_utf8_lossy(url)))
                .or_default() += 1;
        }
    }
    Ok(hosts.values().filter(|pages| **pages >= 3).sum())
}
