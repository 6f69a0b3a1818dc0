//! Plots, made with `warcsieve_look::plot`.

pub use warcsieve_look::plot::{Corner, Frame, Layer, Series, bars, columns, lines, over_powers};

/// A plot's title and the labels of its axes.
pub const fn frame<'a>(title: &'a str, x: &'a str, y: &'a str) -> Frame<'a> {
    Frame { title, x, y }
}

/// A named line.
pub fn series(name: &str, points: impl IntoIterator<Item = (f64, f64)>) -> Series {
    Series {
        name: name.to_owned(),
        points: points.into_iter().collect(),
    }
}
