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

use std::error::Error;
use std::path::Path;
use warcsieve_look::plot;

pub use warcsieve_look::plot::{Corner, Frame, Layer, Series};

type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

/// A plot of lines, with a legend in a corner.
pub fn lines(path: &Path, frame: &Frame<'_>, corner: Corner, series: &[Series]) -> Result {
    write(path, &plot::lines(frame, corner, series))
}

/// [`lines`] with a logarithmic x axis; every x must be above 0.
pub fn over_powers(path: &Path, frame: &Frame<'_>, corner: Corner, series: &[Series]) -> Result {
    write(path, &plot::over_powers(frame, corner, series))
}

/// Stacked columns of unit width, with lines over them. Each of the `layers` is a name and a height
/// per column.
pub fn columns(path: &Path, frame: &Frame<'_>, layers: &[Layer], over: &[Series]) -> Result {
    write(path, &plot::columns(frame, layers, over))
}

/// Named horizontal bars, the first on top.
pub fn bars(path: &Path, frame: &Frame<'_>, values: &[(String, f64)]) -> Result {
    write(path, &plot::bars(frame, values))
}

fn write(path: &Path, svg: &str) -> Result {
    Ok(std::fs::write(path, plot::file(svg))?)
}
