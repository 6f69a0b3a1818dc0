//! Plots as SVG: for the pages of this crate, and as files for the documentation.
//!
//! Series differ in colour and in dashes or marks, so that a plot can be read in print and by colour-blind people.

mod axis;
mod canvas;
mod kinds;

pub use canvas::{Corner, Frame};
pub use kinds::{Layer, Series, bars, columns, lines, over_powers, scatter, shares};

/// Colours and lines of plots, for pages and files.
pub const STYLE: &str = include_str!("../../assets/plot.css");

/// A plot as a separate file.
pub fn file(svg: &str) -> String {
    svg.replacen('>', &format!("><style>{STYLE}</style>"), 1) + "\n"
}
