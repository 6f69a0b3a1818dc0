//! The frame of a plot: axes, grid, title and legend.

use super::axis::Axis;
use std::fmt::Write;
use warcsieve_common::html;

pub const WIDTH: f64 = 860.0;

/// Width and height of a plot that has the full width of a page or document.
pub const WIDE: [f64; 2] = [WIDTH, 480.0];

/// Width and height of a plot next to another one. The letters stay legible.
pub const HALF: [f64; 2] = [580.0, 420.0];

/// Space around the area of the data: left, top, right, bottom.
const ROOM: [f64; 4] = [68.0, 44.0, 20.0, 56.0];

/// Mean width of a character in the legend; a little too large, to be safe.
const CHARACTER: f64 = 7.4;

/// The title and the labels of the axes.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// The title.
    pub title: &'a str,
    /// The label of the x axis.
    pub x: &'a str,
    /// The label of the y axis.
    pub y: &'a str,
}

/// Where the legend is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Corner {
    /// At the top, on the left.
    UpperLeft,
    /// At the top, on the right.
    UpperRight,
    /// At the bottom, on the left.
    LowerLeft,
    /// At the bottom, on the right.
    LowerRight,
}

/// A plot that is being drawn.
pub struct Canvas {
    x: Axis,
    y: Axis,
    size: [f64; 2],
    pub svg: String,
}

/// The form of an entry in the legend.
#[derive(Clone, Copy)]
pub enum Sign {
    Line,
    Box,
    Mark,
}

impl Canvas {
    /// An empty frame.
    pub fn new(frame: &Frame<'_>, x: Axis, y: Axis, size: [f64; 2]) -> Self {
        let [width, height] = size;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"0 0 {width} {height}\" role=\"img\"><title>{0}</title>\
             <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/><text class=\"name\" x=\"{1:.0}\" y=\"26\">{0}</text>",
            html(frame.title),
            width / 2.0
        );
        let [left, top, right, bottom] = ROOM;
        let (end, low) = (width - right, height - bottom);
        for (value, text) in &y.ticks {
            let at = low - y.share(*value) * (low - top);
            let _ = write!(
                svg,
                "<line class=\"grid\" x1=\"{left}\" x2=\"{end}\" y1=\"{at:.1}\" y2=\"{at:.1}\"/><text class=\"tick right\" x=\"{:.1}\" y=\"{:.1}\">{text}</text>",
                left - 8.0,
                at + 4.0
            );
        }
        for (value, text) in &x.ticks {
            let at = left + x.share(*value) * (end - left);
            let _ = write!(
                svg,
                "<line class=\"grid\" x1=\"{at:.1}\" x2=\"{at:.1}\" y1=\"{top}\" y2=\"{low}\"/><text class=\"tick\" x=\"{at:.1}\" y=\"{:.1}\">{text}</text>",
                low + 18.0
            );
        }
        let _ = write!(
            svg,
            "<path class=\"frame\" d=\"M{left} {top}V{low}H{end}\"/><text class=\"axis\" x=\"{:.1}\" y=\"{:.1}\">{}</text>\
             <text class=\"axis\" transform=\"translate(18 {:.1}) rotate(-90)\">{}</text>",
            f64::midpoint(left, end),
            height - 14.0,
            html(frame.x),
            f64::midpoint(top, low),
            html(frame.y)
        );
        Self { x, y, size, svg }
    }

    /// The position of a point.
    pub fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let [left, top, right, bottom] = ROOM;
        (
            left + self.x.share(x) * (self.size[0] - right - left),
            self.size[1] - bottom - self.y.share(y) * (self.size[1] - bottom - top),
        )
    }

    /// Draws the legend and ends the plot. Entries have the number of their series, which determines their colour.
    pub fn finish(mut self, corner: Corner, entries: &[(usize, String, Sign)]) -> String {
        let [left, top, right, bottom] = ROOM;
        let longest = entries
            .iter()
            .map(|e| e.1.chars().count())
            .max()
            .unwrap_or(0);
        let (width, height) = (
            longest as f64 * CHARACTER + 48.0,
            entries.len() as f64 * 19.0 + 10.0,
        );
        let x = match corner {
            Corner::UpperLeft | Corner::LowerLeft => left + 12.0,
            Corner::UpperRight | Corner::LowerRight => self.size[0] - right - 12.0 - width,
        };
        let y = match corner {
            Corner::UpperLeft | Corner::UpperRight => top + 8.0,
            Corner::LowerLeft | Corner::LowerRight => self.size[1] - bottom - 10.0 - height,
        };
        if !entries.is_empty() {
            let _ = write!(
                self.svg,
                "<rect class=\"legend\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"4\"/>"
            );
        }
        for (line, (n, name, sign)) in entries.iter().enumerate() {
            let middle = y + 14.5 + line as f64 * 19.0;
            let at = x + 10.0;
            let (class, end) = (class(*n), at + 22.0);
            let _ = match sign {
                Sign::Line => write!(
                    self.svg,
                    "<path class=\"line {class}\" d=\"M{at:.1} {middle:.1}H{end:.1}\"/>"
                ),
                Sign::Box => write!(
                    self.svg,
                    "<rect class=\"fill {class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"12\" height=\"10\"/>",
                    at + 5.0,
                    middle - 5.0
                ),
                Sign::Mark => {
                    self.svg += &mark(*n, at + 11.0, middle, 4.5);
                    Ok(())
                }
            };
            let _ = write!(
                self.svg,
                "<text class=\"entry\" x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                x + 40.0,
                middle + 4.0,
                html(name)
            );
        }
        self.svg + "</svg>"
    }
}

/// The class of a series: eight colours.
pub fn class(n: usize) -> String {
    format!("c{}", n % 8)
}

/// A mark of a series. Series also differ in the shape of their marks.
pub fn mark(n: usize, x: f64, y: f64, r: f64) -> String {
    let class = class(n);
    match n % 4 {
        0 => format!("<circle class=\"dot {class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r}\"/>"),
        1 => format!(
            "<path class=\"dot {class}\" d=\"M{:.1} {:.1}l{r} {}h-{}z\"/>",
            x,
            y - r,
            2.0 * r,
            2.0 * r
        ),
        2 => format!(
            "<rect class=\"dot {class}\" x=\"{:.1}\" y=\"{:.1}\" width=\"{}\" height=\"{}\"/>",
            x - r * 0.85,
            y - r * 0.85,
            r * 1.7,
            r * 1.7
        ),
        _ => format!(
            "<path class=\"dot {class}\" d=\"M{:.1} {:.1}l{r} {r}l-{r} {r}l-{r} -{r}z\"/>",
            x,
            y - r
        ),
    }
}
