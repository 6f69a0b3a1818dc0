//! What the deviations that are parameters change.

use crate::Result;
use crate::corpora::{Corpora, evaluate_all, mean};
use crate::page::table;
use crate::texts;
use warcsieve_eval::pages::Gold;
use warcsieve_extract::Pipeline;

/// A method, and the parameters that are set.
const VARIANTS: [(&str, &[&str]); 8] = [
    ("cetd", &[]),
    ("cetd", &["keep_ancestors"]),
    ("cetd", &["own_text"]),
    ("cetd", &["keep_ancestors", "own_text"]),
    ("cectd", &[]),
    ("cectd", &["keep_ancestors"]),
    ("cectd", &["own_text"]),
    ("cectd", &["linked_elements"]),
];
/// The program of the paper's authors.
const AUTHORS: (&str, &[&str]) = ("cectd", &["keep_ancestors", "own_text", "linked_elements"]);

/// Word F1 of each variant on each corpus, and the difference to the method as it ships.
pub fn section(corpora: &Corpora) -> Result<String> {
    let variants: Vec<_> = VARIANTS.into_iter().chain([AUTHORS]).collect();
    let pipelines: Vec<Pipeline> = variants
        .iter()
        .map(|(method, keys)| {
            let keys: String = keys.iter().map(|key| format!("{key} = true\n")).collect();
            Pipeline::parse(
                &warcsieve_papers::METHODS,
                method,
                &format!("[[step]]\nmethod = '{method}'\n{keys}"),
            )
        })
        .collect::<warcsieve_common::Result<_>>()?;
    let mut rows: Vec<Vec<String>> = variants
        .iter()
        .map(|(method, keys)| {
            let keys: Vec<String> = keys.iter().map(|key| format!("`{key}`")).collect();
            let keys = match keys.is_empty() {
                true => "as it ships".to_owned(),
                false => keys.join(", "),
            };
            vec![format!("`{method}`: {keys}")]
        })
        .collect();
    for (corpus, _) in texts::CORPORA {
        let gold = Gold::Texts(corpora.gold(corpus)?);
        let evaluation = evaluate_all(&corpora.inputs(corpus)?, &gold, &pipelines)?;
        let mut shipped = 0.0;
        for (at, (row, (_, keys))) in rows.iter_mut().zip(&variants).enumerate() {
            let f1 = mean(&evaluation, at, "f1", &[])?;
            if keys.is_empty() {
                shipped = f1;
            }
            row.push(format!("{f1:.3}"));
            row.push(match keys.is_empty() {
                true => String::new(),
                false => format!("{:+.3}", f1 - shipped),
            });
        }
    }
    let head = std::iter::once("mean word F1").chain(
        texts::CORPORA
            .iter()
            .flat_map(|(corpus, _)| [*corpus, "difference"]),
    );
    Ok(table(&head.collect::<Vec<_>>(), &rows))
}
