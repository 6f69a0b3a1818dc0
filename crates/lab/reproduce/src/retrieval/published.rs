//! Table 3 of Vogels et al. 2018: P@10, R@10, F1@10, MAP and nDCG on ClueWeb12.

use crate::{Result, data, number, row, table};

/// The paper's name for pages that are not cleaned.
pub const RAW: &str = "raw content";

/// A row: the collection and the ranking, the method, our pipeline if there is one, and the figures. A dash stands for
/// a figure that our copy of the paper lacks.
type Row = [&'static str; 8];

fn rows() -> Result<Vec<Row>> {
    data!("retrieval/table3.tsv")?.rows()
}

/// The methods that we can run, and our pipelines; raw text has none.
pub fn methods() -> Result<Vec<(String, Option<&'static str>)>> {
    let rows = rows()?;
    let first = rows.iter().filter(|row| row[0] == rows[0][0]);
    let methods = first.filter_map(|[_, name, pipeline, ..]| match *pipeline {
        "" if *name != RAW => None,
        "" => Some((RAW.to_owned(), None)),
        pipeline => Some(((*name).to_owned(), Some(pipeline))),
    });
    Ok(methods.collect())
}

/// The table as printed in the paper, and MAP compared with that of raw text.
pub fn printed() -> Result<String> {
    let mut raw = 0.0;
    let mut lines = Vec::new();
    for [part, name, _, figures @ ..] in rows()? {
        let map = number(figures[3])?;
        if name == RAW {
            raw = map;
        }
        let gain = format!("{:+.1} %", 100.0 * (map / raw - 1.0));
        lines.push(row(row(format!("{part} | {name}"), figures), [gain]));
    }
    let head = " | Method | P@10 | R@10 | F1@10 | MAP | nDCG | MAP against raw";
    Ok(table(head, lines))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn raw_text_comes_first_and_unfluff_is_no_pipeline() {
        let methods = methods().unwrap();
        assert_eq!(methods[0], (RAW.to_owned(), None));
        assert_eq!(methods[6], ("Web2Text".to_owned(), Some("web2text")));
        assert_eq!(methods.len(), 7);
        let web2text = "| CW12-B RM | Web2Text | 0.213 | – | 0.056 | 0.046 | 0.165 | +53.3 % |";
        assert!(printed().unwrap().ends_with(web2text));
    }
}
