//! Figure 2: whole methods on CleanEval and on the news pages.

use crate::corpora::{built_in, evaluate_all};
use crate::plot::{Corner, frame, lines, series};
use crate::victor::{self, VICTOR};
use crate::web2text::clean_eval;
use crate::{Job, NONE, Page, Result, data, points, row, table};
use std::collections::HashMap;
use warcsieve_eval::gold::Variant;
use warcsieve_eval::pages::Gold;
use warcsieve_eval::run::Evaluation;
use warcsieve_eval::stats::{mean, median, spearman};

/// The corpora and their golds. The main content of news is headline and full text, without comments and related
/// content.
const FIGURES: [(&str, Variant, &str, &str); 2] = [
    ("cleaneval-test", Variant::Gold, "2a", "CleanEval"),
    ("l3s-gn1", Variant::Main, "2b", "L3S-GN1"),
];

/// The pipelines of the two algorithms, and of the same filter after each.
const BOTH: [[&str; 2]; 3] = [
    ["density", "numwords"],
    ["density-largest", "numwords-largest"],
    ["density-main", "numwords-main"],
];

/// Our means and medians, and the paper's means on news if its text states them: 95.93 %, and the gain of other methods
/// over the baseline. The other figures are only in plots.
pub fn put(job: &Job, page: Page) -> Result<Page> {
    let methods: Vec<[&str; 3]> = data!("shallow/figure2.tsv")?.rows()?;
    let names: Vec<&str> = methods.iter().map(|method| method[0]).collect();
    let pipelines = built_in(names.iter().copied())?;
    let (mut cases, mut denser, mut agreement) = (0, Vec::new(), None);
    let mut rows: Vec<String> = methods.iter().map(|method| method[1].to_owned()).collect();
    for (corpus, gold, figure, name) in FIGURES {
        let gold = Gold::Texts(job.corpora.gold_of(corpus, gold)?);
        let evaluation = evaluate_all(&job.corpora.inputs(corpus)?, &gold, &pipelines)?;
        agreement = agreement.or_else(|| of_edit_score(&evaluation));
        let (mut all, mut means) = (Vec::new(), HashMap::new());
        for (p, ([_, name, _], line)) in methods.iter().zip(&mut rows).enumerate() {
            let f1 = evaluation.pages.iter().map(|page| page.scores[p].bag.f1);
            let mut f1: Vec<f64> = f1.collect();
            f1.sort_by(|a, b| b.total_cmp(a));
            means.insert(names[p], mean(&f1).unwrap_or_default());
            let figures = [mean(&f1), median(&f1)].map(|figure| points(figure.unwrap_or_default()));
            *line = row(&line, figures);
            all.push(series(
                name,
                f1.iter().enumerate().map(|(i, &f)| (i as f64, f)),
            ));
        }
        for [by_density, by_words] in BOTH {
            cases += 1;
            if means[by_density] > means[by_words] {
                denser.push(format!("`{by_density}` on {name}"));
            }
        }
        let title = format!("Figure {figure}: {name}, pages ranked by F1");
        let frame = frame(&title, "pages, the best first", "F1 of the bags of words");
        let file = format!("shallow-text-features/figure-{figure}.svg");
        job.plot(&file, &lines(&frame, Corner::LowerLeft, &all))?;
    }
    let rows = rows.iter().zip(&methods);
    let rows = rows.map(|(line, [_, _, printed])| row(line, [printed]));
    let rows = rows.chain([victor(job)?]);
    let head = "method | CleanEval: mean | median | L3S-GN1: mean | median | paper: mean";
    let denser = match denser.is_empty() {
        true => "none".to_owned(),
        false => denser.join(", "),
    };
    let (pages, correlation) = agreement.ok_or("no page has both measures")?;
    Ok(page
        .put("figure 2", table(head, rows))
        .put("scored texts", pages)
        .put("correlation", format!("{correlation:.3}"))
        .put("cases", cases)
        .put("denser", denser))
}

/// The number of texts, one per page and method, that have CleanEval's score, and the rank correlation of that score with
/// the F1 of bags of words.
fn of_edit_score(evaluation: &Evaluation) -> Option<(usize, f64)> {
    let scores = evaluation.pages.iter().flat_map(|page| &page.scores);
    let both = scores.filter_map(|score| Some((score.bag.f1, score.lcs?.clean_eval)));
    let (bags, edits): (Vec<f64>, Vec<f64>) = both.unzip();
    Some((bags.len(), spearman(&bags, &edits)?))
}

/// Victor, which the paper measures on CleanEval alone.
fn victor(job: &Job) -> Result<String> {
    let [leaves] = &built_in(["web2text"])?[..] else {
        return Err("one pipeline was asked for".into());
    };
    let (training, test) = clean_eval(job, leaves)?;
    let content = victor::labels(&job.corpora, leaves, &training, &test)?;
    let f1: Vec<f64> = test.scores(&content).iter().map(|score| score.f1).collect();
    let figures = [mean(&f1), median(&f1)].map(|figure| points(figure.unwrap_or_default()));
    Ok(row(row(VICTOR, figures), [NONE, NONE, ""]))
}
