//! Tables of the pipelines' extracted texts compared with the gold texts of the corpora.

use crate::corpora::{Corpora, TYPES, by_type, means};
use crate::{Result, row, table};
use warcsieve_extract::Pipeline;

/// A corpus, and its description.
pub const CORPORA: [(&str, &str); 3] = [
    (
        "cleaneval-test",
        "CleanEval's test set, 681 pages of 2006 from all over the web",
    ),
    ("l3s-gn1", "L3S-GN1, 621 news pages of 2008"),
    (
        "wcxb-dev",
        "WCXB development set, 1,497 pages of seven types",
    ),
];

const MEASURES: &str = "f1 precision recall lcs_f1 lcs_precision lcs_recall score";
const HEAD: &str = " | word F1 | P | R | LCS F1 | P | R | Score";

/// The corpus whose gold has page types.
const TYPED: &str = "wcxb-dev";

/// One table per corpus, and one by page type, with a row for each pipeline; all values are in percent, means
/// over pages.
pub fn tables(corpora: &Corpora, pipelines: &[Pipeline]) -> Result<String> {
    let mut parts = Vec::new();
    for (corpus, title) in CORPORA {
        let evaluation = corpora.evaluate(corpus, pipelines)?;
        let names = || evaluation.pipelines.iter().map(|p| &p.name).enumerate();
        let all = names().map(|(p, name)| Ok(row(name, means(&evaluation, p, MEASURES)?)));
        let all = all.collect::<Result<Vec<_>>>()?;
        parts.push(format!("### {title}\n\n{}", table(HEAD, all)));
        if corpus == TYPED {
            let types = names().map(|(p, name)| Ok(row(name, by_type(&evaluation, p)?)));
            let types = table(&row("", TYPES), types.collect::<Result<Vec<_>>>()?);
            parts.push(format!("### The same by type of page: word F1\n\n{types}"));
        }
    }
    Ok(parts.join("\n\n"))
}
