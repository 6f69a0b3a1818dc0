//! Markdown tables that are also readable on a terminal.

use std::fmt::Write;
use warcsieve_common::markdown;

/// Escapes text so that it is no markup and does not break a table.
fn cell(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    markdown(&text)
}

/// A Markdown table with aligned columns. The first is text, which is escaped, as the head is. The others are numbers of
/// ours with their marks, which are printed as they are.
pub fn grid(head: &[String], rows: &[Vec<String>]) -> String {
    let head: Vec<_> = head.iter().map(|name| cell(name)).collect();
    let mut rows = rows.to_vec();
    for name in rows.iter_mut().filter_map(|row| row.first_mut()) {
        *name = cell(name);
    }
    let width = |c: usize| {
        let cells = rows.iter().filter_map(|r| r.get(c)).chain(head.get(c));
        cells.map(|t| t.chars().count()).max().unwrap_or(0).max(3)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |cells: &[String]| {
        let mut text = String::from("|");
        for (c, (cell, width)) in cells.iter().zip(&widths).enumerate() {
            let _ = match c {
                0 => write!(text, " {cell:<width$} |"),
                _ => write!(text, " {cell:>width$} |"),
            };
        }
        text + "\n"
    };
    let rule: Vec<String> = (widths.iter().enumerate())
        .map(|(c, &w)| match c {
            0 => "-".repeat(w),
            _ => "-".repeat(w - 1) + ":",
        })
        .collect();
    let body: String = rows.iter().map(|r| line(r)).collect();
    line(&head) + &line(&rule) + &body
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_align() {
        let rows = [
            vec!["a".to_owned(), "1".to_owned()],
            vec!["bcd é".to_owned(), "10.5".to_owned()],
        ];
        let text = grid(&["name".to_owned(), "n".to_owned()], &rows);
        assert_eq!(
            text,
            "| name  |    n |\n| ----- | ---: |\n| a     |    1 |\n| bcd é | 10.5 |\n"
        );
    }
}
