//! The experiment on the corpora: known items.

use super::collection::published;
use super::figure7::Figure7;
use super::headlines::MIN_TERMS;
use super::items::{Items, SOUGHT};
use super::runs::{
    BM25, DEFAULT, METHODS, PIPELINE, Searched, all, figures, other_rows, published_rows,
};
use super::shelf::Shelf;
use super::soft::Soft;
use crate::Result;
use crate::job::Job;
use crate::page::table;
use warcsieve_retrieval::measures::{Measure, Options, Test, measure};
use warcsieve_retrieval::qrels::Qrels;

const MEASURES: [Measure; 4] = [
    Measure::Mrr,
    Measure::Success(1),
    Measure::Success(10),
    Measure::Ndcg(Some(10)),
];
/// The row of weighted text.
const SOFT: &str = "all text, weighted";
/// Index of MRR.
const GAIN: usize = 0;

pub fn write(job: &Job) -> Result {
    let items = Items::of(job)?;
    let both = items.qrels(|_| true);
    let parts = items.by_set();
    let by_type = items.by_type();
    let shelf = items.shelf(job)?;
    let sought = items.sought();
    let methods: Vec<usize> = (0..METHODS.len()).collect();
    let rows = published_rows();
    let mut searched = all(&shelf, &rows, &methods, sought, |name| job.say(name))?;
    let soft = Soft::learn(&shelf, &items, &shelf.shards(PIPELINE)?)?;
    searched.push(soft.row(SOFT, sought)?);
    job.say(SOFT);
    let others = all(&shelf, &other_rows(&rows), &[BM25], sought, |name| {
        job.say(name)
    })?;
    let of_bm25: Vec<Searched> = searched
        .iter()
        .map(|row| Searched {
            name: row.name.clone(),
            terms: row.terms,
            runs: vec![row.runs[BM25].clone()],
        })
        .collect();
    let figure = Figure7 {
        sought,
        qrels: &both,
        measures: [Measure::Success(10), Measure::Ndcg(Some(10))],
    };
    let sliding = figure.write(&shelf, &job.figures("retrieval")?.join("figure-7.svg"))?;
    let published_rows: Vec<_> = searched.iter().collect();
    let table = |qrels| figures(&published_rows, &methods, qrels, &MEASURES, GAIN);
    let every: Vec<_> = of_bm25.iter().chain(&others).collect();
    let [wcxb, l3s] = &parts;
    let text = TEXT
        .replace("{pages}", &pages(&shelf)?.to_string())
        .replace("{topics}", &items.topics.len().to_string())
        .replace("{first}", &parts[0].topics.len().to_string())
        .replace("{second}", &parts[1].topics.len().to_string())
        .replace("{left_out}", &items.headlines.left_out.to_string())
        .replace("{least}", &MIN_TERMS.to_string())
        .replace(
            "{tests}",
            &tests(
                &searched,
                &[("all", &both), (SOUGHT[0], wcxb), (SOUGHT[1], l3s)],
            )?,
        )
        .replace(
            "{types}",
            &tests(&searched, &by_type.each_ref().map(|(name, q)| (*name, q)))?,
        )
        .replace("{all}", &table(&both))
        .replace("{wcxb}", &table(wcxb))
        .replace("{l3s}", &table(l3s))
        .replace(
            "{every-wcxb}",
            &figures(&every, &[BM25], wcxb, &MEASURES, GAIN),
        )
        .replace(
            "{every-l3s}",
            &figures(&every, &[BM25], l3s, &MEASURES, GAIN),
        )
        .replace("{published}", &published())
        .replace("{sliding}", &sliding);
    job.page("retrieval.md", &text)
}

fn pages(shelf: &Shelf<'_>) -> Result<u64> {
    let shards = shelf.shards(PIPELINE)?;
    Ok(shards.iter().map(|s| s.pages()).sum())
}

/// The default compared with raw text, topic by topic.
fn tests(searched: &[Searched], parts: &[(&str, &Qrels)]) -> Result<String> {
    let (Some(raw), Some(cleaned)) = (
        searched.first(),
        searched.iter().find(|s| s.name == DEFAULT),
    ) else {
        return Err("no raw text, or no default".into());
    };
    let options = Options {
        measures: vec![Measure::Mrr],
        ..Options::default()
    };
    let mut rows = Vec::new();
    for (part, qrels) in parts {
        for (m, (method, _)) in METHODS.iter().enumerate() {
            let runs = [("raw", &raw.runs[m]), ("cleaned", &cleaned.runs[m])];
            let measured = measure(&runs, qrels, &options);
            let [before, after] = [0, 1].map(|r: usize| &measured.runs[r].figures[0]);
            let pairs = || before.values.iter().zip(&after.values);
            let p = |test: Test| {
                let p = test.p(&after.values, &before.values);
                p.map_or(String::new(), |p| format!("{p:.1e}"))
            };
            rows.push(vec![
                format!("{part}, {method}"),
                format!("{:.4}", before.overall),
                format!("{:.4}", after.overall),
                pairs().filter(|(b, a)| a > b).count().to_string(),
                pairs().filter(|(b, a)| a < b).count().to_string(),
                p(Test::Wilcoxon),
                p(Test::Randomization),
            ]);
        }
    }
    let head = [
        "topics",
        "MRR raw",
        "MRR cleaned",
        "better",
        "worse",
        "p (Wilcoxon)",
        "p (randomization)",
    ];
    Ok(table(&head, &rows))
}

const TEXT: &str = "\
# Does cleaning help search?

Written by `make retrieval-experiment` (the labelled corpora beside the check-out; SHARED=folder). Two papers ask it: Vogels, Ganea and
Eickhoff 2018 (Table 3, on ClueWeb12) and Kohlschütter, Fankhauser and Nejdl 2010 (§6, Figure 7, on BLOGS06). Neither collection may be
passed on, so here the question is put to *known items*; with a collection of your own, `make retrieval-experiment CRAWL=… TOPICS=… QRELS=…`
writes the same tables with the papers' measures ([retrieval.md](../retrieval.md)).

## Topics

A topic is the headline of a page, and that page is what should be found among {pages} pages of seven corpora. Headlines are the titles that the gold of
wcxb-dev tells ({first} topics, pages of 2025 of seven types) and the blocks that the annotators of L3S-GN1 called headline ({second}, news of 2008).
{left_out} pages are left out, whose headline has fewer than {least} terms or is another page's as well; pages that are left out stand in the way like
those of the other corpora.

The headline itself is kept out of what is searched of its page: no title is indexed, and whatever of the page's text stands in the
order of the headline, at least half of its terms in a row, is cut out, over the borders of blocks as well. So raw and cleaned text lose the same
words, whatever the segmentation. What other pages say, such as a link with that headline, stays.

So a page must be found by its text; raw text has more of it, its own and that of teasers of other pages. A topic has 100 results at most. All choices of ranking
are the program's defaults, and none was made on these figures.

## The default against raw text

{tests}
By type of page, of wcxb-dev:

{types}
On news, cleaning helps by every model, as in both papers. On wcxb-dev, labelled out of fold, it does not: articles are found as well as before, products, listings and
services less well. Their headline's words stand elsewhere on their own page, too: in the path of categories, in lists of attributes, beside the picture; that is boilerplate to a reader,
and to a search engine a witness. A known item also rewards whatever tells its page from all others, while judged topics ask for what a page is about; so these figures do not contradict
those of the papers on such pages, and do not confirm them.

## In the form of Table 3

`*`: differs from raw content, `†`: better than every other row (Wilcoxon's signed-rank test over topics, α = .05, not corrected for the number of
rows). QL is query likelihood, as in the paper. Where the paper speaks of a relevance-based language model and gives no more, RM1 is that of Lavrenko and Croft, and RM3 \
the same mixed with the query, both on QL with 10 terms of 10 pages; BM25 is ours. The default labels a page of wcxb-dev by a forest that learned
nothing from the page's registered domain but the two numbers that calibrate all scores: five were learned, each from four fifths of the domains. `web2text` and `crf` learned from all of them, so only L3S-GN1 is new to these. *All text, weighted* is [soft cleaning](soft.md): a topic's weights were chosen on the half of the topics that it is not in. Unfluff is not run: it needs Node.js.

### All topics

{all}
### wcxb-dev

{wcxb}
### L3S-GN1

{l3s}
## All methods, BM25

### wcxb-dev

{every-wcxb}
### L3S-GN1

{every-l3s}
## The paper's Table 3, on ClueWeb12 with the 50 topics of the Web Track 2013

{published}
## In the form of Figure 7

One index of raw text holds each block at its step of words and of text density; a search from a threshold on sums over the steps. Ranked by TF-IDF as Lucene had it in 2010, the paper's engine, but for the length of
a page, which Lucene rounded to a byte; and by BM25. The plot is of TF-IDF.

![Figure 7](retrieval/figure-7.svg)

{sliding}
The paper's, on BLOGS06 with the 50 topics of the Blog Track 2006: P@10 .18 of all text, .44 from 11 words on, .32 from a text density of 14 on, .33 by
BTE. nDCG@10: .0985, .2476, .1823, .1627.
";
