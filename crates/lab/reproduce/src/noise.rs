//! Pan Ei San, Nilar Aye: Noise Block Cleaning and Main Content Block Extraction from Dynamic Web
//! Page: `noise-blocks.md`.

use crate::Result;
use crate::corpora::evaluate_all;
use crate::job::Job;
use crate::page::{points, table};
use crate::texts::{self, Row};
use warcsieve_eval::blocks::BlockMeasures;
use warcsieve_eval::pages::Gold;
use warcsieve_extract::Pipeline;

/// The steps of §4.1, each added to those before it.
const STEPS: [(&str, &str); 4] = [
    ("two stages (§4.1.2)", "method = 'justext'"),
    ("+ tree (§4.1.2.2)", "method = 'noise-tree'\nof = 'content'"),
    ("+ duplicates (§4.1.3.1)", "method = 'noise-duplicates'"),
    ("+ main block: the whole method", "method = 'noise-main'"),
];

/// All steps, with another last one.
macro_rules! with_main {
    ($step:literal) => {
        [STEPS[0].1, STEPS[1].1, STEPS[2].1, $step]
    };
}

/// Other interpretations of the paper: their steps.
const READINGS: [(&str, &[&str]); 6] = [
    (
        "two stages, headings as any block",
        &["method = 'justext'\nno_headings = true"],
    ),
    (
        "two stages, tokens as in Algorithm 1",
        &["method = 'justext'\ncount = 'tokens'\nno_headings = true"],
    ),
    (
        "two stages + main block",
        &["method = 'justext'", "method = 'noise-main'"],
    ),
    (
        "the whole method, the heaviest container alone",
        &with_main!("method = 'noise-main'\nmain = 'heaviest-container'"),
    ),
    (
        "the whole method, the heaviest run alone",
        &with_main!("method = 'noise-main'\nmain = 'heaviest-run'"),
    ),
    (
        "the same, runs may have gaps of 3 blocks",
        &with_main!("method = 'noise-main'\nmain = 'heaviest-run'\ngap = 3"),
    ),
];

/// Table 1: precision, recall and F-score.
const TABLE_1: [(&str, [&str; 3]); 9] = [
    ("Zero R", ["40.7", "63.8", "49.7"]),
    ("Only average word length", ["80.2", "77.0", "77.5"]),
    ("Only link density", ["88.5", "87.8", "87.4"]),
    ("1R: text density", ["87.8", "87.9", "87.9"]),
    ("C4.8 link density", ["91.1", "91.1", "91.0"]),
    ("C4.8 number of words", ["91.1", "90.8", "90.9"]),
    (
        "C4.8 number of words + link density",
        ["92.2", "92.2", "92.2"],
    ),
    ("C4.8 text density + link density", ["93.9", "93.8", "93.9"]),
    (
        "C4.8 our proposed shallow text features",
        ["95.1", "95.0", "95.1"],
    ),
];

pub fn write(job: &Job) -> Result {
    let rows = rows()?;
    let mut text = HEAD.to_owned();
    text += &blocks(job, &rows)?;
    job.say("blocks");
    text += TEXTS;
    text += &texts::tables(&job.corpora, &rows)?;
    text += DEVIATIONS;
    job.page("noise-blocks.md", &text)
}

fn rows() -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    let mut so_far = Vec::new();
    for (name, step) in STEPS {
        so_far.push(step);
        rows.push(row(name, &so_far)?);
    }
    rows.push(Row::built_in("noise-tree", "tree alone")?);
    for (name, steps) in READINGS {
        rows.push(row(name, steps)?);
    }
    Ok(rows)
}

fn row(name: &str, steps: &[&str]) -> Result<Row> {
    let mut text = "segmentation = 'justext'\n".to_owned();
    for step in steps {
        text += &format!("[[step]]\n{step}\n");
    }
    Ok(Row {
        name: name.to_owned(),
        pipeline: Pipeline::parse(&warcsieve_papers::METHODS, name, &text)?,
    })
}

/// The methods on the annotated blocks, and the paper's table.
fn blocks(job: &Job, rows: &[Row]) -> Result<String> {
    let pipelines: Vec<Pipeline> = rows.iter().map(|r| r.pipeline.clone()).collect();
    let inputs = job.corpora.inputs("l3s-gn1")?;
    let evaluation = evaluate_all(&inputs, &Gold::Annotations, &pipelines)?;
    let mut cells = Vec::new();
    for (p, row) in rows.iter().enumerate() {
        let mut blocks = BlockMeasures::default();
        for page in &evaluation.pages {
            blocks.merge(&page.scores[p].blocks);
        }
        let measured = blocks.measured().ok_or("no annotated blocks")?;
        let average = measured.average;
        let [_, content] = &measured.classes[..] else {
            return Err("the annotated blocks are not of two classes".into());
        };
        cells.push(vec![
            row.name.clone(),
            points(average.precision),
            points(average.recall),
            points(average.f1),
            points(content.precision),
            points(content.recall),
            points(content.f1),
        ]);
    }
    let ours = table(
        &[
            "ours",
            "precision",
            "recall",
            "F",
            "content: precision",
            "recall",
            "F",
        ],
        &cells,
    );
    let theirs: Vec<Vec<String>> = TABLE_1
        .iter()
        .map(|(name, figures)| {
            let figures = figures.iter().map(|f| (*f).to_owned());
            std::iter::once((*name).to_owned()).chain(figures).collect()
        })
        .collect();
    let theirs = table(&["paper", "precision", "recall", "F"], &theirs);
    Ok(format!("{BLOCKS}\n{theirs}\n{OURS}\n{ours}"))
}

const HEAD: &str = "# Noise Block Cleaning and Main Content Block Extraction from Dynamic Web Page (Pan Ei San, Nilar Aye)\n
This page puts the table of the paper next to our figures for the method that it describes. It is for readers who compare warcsieve with the paper, or who use the pipelines `noise-tree` and `noise-blocks`.\n
Written by `cargo xtask reproduce noise` from the labelled corpora: run this command to repeat the measurement. Nothing is learned here. All figures are in percent.\n\n";

const BLOCKS: &str = "## Table 1: blocks of news pages\n
This is the only table of the paper. Its rows and its collection are those of Table 2 of Kohlschütter, Fankhauser, Nejdl 2010, digit by digit. Its last row is \
their tree on all local features and frequencies. So the table says nothing about the method that the paper describes. [shallow-text-features.md](shallow-text-features.md) has our figures for \
these classifiers, trained and cross-validated.\n";

const OURS: &str = "The next table has the method itself on the same collection (L3S-GN1). The annotated blocks are in the segmentation `justext` and weighted by words. The first columns are averages of both classes by their \
share, as in the paper; the last three are for content alone:\n";

const TEXTS: &str = "\n## Extracted text\n
All figures are means over pages: F1, precision and recall of the bags of words; precision, recall and F1 of the longest common subsequence (LCS); and \
CleanEval's Score. The first four rows are the method, step by step. The rows after them are other interpretations of the paper.\n";

const DEVIATIONS: &str = "\n## What the figures say, and deviations\n
- The two stages are those of jusText. The paper does not give their values, so they are taken from jusText's program: lengths of 70 and 200 characters, stop words .30 and .32, link density .2. \
With jusText's treatment of headings, which the paper does not mention, the two stages are jusText itself: `--pipeline justext` has the figures of the row \"two stages\".
- The paper prints the tree as an example and does not say what happens to the labels of the two stages. Here the tree removes blocks from what the stages kept. \
On news, the tree alone is better than the tree after the stages.
- The paper gives no threshold for the cosine of duplicates. Here it is .9, and the first of similar blocks is kept.
- The weights of a block are α = β = γ = 1/3. Eq. 6 is printed with its sign reversed; we follow the text around it.
- The paper does not say what a main block is, although Eq. 7 adds up the weights of its sub-blocks. The sentence after Eq. 7 takes \"a set of important blocks\". \
Here a main block is the nearest container around a block (`div`, `td`, `th`, `form`, `blockquote`, `article`, `section`, `main`, `body`), and all main blocks that weigh at least the mean are kept. \
The heaviest container or run alone keeps only a part of most pages: a run ends at every heading, caption or line of links that an earlier step removed.
- Algorithm 1 counts tokens, requires densities of stop words above their thresholds, and does not know headings. jusText counts characters, and a density equal to its threshold is enough. The row \
\"two stages, tokens as in Algorithm 1\" (`count = \"tokens\"`) follows the paper. The paper gives no lengths. Here they are 12 and 33 tokens, about as many as 70 and 200 characters hold with six characters per token.
- Keywords are words of at least four characters; the paper does not define them. The frequencies are those of the ten most frequent keywords of the page, \
while the paper also mentions those of each block. In the paper, the position of a block is that of a region centred on the screen. Here it depends only on the region's share of keywords.
- Figure 1 shows the steps. Figure 2 is an example of the second stage. Neither the figure nor its text has numbers to compare with.
";
