//! The experiment on the corpora: known items.

use super::collection::published;
use super::figure7::Figure7;
use super::headlines::MIN_TERMS;
use super::items::{Items, SOUGHT};
use super::runs::{BM25, DEFAULT, METHODS, Searched, all, figures, other_rows, published_rows};
use super::shelf::{PIPELINE, Shelf};
use super::soft::Soft;
use crate::Result;
use crate::job::Job;
use crate::old::table;
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

This page compares search in cleaned text with search in raw text, with the same topics and the same ranking methods. It is for readers who
decide whether to clean a crawl before they index it, and for readers of the two papers below.

Written by `cargo xtask reproduce retrieval`: run this command to repeat the measurement. It reads the labelled corpora in the folder next to the check-out;
`SHARED=folder` names another folder.

Two papers ask this question: Vogels, Ganea and Eickhoff 2018 (Table 3, on ClueWeb12), and Kohlschütter, Fankhauser and Nejdl 2010
(§6, Figure 7, on BLOGS06). Neither collection may be passed on. So this page uses *known items*: each topic looks for one page, which is known.
With a collection of your own, `cargo xtask reproduce collection CRAWL=… TOPICS=… QRELS=…` writes the same tables with the measures of the papers
([retrieval.md](../retrieval.md)).

## Topics

A topic is the headline of a page. The search has to find that page among {pages} pages of seven corpora. The headlines come from two corpora:

- wcxb-dev: the titles in its gold, {first} topics. The pages are of seven types and of the year 2025.
- L3S-GN1: the blocks that its annotators labelled as headline, {second} topics. The pages are news of 2008.

{left_out} pages have no topic, because their headline has fewer than {least} terms or is the headline of another page as well. They stay in the
collection, as do the pages of the other corpora, so a search can return them by mistake.

The headline itself is removed from the indexed text of its page. No title is indexed. A run of terms in the text that matches at least half of the
terms of the headline, in the same order and without a gap, is cut out. Such a run may extend over several blocks. So raw text and cleaned text lose the same
words, whatever the segmentation is. The headline stays in the text of other pages, for example in a link.

So the search has to find a page by its other text. Raw text has more of it: the text of the page itself, and teasers of other pages. A search returns at most
100 results per topic. All settings of the ranking are the defaults of the program. None was chosen on these figures.

## The default compared with raw text

{tests}
By type of page, of wcxb-dev:

{types}
On news, cleaning helps with every ranking method, as in both papers. On wcxb-dev, which was labelled out of fold, it does not help: articles are found as well as before;
products, listings and services are found less well. The words of their headlines also occur elsewhere on the page: in the path of categories, in lists of attributes, next to the picture. For a reader
this is boilerplate, but it helps a search engine to find the page. The known items have an effect, too. They reward every text that distinguishes a page from all others, while judged topics ask what a
page is about. So on such pages these figures neither contradict nor confirm the figures of the papers.

## In the form of Table 3

`*` means: differs from raw content. `†` means: better than every other row. Both are decided by Wilcoxon's signed-rank test over topics, α = .05, not corrected for the number of
rows.

The ranking methods are:

- QL: query likelihood, as in the paper.
- RM1: the relevance model of Lavrenko and Croft, based on QL, with 10 terms of 10 pages. The paper says only that it uses a relevance-based language model.
- RM3: RM1 mixed with the query, with as many terms and pages.
- BM25: not in the paper.

For the default, each page of wcxb-dev is labelled by a forest that had not seen the registered domain of the page. Five forests were trained, each on four fifths of the domains. \
Only the two numbers that calibrate all scores were fitted on all domains. `web2text` and `crf` were trained on all of them, so only L3S-GN1 is new to these two methods.

*All text, weighted* is [soft cleaning](soft.md): the weights for a topic were chosen on the half of the topics that does not contain it. Unfluff is not run, because it needs Node.js.

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

One index of raw text stores each block in the field of its step, by number of words and by text density. A search from a threshold on sums over the fields of the steps from there on. The ranking is
TF-IDF as in Lucene of 2010, the engine of the paper, with one difference: Lucene rounded the length of a page to one byte. A second ranking is BM25. The plot shows TF-IDF.

![Figure 7](retrieval/figure-7.svg)

{sliding}
The paper reports on BLOGS06, with the 50 topics of the Blog Track 2006: P@10 is .18 for all text, .44 from 11 words on, .32 from a text density of 14 on, and .33 for
BTE. nDCG@10 is .0985, .2476, .1823 and .1627.
";
