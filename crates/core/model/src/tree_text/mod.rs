//! Decision trees as text: the nested rules of Kohlschütter et al. 2010, Algorithms 1 and 2,
//! in a TOML file that says what they were trained on.
//!
//! ```toml
//! format = 1
//! classes = ["boilerplate", "content"]
//! about.trained_on = "l3s-gn1"
//! rules = '''
//! link_density <= 0.333333
//! | words <= 16: boilerplate (900, 100)
//! | words > 16: content (20, 4000)
//! link_density > 0.333333: boilerplate (3000, 5)
//! '''
//! ```
//!
//! A leaf's class is followed by the words of each class in training, in the order of `classes`;
//! a rule written by hand has none. A tree that is a single leaf is the line `: content (1, 2)`.
//! Numbers are written in the shortest form that parses to the same `f32`. Blank lines and lines
//! that begin with `#` are ignored.

use super::ModelError;
use super::decision_tree::{Builder, DecisionTree, Leaf, Node};
use super::file::{self, fault, head};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter, Write as _};
use toml::Spanned;
use warcsieve_common::line_of;

/// Larger weights would not be exact in `f64`.
const MAX_WEIGHT: u64 = 1 << 53;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: Spanned<u32>,
    classes: Spanned<Vec<String>>,
    #[serde(default)]
    about: BTreeMap<String, String>,
    rules: Spanned<String>,
}

impl DecisionTree {
    /// Largest model file in bytes.
    pub const MAX_BYTES: u64 = 8 << 20;

    /// Reads a model file.
    ///
    /// # Errors
    /// The first faulty line.
    pub fn parse(text: &str) -> Result<Self, ModelError> {
        let file: File = file::read(text, |file: &File| &file.format)?;
        let classes = file.classes.get_ref();
        let mut builder =
            Builder::new(classes).map_err(|e| fault(text, file.classes.span().start, e))?;
        let start = file.rules.span().start;
        let opening = &text[start..];
        // TOML drops a line break directly after three quotes, so the rules begin a line later.
        let skipped = ["'''\n", "'''\r\n", "\"\"\"\n", "\"\"\"\r\n"]
            .iter()
            .any(|o| opening.starts_with(o));
        let first = line_of(text, start) + usize::from(skipped);
        let (mut line, mut right_open) = (first, false);
        for (i, rule) in file.rules.get_ref().lines().enumerate() {
            line = first + i;
            add(&mut builder, &mut right_open, classes, rule)
                .map_err(|message| ModelError { line, message })?;
        }
        let mut tree = builder
            .finish()
            .map_err(|message| ModelError { line, message })?;
        tree.about = file.about;
        Ok(tree)
    }

    /// Reads the bytes of a model file, in the form that `Files::load` of `warcsieve-classify`
    /// takes.
    ///
    /// # Errors
    /// The fault and its line, as text.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        file::from_bytes(bytes, Self::parse)
    }

    /// The text of a model file, from which [`DecisionTree::parse`] makes the same tree.
    pub fn to_text(&self) -> String {
        let text = head(self.classes(), &self.about);
        text + &format!("rules = '''\n{self:#}'''\n")
    }
}

/// The nested rules, one per line; `{:#}` also writes the weights of the leaves.
impl Display for DecisionTree {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut open: Vec<(usize, bool, f32)> = Vec::new();
        for node in self.nodes() {
            if let [.., (_, false, _)] = open[..] {
                write_test(f, self, &open)?;
            }
            match *node {
                Node::Split {
                    feature, threshold, ..
                } => {
                    if !open.is_empty() {
                        f.write_char('\n')?;
                    }
                    open.push((usize::from(feature), true, threshold));
                    write_test(f, self, &open)?;
                }
                Node::Leaf(leaf) => {
                    let leaf = &self.leaves()[leaf as usize];
                    write!(f, ": {}", self.classes()[usize::from(leaf.class)])?;
                    if f.alternate() && leaf.total() > 0 {
                        let weights: Vec<_> =
                            leaf.weights.iter().map(ToString::to_string).collect();
                        write!(f, " ({})", weights.join(", "))?;
                    }
                    f.write_char('\n')?;
                    while open.last().is_some_and(|o| !o.1) {
                        open.pop();
                    }
                    if let Some(last) = open.last_mut() {
                        last.1 = false;
                    }
                }
            }
        }
        Ok(())
    }
}

fn write_test(
    f: &mut Formatter<'_>,
    tree: &DecisionTree,
    open: &[(usize, bool, f32)],
) -> fmt::Result {
    let Some(((feature, holds, threshold), above)) = open.split_last() else {
        return Ok(());
    };
    for _ in above {
        f.write_str("| ")?;
    }
    let sign = if *holds { "<=" } else { ">" };
    write!(f, "{} {sign} {threshold}", tree.features()[*feature])
}

/// Adds one line of rules. A split has two lines, `f <= t` and later `f > t`, and the builder knows
/// only the first: `right_open` is set if the line before was a test `>` without a leaf, so that
/// its subtree follows.
fn add(
    builder: &mut Builder,
    right_open: &mut bool,
    classes: &[String],
    line: &str,
) -> Result<(), String> {
    let mut rule = line.trim();
    if rule.is_empty() || rule.starts_with('#') {
        return Ok(());
    }
    let mut depth = 0;
    while let Some(rest) = rule.strip_prefix('|') {
        depth += 1;
        rule = rest.trim_start();
    }
    let (test, leaf) = match rule.split_once(':') {
        Some((test, leaf)) => (test, Some(leaf)),
        None => (rule, None),
    };
    let pending = builder.pending_right().filter(|_| !*right_open);
    let pending = pending.map(|(feature, threshold)| (feature.to_owned(), threshold));
    // The line `f > t` is as deep as `f <= t` was; the builder counts the open split.
    let expected = builder.depth() - usize::from(pending.is_some());
    match test.split_whitespace().collect::<Vec<_>>()[..] {
        [] if leaf.is_some() && builder.depth() == 0 => {}
        _ if depth != expected => {
            return Err(format!(
                "the rule is indented by {depth} `|`, not {expected}"
            ));
        }
        [feature, sign @ ("<=" | ">"), number] => {
            let threshold: f32 = number
                .parse()
                .map_err(|_| format!("`{number}` is no number"))?;
            match pending {
                Some((f, t)) if (f.as_str(), t) != (feature, threshold) || sign != ">" => {
                    return Err(format!("expected the rule for {f} > {t}"));
                }
                Some(_) => *right_open = true,
                None if sign == ">" => {
                    return Err(format!("{feature} <= {number} must come before"));
                }
                None => {
                    builder.split(feature, threshold)?;
                    *right_open = false;
                }
            }
        }
        _ => {
            return Err(format!(
                "`{}` is no test such as `words <= 16`",
                test.trim()
            ));
        }
    }
    if let Some(leaf) = leaf {
        builder.leaf(read_leaf(classes, leaf)?)?;
        *right_open = false;
    }
    Ok(())
}

fn read_leaf(classes: &[String], text: &str) -> Result<Leaf, String> {
    let text = text.trim();
    let (name, weights) = match text.strip_suffix(')').and_then(|t| t.split_once('(')) {
        Some((name, weights)) => (name.trim_end(), Some(weights)),
        None => (text, None),
    };
    let index = classes
        .iter()
        .position(|c| c == name)
        .ok_or_else(|| format!("`{name}` is none of the classes {}", classes.join(", ")))?;
    let weights = match weights {
        None => vec![0; classes.len()],
        Some(weights) => weights
            .split(',')
            .map(|w| match w.trim().parse() {
                Ok(weight) if weight <= MAX_WEIGHT => Ok(weight),
                _ => Err(format!("`{}` is no weight", w.trim())),
            })
            .collect::<Result<_, _>>()?,
    };
    Ok(Leaf {
        class: u8::try_from(index).map_err(|e| e.to_string())?,
        weights,
    })
}

#[cfg(test)]
mod tests;
