//! Nguyen-Hoang et al.: Genre-Oriented Web Content Extraction with Deep Convolutional Neural
//! Networks and Statistical Methods, 2018: `genre.md`.

mod classifiers;

use crate::Result;
use crate::corpora::TYPES;
use crate::corpora::{evaluate_all, mean};
use crate::job::Job;
use crate::old::{points, table};
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
This page puts the tables of the paper next to our figures for the method `goce`, which first predicts whether a page is an article or a list. It is for readers who compare warcsieve with the paper, \
or who train a genre model of their own ([training](../training.md)).\n
Written by `cargo xtask reproduce genre` from the labelled corpora: run this command to repeat the measurement. All figures are in percent. The paper's pages and gold are not published, so its figures are of \
other pages: 2,372 articles and 3,350 list views for the classifier, and 100 of each for extraction. Ours are of the WCXB development set.\n
## Table 1: predicting the genre (§4.2)\n
The paper has an SVM on eleven features of the markup, and networks on pictures of rendered pages. The networks have weights that were learned on ImageNet; the authors trained only the last layer again. \
We have three classifiers: the SVM; the same SVM with 24 more features, numbers of the page's [layout](../layout.md); and a network of four convolutions, trained from scratch on pictures of 64 by 128 pixels.\n\n";

const EXTRACTION: &str = "\n## Table 2: extraction (§4.3)\n
Each cell has the paper's figure / ours. The figures are means over pages: the cosine of the bags of words, and precision, recall and F1 of the longest common subsequence of words.\n
- *Default* is `keep-all`, *Boilerpipe* is `boilerpipe-article`.
- *GOCE* uses an SVM that was trained without the fold that has the page's domain. The paper uses its best network, whose accuracy is 94.8.
- *Oracle* knows the type of each page. It treats pages that are neither articles nor list views as articles.
- *All pages* are pages of all types.\n\n";

const CHOOSING: &str = "\n## GOCE by each classifier\n
The table has LCS F1 by part of the pages, and LCS precision, recall and cosine of all pages. Each page was classified by a model that had not seen its domain.\n\n";

const WORDS: &str = "\n## Word F1 by type of page\n
The figures are means over pages of F1, precision and recall of the bags of words. `goce` uses the model that ships, which was trained on these articles and \
listings. `goce (out of fold)` is what to expect of it on other pages.\n\n";

const DEVIATIONS: &str = "\n## What the figures say, and deviations\n
- By accuracy, our SVM predicts the genre about as well as the paper's. But in the paper the classes are nearly of the same size, while here four of five pages are articles. So the balanced accuracy is \
the figure to compare. The seed of the shuffles matters little. The logarithms of the counts matter, because without them the largest pages determine the scale.
- Here, to know the genre does not improve the result. The list-view algorithm is better on listings and also on forums. It is not better on collections, where the larger pieces of the article \
algorithm have more of the text. On the paper's list views the list-view algorithm is better by eight points.
- Both algorithms have a lower F1 than `keep-all`, because of their recall. The article algorithm descends wherever one child is much longer than its siblings, and it often \
ends at only a part of the article. The paper's pages are different: on its articles, keeping everything has a precision of 39, here of 69.
- In the article algorithm, lengths are in words, and their deviation is the standard deviation of the population. The algorithm does not descend into an only child without words.
- In the list-view algorithm, elements without a class are left out, and L is in characters. The whole tree is visited, as the paper's text says; Algorithm 2 as printed \
does not do this. Text is that of blocks: an inline element inside a block has no text of its own.
- None of the paper's seven networks can be rebuilt from the text of the paper. Their weights were learned on ImageNet, and neither such weights nor the pictures of ImageNet are part of this \
project. With a file of weights, `warcsieve train genre-pictures --pretrained` computes the row of a ResNet in torchvision's version (the paper's is V2), or of a VGG. It does not support \
Inception.
- The paper rendered pages while their style sheets, images and scripts were still on the web. Here a page is rendered from the crawl alone, and most pages are a column of text. So the network that was \
trained from scratch sees less. It also has only a sixth of the paper's pages. Its size and its 20 passes over the pages were chosen before the first result and not changed after it.
- The numbers of the layout are our addition; the paper does not use them.
";
