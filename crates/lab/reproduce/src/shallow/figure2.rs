//! Figure 2: whole methods on CleanEval and on the news pages.

use crate::Result;
use crate::corpora::Corpora;
use crate::old::{Corner, Frame, Series, lines};
use crate::old::{points, table};
use std::path::Path;
use warcsieve_eval::gold::Variant;
use warcsieve_eval::stats::{mean, median};

/// Pipelines, their names in the paper, and its means on news, as far as its text has them: 95.93 %,
/// and what others gain over the baseline. The other figures are only in plots.
const METHODS: &[(&str, &str, &str)] = &[
    ("keep-all", "keep everything", "68.5"),
    ("min-words", "at least 10 words", "81.1"),
    ("density-rule", "text density ≥ 7, link density ≤ .35", ""),
    ("bte", "BTE", ""),
    ("density", "Algorithm 1 (densities)", ""),
    ("numwords", "Algorithm 2 (words)", "91.3"),
    ("numwords-largest", "Algorithm 2 + largest content", ""),
    ("numwords-main", "Algorithm 2 + main content", "95.9"),
];

pub fn section(corpora: &Corpora, folder: &Path) -> Result<String> {
    let pipelines: Vec<&str> = METHODS.iter().map(|(pipeline, ..)| *pipeline).collect();
    let mut rows: Vec<Vec<String>> = METHODS
        .iter()
        .map(|(_, n, _)| vec![(*n).to_owned()])
        .collect();
    for (corpus, gold, file, title) in [
        (
            "cleaneval-test",
            Variant::Gold,
            "figure-2a.svg",
            "Figure 2a: CleanEval, pages ranked by F1",
        ),
        // The main content: headline and full text, without comments and related content.
        (
            "l3s-gn1",
            Variant::Main,
            "figure-2b.svg",
            "Figure 2b: L3S-GN1, pages ranked by F1",
        ),
    ] {
        let evaluation = corpora.evaluate_with(corpus, gold, &pipelines)?;
        let mut series = Vec::new();
        for (p, (_, name, _)) in METHODS.iter().enumerate() {
            let mut f1: Vec<f64> = evaluation
                .pages
                .iter()
                .map(|r| r.scores[p].bag.f1)
                .collect();
            f1.sort_by(|a, b| b.total_cmp(a));
            rows[p].push(points(mean(&f1).unwrap_or_default()));
            rows[p].push(points(median(&f1).unwrap_or_default()));
            let points = f1.iter().enumerate().map(|(i, &f)| (i as f64, f));
            series.push(Series {
                name: (*name).to_owned(),
                points: points.collect(),
            });
        }
        let frame = Frame {
            title,
            x: "pages, the best first",
            y: "F1 of the bags of words",
        };
        lines(&folder.join(file), &frame, Corner::LowerLeft, &series)?;
    }
    for (row, (.., paper)) in rows.iter_mut().zip(METHODS) {
        row.push((*paper).to_owned());
    }
    let head = [
        "method",
        "CleanEval: mean",
        "median",
        "L3S-GN1: mean",
        "median",
        "paper: mean",
    ];
    Ok(format!(
        "\n## Figure 2: whole methods\n\nThe measure is F1 of bags of words; each page is one point. The pages of the corpora are as they were crawled, with the segmentation \
         `inline`. The gold of L3S-GN1 is its main content: headline and full text. The paper's means are computed from what its text says: 95.93 %, and gains over the baseline of \
         18.3, 33.3 and 40 %.\n\n{}\n![Figure 2a](shallow-text-features/figure-2a.svg)\n\n![Figure 2b](shallow-text-features/figure-2b.svg)\n",
        table(&head, &rows)
    ))
}
