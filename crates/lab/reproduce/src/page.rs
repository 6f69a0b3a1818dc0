//! Parts of the written pages.

/// A Markdown table; the first column is text, the others are numbers.
pub fn table<S: AsRef<str>>(head: &[S], rows: &[Vec<String>]) -> String {
    let line = |cells: Vec<&str>| format!("| {} |\n", cells.join(" | "));
    let rule = (0..head.len()).map(|c| if c == 0 { "---" } else { "---:" });
    let mut text = line(head.iter().map(AsRef::as_ref).collect()) + &line(rule.collect());
    for row in rows {
        text += &line(row.iter().map(String::as_str).collect());
    }
    text
}

/// A share in percent, with one decimal.
pub fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

/// A figure from 0 to 1 in the format of the papers: in percent, with one decimal.
pub fn points(value: f64) -> String {
    format!("{:.1}", 100.0 * value)
}
