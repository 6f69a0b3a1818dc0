//! Song, Sun, Liao: A hybrid approach for content extraction with text density and visual
//! importance of DOM nodes, 2013: `text-density.md`.

mod nodes;
mod published;
mod variants;

use crate::Result;
use crate::corpora::{Corpora, mean};
use crate::job::Job;
use crate::page::{points, table};
use crate::texts::{self, Row, TYPES};
use published::{COLLECTIONS, HYBRID, METHODS, OWN_TABLES};
use warcsieve_eval::run::Evaluation;
use warcsieve_extract::Pipeline;

const FIGURES: &str = "text-density";

/// Our corpora, and the files of each.
const CORPORA: [(&str, &[&str]); 3] = [
    ("CleanEval", &["cleaneval-train", "cleaneval-test"]),
    ("L3S-GN1", &["l3s-gn1"]),
    ("WCXB", &["wcxb-dev"]),
];

pub fn write(job: &Job) -> Result {
    let names: Vec<&str> = METHODS.iter().filter_map(|m| m.pipeline).collect();
    let mut ours = Vec::new();
    for (corpus, files) in CORPORA {
        ours.push(evaluate(&job.corpora, files, &names)?);
        job.say(corpus);
    }
    let mut text = format!("{HEAD}{}", f1_of_means());
    for (title, measure, at) in [
        ("Table 5: F1 (of the mean precision and recall)", None, 0),
        ("Table 6: precision", Some("lcs_precision"), 1),
        ("Table 7: recall", Some("lcs_recall"), 2),
    ] {
        text += &format!("\n## {title}\n\n{}", methods(&ours, measure, at)?);
    }
    for (title, pipeline, figures) in OWN_TABLES {
        let at = names.iter().position(|n| *n == pipeline);
        let at = at.ok_or_else(|| format!("no pipeline {pipeline}"))?;
        text += &format!("\n## {title}\n\n{}", sources(&ours, at, &figures)?);
    }
    let figures = job.figures(FIGURES)?;
    text += &nodes::section(&figures)?;
    text += TEXTS;
    let rows = METHODS
        .iter()
        .filter_map(|m| Some(Row::built_in(m.pipeline?, m.name)));
    let mut rows = rows.collect::<Result<Vec<_>>>()?;
    rows.push(Row {
        name: "CCB, threshold as published".to_owned(),
        pipeline: Pipeline::parse(&warcsieve_papers::METHODS, "ccb", CCB_AS_PUBLISHED)?,
    });
    text += &texts::tables(&job.corpora, &rows)?;
    text += &hybrid();
    job.say("all measures");
    text += DEVIATIONS;
    text += &variants::section(&job.corpora)?;
    text += FURTHER;
    job.page("text-density.md", &text)
}

const CCB_AS_PUBLISHED: &str = "[[step]]\nmethod = 'ccb'\nthreshold = 0.75";

/// The pages of some files, as one corpus.
fn evaluate(corpora: &Corpora, files: &[&str], pipelines: &[&str]) -> Result<Evaluation> {
    let mut all: Option<Evaluation> = None;
    for file in files {
        let evaluation = corpora.evaluate(file, pipelines)?;
        match &mut all {
            Some(all) => all.pages.extend(evaluation.pages),
            None => all = Some(evaluation),
        }
    }
    all.ok_or_else(|| "a corpus of no file".into())
}

/// One of Tables 5 to 7: the paper's columns, then ours. Without a measure, the F1 of the means.
fn methods(ours: &[Evaluation], measure: Option<&str>, at: usize) -> Result<String> {
    let mut rows = Vec::new();
    let mut pipeline = 0;
    for method in &METHODS {
        let mut row = vec![method.name.to_owned()];
        row.extend([method.clean_eval[at], method.average[at]].map(|f| format!("{f:.2}")));
        for evaluation in ours {
            row.push(match (method.pipeline, measure) {
                (None, _) => "–".to_owned(),
                (_, Some(measure)) => points(mean(evaluation, pipeline, measure, &[])?),
                (_, None) => points(f1_of(evaluation, pipeline, &[])?),
            });
        }
        pipeline += usize::from(method.pipeline.is_some());
        rows.push(row);
    }
    let head = ["method", "paper: CleanEval", "paper: average of seven"];
    let head = head.map(str::to_owned).into_iter();
    let head: Vec<String> = head
        .chain(CORPORA.map(|(name, _)| format!("ours: {name}")))
        .collect();
    Ok(table(&head, &rows))
}

/// One of Tables 1 to 3: the paper's rows, then ours.
fn sources(ours: &[Evaluation], pipeline: usize, paper: &[published::Figures]) -> Result<String> {
    let mut rows: Vec<Vec<String>> = COLLECTIONS
        .iter()
        .zip(paper)
        .map(|(name, figures)| {
            let figures = figures.iter().map(|f| format!("{f:.2}"));
            std::iter::once(format!("paper: {name}"))
                .chain(figures)
                .chain([String::new()])
                .collect()
        })
        .collect();
    for ((name, _), evaluation) in CORPORA.iter().zip(ours) {
        rows.push(source(&format!("ours: {name}"), evaluation, pipeline, &[])?);
    }
    let typed = ours.last().ok_or("no corpus")?;
    for page_type in TYPES {
        let name = format!("ours: WCXB, {page_type}");
        rows.push(source(&name, typed, pipeline, &[page_type])?);
    }
    let head = [
        "",
        "precision",
        "recall",
        "F1",
        "Score",
        "mean of pages' F1",
    ];
    Ok(table(&head, &rows))
}

fn source(
    name: &str,
    evaluation: &Evaluation,
    pipeline: usize,
    types: &[&str],
) -> Result<Vec<String>> {
    let of = |measure| mean(evaluation, pipeline, measure, types);
    let figures = [
        of("lcs_precision")?,
        of("lcs_recall")?,
        f1_of(evaluation, pipeline, types)?,
        of("score")?,
        of("lcs_f1")?,
    ];
    Ok(std::iter::once(name.to_owned())
        .chain(figures.map(points))
        .collect())
}

/// F1 of the mean precision and the mean recall, as in the paper.
fn f1_of(evaluation: &Evaluation, pipeline: usize, types: &[&str]) -> Result<f64> {
    let of = |measure| mean(evaluation, pipeline, measure, types);
    Ok(harmonic(of("lcs_precision")?, of("lcs_recall")?))
}

/// Table 4: the paper's rows, and ours, which another command measures.
fn hybrid() -> String {
    let head = ["", "precision", "recall", "F1", "Score", "F1 of CECTD-DS"];
    let rows = COLLECTIONS.iter().zip(HYBRID).zip(OWN_TABLES[1].2);
    let rows: Vec<Vec<String>> = rows
        .map(|((name, figures), composite)| {
            let figures = figures.iter().chain([&composite[2]]);
            let cells = figures.map(|f| format!("{f:.2}"));
            std::iter::once(format!("paper: {name}"))
                .chain(cells)
                .collect()
        })
        .collect();
    format!(
        "\n## Table 4: CEHTD-DS\n\n{}\n{MEASURED}",
        table(&head, &rows)
    )
}

fn harmonic(precision: f64, recall: f64) -> f64 {
    2.0 * precision * recall / (precision + recall)
}

/// The number of rows in the paper whose F1 is the F1 of their precision and recall.
fn f1_of_means() -> String {
    let rows = OWN_TABLES.iter().flat_map(|(_, _, figures)| figures);
    let (mut same, mut all) = (0, 0);
    for [precision, recall, f1, _] in rows {
        all += 1;
        same += u32::from((harmonic(*precision, *recall) - f1).abs() < 0.011);
    }
    format!(
        "- The paper's F1 is the F1 of the mean precision and the mean recall, not the mean of the F1 of the pages. This holds to the second decimal for {same} of the {all} rows of \
         Tables 1 to 3. Our F1 below is computed in the same way, unless the page says otherwise.\n"
    )
}

const HEAD: &str = "# A hybrid approach for content extraction with text density and visual importance of DOM nodes (Song, Sun, Liao 2013)\n
This page puts the tables of the paper next to our figures for the same methods. It is for readers who compare warcsieve with the paper, or who choose between methods \
that use text density.\n
Written by `cargo xtask reproduce density` from the labelled corpora: run this command to repeat the measurement. Only one value is learned, the threshold of CCB: .5 was chosen on the development set of WCXB, \
so for CCB the figures on WCXB are of pages that it knows. The published threshold is .75; the section \"All measures\" has both. All figures are in percent and means over pages. Precision, recall \
and F1 are those of the longest common subsequence of words (Eq. 6, 7); here, words are runs of letters and digits. Score is that of CleanEval (Eq. 9).\n
## What is compared\n
- No figure can be compared directly. The authors wrote their own gold for CleanEval, because they found errors in the original gold, which we use. Their other six \
collections (five sites, and *Chaos*, blogs and news of 2012) are not among our corpora. What can be compared is the order of the methods.
- CleanEval in the tables of the paper is both English sets together, 739 pages, in the paper and here. In the tables with all measures below it is only the test set, 681 pages. L3S-GN1 is news of 2008, \
which is the most similar to the paper's sites. WCXB is its development set: current pages of seven types.
- CETD-DS, CECTD-DS and CECTD-S are the pipelines `cetd`, `cectd` and `cectd-s`. BTE, CCB, DSC, LQF and CETR are the pipelines of the same names. FE and KFE are \
not built: the paper ran them in the Java framework CombineE, and names neither the feature by which FE chooses a block nor the features by which KFE clusters blocks. CEHTD-DS (Table 4) is `cehtd`. It needs the layout of the pages, \
so it has a section of its own. Figures 3, 4 and 6 are drawn for a page that was made for them.\n";

const TEXTS: &str = "\n## All measures\n
All figures are means over pages. Word F1, P and R are F1, precision and recall of the bags of words, a measure that the paper calls more lenient. LCS F1, P and R are those of the longest \
common subsequence; here, F1 is the mean of the F1 of the pages. Score is that of CleanEval.\n";

/// By `cargo xtask reproduce layout`, since it needs the layout engine and takes longer than all else here.
const MEASURED: &str = "Our method is `cehtd`. It is measured by `cargo xtask reproduce layout`, not by the command above. The figures are means over pages of the bags of words, in percent, with \
the differences from `cectd` and their 95 % intervals over pages.\n
| corpus | F1: `cectd` | `cehtd` | difference | precision: `cectd` | `cehtd` | difference | recall: `cectd` | `cehtd` | difference |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| wcxb-dev | 79.9 | 80.2 | +0.3 (−0.4 to +1.0) | 75.4 | 76.7 | +1.4 (+0.8 to +2.0) | 91.9 | 91.4 | −0.5 (−1.3 to +0.3) |
| l3s-gn1 | 87.7 | 87.6 | −0.0 (−1.1 to +1.2) | 82.5 | 84.0 | +1.6 (+0.4 to +2.8) | 97.3 | 95.5 | −1.8 (−2.8 to −0.8) |
| cleaneval-test | 91.8 | 91.0 | −0.7 (−1.5 to −0.1) | 91.0 | 91.1 | +0.1 (−0.4 to +0.5) | 95.3 | 94.1 | −1.2 (−2.0 to −0.4) |\n
As in the paper, precision rises, recall falls and F1 hardly changes. The paper's averages of F1 are 95.15 with visual importance and 95.21 without, and there, too, CleanEval becomes \
worse. Our pages were laid out only with the styles inside them. 5 % of the pages of wcxb-dev had all of their styles, 17 % of l3s-gn1, 54 % of cleaneval-test. The \
other pages are laid out as a column of text, where width says less than it did on the authors' screens. [Layout](../layout.md) says what else is missing.\n";

const DEVIATIONS: &str = "\n## What the figures say\n
- CleanEval with its own gold: as in the paper, CECTD-DS is first, composite density is better than plain density, BTE has the paper's F1 and LQF nearly so, and DSC has high precision and low recall. \
But the differences are much smaller. In the paper CECTD-DS is 4 points better than BTE and 5 better than LQF. Here five methods are within 1.1 points, and smoothing \
(CECTD-S) is as good as DensitySum. The gold that the authors wrote may be a reason, but without it we cannot tell.
- News: CECTD-DS reaches 89 to 99 on the paper's five sites, and 89 on L3S-GN1. Recall is as high as in the paper (97), but precision is \
lower. The reason is the threshold, which is the lowest density on the path from the body to the densest part of the page: every element that is as dense as this is content, wherever it is on the page. The smoothed variant loses less precision, unlike in the paper's \
Table 3. BTE, which takes one region of the page, is better than both. Our 621 pages are from 408 sites, while the paper has a hundred pages of each of its five sites.
- WCXB: CECTD-DS is first over pages of all types. By type, the result is as the paper says about portals, for which the method is not made (§4.3): articles and \
documentation come near the paper's figures; collections, listings and products are far below.
- LQF, the best of the paper's other methods, is last or second to last on news and WCXB. CCB, the weakest of them that is built here, and CETR are better than CETD-DS on CleanEval and news.\n
## Errors in the paper's tables\n
- Table 6 has the precision of CETD-DS on Chaos as 93.59, Table 1 as 92.23. Table 7 has the recall of CECTD-S on Chaos as 91.22, Table 3 as 92.86. \
In both cases Tables 6 and 7 have the F1 of the row instead. The average in Table 6 is computed with the wrong value; the average in Table 7 fits neither value. This page has all values as printed.\n
## Deviations\n
The list of deviations is in `crates/lab/papers/src/cetd/mod.rs`. Three of them are parameters of `cetd` and `cectd`, so their effect can be measured:
- The paper keeps the ancestors of chosen elements. Here the own text of an ancestor is content only if the ancestor is chosen itself, unless `keep_ancestors = true`. To keep ancestors as structure, \
use `output = \"html\"` ([cleaned HTML](../output/text.md#cleaned-html)).
- In the authors' program, DensitySum also adds the density of each piece of an element's own text, and the DensitySum of a leaf is its density. Here, as in the paper, it does neither, unless `own_text = true`.
- In the authors' program, elements inside links count as links, and so do elements that contain only links. Here they do so only with `linked_elements = true`. Plain density (`cetd`) does not use links.\n
";

const FURTHER: &str = "\nNot measured:\n
- The authors' program leaves out what style sheets hide. This needs the layout of the page.
- For CECTD-S the paper prints neither the weights nor how elements are chosen. Here the weights are (left + 2 · own + right) / 4, and Algorithm 2 chooses each element that it visits, with its own text only.
- The other methods of the paper were Java programs with unknown parameters. Here each follows its own paper; the deviations are listed \
in its file in `crates/lab/papers/src/`.
";
