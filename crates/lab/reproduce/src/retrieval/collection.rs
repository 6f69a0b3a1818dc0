//! The experiment on a crawl of your own.

use super::figure7::Figure7;
use super::published::TABLE3;
use super::runs::{METHODS, Sought, all, figures, published_rows};
use super::shelf::Shelf;
use crate::Result;
use crate::job::Job;
use crate::old::table;
use std::path::Path;
use warcsieve_engine::{Naming, list_inputs};
use warcsieve_retrieval::measures::Measure;
use warcsieve_retrieval::qrels::Qrels;
use warcsieve_retrieval::topics;
use warcsieve_store::Stores;

/// The measures of Table 3.
const MEASURES: [Measure; 5] = [
    Measure::Precision(10),
    Measure::Recall(10),
    Measure::F1OfMeans(10),
    Measure::Map,
    Measure::Ndcg(None),
];
/// Index of MAP.
const GAIN: usize = 3;

pub fn write(job: &Job) -> Result {
    let [topics, qrels] = &job.more[..] else {
        return Err("usage: reproduce collection CRAWL PAGES SCRATCH TOPICS QRELS".into());
    };
    let topics = topics::read(Path::new(topics))?;
    let qrels = Qrels::read(Path::new(qrels))?;
    let crawl = job.corpora.folder().display().to_string();
    let shelf = Shelf {
        inputs: list_inputs(&[crawl], &Naming::default(), &Stores::default())?,
        scratch: job.scratch("collection")?,
        headlines: None,
        parts: Vec::new(),
    };
    let sought = Sought {
        topics: &topics,
        hits: 1_000,
    };
    let methods: Vec<usize> = (0..METHODS.len()).collect();
    let searched = all(&shelf, &published_rows(), &methods, sought, |name| {
        job.say(name)
    })?;
    let figure = Figure7 {
        sought,
        qrels: &qrels,
        measures: [Measure::Precision(10), Measure::Ndcg(Some(10))],
    };
    let sliding = figure.write(&shelf, &job.figures("collection")?.join("figure-7.svg"))?;
    let rows: Vec<_> = searched.iter().collect();
    let text = format!(
        "# Does cleaning help search?\n\n{} topics, of which {} are judged.\n\n\
         ## In the form of Table 3 of Vogels et al. 2018\n\n{}\n\
         `*` means: differs from raw content. `†` means: better than every other row. Both are decided by Wilcoxon's signed-rank test, α = .05. \
         F1@10 is computed from the means of P@10 and R@10, as in the paper.\n\n\
         The paper reports on ClueWeb12, with the 50 topics of the Web Track 2013:\n\n{}\n\
         ## In the form of Figure 7 of Kohlschütter et al. 2010\n\n![Figure 7](collection/figure-7.svg)\n\n{sliding}\n\
         The paper reports on BLOGS06, with the 50 topics of the Blog Track 2006: P@10 is .18 for all text, .44 from 11 words on, \
         .32 from a text density of 14 on, and .33 for BTE.\n",
        topics.len(),
        qrels.topics.len(),
        figures(&rows, &methods, &qrels, &MEASURES, GAIN),
        published(),
    );
    job.page("collection.md", &text)
}

/// Table 3 as printed in the paper.
pub fn published() -> String {
    let mut rows = Vec::new();
    for (i, part) in ["CW12-A QL", "CW12-A RM", "CW12-B QL", "CW12-B RM"]
        .iter()
        .enumerate()
    {
        for method in &TABLE3 {
            let mut row = vec![(*part).to_owned(), method.name.to_owned()];
            let printed = |f: Option<f64>| f.map_or("–".to_owned(), |f| format!("{f:.3}"));
            row.extend(method.figures(i).map(printed));
            row.push(format!(
                "{:+.1} %",
                100.0 * (method.map(i) / TABLE3[0].map(i) - 1.0)
            ));
            rows.push(row);
        }
    }
    let head = [
        "",
        "Method",
        "P@10",
        "R@10",
        "F1@10",
        "MAP",
        "nDCG",
        "MAP against raw",
    ];
    table(&head, &rows)
}
