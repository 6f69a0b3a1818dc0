//! How forests are trained.

use warcsieve_common::with_defaults;

with_defaults! {
    /// Training parameters of a forest.
    #[derive(Clone, Copy, Debug, PartialEq)]
    pub struct Params {
        /// Number of trees.
        pub trees: usize = 200,
        /// Maximum number of leaves of a tree, at least 2.
        pub leaves: usize = 40,
        /// Factor on the values of each tree.
        pub learning_rate: f64 = 0.05,
        /// Minimum sum of second derivatives in a leaf. A row of probability ½ adds a quarter of its
        /// weight.
        pub least_hessian: f64 = 100.0,
        /// Regularisation: factor of the squares of leaf values.
        pub l2: f64 = 20.0,
        /// Share of the columns that a tree may use, drawn for each tree.
        pub columns: f64 = 0.4,
        /// Share of the groups from whose rows a tree is grown, drawn for each tree.
        pub groups: f64 = 0.8,
        /// Seed of all draws.
        pub seed: u64 = 0,
    }
}
