//! `headlines.md`: whether the headline is in the text, and what that costs where the gold lacks it.

use crate::Result;
use crate::corpora::{evaluate_all, mean};
use crate::job::Job;
use crate::page::{points, table};
use crate::texts::TYPES;
use warcsieve_eval::pages::{Gold, GoldenPage, View, walk};
use warcsieve_eval::run::Evaluation;
use warcsieve_extract::{Labeller, Pipeline};
use warcsieve_html::Tag;
use warcsieve_html::document::Document;

const CORPORA: [&str; 6] = [
    "wcxb-dev",
    "readability",
    "l3s-gn1",
    "cleaneval-test",
    "cleanportaleval",
    "dragnet-a",
];
const TYPED: &str = CORPORA[0];

pub fn write(job: &Job) -> Result {
    let keep = Pipeline::built_in(&warcsieve_papers::METHODS, "default")?;
    let text = warcsieve_papers::METHODS
        .shipped()
        .find(|pipeline| pipeline.name == "default")
        .ok_or("no default")?
        .text;
    let dropping = text.replace("headline = \"keep\"", "headline = \"drop\"");
    if dropping == text {
        return Err("the default no longer says headline = \"keep\"".into());
    }
    let pipelines = [
        keep,
        Pipeline::parse(&warcsieve_papers::METHODS, "drop", &dropping)?,
    ];
    let (mut counts, mut f1, mut types) = (Vec::new(), Vec::new(), Vec::new());
    for corpus in CORPORA {
        let inputs = job.corpora.inputs(corpus)?;
        let gold = Gold::Texts(job.corpora.gold(corpus)?);
        let found = Counts::of(&walked(&inputs, &gold, &pipelines)?);
        counts.push(found.cells(corpus));
        let evaluation = evaluate_all(&inputs, &gold, &pipelines)?;
        f1.push(costs(&evaluation, corpus, &[])?);
        if corpus == TYPED {
            for page_type in TYPES {
                types.push(costs(&evaluation, page_type, &[page_type])?);
            }
        }
        job.say(corpus);
    }
    let head = ["", "`drop`", "`keep`", "difference"];
    let text = format!(
        "{HEAD}\n{}\n## What does it cost?\n\n{COSTS}\n{}\nBy type of page, on wcxb-dev:\n\n{}",
        table(
            &[
                "",
                "pages with an `h1`",
                "gold has it",
                "text has it: `drop`",
                "text has it: `keep`",
            ],
            &counts
        ),
        table(&head, &f1),
        table(&head, &types),
    );
    job.page("headlines.md", &text)
}

/// What is known of the `h1` of a page.
#[derive(Clone, Copy)]
struct Seen {
    in_gold: bool,
    /// In the text of each pipeline.
    in_text: [bool; 2],
}

/// For each page with an `h1` where it is.
fn walked(
    inputs: &[warcsieve_engine::Input],
    gold: &Gold,
    pipelines: &[Pipeline; 2],
) -> Result<Vec<Seen>> {
    let views = [View::new(&pipelines[0], gold)];
    let each = |labellers: &mut [Labeller; 2], _: usize, page: &GoldenPage<'_>| {
        let h1 = words(&first_h1(page.doc)?);
        let has = |text: &str| words(text).contains(&*h1);
        Some(Seen {
            in_gold: has(page.gold),
            in_text: labellers.each_mut().map(|labeller| {
                labeller.label(page.doc);
                has(labeller.text.as_str())
            }),
        })
        .filter(|_| h1.len() > 2)
    };
    let init = || [0, 1].map(|at| Labeller::new(&pipelines[at]));
    let pages = walk(inputs, gold, &views, init, each)?.complete()?;
    Ok(pages.into_iter().filter_map(|(_, seen)| seen).collect())
}

/// The text of the first `h1` that has one.
fn first_h1(doc: &Document) -> Option<String> {
    let elements = (0..).zip(&doc.tree.elements);
    let mut h1s = elements.filter(|(_, element)| element.tag == Tag::H1);
    h1s.find_map(|(id, element)| {
        let inside = |block: u32| (id..element.end).contains(&block);
        let blocks = doc.blocks.iter().filter(|block| inside(block.element));
        let texts: Vec<_> = blocks.map(|block| doc.block_text(block)).collect();
        (!texts.is_empty()).then(|| texts.join(" "))
    })
}

/// The text with a space before and after, and one between its words.
fn words(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    format!(" {} ", words.join(" "))
}

/// Numbers of pages.
struct Counts {
    with_h1: usize,
    in_gold: usize,
    in_text: [usize; 2],
}

impl Counts {
    fn of(pages: &[Seen]) -> Self {
        let gold = || pages.iter().filter(|page| page.in_gold);
        Self {
            with_h1: pages.len(),
            in_gold: gold().count(),
            in_text: [1, 0].map(|at| gold().filter(|page| page.in_text[at]).count()),
        }
    }

    fn cells(&self, corpus: &str) -> Vec<String> {
        let of = |n: usize| format!("{n} of {}", self.in_gold);
        vec![
            corpus.to_owned(),
            self.with_h1.to_string(),
            self.in_gold.to_string(),
            of(self.in_text[0]),
            of(self.in_text[1]),
        ]
    }
}

/// Word F1 without and with the headline.
fn costs(evaluation: &Evaluation, name: &str, types: &[&str]) -> Result<Vec<String>> {
    let [keep, drop] = [0, 1].map(|at| mean(evaluation, at, "f1", types));
    let (keep, drop) = (keep?, drop?);
    Ok(vec![
        name.to_owned(),
        points(drop),
        points(keep),
        format!("{:+.1}", 100.0 * (keep - drop)),
    ])
}

const HEAD: &str = "\
# Is the headline in the text?

With `headline = \"keep\"` in a [pipeline file](pipelines.md), the headline of the content is content, whatever the steps say. With `\"drop\"` the steps decide. This page measures how often the headline is in the text, and what that costs if the gold lacks it. It is for everyone who compares texts by their first line, or chooses a value for `headline`.

```sh
warcsieve methods --show default    # the default has headline = \"keep\"
```

Written by `cargo xtask reproduce headlines` from the labelled corpora. The headline of a page is its first `h1` that has text. A text has the headline if it contains it word by word. If the gold has it, the text should have it, too. `keep` uses the heading that stands for the title of the content. This is not always the first `h1`.\n";

const COSTS: &str = "\
The figures are word F1 in percent, means over pages ([evaluation.md](evaluation.md)). If the gold has no headline, a headline in the text counts as a fault. The default learned from wcxb-dev, so for this corpus only the difference is meaningful.\n";
