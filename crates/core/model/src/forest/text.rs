//! Forests as text: a TOML file that says what they were trained on.
//!
//! ```toml
//! format = 1
//! classes = ["boilerplate", "content"]
//! about.trained_on = "wcxb-dev"
//! bias = -0.25
//! calibration = { slope = 0.9, offset = 0.1 }
//! confidence = { slope = 1.1, offset = -0.2 }
//! features = ["words", "link_density"]
//! trees = [
//!     '0:9.5:0.02 -0.5 1:0.34:0.2 0.75 -0.25',
//! ]
//! paths = { unit = 0.02, slots = 'AP8B' }
//! ```
//!
//! A tree is its nodes in preorder: a test, the subtree where it holds, the subtree where it does
//! not. A test is `feature:threshold:value`: it holds if the feature with that index is at most the
//! threshold, and a leaf in its place would add the value. A lone number is a leaf and what it
//! adds. Numbers are written in the shortest form that parses to the same `f32`.
//!
//! `confidence` is present if it was measured how right pages are, compared with how right they are expected to be.
//! `paths` is present if the path score is a feature. It holds the weights of the path score: one byte each in two's
//! complement, three per slot, in Base64 (RFC 4648, §4). Long texts are in single quotes. These are read faster than
//! double quotes, because they have no escapes.

use super::super::ModelError;
use super::super::file::{self, BLOCK_CLASSES, fault, head, quoted};
use super::{Calibration, Forest, NodeRef, PathTable, Split, Tree};
use data_encoding::BASE64;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::str::FromStr;
use toml::Spanned;

/// Greatest log-odds of a forest; any trained forest stays far below it.
const MAX_LOG_ODDS: f64 = 1e6;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: Spanned<u32>,
    classes: Spanned<Vec<String>>,
    #[serde(default)]
    about: BTreeMap<String, String>,
    bias: Spanned<f32>,
    calibration: Spanned<Platt>,
    #[serde(default)]
    confidence: Option<Spanned<Platt>>,
    features: Spanned<Vec<String>>,
    trees: Vec<Spanned<String>>,
    #[serde(default)]
    paths: Option<Spanned<Paths>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Paths {
    unit: f32,
    slots: String,
}

impl Paths {
    fn table(&self) -> Result<PathTable, String> {
        let bytes = BASE64.decode(self.slots.as_bytes());
        let bytes = bytes.map_err(|e| format!("the slots are not Base64: {e}"))?;
        let (slots, rest) = bytes.as_chunks::<3>();
        let count = slots.len();
        if !rest.is_empty() || !count.is_power_of_two() || count > PathTable::MAX_SLOTS {
            return Err(format!(
                "the slots have {} bytes; expected three for each of 1, 2, 4, … or {} slots",
                bytes.len(),
                PathTable::MAX_SLOTS
            ));
        }
        if !(self.unit > 0.0 && self.unit <= 1.0) {
            return Err(format!(
                "the unit {} is not above 0 and at most 1",
                self.unit
            ));
        }
        let slots = slots.iter().map(|slot| slot.map(u8::cast_signed));
        Ok(PathTable {
            unit: self.unit,
            slots: slots.collect(),
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Platt {
    slope: f32,
    offset: f32,
}

impl Forest {
    /// Reads a model file.
    ///
    /// # Errors
    /// The first fault, with its line.
    pub fn parse(text: &str) -> Result<Self, ModelError> {
        let file: File = file::read(text, |file: &File| &file.format)?;
        file::expect_block_classes(text, &file.classes)?;
        let bias = *file.bias.get_ref();
        if !bias.is_finite() {
            let message = format!("{bias} is not a finite number");
            return Err(fault(text, file.bias.span().start, message));
        }
        let calibration = calibration(text, &file.calibration)?;
        let confidence = file.confidence.as_ref().map(|c| self::calibration(text, c));
        let features = file.features.get_ref().len();
        if features > usize::from(u16::MAX) {
            let message = format!("{features} features are too many");
            return Err(fault(text, file.features.span().start, message));
        }
        let paths = file.paths.as_ref().map(|paths| {
            let table = paths.get_ref().table();
            table.map_err(|e| fault(text, paths.span().start, e))
        });
        let trees = file.trees.iter().map(|tree| {
            read_tree(tree.get_ref(), features).map_err(|e| fault(text, tree.span().start, e))
        });
        let forest = Self {
            trees: trees.collect::<Result<_, _>>()?,
            bias,
            calibration,
            confidence: confidence.transpose()?,
            about: file.about,
            paths: paths.transpose()?,
            features: file.features.into_inner(),
        };
        if forest.log_odds_bound() > MAX_LOG_ODDS {
            let message = format!("the sum of the trees may exceed {MAX_LOG_ODDS:e}");
            return Err(fault(text, file.bias.span().start, message));
        }
        Ok(forest)
    }

    /// An upper bound of |calibrated log-odds|, whatever the row.
    fn log_odds_bound(&self) -> f64 {
        let of_tree = |tree: &Tree| {
            let values = tree.splits.iter().map(|s| &s.value).chain(&tree.leaves);
            values.map(|v| f64::from(v.abs())).fold(0.0, f64::max)
        };
        let sum: f64 = self.trees.iter().map(of_tree).sum();
        let Calibration { slope, offset } = self.calibration;
        (f64::from(self.bias.abs()) + sum) * f64::from(slope.max(1.0)) + f64::from(offset.abs())
    }

    /// Reads the bytes of a model file, in the form that `Files::load` of `warcsieve-classify`
    /// takes.
    ///
    /// # Errors
    /// The fault and its line, as text.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        file::from_bytes(bytes, Self::parse)
    }

    /// The text of a model file, from which [`Forest::parse`] makes the same forest.
    pub fn to_text(&self) -> String {
        let mut text = head(&BLOCK_CLASSES.map(str::to_owned), &self.about);
        let Calibration { slope, offset } = self.calibration;
        text += &format!("bias = {:?}\n", self.bias);
        text += &format!("calibration = {{ slope = {slope:?}, offset = {offset:?} }}\n");
        if let Some(Calibration { slope, offset }) = self.confidence {
            text += &format!("confidence = {{ slope = {slope:?}, offset = {offset:?} }}\n");
        }
        text += "features = [\n";
        for name in &self.features {
            text += &format!("    {},\n", quoted(name));
        }
        text += "]\ntrees = [\n";
        for tree in &self.trees {
            text += "    '";
            write_tree(tree, &mut text);
            text += "',\n";
        }
        text += "]\n";
        if let Some(PathTable { unit, slots }) = &self.paths {
            let bytes: Vec<u8> = slots
                .as_flattened()
                .iter()
                .map(|w| w.cast_unsigned())
                .collect();
            let slots = BASE64.encode(&bytes);
            text += &format!("paths = {{ unit = {unit:?}, slots = '{slots}' }}\n");
        }
        text
    }
}

/// Finite numbers, the slope above 0.
fn calibration(text: &str, read: &Spanned<Platt>) -> Result<Calibration, ModelError> {
    let Platt { slope, offset } = *read.get_ref();
    let message = match [slope, offset].iter().find(|n| !n.is_finite()) {
        Some(number) => format!("{number} is not a finite number"),
        None if slope <= 0.0 => format!("the slope {slope} is not above 0"),
        None => return Ok(Calibration { slope, offset }),
    };
    Err(fault(text, read.span().start, message))
}

fn write_tree(tree: &Tree, text: &mut String) {
    let mut open = vec![tree.root()];
    while let Some(node) = open.pop() {
        if !text.ends_with('\'') {
            text.push(' ');
        }
        // Writing to a string cannot fail.
        let _ = match node {
            NodeRef::Leaf(leaf) => write!(text, "{}", tree.leaves[usize::from(leaf)]),
            NodeRef::Split(split) => {
                let split = &tree.splits[usize::from(split)];
                open.extend([split.high, split.low]);
                write!(
                    text,
                    "{}:{}:{}",
                    split.feature, split.threshold, split.value
                )
            }
        };
    }
}

fn read_tree(text: &str, features: usize) -> Result<Tree, String> {
    let mut tree = Tree::default();
    // The path to the next node: tests with a missing side, and whether the low one was read.
    let mut open: Vec<(u16, bool)> = Vec::new();
    let mut done = false;
    for part in text.split_ascii_whitespace() {
        if done {
            return Err(format!("`{part}` comes after the end of the tree"));
        }
        if tree.leaves.len() + open.len() > Tree::MAX_LEAVES {
            return Err(format!(
                "the tree has more than {} leaves",
                Tree::MAX_LEAVES
            ));
        }
        let node = match read_split(part, features)? {
            Some(split) => {
                tree.splits.push(split);
                NodeRef::Split(tree.splits.len() as u16 - 1)
            }
            None => {
                tree.leaves.push(number(part)?);
                NodeRef::Leaf(tree.leaves.len() as u16 - 1)
            }
        };
        if let Some((parent, low_done)) = open.last_mut() {
            let split = &mut tree.splits[usize::from(*parent)];
            if *low_done {
                split.high = node;
                open.pop();
            } else {
                split.low = node;
                *low_done = true;
            }
        }
        match node {
            NodeRef::Split(split) => open.push((split, false)),
            NodeRef::Leaf(_) => done = open.is_empty(),
        }
    }
    if !done {
        return Err("the tree is incomplete: every test has two branches".to_owned());
    }
    Ok(tree)
}

fn read_split(part: &str, features: usize) -> Result<Option<Split>, String> {
    let Some((feature, rest)) = cut(part) else {
        return Ok(None);
    };
    let Some((threshold, value)) = cut(rest) else {
        return Err(format!("`{part}` is not a test `feature:threshold:value`"));
    };
    let known = u16::from_str(feature)
        .ok()
        .filter(|f| usize::from(*f) < features);
    let feature = known.ok_or_else(|| format!("`{part}`: there is no feature {feature}"))?;
    Ok(Some(Split {
        feature,
        threshold: number(threshold)?,
        value: number(value)?,
        low: NodeRef::Leaf(0),
        high: NodeRef::Leaf(0),
    }))
}

/// The text before and after the first colon. On texts as short as these it is faster than `str::split_once`, and the
/// forest that ships has 24,000 of them, which are read whenever the program starts.
fn cut(text: &str) -> Option<(&str, &str)> {
    let colon = text.bytes().position(|byte| byte == b':')?;
    Some((&text[..colon], &text[colon + 1..]))
}

fn number(text: &str) -> Result<f32, String> {
    let number = f32::from_str(text).ok().filter(|n| n.is_finite());
    number.ok_or_else(|| format!("`{text}` is not a finite number"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "format = 1\nclasses = [\"boilerplate\", \"content\"]\nbias = -0.25\n\
        calibration = { slope = 0.9, offset = 0.1 }\nfeatures = [\n    \"words\",\n    \"link_density\",\n]\n\
        trees = [\n    '0:9.5:0.02 -0.5 1:0.34:0.2 0.75 -0.25',\n    '0.125',\n]\n";

    #[test]
    fn a_forest_survives_a_round_trip() {
        let forest = Forest::parse(TEXT).unwrap();
        assert_eq!(forest.to_text(), TEXT);
        let of = |words, linked| forest.log_odds(|f| [words, linked][f]);
        assert_eq!(of(9.0, 0.0), -0.25 - 0.5 + 0.125);
        assert_eq!(of(10.0, 0.3), -0.25 + 0.75 + 0.125);
        assert_eq!(of(10.0, 0.5), -0.25 - 0.25 + 0.125);
    }

    const PATHS: &str = "paths = { unit = 0.0625, slots = 'AQL/gAB/' }\n";

    #[test]
    fn weights_of_paths_survive_a_round_trip_and_faults_are_found() {
        let text = format!("{TEXT}{PATHS}");
        let confidence = "confidence = { slope = 2.0, offset = 0.0 }\nfeatures";
        let with = text.replace("features", confidence);
        let forest = Forest::parse(&with).unwrap();
        assert_eq!(forest.to_text(), with);
        assert_eq!(forest.confidence.unwrap().of_share(0.75), 0.9);
        assert!(Forest::parse(&with.replace("= 2.0", "= 0.0")).is_err());
        let forest = Forest::parse(&text).unwrap();
        let table = forest.paths.as_ref().unwrap();
        assert_eq!(table.slots, [[1, 2, -1], [-128, 0, 127]]);
        assert_eq!(forest.to_text(), text);
        for (from, to, word) in [
            ("AQL/gAB/", "AQL/gAB", "Base64"),
            ("AQL/gAB/", "AQL/gAB/AQL/", "9 bytes"),
            ("AQL/gAB/", "AQI=", "2 bytes"),
            ("AQL/gAB/", "", "0 bytes"),
            ("0.0625", "nan", "the unit"),
            ("0.0625", "-1.0", "the unit"),
            ("unit", "unity", "unity"),
        ] {
            let e = Forest::parse(&text.replace(from, to)).unwrap_err();
            assert_eq!(e.line, 13, "{e}");
            assert!(e.to_string().contains(word), "{e}");
        }
    }

    #[test]
    fn a_placed_forest_reads_rows_in_another_order() {
        let forest = Forest::parse(TEXT).unwrap();
        let names = ["other", forest.features[1].as_str(), &forest.features[0]];
        let place = |name: &str| names.iter().position(|n| *n == name);
        let placed = forest.clone().placed(place).unwrap();
        let (row, sum) = ([7.0, 0.3, 10.0], forest.log_odds(|f| [10.0, 0.3][f]));
        assert_eq!(placed.log_odds(|f| row[f]), sum);
        let lacks = format!("there is no feature `{}`", forest.features[0]);
        let known = |name: &str| (name != forest.features[0]).then_some(0);
        assert_eq!(forest.clone().placed(known), Err(lacks));
    }

    #[test]
    fn contributions_are_differences_along_the_path() {
        let forest = Forest::parse(TEXT).unwrap();
        let row = [10.0, 0.3];
        let mut contributions = [0.0; 2];
        forest.explain(|f| row[f], &mut contributions);
        assert_eq!(contributions, [0.2 - 0.02, 0.75 - 0.2]);
    }

    #[test]
    fn faults_are_reported_with_their_line() {
        for (from, to, line, word) in [
            ("-0.25\n", "nan\n", 3, "not a finite number"),
            ("1:0.34:0.2", "2:0.34:0.2", 10, "no feature"),
            ("1:0.34:0.2", "1:0.34", 10, "not a test"),
            (" -0.25'", "'", 10, "incomplete"),
            ("'0.125'", "'0.125 1'", 11, "after the end"),
            ("'0.125'", "'x'", 11, "not a finite number"),
            ("\"content\"", "\"text\"", 2, "classes"),
            ("slope = 0.9", "slope = -0.9", 4, "slope"),
            ("'0.125'", "'3e38'", 3, "sum"),
        ] {
            let text = TEXT.replacen(from, to, 1);
            assert_ne!(text, TEXT, "{from}");
            let e = Forest::parse(&text).unwrap_err();
            assert!(e.line == line && e.message.contains(word), "{to}: {e}");
        }
        let deep = format!("'{}'", "0:1:1 ".repeat(5000));
        let text = TEXT.replace("'0.125'", &deep);
        assert!(Forest::parse(&text).unwrap_err().message.contains("leaves"));
    }
}
