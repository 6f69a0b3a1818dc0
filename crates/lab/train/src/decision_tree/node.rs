//! The nodes of a tree under construction, the root first.

/// A node of a tree under construction.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Node {
    /// Weight of each class.
    pub weights: Vec<u64>,
    pub split: Option<Split>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Split {
    pub column: usize,
    pub threshold: f32,
    /// Indices of the nodes for values at most, and above, the threshold.
    pub sides: [usize; 2],
}

impl Node {
    pub fn total(&self) -> u64 {
        self.weights.iter().sum()
    }

    /// Weight that a leaf here would misclassify.
    pub fn errors(&self) -> u64 {
        self.total() - self.weights.iter().max().copied().unwrap_or(0)
    }
}

/// Replaces subtrees by leaves that have no more errors, from the bottom up. `errors` are the
/// errors of each node as a leaf.
pub(super) fn cut_back(nodes: &mut [Node], mut errors: Vec<u64>) {
    // Children have larger indices than their node, so in reverse order their errors are known
    // first.
    for at in (0..nodes.len()).rev() {
        if let Some(split) = nodes[at].split {
            let below = split.sides.iter().map(|s| errors[*s]).sum();
            if below < errors[at] {
                errors[at] = below;
            } else {
                nodes[at].split = None;
            }
        }
    }
}
