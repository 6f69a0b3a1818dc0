//! What "leaves matching at least 1000 instances" (§4.3.1) may mean: the leaves and the areas of Table 2 for each
//! reading.

use super::data::Data;
use super::learn::Learner;
use super::rows::{Row, TREE, rows};
use crate::{NONE, Page, Result, data, points, row, table};
use warcsieve_eval::stats::mean;
use warcsieve_train::decision_tree::{Floor, Params, Pruning};
use warcsieve_train::{Dataset, Folds, Sorted, cross_validate};

/// A reading.
struct Reading {
    name: &'static str,
    /// Whether each block has the weight 1 in training. Measures are always weighted by words.
    by_blocks: bool,
    params: Params,
}

/// The trees of Table 2 by one reading: leaves and area.
type Trees = Vec<(usize, f64)>;

fn readings() -> Result<Vec<Reading>> {
    let readings = data!("shallow/readings.tsv")?.rows()?.into_iter();
    let reading = |[name, weights, floor, pruning]: [&'static str; 4]| Reading {
        name,
        by_blocks: weights == "blocks",
        params: Params {
            floor: match floor {
                "j48" => Floor::J48,
                "copies" => Floor::J48Copies,
                _ => Floor::Weight,
            },
            pruning: match pruning {
                "none" => Pruning::None,
                _ => TREE.pruning,
            },
            ..TREE
        },
    };
    Ok(readings.map(reading).collect())
}

/// The tables of both problems, and the reading whose leaves are nearest to the paper's.
pub fn put(page: Page, data: &Data) -> Result<Page> {
    let trees = rows()?.into_iter();
    let trees: Vec<Row> = trees
        .filter(|row| row.learner == Learner::Tree(TREE))
        .collect();
    let (two, nearest_two) = problem(&data.two, &trees, 0)?;
    let (four, nearest_four) = problem(&data.four, &trees, 1)?;
    Ok(page
        .put("readings of two", two)
        .put("nearest of two", nearest_two)
        .put("readings of four", four)
        .put("nearest of four", nearest_four))
}

fn problem(words: &Dataset, trees: &[Row], number: usize) -> Result<(String, String)> {
    let mut blocks = words.clone();
    // Blocks without a word are not instances here, either.
    blocks
        .weights
        .iter_mut()
        .for_each(|weight| *weight = (*weight).min(1));
    let sorted = [Sorted::new(words)?, Sorted::new(&blocks)?];
    let folds = Folds::stratified(words, 10, 1);
    let printed = trees.iter().map(|tree| {
        let [.., area, leaves] = tree.printed[number];
        Ok((leaves.parse()?, crate::number(area)? / 100.0))
    });
    let printed = printed.collect::<Result<Trees>>()?;
    let mut lines = vec![line("paper", &printed, &printed)];
    let mut nearest = (f64::INFINITY, "");
    for reading in readings()? {
        let of = |tree: &Row| {
            let columns = 0..words.names.len();
            let columns: Vec<usize> = columns.filter(|&c| tree.takes(&words.names[c])).collect();
            let sorted = &sorted[usize::from(reading.by_blocks)];
            let found = cross_validate(sorted, &columns, &reading.params, &folds);
            let measured = found.measure(words).ok_or("no words")?;
            let area = measured.average.roc_area.unwrap_or_default();
            Result::Ok((found.leaves().unwrap_or_default(), area))
        };
        let ours = trees.iter().map(of).collect::<Result<Trees>>()?;
        lines.push(line(reading.name, &ours, &printed));
        let distance = factor(&ours, &printed);
        if distance < nearest.0 {
            nearest = (distance, reading.name);
        }
    }
    let names = trees.iter().map(|tree| tree.name);
    let head = row(
        row("reading", names),
        ["leaves off by a factor", "AUC off by"],
    );
    Ok((table(&head, lines), nearest.1.to_owned()))
}

fn line(name: &str, ours: &Trees, printed: &Trees) -> String {
    let cells = ours
        .iter()
        .map(|(leaves, area)| format!("{leaves}, {}", points(*area)));
    let away = match std::ptr::eq(ours, printed) {
        true => [NONE.to_owned(), NONE.to_owned()],
        false => {
            let areas = ours.iter().zip(printed).map(|(a, b)| (a.1 - b.1).abs());
            let areas = mean(&areas.collect::<Vec<_>>()).unwrap_or_default();
            [format!("{:.2}", factor(ours, printed)), points(areas)]
        }
    };
    row(row(name, cells), away)
}

/// The factor by which numbers of leaves differ from the paper's, up or down: the geometric mean over the trees.
fn factor(ours: &Trees, printed: &Trees) -> f64 {
    let logarithms = ours
        .iter()
        .zip(printed)
        .map(|(a, b)| (a.0 as f64 / b.0 as f64).ln().abs());
    mean(&logarithms.collect::<Vec<_>>())
        .unwrap_or_default()
        .exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reading_is_that_of_table_2() {
        let readings = readings().unwrap();
        assert_eq!((readings[0].by_blocks, readings[0].params), (false, TREE));
        let others = readings.iter().filter(|reading| reading.params != TREE);
        assert_eq!((readings.len(), others.count()), (10, 8));
    }

    #[test]
    fn factors_are_up_or_down() {
        let printed = vec![(10, 0.9), (40, 0.9)];
        let found = factor(&vec![(20, 0.9), (20, 0.9)], &printed);
        assert!((found - 2.0).abs() < 1e-12);
        assert_eq!(
            line("paper", &printed, &printed),
            "paper | 10, 90.0 | 40, 90.0 | – | –"
        );
    }
}
