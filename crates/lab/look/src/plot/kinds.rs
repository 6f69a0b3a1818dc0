//! The kinds of plots.

use super::axis::Axis;
use super::canvas::{Canvas, Corner, Frame, HALF, Sign, WIDE, WIDTH, class, mark};
use std::fmt::Write;
use warcsieve_common::html;

/// A named line, or named points.
#[derive(Clone, Debug)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// Its points.
    pub points: Vec<(f64, f64)>,
}

/// A name, and a height per column.
pub type Layer = (String, Vec<f64>);

fn most<'p>(series: &'p [Series], of: impl Fn(&(f64, f64)) -> f64 + 'p) -> f64 {
    series
        .iter()
        .flat_map(|s| &s.points)
        .map(of)
        .fold(0.0, f64::max)
}

/// A plot of lines from 0, with a legend in a corner.
pub fn lines(frame: &Frame<'_>, corner: Corner, series: &[Series]) -> String {
    let x = Axis::from_zero(most(series, |p| p.0));
    drawn(frame, x, corner, &[], series)
}

/// [`lines`] with a logarithmic x axis; every x must be above 0.
pub fn over_powers(frame: &Frame<'_>, corner: Corner, series: &[Series]) -> String {
    let powers = series.iter().map(|line| Series {
        name: line.name.clone(),
        points: line.points.iter().map(|(x, y)| (x.log10(), *y)).collect(),
    });
    let powers: Vec<Series> = powers.collect();
    let least = powers
        .iter()
        .flat_map(|s| &s.points)
        .map(|p| p.0)
        .fold(f64::MAX, f64::min);
    let x = Axis::powers(least.min(most(&powers, |p| p.0))..most(&powers, |p| p.0));
    drawn(frame, x, corner, &[], &powers)
}

/// Stacked columns of unit width, with lines over them.
pub fn columns(frame: &Frame<'_>, layers: &[Layer], over: &[Series]) -> String {
    let right = layers.iter().map(|l| l.1.len()).max().unwrap_or(0) as f64;
    drawn(
        frame,
        Axis::from_zero(right),
        Corner::UpperRight,
        layers,
        over,
    )
}

fn drawn(
    frame: &Frame<'_>,
    x: Axis,
    corner: Corner,
    layers: &[Layer],
    series: &[Series],
) -> String {
    let n = layers.iter().map(|l| l.1.len()).max().unwrap_or(0);
    let height =
        |x: usize, upto: usize| -> f64 { layers[..upto].iter().filter_map(|l| l.1.get(x)).sum() };
    let top = (0..n)
        .map(|x| height(x, layers.len()))
        .fold(most(series, |p| p.1), f64::max);
    let canvas = Canvas::new(frame, x, Axis::from_zero(top), WIDE);
    draw(canvas, corner, layers, series)
}

fn draw(mut canvas: Canvas, corner: Corner, layers: &[Layer], series: &[Series]) -> String {
    let n = layers.iter().map(|l| l.1.len()).max().unwrap_or(0);
    let height =
        |x: usize, upto: usize| -> f64 { layers[..upto].iter().filter_map(|l| l.1.get(x)).sum() };
    let mut entries = Vec::new();
    for (at, (name, _)) in layers.iter().enumerate() {
        for x in 0..n {
            let (left, low) = canvas.at((x as f64 - 0.45).max(0.0), height(x, at));
            let (right, high) = canvas.at(x as f64 + 0.45, height(x, at + 1));
            if low > high {
                let _ = write!(
                    canvas.svg,
                    "<rect class=\"fill {}\" x=\"{left:.1}\" y=\"{high:.1}\" width=\"{:.1}\" height=\"{:.1}\"/>",
                    class(at),
                    right - left,
                    low - high
                );
            }
        }
        entries.push((at, name.clone(), Sign::Box));
    }
    // A line without points is not named, but the other lines keep their colours.
    for (at, line) in series.iter().enumerate().filter(|l| !l.1.points.is_empty()) {
        let mut path = String::new();
        for (n, &(x, y)) in line.points.iter().enumerate() {
            let (x, y) = canvas.at(x, y);
            let _ = write!(path, "{}{x:.1} {y:.1}", if n == 0 { 'M' } else { 'L' });
        }
        let _ = write!(
            canvas.svg,
            "<path class=\"line {}\" d=\"{path}\"/>",
            class(layers.len() + at)
        );
        entries.push((layers.len() + at, line.name.clone(), Sign::Line));
    }
    canvas.finish(corner, &entries)
}

/// Lines between 0 and 1 on both axes, as large as a [`scatter`] plot.
pub fn shares(frame: &Frame<'_>, corner: Corner, series: &[Series]) -> String {
    let canvas = Canvas::new(frame, Axis::shares(), Axis::shares(), HALF);
    draw(canvas, corner, &[], series)
}

/// Points between 0 and 1 on both axes; each series has its own mark.
pub fn scatter(frame: &Frame<'_>, corner: Corner, series: &[Series]) -> String {
    let mut canvas = Canvas::new(frame, Axis::shares(), Axis::shares(), HALF);
    let mut entries = Vec::new();
    for (n, group) in series.iter().enumerate() {
        for &(x, y) in &group.points {
            let (x, y) = canvas.at(x, y);
            canvas.svg += &mark(n, x, y, 3.0);
        }
        entries.push((n, group.name.clone(), Sign::Mark));
    }
    canvas.finish(corner, &entries)
}

/// Named horizontal bars, the first at the top.
pub fn bars(frame: &Frame<'_>, values: &[(String, f64)]) -> String {
    let (height, left, top) = (90.0 + 15.0 * values.len() as f64, 200.0, 40.0);
    let axis = Axis::from_zero(values.iter().map(|v| v.1).fold(0.0, f64::max));
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\"><title>{0}</title>\
         <rect class=\"paper\" width=\"{WIDTH}\" height=\"{height}\"/><text class=\"name\" x=\"{1}\" y=\"26\">{0}</text>",
        html(frame.title),
        WIDTH / 2.0
    );
    let low = top + 15.0 * values.len() as f64;
    for (value, text) in &axis.ticks {
        let x = left + axis.share(*value) * (WIDTH - left - 24.0);
        let _ = write!(
            svg,
            "<line class=\"grid\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{top}\" y2=\"{low}\"/><text class=\"tick\" x=\"{x:.1}\" y=\"{:.1}\">{text}</text>",
            low + 17.0
        );
    }
    for (n, (name, value)) in values.iter().enumerate() {
        let y = top + 15.0 * n as f64;
        let _ = write!(
            svg,
            "<rect class=\"fill c0\" x=\"{left}\" y=\"{:.1}\" width=\"{:.1}\" height=\"11\"/><text class=\"tick right\" x=\"{}\" y=\"{:.1}\">{}</text>",
            y + 2.0,
            axis.share(*value) * (WIDTH - left - 24.0),
            left - 8.0,
            y + 11.5,
            html(name)
        );
    }
    let _ = write!(
        svg,
        "<text class=\"axis\" x=\"{:.1}\" y=\"{:.1}\">{}</text></svg>",
        f64::midpoint(left, WIDTH),
        height - 10.0,
        html(frame.x)
    );
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAME: Frame<'_> = Frame {
        title: "a < b",
        x: "x",
        y: "y",
    };

    #[test]
    fn names_are_escaped_and_points_are_where_they_belong() {
        let line = Series {
            name: "</svg><script>".to_owned(),
            points: vec![(0.0, 0.0), (10.0, 10.0)],
        };
        let svg = lines(&FRAME, Corner::UpperLeft, &[line]);
        assert!(
            svg.contains("&lt;/svg&gt;&lt;script&gt;") && svg.contains("<title>a &lt; b</title>"),
            "{svg}"
        );
        // From the lower left corner of the area to the upper right one.
        assert!(
            svg.contains("<path class=\"line c0\" d=\"M68.0 424.0L840.0 44.0\"/>"),
            "{svg}"
        );
        assert_eq!(svg.matches("</svg>").count(), 1);
    }

    #[test]
    fn every_kind_draws_its_data() {
        let series = [1, 2].map(|n| Series {
            name: format!("s{n}"),
            points: vec![(1.0, 0.5), (100.0, 0.25)],
        });
        assert_eq!(
            over_powers(&FRAME, Corner::LowerRight, &series)
                .matches("class=\"line ")
                .count(),
            2 + 2
        );
        assert_eq!(
            scatter(&FRAME, Corner::LowerRight, &series)
                .matches("class=\"dot ")
                .count(),
            4 + 2
        );
        let layers = [
            ("a".to_owned(), vec![1.0, 0.0, 3.0]),
            ("b".to_owned(), vec![1.0, 2.0, 0.0]),
        ];
        assert_eq!(
            columns(&FRAME, &layers, &[])
                .matches("class=\"fill ")
                .count(),
            4 + 2
        );
        assert_eq!(
            bars(&FRAME, &[("a".to_owned(), 1.0), ("b".to_owned(), 2.0)])
                .matches("class=\"fill ")
                .count(),
            2
        );
    }
}
