//! Pruning with rows that the tree was not grown on (Quinlan: Simplifying Decision Trees, 1987).

use super::node::{Node, cut_back};
use crate::Sample;
use crate::dataset::majority;

/// Replaces subtrees by leaves that have no more errors on the held-out rows. Leaves keep the
/// weights of the rows the tree was grown on, as in J48.
pub fn prune(nodes: &mut [Node], held_out: &Sample<'_>) {
    let errors = errors(nodes, held_out);
    cut_back(nodes, errors);
}

/// For each node the held-out weight that its class would misclassify.
fn errors(nodes: &[Node], held_out: &Sample<'_>) -> Vec<u64> {
    let data = held_out.data();
    let classes: Vec<u8> = nodes.iter().map(|n| majority(&n.weights)).collect();
    let mut errors = vec![0; nodes.len()];
    for row in held_out.rows() {
        let mut next = Some(0);
        while let Some(at) = next {
            if classes[at] != data.labels[row] {
                errors[at] += u64::from(data.weights[row]);
            }
            next = nodes[at].split.map(|split| {
                let left = data.columns[split.column][row] <= split.threshold;
                split.sides[usize::from(!left)]
            });
        }
    }
    errors
}
