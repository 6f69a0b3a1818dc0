//! §5: the stochastic text model, and Figures 3 to 5.

use super::blocks::Distribution;
use super::fit::{Bins, DensityMixture, Geometric, GeometricMixture, shares};
use crate::Result;
use crate::old::table;
use crate::old::{Frame, Series, columns};
use std::path::Path;
use warcsieve_eval::annotated::TextClass;

/// Figure 4 shows blocks of up to `LENGTHS` words, Figures 3 and 5 densities up to `DENSITIES`.
const LENGTHS: usize = 60;
const DENSITIES: usize = 22;

/// The fits, and the figures in `folder`. `news` is the annotated set, `general` CleanEval.
pub fn section(
    news: &Distribution,
    inline: &Distribution,
    general: &Distribution,
    folder: &Path,
) -> Result<String> {
    let mut text = String::from("\n## §5: a stochastic text model\n\n");
    text += &fits(news, inline)?;
    let all = shares(&news.lengths.all(), Bins::Occupied);
    let one = Geometric::fit(&all)?.model;
    let two = GeometricMixture::fit(&all)?.model;
    let blocks: u64 = news.lengths.all()[1..].iter().sum();
    let blocks = blocks as f64;
    let curve = |name: &str, probability: &dyn Fn(u32) -> f64| Series {
        name: name.to_owned(),
        points: (1..=LENGTHS as u32)
            .map(|x| (f64::from(x), blocks * probability(x)))
            .collect(),
    };
    columns(
        &folder.join("figure-4.svg"),
        &Frame {
            title: "Figure 4: blocks by number of words (L3S-GN1)",
            x: "words in the block",
            y: "blocks",
        },
        &layers(|class| news.lengths.class(class as u8), LENGTHS),
        &[
            curve("one geometric distribution", &|x| one.probability(x)),
            curve("short and long text", &|x| two.probability(x)),
        ],
    )?;
    let densities = |d: &Distribution, file: &str, title: &str| {
        let frame = Frame {
            title,
            x: "text density of the block, rounded up",
            y: "words",
        };
        let layers = layers(|class| d.densities.class(class as u8), DENSITIES);
        columns(&folder.join(file), &frame, &layers, &[])
    };
    densities(
        news,
        "figure-5.svg",
        "Figure 5: words by text density and class (L3S-GN1)",
    )?;
    densities(
        general,
        "figure-3.svg",
        "Figure 3: words by text density (CleanEval)",
    )?;
    text += "\n![Figure 4](shallow-text-features/figure-4.svg)\n\n![Figure 5](shallow-text-features/figure-5.svg)\n";
    let [by_words, by_density] = news.long;
    let difference = 100.0 * (by_density as f64 - by_words as f64) / by_density.max(1) as f64;
    text += &format!(
        "\nA line of 80 columns holds about ten words, so \"density of at least 11\" and \"at least 11 words\" select nearly the same \
         text (§5.1). {by_words} words are in blocks of at least 11 words (paper: 345,175). {by_density} words are in blocks of \
         a density of at least 11 (paper: 358,428). The difference is {difference:.1} % (paper: 3.8 %).\n\n\
         The pages of CleanEval have little text of low density. So on these pages a method that keeps everything is nearly right:\n\n\
         ![Figure 3](shallow-text-features/figure-3.svg)\n",
    );
    Ok(text)
}

/// Our fits under both segmentations, compared with the paper's.
fn fits(paper: &Distribution, inline: &Distribution) -> Result<String> {
    let (paper, inline) = (figures(paper)?, figures(inline)?);
    let rows: Vec<_> = (NAMES.iter().zip(paper).zip(inline))
        .map(|(((name, published), paper), inline)| {
            vec![(*name).to_owned(), paper, inline, (*published).to_owned()]
        })
        .collect();
    Ok(format!(
        "The models are fitted by least squares to the histogram of words per block, over the lengths that occur. Blocks without a word are left out. \
         The histogram of density counts words, up to a density of {DENSITIES}.\n\n{}",
        table(&["", "`paper`", "`inline`", "published"], &rows)
    ))
}

/// The fitted values, and the paper's figures.
const NAMES: [(&str, &str); 9] = [
    ("one class: P_T(N)", "0.3145"),
    ("adjusted R²", "96.70 %"),
    ("RMSE", "0.0046"),
    ("two classes: P_N(S)", "0.7586"),
    ("P_S(N)", "0.3968"),
    ("P_L(N)", "0.0437"),
    ("adjusted R²", "98.81 %"),
    ("RMSE", "0.0027"),
    ("two betas and a normal on density: R²", "99.70 %"),
];

fn figures(news: &Distribution) -> Result<[String; 9]> {
    let lengths = shares(&news.lengths.all(), Bins::Occupied);
    let one = Geometric::fit(&lengths)?;
    let two = GeometricMixture::fit(&lengths)?;
    let densities: Vec<f64> = shares(&news.densities.all(), Bins::All)
        .into_iter()
        .map(|d| d.1)
        .take(DENSITIES)
        .collect();
    let three = DensityMixture::fit(&densities)?;
    let parameter = |value: f64| format!("{value:.4}");
    let percent = |value: f64| format!("{:.2} %", 100.0 * value);
    Ok([
        parameter(one.model.end),
        percent(one.goodness.adjusted_r_squared),
        parameter(one.goodness.rmse),
        parameter(two.model.short_share),
        parameter(two.model.short_end),
        parameter(two.model.long_end),
        percent(two.goodness.adjusted_r_squared),
        parameter(two.goodness.rmse),
        percent(three.goodness.r_squared),
    ])
}

/// A layer for each class that occurs, up to `upto`.
fn layers<'a>(of: impl Fn(TextClass) -> &'a [u64], upto: usize) -> Vec<(String, Vec<f64>)> {
    let classes = TextClass::ALL.iter().map(|&class| (class, of(class)));
    classes
        .filter(|(_, counts)| counts.iter().any(|&n| n > 0))
        .map(|(class, counts)| {
            let counts = counts.iter().take(upto + 1);
            (
                class.as_str().to_owned(),
                counts.map(|&n| n as f64).collect(),
            )
        })
        .collect()
}
