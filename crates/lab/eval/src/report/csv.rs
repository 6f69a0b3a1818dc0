//! Summaries as CSV (RFC 4180), one row per pipeline and group of pages.

use super::columns::{Cell, row};
use crate::run::Evaluation;
use crate::summary::Summary;

/// All columns of all summaries. Figures have six decimals. Figures that could not be measured are
/// empty. `set` and `page_type` are empty if the group is not defined by them.
pub fn csv(evaluation: &Evaluation, summaries: &[Summary]) -> String {
    let rows: Vec<_> = summaries.iter().map(|s| row(evaluation, s)).collect();
    let header = rows.first().into_iter().flatten();
    let header: Vec<_> = header.map(|(name, _)| name.clone()).collect();
    let mut text = line(&header);
    for row in rows {
        let fields: Vec<_> = row.into_iter().map(|(_, cell)| field(cell)).collect();
        text += &line(&fields);
    }
    text
}

fn field(cell: Cell) -> String {
    match cell {
        Cell::Text(text) => text,
        Cell::Group(name) => name.unwrap_or_default(),
        Cell::Count(n) => n.to_string(),
        Cell::Figure(value) => value.map(|v| format!("{v:.6}")).unwrap_or_default(),
    }
}

fn line(fields: &[String]) -> String {
    let quoted: Vec<_> = fields.iter().map(|f| warcsieve_common::csv(f)).collect();
    quoted.join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_with_special_characters_are_quoted() {
        let fields = ["plain", "a,b", "say \"so\""].map(str::to_owned);
        assert_eq!(line(&fields), "plain,\"a,b\",\"say \"\"so\"\"\"\n");
    }
}
