//! §5: the stochastic text model, and Figures 3 to 5.

use super::blocks::Distribution;
use super::fit::{Bins, DensityMixture, Fit, Geometric, GeometricMixture, shares};
use super::histogram::Histogram;
use crate::plot::{Layer, Series, columns, frame, series};
use crate::{Job, Page, Result, data, table};
use warcsieve_eval::annotated::TextClass;

/// Figure 4 shows blocks of up to `LENGTHS` words, Figures 3 and 5 densities up to `DENSITIES`.
const LENGTHS: u32 = 60;
const DENSITIES: usize = 22;

/// The fits, and the figures. `news` is the annotated set, `general` CleanEval.
pub fn put(
    job: &Job,
    page: Page,
    news: &Distribution,
    inline: &Distribution,
    general: &Distribution,
) -> Result<Page> {
    let (fits, of_inline) = (Fits::of(news)?, Fits::of(inline)?);
    let printed = data!("shallow/model.tsv")?.rows()?.into_iter();
    let rows = printed.zip(fits.shown().into_iter().zip(of_inline.shown()));
    let rows = rows.map(|([name, printed], (paper, inline)): ([&str; 2], _)| {
        format!("{name} | {paper} | {inline} | {printed}")
    });
    draw(job, news, general, &fits)?;
    let [by_words, by_density] = news.long;
    let difference = 100.0 * (by_density as f64 - by_words as f64) / by_density.max(1) as f64;
    Ok(page
        .put("densities", DENSITIES)
        .put("fits", table(" | `paper` | `inline` | published", rows))
        .put("long by words", by_words)
        .put("long by density", by_density)
        .put("difference", format!("{difference:.1}")))
}

/// Figures 3 to 5.
fn draw(job: &Job, news: &Distribution, general: &Distribution, fits: &Fits) -> Result {
    let blocks: u64 = news.lengths.all()[1..].iter().sum();
    let curve = |name, probability: &dyn Fn(u32) -> f64| {
        let points = (1..=LENGTHS).map(|x| (f64::from(x), blocks as f64 * probability(x)));
        series(name, points)
    };
    let (one, two) = (fits.one.model, fits.two.model);
    let curves = [
        curve("one geometric distribution", &|x| one.probability(x)),
        curve("short and long text", &|x| two.probability(x)),
    ];
    let plot = |figure: &str, [title, x, y]: [&str; 3], layers: &[Layer], over: &[Series]| {
        let title = format!("Figure {figure}: {title}");
        let file = format!("shallow-text-features/figure-{figure}.svg");
        job.plot(&file, &columns(&frame(&title, x, y), layers, over))
    };
    let by_words = [
        "blocks by number of words (L3S-GN1)",
        "words in the block",
        "blocks",
    ];
    plot(
        "4",
        by_words,
        &layers(&news.lengths, LENGTHS as usize),
        &curves,
    )?;
    let x = "text density of the block, rounded up";
    let of_news = ["words by text density and class (L3S-GN1)", x, "words"];
    plot("5", of_news, &layers(&news.densities, DENSITIES), &[])?;
    let of_all = ["words by text density (CleanEval)", x, "words"];
    plot("3", of_all, &layers(&general.densities, DENSITIES), &[])
}

/// The models fitted to a distribution.
struct Fits {
    one: Fit<Geometric>,
    two: Fit<GeometricMixture>,
    density: Fit<DensityMixture>,
}

impl Fits {
    fn of(news: &Distribution) -> Result<Self> {
        let lengths = shares(&news.lengths.all(), Bins::Occupied);
        let densities = shares(&news.densities.all(), Bins::All).into_iter();
        let densities: Vec<f64> = densities.map(|d| d.1).take(DENSITIES).collect();
        Ok(Self {
            one: Geometric::fit(&lengths)?,
            two: GeometricMixture::fit(&lengths)?,
            density: DensityMixture::fit(&densities)?,
        })
    }

    /// The fitted values in the order of the paper's.
    fn shown(&self) -> [String; 10] {
        let (one, two) = (&self.one, &self.two);
        let parameter = |value: f64| format!("{value:.4}");
        let percent = |value: f64| format!("{:.2} %", 100.0 * value);
        [
            parameter(one.model.end),
            percent(one.goodness.adjusted_r_squared),
            parameter(one.goodness.rmse),
            parameter(two.model.short_share),
            parameter(two.model.short_end),
            parameter(two.model.long_end),
            percent(two.goodness.adjusted_r_squared),
            parameter(two.goodness.rmse),
            percent(self.density.goodness.r_squared),
            parameter(self.density.goodness.rmse),
        ]
    }
}

/// A layer for each class that occurs, up to `upto`.
fn layers(histogram: &Histogram, upto: usize) -> Vec<Layer> {
    let classes = TextClass::ALL.iter();
    let classes = classes.map(|&class| (class.as_str(), histogram.class(class as u8)));
    let met = classes.filter(|(_, counts)| counts.iter().any(|&n| n > 0));
    met.map(|(class, counts)| {
        let counts = counts.iter().take(upto + 1);
        (class.to_owned(), counts.map(|&n| n as f64).collect())
    })
    .collect()
}
