//! Nguyen-Hoang et al.: Genre-Oriented Web Content Extraction with Deep Convolutional Neural
//! Networks and Statistical Methods, 2018: `genre.md`.

mod classifiers;

use crate::Result;
use crate::corpora::{evaluate_all, mean};
use crate::job::Job;
use crate::page::{points, table};
use crate::texts::TYPES;
use classifiers::{Genres, Told};
use warcsieve_classify::methods::goce::Genre;
use warcsieve_eval::choice::{GOCE_ALGORITHMS, add_choice, add_oracle_genre};
use warcsieve_eval::pages::Gold;
use warcsieve_eval::run::Evaluation;
use warcsieve_extract::Pipeline;

const CORPUS: &str = "wcxb-dev";

/// Columns of Table 2: the paper's name, and ours.
const MODES: [(&str, &str); 6] = [
    ("Default", "keep-all"),
    ("Boilerpipe", "boilerpipe-article"),
    ("Article", "goce-article"),
    ("List-view", "goce-list"),
    ("GOCE", OUT_OF_FOLD),
    ("Oracle", "goce (oracle genre)"),
];
const OUT_OF_FOLD: &str = "goce (out of fold)";

/// A measure, its name in the table, and the paper's figures by mode.
type Line = (&'static str, &'static str, [&'static str; 6]);

/// Table 2 by part of the pages: its name, its page types, and the lines.
const TABLE_2: [(&str, &[&str], [Line; 4]); 3] = [
    (
        "Article pages",
        &["article"],
        [
            (
                "Cosine",
                "cosine",
                ["80.72", "92.78", "94.70", "66.38", "92.30", "-"],
            ),
            (
                "Precision",
                "lcs_precision",
                ["39.07", "80.57", "81.31", "53.93", "79.81", "-"],
            ),
            (
                "Recall",
                "lcs_recall",
                ["98.21", "91.53", "95.22", "57.28", "92.80", "-"],
            ),
            (
                "F1",
                "lcs_f1",
                ["55.90", "85.70", "87.72", "55.55", "85.82", "-"],
            ),
        ],
    ),
    (
        "List-view pages",
        &["collection", "listing"],
        [
            (
                "Cosine",
                "cosine",
                ["76.83", "48.76", "72.53", "78.16", "80.07", "-"],
            ),
            (
                "Precision",
                "lcs_precision",
                ["46.31", "56.84", "63.54", "71.21", "74.53", "-"],
            ),
            (
                "Recall",
                "lcs_recall",
                ["86.95", "22.11", "64.27", "72.91", "72.23", "-"],
            ),
            (
                "F1",
                "lcs_f1",
                ["60.43", "31.84", "63.90", "72.05", "73.36", "-"],
            ),
        ],
    ),
    (
        "All pages",
        &[],
        [
            (
                "Cosine",
                "cosine",
                ["78.77", "70.77", "83.62", "72.27", "86.16", "86.43"],
            ),
            (
                "Precision",
                "lcs_precision",
                ["42.69", "68.70", "72.43", "62.57", "77.04", "76.26"],
            ),
            (
                "Recall",
                "lcs_recall",
                ["92.58", "56.82", "79.75", "65.10", "82.62", "84.06"],
            ),
            (
                "F1",
                "lcs_f1",
                ["58.43", "62.20", "75.91", "63.81", "79.74", "79.97"],
            ),
        ],
    ),
];

pub fn write(job: &Job) -> Result {
    let inputs = job.corpora.inputs(CORPUS)?;
    let gold = Gold::Texts(job.corpora.gold(CORPUS)?);
    let told = classifiers::tell(job, &inputs, &gold)?;
    job.say("genres");
    let names = [
        "keep-all",
        "boilerpipe-default",
        "boilerpipe-article",
        GOCE_ALGORITHMS[0],
        GOCE_ALGORITHMS[1],
        "goce",
    ];
    let pipelines: Vec<_> = names
        .iter()
        .map(|name| Pipeline::built_in(name))
        .collect::<warcsieve_common::Result<_>>()?;
    let mut evaluation = evaluate_all(&inputs, &gold, &pipelines)?;
    for (name, genres) in &told.genres {
        add_out_of_fold(&mut evaluation, name, genres)?;
    }
    if !add_oracle_genre(&mut evaluation) {
        return Err("the algorithms are not among the pipelines".into());
    }
    job.say("texts");
    let text = [
        HEAD,
        &told.table,
        EXTRACTION,
        &table_2(&evaluation)?,
        CHOOSING,
        &choosing(&evaluation, &told)?,
        WORDS,
        &words(&evaluation)?,
        DEVIATIONS,
    ];
    job.page("genre.md", &text.concat())
}

/// Adds GOCE with the genres predicted by models trained without the page's domain.
fn add_out_of_fold(evaluation: &mut Evaluation, name: &str, genres: &Genres) -> Result {
    if let Some(page) = evaluation
        .pages
        .iter()
        .find(|p| !genres.contains_key(&p.id))
    {
        return Err(format!("{} has no genre", page.id).into());
    }
    let [article, list] = GOCE_ALGORITHMS.map(|name| index(evaluation, name));
    let (article, list) = (article?, list?);
    add_choice(evaluation, name, |_, page| match genres[&page.id] {
        Genre::Article => article,
        Genre::ListView => list,
    });
    Ok(())
}

fn index(evaluation: &Evaluation, name: &str) -> Result<usize> {
    let found = evaluation.pipelines.iter().position(|p| p.name == name);
    Ok(found.ok_or_else(|| format!("no pipeline {name}"))?)
}

/// The paper's Table 2, with our figure after each.
fn table_2(evaluation: &Evaluation) -> Result<String> {
    let head: Vec<&str> = ["pages", ""]
        .into_iter()
        .chain(MODES.map(|m| m.0))
        .collect();
    let mut rows = Vec::new();
    for (part, types, lines) in TABLE_2 {
        let pages = evaluation.pages.iter();
        let count = pages
            .filter(|p| types.is_empty() || types.contains(&p.page_type.as_str()))
            .count();
        for (name, measure, theirs) in lines {
            let mut line = vec![format!("{part} ({count})"), name.to_owned()];
            for ((_, pipeline), theirs) in MODES.iter().zip(theirs) {
                let ours = mean(evaluation, index(evaluation, pipeline)?, measure, types)?;
                line.push(format!("{theirs} / {}", points(ours)));
            }
            rows.push(line);
        }
    }
    Ok(table(&head, &rows))
}

/// GOCE by each classifier: the cosine, and LCS precision, recall and F1 of each part of the pages.
fn choosing(evaluation: &Evaluation, told: &Told) -> Result<String> {
    let head = [
        "",
        "accuracy",
        "articles",
        "list views",
        "all",
        "P",
        "R",
        "cosine",
    ];
    let mut rows = Vec::new();
    let names = told.genres.iter().map(|(name, _)| name.as_str());
    for name in names.chain(["goce (oracle genre)"]) {
        let figure = |measure, types| mean(evaluation, index(evaluation, name)?, measure, types);
        let accuracy = told.accuracies.iter().find(|(of, _)| of == name);
        let mut line = vec![
            name.to_owned(),
            accuracy.map_or_else(|| "100".to_owned(), |(_, a)| points(*a)),
        ];
        for (measure, types) in [
            ("lcs_f1", &["article"][..]),
            ("lcs_f1", &["collection", "listing"]),
            ("lcs_f1", &[]),
            ("lcs_precision", &[]),
            ("lcs_recall", &[]),
            ("cosine", &[]),
        ] {
            line.push(points(figure(measure, types)?));
        }
        rows.push(line);
    }
    Ok(table(&head, &rows))
}

/// Word F1 of all pipelines, by page type.
fn words(evaluation: &Evaluation) -> Result<String> {
    let head: Vec<&str> = ["", "all", "P", "R", "LCS F1", "cosine"]
        .into_iter()
        .chain(TYPES)
        .collect();
    let mut rows = Vec::new();
    for (p, pipeline) in evaluation.pipelines.iter().enumerate() {
        let mut line = vec![format!("`{}`", pipeline.name)];
        for measure in ["f1", "precision", "recall", "lcs_f1", "cosine"] {
            line.push(points(mean(evaluation, p, measure, &[])?));
        }
        for page_type in TYPES {
            line.push(points(mean(evaluation, p, "f1", &[page_type])?));
        }
        rows.push(line);
    }
    Ok(table(&head, &rows))
}

const HEAD: &str = "# Genre-Oriented Web Content Extraction (Nguyen-Hoang et al. 2018)\n
Written by `make reproduce-genre` from the labelled corpora; all figures are in percent. The paper's pages and gold are not published, so its figures are of \
other pages: 2,372 articles and 3,350 list views for the classifier, 100 of each for extraction, here the WCXB development set.\n
## Table 1: telling genres (§4.2)\n
The paper's SVM has eleven features of the markup; its networks look at rendered pages, with weights learned on ImageNet, of which they learn the last layer anew. \
Ours: the SVM; the same with 24 numbers of the page's [layout](../layout.md) more; and a network of four convolutions, learned from nothing on pictures of 64 by 128 points.\n\n";

const EXTRACTION: &str = "\n## Table 2: extraction (§4.3)\n
The paper's figure / ours, means over pages: cosine of the bags of words; precision, recall and F1 of the longest common subsequence of words. \
*Default* is `keep-all`, *Boilerpipe* `boilerpipe-article`. *GOCE* is with the SVM of the folds that a page's domain is not in (in the paper: with \
its best network, whose accuracy is 94.8); *Oracle* knows the type of each page. *All pages* are of all types; those that are neither articles nor list views are taken \
for articles by the oracle.\n\n";

const CHOOSING: &str = "\n## GOCE by each classifier\n
LCS F1 by part of the pages, and LCS precision, recall and cosine of all; each page by a model that had not seen its domain.\n\n";

const WORDS: &str = "\n## Word F1 by type of page\n
Means over pages of F1, precision and recall of the bags of words. `goce` is with the model that ships, which was learned from these very \
articles and listings; `goce (out of fold)` is what to expect of it elsewhere.\n\n";

const DEVIATIONS: &str = "\n## What the figures say, and deviations\n
- The SVM tells genres about as well as the paper's by accuracy. There the classes are nearly even, here four of five pages are articles: the balanced accuracy is \
the figure to look at. The seed of its shuffles matters little; taking logarithms of the counts matters, for otherwise the largest pages set the scale.
- Knowing the genre gains nothing here by itself: the list-view algorithm is the better one on listings, forums too, but not on collections, where the article \
algorithm's larger pieces hold more of the text. On the paper's list views it leads by eight points.
- Both algorithms stay behind `keep-all` in F1, by their recall: the article algorithm goes down wherever one child is much longer than its siblings, and often what it \
ends in is only a part of the article. The paper's pages are others: on its articles keeping everything has a precision of 39, here of 69.
- Deviation in the article algorithm is that of the population, in words; an only child without words is not descended into.
- In the list-view algorithm elements without a class have no key, L is in characters, and the whole tree is visited, as the text says and Algorithm 2 as printed \
does not. Text is that of blocks: what is inline in a block has none of its own.
- None of the paper's seven networks can be run from its text: their weights were learned on ImageNet, and neither such weights nor those pictures are part of this \
project. With a file of weights `warcsieve train genre-pictures --pretrained` gives the row of a ResNet, as torchvision has it (the paper's is V2), or of a VGG; for Inception \
there is no place.
- The paper rendered pages while their style sheets, images and scripts were on the web; here a page is shown from the crawl alone, most of them a column of text. So the network \
from nothing, which has a sixth of the paper's pages, sees less and was taught less. Its size and its 20 passes were chosen before the first result and not changed after it.
- The numbers of the layout are ours; the paper has none.
";
