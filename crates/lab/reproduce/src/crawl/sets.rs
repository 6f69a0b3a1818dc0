//! The labelled sets, each treated as a crawl.

use super::rules::{Rule, rules, table_of};
use crate::accuracy::out_of_fold::{self, OutOfFold};
use crate::accuracy::sets::{MEAN, Set, scores, sets};
use crate::scores::better_and_worse;
use crate::{Job, Page, Result, points, row, table};
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use warcsieve_common::host;
use warcsieve_engine::Input;
use warcsieve_eval::pages::Gold;
use warcsieve_eval::run::evaluate;
use warcsieve_eval::stats::{mean, randomization};
use warcsieve_model::Forest;
use warcsieve_warc::WarcReader;

/// Word F1 of the pages of a set, for each rule.
type ByRule = Vec<Vec<f64>>;

/// A set that is treated as a crawl.
struct Crawl<'a> {
    job: &'a Job,
    folder: &'a Path,
    set: &'a Set,
    rules: &'a [Rule],
    inputs: Vec<Input>,
    table: PathBuf,
}

pub fn put(job: &Job, page: Page) -> Result<Page> {
    let (rules, sets) = (rules()?, sets()?);
    let scratch = job.scratch("crawl")?;
    let trained = out_of_fold::measure(job)?;
    let mut rows: Vec<String> = rules.iter().map(|rule| rule.name.to_owned()).collect();
    let (mut head, mut reach) = ("rule".to_owned(), "*pages in reach*".to_owned());
    let mut chance = Vec::new();
    for set in sets.iter().filter(|set| MEAN.contains(&set.name)) {
        let inputs = job.corpora.inputs(set.corpus)?;
        let crawl = Crawl {
            table: table_of(&inputs, &scratch, &format!("{}.freq", set.name))?,
            job,
            folder: &scratch,
            set,
            rules: &rules,
            inputs,
        };
        let found = match set.is_seen() {
            false => crawl.measure(None)?,
            true => crawl.held_out(&trained)?,
        };
        head = row(head, [set.name]);
        let base = &found[0];
        reach += &format!(" | {} of {}", crawl.pages_of_large_hosts()?, base.len());
        for (row, own) in rows.iter_mut().zip(&found) {
            let (better, worse) = better_and_worse(own, base);
            let f1 = points(mean(own).unwrap_or_default());
            *row += &format!(" | {f1} ({better}, {worse})");
        }
        let p = randomization(&found[1], base).map_or(1.0, |test| test.p);
        chance.push(format!("{} {p:.3}", set.name));
        job.say(set.name);
    }
    let rows = [reach].into_iter().chain(rows);
    Ok(page
        .put("sets", table(&head, rows))
        .put("chance", chance.join(", ")))
}

impl Crawl<'_> {
    /// All pages with the forest that ships, or some pages with another forest.
    fn measure(&self, only: Option<(&str, &Forest, &BTreeSet<&str>)>) -> Result<ByRule> {
        let set = self.set;
        let forest = only.map(|(name, forest, _)| (name, forest));
        let pipeline = |rule: &Rule| rule.pipeline(self.folder, set.pipeline, &self.table, forest);
        let pipelines: Result<Vec<_>> = self.rules.iter().map(pipeline).collect();
        let pipelines = pipelines?;
        let mut gold = self.job.corpora.gold_of(set.corpus, set.variant)?;
        if let Some((_, _, own)) = only {
            gold.retain(|page| own.contains(page.id.as_str()));
        }
        let evaluation = evaluate(&self.inputs, &Gold::Texts(gold), &pipelines)?;
        let f1 = |p| scores(&evaluation, p).iter().map(|s| s.f1).collect();
        Ok((0..pipelines.len()).map(f1).collect())
    }

    /// Each page with the forest that was learned without its domain. Pages without blocks use the forest that ships.
    fn held_out(&self, trained: &OutOfFold) -> Result<ByRule> {
        let mut all: ByRule = vec![Vec::new(); self.rules.len()];
        let mut measured = |name: &str, forest: &Forest, of: &BTreeSet<&str>| -> Result {
            let found = self.measure(Some((name, forest, of)))?;
            for (all, found) in all.iter_mut().zip(found) {
                all.extend(found);
            }
            Ok(())
        };
        let mut rest = trained.ids(0..trained.first);
        for (fold, (forest, ids)) in trained.folds().enumerate() {
            let own = &ids & &rest;
            rest = &rest - &own;
            measured(&format!("fold-{fold}.forest"), forest, &own)?;
        }
        if !rest.is_empty() {
            measured("all.forest", &trained.learned.forest, &rest)?;
        }
        Ok(all)
    }

    /// How many pages of the gold are on hosts with three or more pages.
    fn pages_of_large_hosts(&self) -> Result<usize> {
        let corpora = &self.job.corpora;
        let gold = corpora.gold_of(self.set.corpus, self.set.variant)?;
        let mut hosts: HashMap<String, usize> = HashMap::new();
        for record in WarcReader::open(corpora.file(self.set.corpus)?)? {
            let record = record?;
            let is_page = gold.find(&warcsieve_page::page_id(&record)).is_some();
            if let Some(url) = record.header("WARC-Target-URI").filter(|_| is_page) {
                let host = host(&String::from_utf8_lossy(url));
                *hosts.entry(host).or_default() += 1;
            }
        }
        Ok(hosts.values().filter(|pages| **pages >= 3).sum())
    }
}
