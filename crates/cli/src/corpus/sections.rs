//! Parts of the data card: headings, rows of tables, shares.

use std::fmt::Write;

pub(super) fn section(out: &mut String, title: &str) {
    let _ = writeln!(out, "\n## {title}\n");
}

pub(super) fn row<const N: usize>(out: &mut String, cells: [&str; N]) {
    let _ = writeln!(out, "| {} |", cells.join(" | "));
}

pub(super) fn share(part: u64, whole: u64) -> String {
    match whole {
        0 => String::new(),
        _ => format!("{:.1} %", 100.0 * part as f64 / whole as f64),
    }
}
