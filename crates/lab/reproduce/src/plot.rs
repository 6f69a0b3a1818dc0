//! Plots as SVG files: those of `warcsieve_look::plot`.

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
