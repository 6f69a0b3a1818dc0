//! `methods.md`: what each built-in pipeline is good for, and its accuracy and speed.

pub mod own_time;

use crate::Result;
use crate::corpora::TYPES;
use crate::corpora::{evaluate_all, mean, shipped};
use crate::job::Job;
use crate::old::{points, table};
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
    head.extend(["µs per page", "of tokenizing"]);

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
                None if pipeline.text.contains("\"repeated\"") => {
                    "Measured by `cargo xtask reproduce crawl`: [crawl.md](crawl.md).\n".to_owned()
                }
                None => "Measured by `cargo xtask reproduce layout`: [layout.md](layout.md).\n"
                    .to_owned(),
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
        "Times are per page of wcxb-dev ({} pages of {:.0} KB), on one thread, the best of three for each page. They are the time of the pipeline's steps, without reading and segmentation. \
         The column \"of tokenizing\" compares this with tokenizing the same pages in the same run by lol_html, with a text handler that does nothing: {:.0} µs per page. Times vary by a tenth between \
         runs, their ratios vary less.\n\n",
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
        "The target for a method is a tenth of the time of tokenizing. For methods that hash words (stop words and keywords) it is half; `noise-blocks` has three such methods in a row. \
         These pipelines take more than a tenth: {}. `goce` and `goce-list` read the class of every element. boilerpipe's article \
         extractors look for the title and for phrases that end an article. `crf` and `web2text` read classes and stop words, and the networks of `web2text` \
         also compute 100,000 products per block.\n",
        costly.join(", ")
    )
}

const HEAD: &str = "# Which method?\n
This page says what each pipeline that ships is good for, how accurate it is and how fast. It is for readers who want to choose another pipeline than the default. To use one, name it:\n
```sh
warcsieve clean crawl.warc.gz --pipeline boilerpipe-article --out cleaned
```\n
`warcsieve eval` measures pipelines on your own labelled pages, with intervals and significance ([evaluation.md](evaluation.md)).\n
Written by `cargo xtask reproduce methods` from the labelled corpora. Accuracy is word F1 in percent, the mean over pages. The corpora are:\n
- wcxb-dev: current pages of seven types. `default` was trained on them, so its figures there are of pages that it knows. [accuracy.md](accuracy.md) has its figures on pages that it does not know.
- l3s-gn1: news of 2008.
- cleaneval-test: pages of 2006 from all over the web.
- dragnet-a: news and blogs, where comments are not content.\n";

/// After the groups: methods without a built-in pipeline.
const OTHERS: &str = "## Methods for your own pipelines

Use these methods in your own pipeline files. [pipelines.md](pipelines.md) has their parameters.

- `tree` uses a decision tree from a model file that `warcsieve train tree` learned from labelled pages. Use it for crawls that differ from all corpora above \
([training.md](training.md)).
- `smoothing`, `largest-content`, `main-content`, `noise-duplicates` and `noise-main` change the labels of the step before them. `smoothing` can be \
added to any method that labels single blocks. The others keep less.
- `boilerpipe` takes its list of filters from the pipeline file.
";
