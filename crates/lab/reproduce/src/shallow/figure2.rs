//! Figure 2: whole methods on CleanEval and on the news pages.

use crate::corpora::{built_in, evaluate_all};
use crate::plot::{Corner, frame, lines, series};
use crate::{Job, Result, data, points, row, table};
use warcsieve_eval::gold::Variant;
use warcsieve_eval::pages::Gold;
use warcsieve_eval::stats::{mean, median};

/// The corpora and their golds. The main content of news is headline and full text, without comments and related
/// content.
const FIGURES: [(&str, Variant, &str, &str); 2] = [
    ("cleaneval-test", Variant::Gold, "2a", "CleanEval"),
    ("l3s-gn1", Variant::Main, "2b", "L3S-GN1"),
];

/// Our means and medians, and the paper's means on news if its text states them: 95.93 %, and the gain of other methods
/// over the baseline. The other figures are only in plots.
pub fn figure_2(job: &Job) -> Result<String> {
    let methods: Vec<[&str; 3]> = data!("shallow/figure2.tsv")?.rows()?;
    let names: Vec<&str> = methods.iter().map(|method| method[0]).collect();
    let pipelines = built_in(names)?;
    let mut rows: Vec<String> = methods.iter().map(|method| method[1].to_owned()).collect();
    for (corpus, gold, figure, name) in FIGURES {
        let gold = Gold::Texts(job.corpora.gold_of(corpus, gold)?);
        let evaluation = evaluate_all(&job.corpora.inputs(corpus)?, &gold, &pipelines)?;
        let mut all = Vec::new();
        for (p, ([_, name, _], line)) in methods.iter().zip(&mut rows).enumerate() {
            let f1 = evaluation.pages.iter().map(|page| page.scores[p].bag.f1);
            let mut f1: Vec<f64> = f1.collect();
            f1.sort_by(|a, b| b.total_cmp(a));
            let figures = [mean(&f1), median(&f1)].map(|figure| points(figure.unwrap_or_default()));
            *line = row(&line, figures);
            all.push(series(
                name,
                f1.iter().enumerate().map(|(i, &f)| (i as f64, f)),
            ));
        }
        let title = format!("Figure {figure}: {name}, pages ranked by F1");
        let frame = frame(&title, "pages, the best first", "F1 of the bags of words");
        let file = format!("shallow-text-features/figure-{figure}.svg");
        job.plot(&file, &lines(&frame, Corner::LowerLeft, &all))?;
    }
    let rows = rows.iter().zip(&methods);
    let rows = rows.map(|(line, [_, _, printed])| row(line, [printed]));
    let head = "method | CleanEval: mean | median | L3S-GN1: mean | median | paper: mean";
    Ok(table(head, rows))
}
