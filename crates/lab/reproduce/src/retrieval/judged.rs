//! The experiment on judged topics over the corpora: Table 3 of Vogels et al. 2018, Figure 7 of Kohlschütter et al.
//! 2010, and the weights of the preset `soft`.

use super::cleaned_crawl::{CleanedCrawl, PIPELINE};
use super::figure7::Figure7;
use super::held_out;
use super::published::{self, RAW};
use super::runs::{
    ALL, BM25, Columns, DEFAULT, LIKELIHOOD, METHODS, Queries, Searched, all, figures, gained,
    published_rows, searched, shown, shown_p, values,
};
use super::weights::{Soft, banded, learn};
use crate::corpora::LEARNED_FROM;
use crate::scores::better_and_worse;
use crate::unfluff::{self, UNFLUFF};
use crate::{Job, Result, page, row, table};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use warcsieve_eval::stats::mean;
use warcsieve_retrieval::index::{IndexSettings, IndexedText};
use warcsieve_retrieval::measures::{Measure, Test};
use warcsieve_retrieval::qrels::Qrels;
use warcsieve_retrieval::run::Run;
use warcsieve_retrieval::search::{Scope, Weights};
use warcsieve_retrieval::shards::Shard;
use warcsieve_retrieval::topics::{self, Topic};
use warcsieve_retrieval::tune::Tuning;

/// The sets whose pages were judged.
const SETS: [&str; 6] = [
    "wcxb-dev",
    "l3s-gn1",
    "cleaneval-test",
    "cleaneval-train",
    "dragnet-a",
    "readability",
];

/// Weights for a topic are chosen on the topics of the other folds.
const FOLDS: usize = 5;

const PRESET: &str = "`soft`";
const HELD_OUT: &str = "soft, held out";
const GOLD: &str = "gold text";

/// The row after that of Unfluff in Table 3.
const AFTER_UNFLUFF: &str = "Web2Text";
/// What is said of Unfluff.
const RUN: &str = "Unfluff is a program for Node.js. Its text of a page is indexed in place of the page's text, as the gold text is.";
const NOT_RUN: &str = "Unfluff, a program for Node.js, was not run.";

/// What is said of the preset.
const SAME: &str = "The preset `soft` has exactly these weights.";
const OTHER: &str = "**The preset `soft` has other weights.**";

/// Those of Table 3. The paper computes F1@10 from means.
const fn columns(level: i32) -> Columns {
    Columns {
        measures: "P@10 R@10 F1-of-means@10 MAP nDCG@10 judged@10",
        gain: "MAP",
        level,
        test: Test::Randomization,
        p: true,
    }
}

pub fn write(job: &Job) -> Result {
    let [folder] = &job.more[..] else {
        return Err("usage: reproduce judged CORPORA PAGES SCRATCH JUDGED".into());
    };
    let topics = topics::read(&Path::new(folder).join("topics.sgml"))?;
    let qrels = Qrels::read(&Path::new(folder).join("qrels.txt"))?;
    let queries = Queries {
        topics: &topics,
        hits: 1_000,
    };
    let inputs = SETS.iter().map(|set| job.corpora.inputs(set));
    let scratch = job.scratch("judged")?;
    let crawl = CleanedCrawl {
        inputs: inputs.collect::<Result<Vec<_>>>()?.concat(),
        parts: held_out::pipelines(job)?,
        scratch,
        headlines: None,
    };
    let mut found = all(job, &crawl, &published_rows()?, &ALL, queries)?;
    let shards = crawl.shards(PIPELINE)?;
    let learned_from = ids(job, &LEARNED_FROM)?;
    let fold = folds(&topics);
    let open = judgements(&qrels, 1, |id| learned_from.contains(id));
    let soft = soft(&crawl, &shards, &topics, &open, fold)?;
    job.say("weights");
    found.push(soft.preset(PRESET, queries)?);
    found.push(soft.held_out(HELD_OUT, queries)?);
    found.push(replaced(GOLD, &gold(job)?, &crawl, &shards, queries)?);
    job.say(GOLD);
    let how = match unfluff::texts(job, &SETS)? {
        None => NOT_RUN,
        Some(texts) => {
            let own = replaced(UNFLUFF, &texts, &crawl, &shards, queries)?;
            let place = found.iter().position(|row| row.name == AFTER_UNFLUFF);
            found.insert(place.unwrap_or(found.len()), own);
            job.say(UNFLUFF);
            RUN
        }
    };
    let figure = Figure7 {
        queries,
        qrels: &qrels,
        measures: &[
            Measure::Precision(10),
            Measure::Map,
            Measure::Ndcg(Some(10)),
            Measure::Judged(10),
        ],
    };
    let page = figure.put(job, page!("judged.md"), &crawl, "judged/figure-7.svg")?;
    let is_new = |id: &str| !learned_from.contains(id);
    let of_new = only(&found, is_new);
    let part = |found: &[Searched], level, is_new: &dyn Fn(&str) -> bool| {
        let qrels = judgements(&qrels, level, is_new);
        let rows: Vec<_> = found.iter().collect();
        Result::Ok((
            qrels.topics.len(),
            figures(&rows, &ALL, &qrels, &columns(level))?,
        ))
    };
    let every = |_: &str| true;
    let (_, all_1) = part(&found, 1, &every)?;
    let (topics_2, all_2) = part(&found, 2, &every)?;
    let (new_topics_1, new_1) = part(&of_new, 1, &is_new)?;
    let (new_topics_2, new_2) = part(&of_new, 2, &is_new)?;
    let new = judgements(&qrels, 1, is_new);
    let pages: u64 = shards.iter().map(Shard::pages).sum();
    let page = page
        .put("pages", pages)
        .put("unfluff", how)
        .put("topics", topics.len())
        .put("judgements", count(&qrels))
        .put("new judgements", count(&new))
        .put("cleaned", compared(&found, &qrels, [RAW, DEFAULT])?)
        .put("cleaned, new", compared(&of_new, &new, [RAW, DEFAULT])?)
        .put("held out", compared(&found, &qrels, [DEFAULT, HELD_OUT])?)
        .put("preset", compared(&found, &qrels, [DEFAULT, PRESET])?)
        .put("preset, new", compared(&of_new, &new, [DEFAULT, PRESET])?)
        .put("open topics", open.topics.len())
        .put("open judgements", count(&open))
        .put("folds", FOLDS)
        .put("weights", weights(&soft))
        .put("is preset", preset(&soft))
        .put("least", least(&found, &qrels))
        .put("all, grade 1", all_1)
        .put("all, grade 2", all_2)
        .put("new, grade 1", new_1)
        .put("new, grade 2", new_2)
        .put("topics of grade 2", topics_2)
        .put("new topics", new_topics_1)
        .put("new topics of grade 2", new_topics_2)
        .put("table 3", published::printed()?);
    job.write(&page)
}

/// The ids of the judged sets among some sets.
fn ids(job: &Job, sets: &[&str]) -> Result<HashSet<String>> {
    let mut ids = HashSet::new();
    for set in sets.iter().filter(|set| SETS.contains(set)) {
        let pages = job.corpora.gold(set)?.pages;
        ids.extend(pages.into_iter().map(|page| page.id));
    }
    Ok(ids)
}

/// The fold of each topic: in turn, in the order of the file.
fn folds(topics: &[Topic]) -> HashMap<&str, usize> {
    let topics = topics.iter().enumerate();
    topics
        .map(|(at, topic)| (topic.id.as_str(), at % FOLDS))
        .collect()
}

/// The judgements of some pages, for the topics that have one of at least this grade among them.
fn judgements(qrels: &Qrels, level: i32, counts: impl Fn(&str) -> bool) -> Qrels {
    let topics = qrels.topics.iter().map(|(topic, grades)| {
        let grades = grades.iter().filter(|(id, _)| counts(id));
        let grades: HashMap<_, _> = grades.map(|(id, grade)| (id.clone(), *grade)).collect();
        (topic.clone(), grades)
    });
    let is_searched = |grades: &HashMap<String, i32>| grades.values().any(|&grade| grade >= level);
    Qrels {
        topics: topics.filter(|(_, grades)| is_searched(grades)).collect(),
    }
}

fn count(qrels: &Qrels) -> usize {
    qrels.topics.iter().map(|(_, grades)| grades.len()).sum()
}

/// The same searches without the results that do not count.
fn only(found: &[Searched], counts: impl Fn(&str) -> bool) -> Vec<Searched> {
    let of_run = |run: &Run| {
        let mut run = run.clone();
        for (_, hits) in &mut run.topics {
            hits.retain(|hit| counts(&hit.docno));
        }
        run
    };
    let of = |searched: &Searched| Searched {
        name: searched.name.clone(),
        terms: searched.terms,
        runs: (searched.runs.iter())
            .map(|(method, run)| (*method, of_run(run)))
            .collect(),
    };
    found.iter().map(of).collect()
}

/// Learns weights on the pages whose licence allows it, for all pages. A weight for what others may use must not depend
/// on pages that are for research only, so these are not in the index in which the weights are learned.
fn soft<'t>(
    crawl: &CleanedCrawl<'_>,
    shards: &[Shard],
    topics: &'t [Topic],
    open: &Qrels,
    fold: HashMap<&'t str, usize>,
) -> Result<Soft<'t>> {
    let is_open = |shard: &&Shard| {
        let set = shard.name.split('.').next();
        LEARNED_FROM.iter().any(|open| Some(*open) == set)
    };
    let of_open: Vec<Shard> = shards.iter().filter(is_open).cloned().collect();
    let index = crawl.index("open-bands", &of_open, &banded())?;
    let tuning = Tuning {
        index: &index,
        topics,
        qrels: open,
        method: METHODS[LIKELIHOOD].1,
        measure: Measure::Map,
        hits: 1_000,
        title: true,
    };
    let tuned = learn(&tuning, FOLDS, &fold)?;
    Ok(Soft::new(
        crawl.index("bands", shards, &banded())?,
        fold,
        tuned,
    ))
}

/// The gold text of each page, by id.
fn gold(job: &Job) -> Result<HashMap<String, String>> {
    let mut gold = HashMap::new();
    for set in SETS {
        let pages = job.corpora.gold(set)?.pages;
        gold.extend(pages.into_iter().map(|page| (page.id, page.text)));
    }
    Ok(gold)
}

/// Searches texts that take the place of those of the pages, with the titles of the pages.
fn replaced(
    name: &str,
    texts: &HashMap<String, String>,
    crawl: &CleanedCrawl<'_>,
    shards: &[Shard],
    queries: Queries<'_>,
) -> Result<Searched> {
    // The text takes the place of the first block; the others are empty.
    let replace = |id: &str, blocks: &[&str]| {
        let mut text = texts.get(id);
        let own = blocks
            .iter()
            .map(|_| text.take().cloned().unwrap_or_default());
        own.collect()
    };
    let raw = IndexSettings {
        text: IndexedText::Raw,
        ..IndexSettings::default()
    };
    let index = crawl.edited(name, shards, &raw, Some(&replace))?;
    searched(name, &index, |_| Scope::Body, &ALL, queries)
}

/// MAP of one text and of another, by ranking method.
fn compared(found: &[Searched], qrels: &Qrels, names: [&str; 2]) -> Result<String> {
    let of = |name: &str| {
        let found = found.iter().find(|searched| searched.name == name);
        found.ok_or_else(|| format!("{name} is not searched"))
    };
    let (base, own) = (of(names[0])?, of(names[1])?);
    let line = |m: usize| {
        let [base, own] = [base, own].map(|of| values(&of.runs[&m], qrels, Measure::Map));
        let (better, worse) = better_and_worse(&own, &base);
        let [from, to] = [&base, &own].map(|values| mean(values).unwrap_or(0.0));
        let name = format!("{} | {} | {}", METHODS[m].0, shown(&base), shown(&own));
        let p = shown_p(Test::Randomization.p(&own, &base));
        row(
            name,
            [gained(to, from), better.to_string(), worse.to_string(), p],
        )
    };
    let [base, own] = names;
    let head = format!("model | MAP {base} | MAP {own} | difference | better | worse | p");
    Ok(table(&head, ALL.map(line)))
}

/// For each ranking method, the cleaned text with the least mean R@10.
fn least(found: &[Searched], qrels: &Qrels) -> String {
    let of = |number: usize| {
        let recall = |own: &&Searched| {
            let values = values(&own.runs[&number], qrels, Measure::Recall(10));
            mean(&values).unwrap_or(0.0)
        };
        let cleaned = found.iter().filter(|own| own.name != RAW);
        let least = cleaned.min_by(|a, b| recall(a).total_cmp(&recall(b)));
        format!(
            "{} ({})",
            least.map_or("", |own| &own.name),
            METHODS[number].0
        )
    };
    ALL.map(of).join(", ")
}

/// The weights of each fold, and those that were chosen on all topics.
fn weights(soft: &Soft) -> String {
    let folds: Vec<String> = (1..=FOLDS).map(|fold| format!("without {fold}")).collect();
    let folds: Vec<&str> = folds.iter().map(String::as_str).collect();
    let mut rows = soft.rows(&folds);
    for number in [LIKELIHOOD, BM25] {
        let (name, method) = METHODS[number];
        let tuned = soft.tuned(&method);
        let topics = tuned.unweighted.len();
        rows.push(format!(
            "{name} | all | {topics} |  |  | `{}`",
            tuned.weights
        ));
    }
    let head =
        "model | chosen on the folds | topics of the fold | all weights 1 | MAP held out | weights";
    table(head, rows)
}

fn preset(soft: &Soft) -> &'static str {
    let is_same = |number: usize| {
        let method = METHODS[number].1;
        Weights::soft(method.model) == soft.tuned(&method).weights
    };
    match [LIKELIHOOD, BM25].into_iter().all(is_same) {
        true => SAME,
        false => OTHER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_topic_without_a_relevant_page_that_counts_is_left_out() {
        let file = "1 0 a 1\n1 0 b 2\n2 0 a 3\n2 0 b 0\n3 0 b 1\n";
        let qrels = Qrels::read_from("q", file.as_bytes()).unwrap();
        let of = |level, counts: &dyn Fn(&str) -> bool| {
            let found = judgements(&qrels, level, counts);
            let topics = found.topics.iter().map(|(topic, _)| topic.as_str());
            (topics.collect::<String>(), count(&found))
        };
        assert_eq!(of(1, &|_| true), ("123".to_owned(), 5));
        assert_eq!(of(2, &|_| true), ("12".to_owned(), 4));
        assert_eq!(of(1, &|id| id == "b"), ("13".to_owned(), 2));
    }
}
