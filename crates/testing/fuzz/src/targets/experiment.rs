//! Files of experiments: topics, judgements, runs and gold.
//!
//! Errors name the file, ids are usable, and a run that was written can be read back.
//!
//! The first byte selects the kind.

use crate::Target;
use crate::digest::choice;
use crate::seeds::files;
use std::collections::HashSet;
use warcsieve_eval::gold::{self, GoldOptions};
use warcsieve_retrieval::measures::{Options, measure};
use warcsieve_retrieval::qrels::Qrels;
use warcsieve_retrieval::run::Run;
use warcsieve_retrieval::topics;

/// The target.
pub const TARGET: Target = Target {
    name: "experiment",
    check,
    seeds,
    max_len: 2048,
    fair: 2000.0,
};

const NAME: &str = "file";

fn check(input: &[u8]) {
    let (kind, file) = choice(input);
    let done = match kind % 4 {
        0 => topics::read_from(NAME, file).map(|topics| check_topics(&topics)),
        1 => Qrels::read_from(NAME, file).map(|qrels| check_qrels(&qrels)),
        2 => Run::read_from(NAME, file).map(|run| check_run(&run)),
        _ => gold::read_from(NAME, file, GoldOptions::default()).map(|set| {
            for (i, page) in set.pages.iter().enumerate() {
                assert_eq!(set.find(&page.id), Some(i));
            }
        }),
    };
    if let Err(error) = done {
        let error = error.to_string();
        assert!(error.starts_with("file:"), "{error}");
    }
}

fn check_topics(topics: &[topics::Topic]) {
    let mut ids = HashSet::new();
    for topic in topics {
        assert!(!topic.id.is_empty() && !topic.id.contains(char::is_whitespace));
        assert!(!topic.title.is_empty() && ids.insert(&topic.id));
    }
    assert!(!topics.is_empty());
}

fn check_run(run: &Run) {
    let mut text = Vec::new();
    run.write(&mut text).unwrap();
    let mut again = Run::read_from(NAME, &*text).unwrap();
    if run.topics.is_empty() {
        again.tag.clone_from(&run.tag);
    }
    assert_eq!(again, *run);
}

/// Measures the run that ranks every judged page.
fn check_qrels(qrels: &Qrels) {
    let topics = qrels.topics.iter().map(|(topic, judged)| {
        let hit = |docno: &String| warcsieve_retrieval::run::Hit {
            docno: docno.clone(),
            score: docno.len() as f32,
        };
        let mut hits: Vec<_> = judged.keys().map(hit).collect();
        hits.sort_unstable_by(warcsieve_retrieval::run::Hit::by_rank);
        (topic.clone(), hits)
    });
    let run = Run {
        tag: "x".to_owned(),
        topics: topics.collect(),
    };
    measure(&[("x", &run)], qrels, &Options::default());
}

const TOPICS: [&str; 4] = [
    "<top>\n<num> Number: 401\n<title> foreign minorities\n<desc> Description:\nWhat?\n<narr>\nA page &amp; more\n</top>\n",
    "<webtrack2014><topic number='1' type='faceted'><query>a b</query><description>c</description></topic></webtrack2014>",
    "1\tsome words\n2\tother words\n",
    "wt09-1:obama family tree\n2:b\n",
];

fn seeds() -> Vec<Vec<u8>> {
    let mut inputs: Vec<(u8, Vec<u8>)> = TOPICS.map(|text| (0, text.into())).into();
    for (path, text) in files("testdata/retrieval") {
        let kind = match path.extension().and_then(|e| e.to_str()) {
            Some("qrels") => 1,
            Some("run") => 2,
            _ => continue,
        };
        inputs.push((kind, text[..text.len().min(1500)].to_vec()));
    }
    let gold = concat!(
        r#"{"id": "a", "url": "http://a/", "page_type": "article", "gold": "<h> Some\n<p> text", "#,
        r#""gold_main": "text", "comments": "c"}"#,
        "\n",
        r#"{"id": "b", "gold": ""}"#
    );
    inputs.push((3, gold.into()));
    inputs
        .into_iter()
        .map(|(kind, file)| [&[kind], &file[..]].concat())
        .collect()
}
