//! Builds trees node by node and enforces their limits.

use super::{DecisionTree, Leaf, Node};
use std::collections::BTreeMap;

/// Builds a tree from its nodes in preorder.
#[derive(Debug)]
pub struct Builder {
    tree: DecisionTree,
    /// The path to the next node: splits with an incomplete subtree, and whether the left one is
    /// complete.
    open: Vec<(usize, bool)>,
}

impl Builder {
    /// A tree over these classes, without nodes.
    ///
    /// # Errors
    /// If there are no classes or more than [`DecisionTree::MAX_CLASSES`], two have the same name,
    /// or a name has characters other than ASCII letters, digits and `_ . -`.
    pub fn new(classes: &[String]) -> Result<Self, String> {
        if classes.is_empty() || classes.len() > DecisionTree::MAX_CLASSES {
            return Err(format!(
                "a tree has 1 to {} classes, not {}",
                DecisionTree::MAX_CLASSES,
                classes.len()
            ));
        }
        for (i, class) in classes.iter().enumerate() {
            check_name(class)?;
            if classes[..i].contains(class) {
                return Err(format!("class `{class}` is there twice"));
            }
        }
        Ok(Self {
            tree: DecisionTree {
                about: BTreeMap::new(),
                features: Vec::new(),
                classes: classes.to_vec(),
                nodes: Vec::new(),
                leaves: Vec::new(),
            },
            open: Vec::new(),
        })
    }

    /// Adds a test; the subtree where it holds must follow, then the other one.
    ///
    /// # Errors
    /// An invalid name, a threshold that is not finite, or a tree that is too deep or already
    /// complete.
    pub fn split(&mut self, feature: &str, threshold: f32) -> Result<(), String> {
        check_name(feature)?;
        if !threshold.is_finite() {
            return Err(format!("threshold {threshold} is not finite"));
        }
        if self.open.len() == DecisionTree::MAX_DEPTH {
            return Err(format!(
                "more than {} tests on a path",
                DecisionTree::MAX_DEPTH
            ));
        }
        self.check_open()?;
        let known = self.tree.features.iter().position(|f| f == feature);
        let index = known.unwrap_or_else(|| {
            self.tree.features.push(feature.to_owned());
            self.tree.features.len() - 1
        });
        self.open.push((self.tree.nodes.len(), false));
        self.tree.nodes.push(Node::Split {
            // A tree has fewer splits than leaves, and at most 4,096 leaves.
            feature: u16::try_from(index).map_err(|e| e.to_string())?,
            threshold,
            right: 0,
        });
        Ok(())
    }

    /// Adds a leaf.
    ///
    /// # Errors
    /// A leaf that does not fit the classes, or a tree that is too large or already complete.
    pub fn leaf(&mut self, leaf: Leaf) -> Result<(), String> {
        let classes = self.tree.classes.len();
        if leaf.weights.len() != classes || usize::from(leaf.class) >= classes {
            return Err(format!(
                "a leaf needs a weight for each of {classes} classes"
            ));
        }
        if self.tree.leaves.len() + self.open.iter().filter(|o| !o.1).count()
            >= DecisionTree::MAX_LEAVES
        {
            return Err(format!("more than {} leaves", DecisionTree::MAX_LEAVES));
        }
        self.check_open()?;
        let index = u32::try_from(self.tree.leaves.len()).map_err(|e| e.to_string())?;
        self.tree.nodes.push(Node::Leaf(index));
        self.tree.leaves.push(leaf);
        while self.open.last().is_some_and(|o| o.1) {
            self.open.pop();
        }
        if let Some((split, left_done)) = self.open.last_mut() {
            *left_done = true;
            let next = u32::try_from(self.tree.nodes.len()).map_err(|e| e.to_string())?;
            if let Node::Split { right, .. } = &mut self.tree.nodes[*split] {
                *right = next;
            }
        }
        Ok(())
    }

    /// The number of tests on the path to the next node.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// The test whose left subtree is complete and whose right one is empty: feature and threshold.
    pub fn pending_right(&self) -> Option<(&str, f32)> {
        let &(split, left_done) = self.open.last()?;
        match self.tree.nodes[split] {
            Node::Split {
                feature,
                threshold,
                right,
            } if left_done && right as usize == self.tree.nodes.len() => {
                Some((&self.tree.features[usize::from(feature)], threshold))
            }
            _ => None,
        }
    }

    /// The tree.
    ///
    /// # Errors
    /// If a subtree is missing.
    pub fn finish(self) -> Result<DecisionTree, String> {
        if self.is_complete() {
            Ok(self.tree)
        } else if let Some((feature, threshold)) = self.pending_right() {
            Err(format!("no rule for {feature} > {threshold}"))
        } else {
            Err("the rules end before a leaf".to_owned())
        }
    }

    fn is_complete(&self) -> bool {
        self.open.is_empty() && !self.tree.nodes.is_empty()
    }

    fn check_open(&self) -> Result<(), String> {
        if self.is_complete() {
            Err("the rules were complete before this one".to_owned())
        } else {
            Ok(())
        }
    }
}

/// Checks the name of a feature or class: rules write it between spaces and colons.
pub fn check_name(name: &str) -> Result<(), String> {
    let fits = |b: u8| b.is_ascii_alphanumeric() || b"_.-".contains(&b);
    if (1..=100).contains(&name.len()) && name.bytes().all(fits) {
        Ok(())
    } else {
        Err(format!(
            "`{}` is not a valid name; use 1 to 100 letters, digits and _ . -",
            name.escape_debug()
        ))
    }
}
