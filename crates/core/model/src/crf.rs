//! Linear-chain conditional random fields as text: weights of features, in a TOML file that says
//! what they were learned from.
//!
//! ```toml
//! format = 1
//! classes = ["boilerplate", "content"]
//! about.trained_on = "wcxb-dev"
//! bias = -0.25
//! transitions = [0.5, -0.5, -0.75, 0.75]
//! features = [
//!     { name = "block.rWords", offset = 0.01, scale = 30.0, weight = 1.5 },
//! ]
//! edges = [
//!     { name = "edge.sameParent", offset = 0.5, scale = 2.0, weights = [0.25, -0.25, -0.5, 0.5] },
//! ]
//! ```
//!
//! A block's score is bias + Σ weight · (value − offset) · scale: the log-potential of content
//! minus that of boilerplate. The log-potentials of a block and the next are transitions + Σ
//! weights · (value − offset) · scale, for boilerplate before boilerplate, boilerplate before
//! content, content before boilerplate, content before content. Numbers are written in the shortest
//! form that parses to the same `f64`.

use super::ModelError;
use super::file::{self, BLOCK_CLASSES, fault, head, quoted};
use super::weight::Weight;
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// A linear-chain conditional random field over blocks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Crf {
    /// What the model was trained on, and how well it does; for people.
    pub about: BTreeMap<String, String>,
    /// The score of a block whose features are all at their offset.
    pub bias: f64,
    /// Log-potentials of two adjacent blocks whose features are all at their offset, at index
    /// `2 * left + right`, where content is 1.
    pub transitions: [f64; 4],
    /// Features of a block.
    pub states: Vec<Weight>,
    /// Features of a block and the next one.
    pub edges: Vec<EdgeWeights>,
}

/// What a feature of two blocks in a row adds: weights · (value − offset) · scale.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EdgeWeights {
    /// The feature.
    pub name: String,
    /// As in [`Weight`].
    pub offset: f64,
    /// As in [`Weight`].
    pub scale: f64,
    /// One for each pair of labels, ordered as the [transitions](Crf::transitions).
    pub weights: [f64; 4],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: Spanned<u32>,
    classes: Spanned<Vec<String>>,
    #[serde(default)]
    about: BTreeMap<String, String>,
    bias: Spanned<f64>,
    transitions: Spanned<[f64; 4]>,
    features: Vec<Spanned<Weight>>,
    edges: Vec<Spanned<EdgeWeights>>,
}

impl File {
    /// All numbers, each with its byte offset in the file.
    fn numbers(&self) -> impl Iterator<Item = (usize, f64)> {
        let bias = (self.bias.span().start, *self.bias.get_ref());
        let start = self.transitions.span().start;
        let transitions = self.transitions.get_ref().map(|t| (start, t));
        let states = self.features.iter().flat_map(|f| {
            let numbers = f.get_ref().numbers();
            numbers.map(|n| (f.span().start, n))
        });
        let edges = self.edges.iter().flat_map(|e| {
            let edge = e.get_ref();
            let numbers = [edge.offset, edge.scale].into_iter().chain(edge.weights);
            numbers.map(|n| (e.span().start, n))
        });
        let first = std::iter::once(bias).chain(transitions);
        first.chain(states).chain(edges)
    }
}

impl Crf {
    /// Largest model file in bytes.
    pub const MAX_BYTES: u64 = 1 << 20;

    /// Reads a model file.
    ///
    /// # Errors
    /// The first fault, with its line.
    pub fn parse(text: &str) -> Result<Self, ModelError> {
        let file: File = file::read(text, |file: &File| &file.format)?;
        file::expect_block_classes(text, &file.classes)?;
        if let Some((at, number)) = file.numbers().find(|(_, number)| !number.is_finite()) {
            let message = format!("{number} is not finite; expected a finite number");
            return Err(fault(text, at, message));
        }
        Ok(Self {
            about: file.about,
            bias: file.bias.into_inner(),
            transitions: file.transitions.into_inner(),
            states: file.features.into_iter().map(Spanned::into_inner).collect(),
            edges: file.edges.into_iter().map(Spanned::into_inner).collect(),
        })
    }

    /// Reads the bytes of a model file, in the form that `Files::load` of `warcsieve-classify`
    /// takes.
    ///
    /// # Errors
    /// The fault and its line, as text.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        file::from_bytes(bytes, Self::parse)
    }

    /// The text of a model file, from which [`Crf::parse`] makes the same model.
    pub fn to_text(&self) -> String {
        let mut text = head(&BLOCK_CLASSES.map(str::to_owned), &self.about);
        text += &format!("bias = {:?}\n", self.bias);
        text += &format!("transitions = {:?}\n", self.transitions);
        text += "features = [\n";
        text.extend(self.states.iter().map(Weight::line));
        text += "]\nedges = [\n";
        for e in &self.edges {
            text += &format!(
                "    {{ name = {}, offset = {:?}, scale = {:?}, weights = {:?} }},\n",
                quoted(&e.name),
                e.offset,
                e.scale,
                e.weights
            );
        }
        text + "]\n"
    }

    /// What each feature of a block adds to its score; `values` are in the order of the states.
    pub fn contributions(&self, values: impl Iterator<Item = f32>) -> impl Iterator<Item = f64> {
        let terms = self.states.iter().zip(values);
        terms.map(|(f, value)| f.weight * (f64::from(value) - f.offset) * f.scale)
    }

    /// The score of a block; `values` are in the order of the states.
    pub fn score(&self, values: impl Iterator<Item = f32>) -> f64 {
        self.contributions(values)
            .fold(self.bias, |sum, by| sum + by)
    }

    /// The log-potentials of a block and the next, ordered as the
    /// [transitions](Crf::transitions); `values` are in the order of the edges.
    pub fn between(&self, values: impl Iterator<Item = f32>) -> [f64; 4] {
        let terms = self.edges.iter().zip(values);
        terms.fold(self.transitions, |sum, (e, value)| {
            let by = (f64::from(value) - e.offset) * e.scale;
            std::array::from_fn(|pair| sum[pair] + e.weights[pair] * by)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TEXT: &str = "format = 1
classes = [\"boilerplate\", \"content\"]
about.\"trained_on\" = \"two \\\"pages\\\"\"
bias = -0.25
transitions = [0.5, -0.5, 0.0, 1e-7]
features = [
    { name = \"x\", offset = 1.0, scale = 0.5, weight = 3.0 },
    { name = \"y\", offset = 0.0, scale = 2.0, weight = -2.0 },
]
edges = [
    { name = \"z\", offset = 1.0, scale = 2.0, weights = [1.0, 0.0, -1.0, 0.5] },
]
";

    fn fault(from: &str, to: &str) -> String {
        let text = TEXT.replace(from, to);
        assert_ne!(text, TEXT);
        Crf::parse(&text).unwrap_err().to_string()
    }

    #[test]
    fn scores_by_hand() {
        let model = Crf::parse(TEXT).unwrap();
        // −0.25 + 3 · (5 − 1) / 2 − 2 · 2 · 0.5
        assert_eq!(model.score([5.0, 0.5].into_iter()), 3.75);
        let between = model.between([2.0].into_iter());
        assert_eq!(between, [2.5, -0.5, -2.0, 1.0 + 1e-7]);
        assert_eq!(model.to_text(), TEXT);
    }

    #[test]
    fn every_truncated_file_is_refused() {
        for end in 0..TEXT.len() - 2 {
            assert!(Crf::parse(&TEXT[..end]).is_err(), "{end}");
        }
    }

    #[test]
    fn faults_are_named_with_their_line() {
        let e = fault("format = 1", "format = 2");
        assert!(e.starts_with("line 1: format 2 is not 1"), "{e}");
        let e = fault("\"boilerplate\", ", "");
        assert!(
            e.starts_with("line 2:") && e.contains("content; expected boilerplate, content"),
            "{e}"
        );
        for (from, to, line) in [
            ("-0.25", "nan", 4),
            ("[0.5, -0.5", "[0.5, inf", 5),
            ("scale = 0.5", "scale = -inf", 7),
            ("weight = -2.0", "weight = nan", 8),
            ("[1.0, 0.0", "[1.0, inf", 11),
        ] {
            let e = fault(from, to);
            let line = format!("line {line}:");
            assert!(
                e.starts_with(&line) && e.contains("expected a finite"),
                "{e}"
            );
        }
        let e = fault("weight = -2.0", "wait = -2.0");
        assert!(e.starts_with("line 8:") && e.contains("wait"), "{e}");
        let e = fault("[1.0, 0.0, ", "[");
        assert!(e.starts_with("line 11:"), "{e}");
    }

    proptest! {
        #[test]
        fn a_model_survives_a_round_trip(
            bias in -1e300..1e300f64,
            transitions in prop::array::uniform4(-1e9..1e9f64),
            states in prop::collection::vec((-1e9..1e9f64, 1e-300..1f64, -1e9..1e9f64), 0..8),
            edges in prop::collection::vec(prop::array::uniform6(-1e9..1e9f64), 0..4),
        ) {
            let states = (0..).zip(states).map(|(i, (offset, scale, weight))| Weight {
                name: format!("f{i}\"\n"),
                offset,
                scale,
                weight,
            });
            let edges = (0..).zip(edges).map(|(i, [offset, scale, weights @ ..])| EdgeWeights {
                name: format!("e{i}"),
                offset,
                scale,
                weights,
            });
            let model = Crf {
                about: BTreeMap::new(),
                bias,
                transitions,
                states: states.collect(),
                edges: edges.collect(),
            };
            prop_assert_eq!(Crf::parse(&model.to_text()).unwrap(), model);
        }
    }
}
