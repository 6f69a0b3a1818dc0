//! Figure 1: the information gain of each single feature.

use super::data::Data;
use super::learn::information_gain;
use crate::plot::{bars, frame};
use crate::{Job, Page, Result, table};
use warcsieve_train::{Dataset, Sorted};

/// Number of features listed on the page; the plots show all.
const NAMED: usize = 15;

pub fn put(job: &Job, page: Page, data: &Data) -> Result<Page> {
    let gains = |dataset: &Dataset, figure: &str, classes: &str| -> Result<_> {
        let gains = information_gain(&Sorted::new(dataset)?).into_iter();
        let gains = gains.map(|g| (g.feature, g.gain));
        let mut gains: Vec<(String, f64)> = gains
            .filter(|(feature, _)| !feature.starts_with("inferred."))
            .collect();
        gains.sort_by(|a, b| b.1.total_cmp(&a.1));
        let title = format!("Figure {figure}: information gain, {classes}");
        let plot = bars(&frame(&title, "bits", ""), &gains);
        let file = format!("shallow-text-features/figure-{figure}.svg");
        job.plot(&file, &plot)?;
        Ok(gains)
    };
    let two = gains(&data.two, "1a", "2 classes")?;
    let four = gains(&data.four, "1b", "4 classes")?;
    let place = |feature: &str| {
        let place = two.iter().position(|(name, _)| name == feature);
        place.map_or(0, |at| at + 1)
    };
    let [position, words, densities] = [
        "relative_position",
        "words_quotient",
        "text_density_quotient",
    ]
    .map(place);
    let rows = (1..=NAMED).zip(two.iter().zip(&four));
    let rows = rows.map(|(i, ((two, bits), (four, bits_of_four)))| {
        format!("{i} | `{two}` | {bits:.3} | `{four}` | {bits_of_four:.3}")
    });
    Ok(page
        .put(
            "figure 1",
            table(" | 2 classes | bits | 4 classes | bits", rows),
        )
        .put("place of position", position)
        .put("place of words", words)
        .put("place of densities", densities)
        .put("named", NAMED)
        .put("features", two.len()))
}
