//! Plots as SVG files.

use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use std::error::Error;
use std::ops::Range;
use std::path::Path;

pub use plotters::chart::SeriesLabelPosition as Corner;

type Result<T = ()> = std::result::Result<T, Box<dyn Error>>;

/// A named line.
pub struct Series {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// The title and the labels of the axes.
pub struct Frame<'a> {
    pub title: &'a str,
    pub x: &'a str,
    pub y: &'a str,
}

/// Colours that can be distinguished in print and on a screen (Okabe, Ito 2008).
const COLORS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(213, 94, 0),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(90, 90, 90),
    RGBColor(180, 170, 40),
];

const SIZE: (u32, u32) = (860, 480);

/// A plot of lines, with a legend in a corner.
pub fn lines(path: &Path, frame: &Frame<'_>, corner: Corner, series: &[Series]) -> Result {
    let points = series.iter().flat_map(|s| &s.points);
    let right = points.map(|p| p.0).fold(0.0, f64::max);
    let x = Axis::from_zero(right);
    plot(path, frame, &x, corner, &[], series, &COLORS)
}

/// [`lines`] with a logarithmic x axis; every x must be above 0.
pub fn over_powers(path: &Path, frame: &Frame<'_>, corner: Corner, series: &[Series]) -> Result {
    let powers = series.iter().map(|line| Series {
        name: line.name.clone(),
        points: line.points.iter().map(|(x, y)| (x.log10(), *y)).collect(),
    });
    let powers: Vec<Series> = powers.collect();
    let points = || powers.iter().flat_map(|s| &s.points).map(|p| p.0);
    let x = Axis {
        range: points().fold(f64::MAX, f64::min)..points().fold(0.0, f64::max),
        label: power,
    };
    plot(path, frame, &x, corner, &[], &powers, &COLORS)
}

/// Stacked columns of unit width, with lines over them. Each of the `layers` is a name and a height
/// per column.
pub fn columns(path: &Path, frame: &Frame<'_>, layers: &[Layer], over: &[Series]) -> Result {
    let right = layers.iter().map(|l| l.1.len()).max().unwrap_or(0) as f64;
    let corner = Corner::UpperRight;
    let x = Axis::from_zero(right);
    plot(path, frame, &x, corner, layers, over, &[BLACK, RED])
}

/// A name, and a height per column.
pub type Layer = (String, Vec<f64>);

/// The range of an axis, and the format of its numbers.
struct Axis {
    range: Range<f64>,
    label: fn(&f64) -> String,
}

impl Axis {
    fn from_zero(end: f64) -> Self {
        Self {
            range: 0.0..end.max(1e-9),
            label: number,
        }
    }
}

fn plot(
    path: &Path,
    frame: &Frame<'_>,
    x: &Axis,
    corner: Corner,
    layers: &[Layer],
    lines: &[Series],
    line_colors: &[RGBColor],
) -> Result {
    let n = layers.iter().map(|l| l.1.len()).max().unwrap_or(0);
    let height =
        |x: usize, upto: usize| -> f64 { layers[..upto].iter().filter_map(|l| l.1.get(x)).sum() };
    let columns = (0..n).map(|x| height(x, layers.len()));
    let points = lines.iter().flat_map(|s| &s.points).map(|p| p.1);
    let top = columns.chain(points).fold(0.0, f64::max);
    let root = SVGBackend::new(path, SIZE).into_drawing_area();
    let mut chart = chart(&root, frame, x, top)?;
    for (at, ((name, _), &color)) in layers.iter().zip(COLORS.iter().cycle()).enumerate() {
        let boxes = (0..n).map(|x| {
            let (low, high) = (height(x, at), height(x, at + 1));
            let [left, right] = [-0.45, 0.45].map(|side| x as f64 + side);
            Rectangle::new([(left, low), (right, high)], color.filled())
        });
        chart
            .draw_series(boxes)?
            .label(name)
            .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 12, y + 5)], color.filled()));
    }
    for (line, &color) in lines.iter().zip(line_colors.iter().cycle()) {
        let stroke = color.stroke_width(2);
        chart
            .draw_series(LineSeries::new(line.points.iter().copied(), stroke))?
            .label(&line.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], stroke));
    }
    chart
        .configure_series_labels()
        .position(corner)
        .background_style(WHITE.mix(0.85))
        .border_style(RGBColor(200, 200, 200))
        .draw()?;
    drop(chart);
    Ok(root.present()?)
}

/// Named horizontal bars, the first on top.
pub fn bars(path: &Path, frame: &Frame<'_>, values: &[(String, f64)]) -> Result {
    let n = values.len();
    let size = (SIZE.0, 90 + 15 * n as u32);
    let top = values.iter().map(|v| v.1).fold(0.0, f64::max);
    let root = SVGBackend::new(path, size).into_drawing_area();
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&root)
        .caption(frame.title, ("sans-serif", 18))
        .margin(10)
        .x_label_area_size(40)
        .y_label_area_size(190)
        .build_cartesian_2d(0.0..top * 1.05, 0.0..n as f64)?;
    let name = |y: &f64| {
        let at = n as f64 - y - 0.5;
        let is_row = at >= -0.01 && (at - at.round()).abs() < 0.01;
        let row = is_row.then(|| values.get(at.round() as usize)).flatten();
        row.map(|v| v.0.clone()).unwrap_or_default()
    };
    chart
        .configure_mesh()
        .disable_y_mesh()
        .light_line_style(WHITE)
        .disable_y_axis()
        .y_labels(0)
        .y_label_formatter(&name)
        .x_desc(frame.x)
        .draw()?;
    let color = COLORS[0];
    chart.draw_series(values.iter().enumerate().map(|(i, (_, value))| {
        let y = (n - i) as f64;
        Rectangle::new([(0.0, y - 0.85), (*value, y - 0.15)], color.filled())
    }))?;
    let area = chart.plotting_area();
    for (i, (name, _)) in values.iter().enumerate() {
        let (_, y) = area.map_coordinate(&(0.0, (n - i) as f64 - 0.5));
        let style = ("sans-serif", 12).into_font().color(&BLACK);
        let width = root.estimate_text_size(name, &style)?.0 as i32;
        root.draw(&Text::new(name.as_str(), (195 - width, y - 6), style))?;
    }
    Ok(root.present()?)
}

/// A number on an axis; integers without a decimal point.
fn number(value: &f64) -> String {
    if (value - value.round()).abs() < 1e-9 {
        format!("{value:.0}")
    } else {
        format!("{value:.1}")
    }
}

/// Ten to this power, in thousands, millions and so on; empty unless the power is an integer.
fn power(value: &f64) -> String {
    if (value - value.round()).abs() > 1e-9 {
        return String::new();
    }
    let power = value.round().max(0.0) as usize;
    let unit = ["", " k", " M", " G", " T"].get(power / 3).unwrap_or(&" ?");
    format!("1{}{unit}", "0".repeat(power % 3))
}

type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

fn chart<'a, 'b>(
    root: &'a DrawingArea<SVGBackend<'b>, plotters::coord::Shift>,
    frame: &Frame<'_>,
    x: &Axis,
    top: f64,
) -> Result<Chart<'a, 'b>> {
    root.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(root)
        .caption(frame.title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(42)
        .y_label_area_size(64)
        .build_cartesian_2d(x.range.clone(), 0.0..(top * 1.05).max(1e-9))?;
    chart
        .configure_mesh()
        .light_line_style(WHITE)
        .x_label_formatter(&x.label)
        .y_label_formatter(&number)
        .x_desc(frame.x)
        .y_desc(frame.y)
        .draw()?;
    Ok(chart)
}
