//! How forests are trained.

/// Training parameters of a forest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Params {
    /// Number of trees.
    pub trees: usize,
    /// Maximum number of leaves of a tree, at least 2.
    pub leaves: usize,
    /// Factor on the values of each tree.
    pub learning_rate: f64,
    /// Minimum sum of second derivatives in a leaf. A row of probability ½ adds a quarter of its
    /// weight.
    pub least_hessian: f64,
    /// Regularisation: factor of the squares of leaf values.
    pub l2: f64,
    /// Share of the columns that a tree may use, drawn for each tree.
    pub columns: f64,
    /// Share of the groups from whose rows a tree is grown, drawn for each tree.
    pub groups: f64,
    /// Seed of all draws.
    pub seed: u64,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            trees: 200,
            leaves: 40,
            learning_rate: 0.05,
            least_hessian: 100.0,
            l2: 20.0,
            columns: 0.4,
            groups: 0.8,
            seed: 0,
        }
    }
}
