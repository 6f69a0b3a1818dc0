//! Tables and figures in Markdown.

use std::fmt::Display;
use warcsieve_eval::stats::Bootstrap;

/// Written instead of a figure that is not known.
pub const NONE: &str = "–";

/// A table. The head and the rows are cells with ` | ` between them; the first column is text, the others are
/// numbers.
pub fn table(head: &str, rows: impl IntoIterator<Item = String>) -> String {
    let numbers = head.split(" | ").count() - 1;
    let rule = "---".to_owned() + &" | ---:".repeat(numbers);
    let lines = [head.to_owned(), rule].into_iter().chain(rows);
    let lines: Vec<_> = lines.map(|cells| format!("| {cells} |")).collect();
    lines.join("\n")
}

/// A row or a head of a [`table`]: a first cell, and others.
pub fn row(first: impl Display, cells: impl IntoIterator<Item: Display>) -> String {
    let first = first.to_string();
    cells
        .into_iter()
        .fold(first, |row, cell| format!("{row} | {cell}"))
}

/// A figure from 0 to 1 as the papers print it: in percent, with one decimal.
pub fn points(value: f64) -> String {
    format!("{:.1}", 100.0 * value)
}

/// A share in percent, with one decimal.
pub fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

/// A difference of such figures, with its sign.
pub fn difference(value: f64) -> String {
    format!("{:+.1}", 100.0 * value)
}

/// The 95 % interval of the mean of such figures.
pub fn interval(values: &[f64]) -> Option<String> {
    let found = Bootstrap::default().mean(values)?;
    Some(format!("{} to {}", points(found.low), points(found.high)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_has_a_rule_and_aligns_numbers() {
        let rows = [
            row("a", [points(0.5), difference(-0.01)]),
            row("", ["", "x"]),
        ];
        let expected = "| set | F1 | by |\n| --- | ---: | ---: |\n| a | 50.0 | -1.0 |\n|  |  | x |";
        assert_eq!(table("set | F1 | by", rows), expected);
        assert_eq!(table("set", []), "| set |\n| --- |");
        assert_eq!(percent(1, 3), "33.3 %");
        assert_eq!(interval(&[0.5, 0.5]).unwrap(), "50.0 to 50.0");
        assert_eq!(interval(&[]), None);
    }
}
