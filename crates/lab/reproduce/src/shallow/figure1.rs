//! Figure 1: the information gain of each single feature.

use super::data::Data;
use super::learn::information_gain;
use crate::Result;
use crate::old::table;
use crate::old::{Frame, bars};
use std::path::Path;
use warcsieve_train::Sorted;

/// Number of features listed on the page; the plots show all.
const NAMED: usize = 15;

pub fn section(data: &Data, folder: &Path) -> Result<String> {
    let mut columns = Vec::new();
    for (dataset, file, title) in [
        (
            &data.two,
            "figure-1a.svg",
            "Figure 1a: information gain, 2 classes",
        ),
        (
            &data.four,
            "figure-1b.svg",
            "Figure 1b: information gain, 4 classes",
        ),
    ] {
        let mut gains: Vec<(String, f64)> = information_gain(&Sorted::new(dataset)?)
            .into_iter()
            .map(|g| (g.feature, g.gain))
            .filter(|(feature, _)| !feature.starts_with("inferred."))
            .collect();
        gains.sort_by(|a, b| b.1.total_cmp(&a.1));
        let frame = Frame {
            title,
            x: "bits",
            y: "",
        };
        bars(&folder.join(file), &frame, &gains)?;
        columns.push(gains);
    }
    let rows: Vec<_> = (0..NAMED)
        .map(|i| {
            let cells = columns.iter().flat_map(|gains| {
                let (name, gain) = &gains[i];
                [format!("`{name}`"), format!("{gain:.3}")]
            });
            std::iter::once((i + 1).to_string()).chain(cells).collect()
        })
        .collect();
    Ok(format!(
        "\n## Figure 1: information gain\n\nBlocks are weighted by words. Features are divided into intervals by Fayyad and Irani's criterion, as in Weka. The table has the {NAMED} best of {} features. \
         The plots have all: [2 classes](shallow-text-features/figure-1a.svg), [4 classes](shallow-text-features/figure-1b.svg). The paper calls relative position, average word \
         length and number of words strong, and the quotients the strongest.\n\n{}",
        columns[0].len(),
        table(&["", "2 classes", "bits", "4 classes", "bits"], &rows),
    ))
}
