//! `methods.md`: what each built-in pipeline is good for, and its accuracy and speed.

pub mod own_time;

use crate::Result;
use crate::corpora::{evaluate_all, mean, shipped};
use crate::job::Job;
use crate::page::{points, table};
use crate::texts::TYPES;
use own_time::OwnTimes;
use warcsieve_classify::METHODS;
use warcsieve_eval::pages::Gold;
use warcsieve_extract::Pipeline;

const CORPORA: [&str; 4] = ["wcxb-dev", "l3s-gn1", "cleaneval-test", "dragnet-a"];
const TYPED: &str = CORPORA[0];

/// For each pipeline the columns of its figures.
type Cells = Vec<Vec<String>>;

pub fn write(job: &Job) -> Result {
    let names: Vec<&str> = shipped().map(|pipeline| pipeline.name).collect();
    let pipelines: Vec<Pipeline> = names
        .iter()
        .map(|name| Pipeline::built_in(name))
        .collect::<warcsieve_common::Result<_>>()?;
    let times = own_time::measure(&job.corpora, TYPED, &pipelines)?;
    job.say("times");
    let (mut cells, types) = accuracy(job, &pipelines)?;
    for (line, seconds) in cells.iter_mut().zip(&times.pipelines) {
        line.push(format!("{:.0}", seconds * 1e6));
        line.push(format!("{:.1} %", 100.0 * seconds / times.tokenizer));
    }
    let mut head = CORPORA.to_vec();
    head.extend(["µs a page", "of tokenizing"]);

    let mut text = format!("{HEAD}\n{}{}", about(&times), costly(&names, &times));
    text += "\n## All pipelines\n\n";
    text += &named("pipeline", &head, &names, &cells);
    text += "\n## By type of page: word F1 on wcxb-dev\n\n";
    text += &named("pipeline", &TYPES, &names, &types);
    let mut family = "";
    for method in METHODS.iter().filter(|m| !m.pipelines.is_empty()) {
        if method.family != family {
            family = method.family;
            text += &format!("\n## {family}\n");
        }
        for pipeline in method.pipelines {
            text += &format!("\n### {}\n\n{}\n\n", pipeline.name, pipeline.note);
            text += &match names.iter().position(|name| *name == pipeline.name) {
                Some(at) => named("word F1", &head, &[pipeline.name], &cells[at..=at]),
                None => "Measured by `make layout-figures`: [layout.md](layout.md).\n".to_owned(),
            };
        }
    }
    text += &format!("\n{OTHERS}");
    job.page("methods.md", &text)
}

/// Word F1 of each pipeline on the corpora, and by page type.
fn accuracy(job: &Job, pipelines: &[Pipeline]) -> Result<(Cells, Cells)> {
    let mut all: Cells = vec![Vec::new(); pipelines.len()];
    let mut types = all.clone();
    for corpus in CORPORA {
        let gold = Gold::Texts(job.corpora.gold(corpus)?);
        let evaluation = evaluate_all(&job.corpora.inputs(corpus)?, &gold, pipelines)?;
        for (p, line) in all.iter_mut().enumerate() {
            line.push(points(mean(&evaluation, p, "f1", &[])?));
        }
        if corpus == TYPED {
            for (p, line) in types.iter_mut().enumerate() {
                for page_type in TYPES {
                    line.push(points(mean(&evaluation, p, "f1", &[page_type])?));
                }
            }
        }
        job.say(corpus);
    }
    Ok((all, types))
}

fn named(first: &str, head: &[&str], names: &[&str], cells: &[Vec<String>]) -> String {
    let head: Vec<&str> = std::iter::once(first).chain(head.iter().copied()).collect();
    let rows: Vec<Vec<String>> = names
        .iter()
        .zip(cells)
        .map(|(name, line)| [vec![format!("`{name}`")], line.clone()].concat())
        .collect();
    table(&head, &rows)
}

fn about(times: &OwnTimes) -> String {
    format!(
        "Times are a pipeline's own, after reading and segmentation, a page of wcxb-dev ({} pages of {:.0} KB), on one thread, each page's best of \
         three; tokenizing is lol_html with a handler of text that does nothing, on the same pages in the same run: {:.0} µs a page. Times vary by a tenth between \
         runs, their ratios less.\n",
        times.pages,
        times.bytes as f64 / times.pages.max(1) as f64 / 1e3,
        times.tokenizer * 1e6
    )
}

/// The pipelines that are slower than the target.
fn costly(names: &[&str], times: &OwnTimes) -> String {
    let over = |(_, seconds): &(_, &f64)| **seconds > 0.1 * times.tokenizer;
    let costly = names.iter().zip(&times.pipelines).filter(over);
    let costly: Vec<_> = costly.map(|(name, _)| format!("`{name}`")).collect();
    format!(
        "The aim is a tenth of tokenizing a method, half for methods that hash words (those of stop words and keywords, of which \
         `noise-blocks` has three in a row). Over a tenth are {}: `goce` and `goce-list` read the class of every element, boilerpipe's article \
         extractors look for the title and for phrases that end an article; `crf` reads classes and stop words, and the networks of `web2text` \
         besides reckon 100,000 products a block.\n",
        costly.join(", ")
    )
}

const HEAD: &str = "# Which method?\n
Written by `make methods` from the labelled corpora. Accuracy is word F1 in percent, mean over pages ([evaluation.md](evaluation.md)): wcxb-dev, pages of \
today of seven types; l3s-gn1, news of 2008; cleaneval-test, pages of 2006 from all over the web; dragnet-a, news and blogs, where comments are not \
content. `default` was learned from wcxb-dev: its figures there are of pages it knows ([accuracy.md](accuracy.md) has those of pages it does not). `warcsieve eval` prints the same for pages of your own, with intervals and significance.\n";

/// After the groups: methods without a built-in pipeline.
const OTHERS: &str = "## Methods for pipelines of one's own

- `tree` takes a decision tree from a model file that `warcsieve train tree` learned from labelled pages: for crawls that differ from all above \
([training.md](training.md)).
- `smoothing`, `largest-content`, `main-content`, `noise-duplicates` and `noise-main` change the labels of a step before them. `smoothing` is the \
one to add to any block-wise method; the others keep less.
- `boilerpipe` takes its list of filters from the pipeline file.

[pipelines.md](pipelines.md) has their parameters.
";
