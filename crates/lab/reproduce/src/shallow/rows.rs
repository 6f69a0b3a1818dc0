//! The rows of Table 2: features, learner, and the paper's figures.

use super::learn::{Learner, one_r};
use crate::{Result, data};
use warcsieve_features::{Feature, SHALLOW};
use warcsieve_train::decision_tree::{Floor, Params, Pruning};
use warcsieve_train::linear_svm;

/// A row.
pub struct Row {
    /// Its name in the paper.
    pub name: &'static str,
    /// Names of features, or a word for some of them.
    features: &'static str,
    pub learner: Learner,
    /// The paper's precision, recall, F1, false-positive rate, area and leaves for both problems.
    pub printed: [[&'static str; 6]; 2],
    /// File for the trained tree.
    pub file: &'static str,
}

/// J48 with its own floor of leaves and its default pruning.
pub const TREE: Params = Params {
    min_leaf: 1000,
    floor: Floor::J48,
    pruning: Pruning::Confidence(0.25),
};

/// The simplified trees: reduced-error pruning, and the minimum leaf weight applied as in J48.
pub const SIMPLE: Params = Params {
    pruning: Pruning::ReducedError { seed: 1 },
    ..TREE
};

/// The rows in the order of the paper's table.
pub fn rows() -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    for [name, features, learner, file, printed @ ..] in
        data!("shallow/table2.tsv")?.rows::<16>()?
    {
        let (problems, _) = printed.as_chunks();
        rows.push(Row {
            name,
            features,
            learner: self::learner(learner).ok_or_else(|| format!("no learner `{learner}`"))?,
            printed: [problems[0], problems[1]],
            file,
        });
    }
    Ok(rows)
}

fn learner(name: &str) -> Option<Learner> {
    Some(match name {
        "shares" => Learner::ZeroR,
        // An interval has at least 1,000 words of its class, like a leaf of the trees.
        "rule" => Learner::OneR(one_r::Params {
            min_bucket: 1000,
            count: one_r::Count::Weight,
        }),
        // As in Weka's OneR, which ignores weights: at least six blocks of its class.
        "rule by blocks" => Learner::OneR(one_r::Params {
            min_bucket: 6,
            count: one_r::Count::Rows,
        }),
        "tree" => Learner::Tree(TREE),
        "simplified tree" => Learner::Tree(SIMPLE),
        "svm" => Learner::Svm(linear_svm::Params {
            c: 1.0,
            ..Default::default()
        }),
        _ => return None,
    })
}

/// The features of the simplified tree that goes to this file.
pub fn features_of(file: &str) -> Result<Vec<&'static str>> {
    let row = rows()?.into_iter().find(|row| row.file == file);
    let row = row.ok_or_else(|| format!("no row with the file {file}"))?;
    Ok(row.features.split(' ').collect())
}

impl Row {
    /// Whether a column is among its features.
    pub fn takes(&self, name: &str) -> bool {
        let neighbour = name.starts_with("prev.") || name.starts_with("next.");
        let quotient = name.ends_with("_quotient");
        let feature = SHALLOW.iter().find(|f| f.name == name);
        let frequency = feature.is_some_and(Feature::needs_frequencies);
        let inferred = name.starts_with("inferred.");
        match self.features {
            "local" => !neighbour && !quotient && !frequency && !inferred,
            "quotients" => !neighbour && !frequency && !inferred,
            "neighbours" => !frequency && !inferred,
            "all" => !inferred,
            names => names.split(' ').any(|own| own == name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rows_take_as_many_features_as_the_page_says() {
        let rows = rows().unwrap();
        let taken = |name: &str| {
            let row = rows.iter().find(|row| row.name == name).unwrap();
            SHALLOW.iter().filter(|f| row.takes(f.name)).count()
        };
        assert_eq!(rows.len(), 24);
        assert_eq!(taken("All local features, C"), 23);
        assert_eq!(taken("All local features, C + quotients"), 25);
        assert_eq!(taken("All local features P/C/N"), 67);
        assert_eq!(taken("All local features + frequency"), 70);
        assert_eq!(taken("Link density P/C/N"), 3);
        assert_eq!(taken("1R: text density (@10.5), inferred, by blocks"), 0);
        assert_eq!(features_of("words-simplified").unwrap().len(), 6);
        assert_eq!(rows.last().unwrap().printed[1][2], "91.9");
    }
}
