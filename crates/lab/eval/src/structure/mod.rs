//! Quality of code, formulas and tables: a page's Markdown is compared with gold Markdown.
//!
//! The measures are those of WebMainBench (Ma et al. 2025). The parts of one kind are joined by line ends on both sides
//! and compared by 1 − Levenshtein distance / length of the longer one, in characters. Tables are also compared by TEDS
//! (Zhong, ShafieiBavani, Jimeno Yepes 2020). If neither side has such parts, the page has no value.
//!
//! # Deviations
//! Parts are found by a parser of Markdown, not by regular expressions. TEDS compares the tables in their order: it is
//! the mean over the pairs, where a table without a partner counts 0.

mod parts;
mod teds;

use parts::Parts;
use rapidfuzz::distance::levenshtein;

/// The similarities of a page's Markdown and its gold. `None` if neither side has such parts, or if a table is too
/// large.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StructureScores {
    /// Code: blocks and spans.
    pub code: Option<f64>,
    /// Formulas, without their `$`.
    pub formula: Option<f64>,
    /// Tables, as Markdown with one space around each cell.
    pub table: Option<f64>,
    /// Tables, as trees.
    pub teds: Option<f64>,
}

impl StructureScores {
    /// Compares Markdown with gold Markdown. The time is the product of the lengths of their parts, 64 characters at a
    /// time.
    pub fn of(markdown: &str, gold: &str) -> Self {
        let (found, gold) = (Parts::of(markdown), Parts::of(gold));
        Self {
            code: edit(&found.code, &gold.code),
            formula: edit(&found.formulas, &gold.formulas),
            table: edit(&texts(&found), &texts(&gold)),
            teds: tables(&found, &gold),
        }
    }
}

fn edit(found: &[String], gold: &[String]) -> Option<f64> {
    let (found, gold) = (found.join("\n"), gold.join("\n"));
    let is_empty = found.is_empty() && gold.is_empty();
    (!is_empty).then(|| levenshtein::normalized_similarity(found.chars(), gold.chars()))
}

fn texts(parts: &Parts) -> Vec<String> {
    parts.tables.iter().map(teds::Table::to_text).collect()
}

fn tables(found: &Parts, gold: &Parts) -> Option<f64> {
    let count = found.tables.len().max(gold.tables.len());
    let pairs = found.tables.iter().zip(&gold.tables);
    let sum: f64 = pairs
        .map(|(found, gold)| teds::similarity(found, gold))
        .sum::<Option<f64>>()?;
    (count > 0).then(|| sum / count as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_parts_have_similarity_1_and_missing_parts_no_value() {
        let markdown = "a `b`\n\n```c\nint x;\n\ny\n```\n\n$x^2$ and $$y$$\n\n| a | b |\n| --- | --- |\n| c | d |";
        let all = StructureScores::of(markdown, markdown);
        let one = Some(1.0);
        assert_eq!(
            all,
            StructureScores {
                code: one,
                formula: one,
                table: one,
                teds: one
            }
        );
        assert_eq!(StructureScores::of("a", "b"), StructureScores::default());
        let missing = StructureScores::of("", markdown);
        let none = Some(0.0);
        assert_eq!(
            missing,
            StructureScores {
                code: none,
                formula: none,
                table: none,
                teds: none
            }
        );
    }

    #[test]
    fn similarities_are_worked_out_by_hand() {
        // "b\nint x" against "b\nint y": one of seven characters.
        let code = StructureScores::of("`b`\n\n```\nint x\n```", "`b`\n\n    int y").code;
        assert!((code.unwrap() - 6.0 / 7.0).abs() < 1e-9);
        // One of two tables is missing.
        let table = "| a |\n| --- |\n| b |\n";
        let teds = StructureScores::of(table, &format!("{table}\n{table}")).teds;
        assert_eq!(teds, Some(0.5));
        let html = StructureScores::of("<table><tr><th>a<tr><td>b</table>", table);
        assert_eq!((html.table, html.teds), (Some(1.0), Some(1.0)));
    }
}
