//! Linear models of two classes as text: one weight per feature, in a TOML file that says what
//! they were trained on.
//!
//! ```toml
//! format = 1
//! classes = ["article", "list_view"]
//! about.trained_on = "wcxb-dev"
//! bias = -0.25
//! features = [
//!     { name = "periods", offset = 0.0, scale = 0.125, weight = -3.5 },
//!     { name = "images", offset = 0.0, scale = 0.25, weight = 1.75 },
//! ]
//! ```
//!
//! The margin of a row is bias + Σ weight · (value − offset) · scale; above 0 the row is of the
//! second class. Numbers are written in the shortest form that parses to the same `f64`.

use super::ModelError;
use super::file::{self, fault, head};
use super::weight::Weight;
use serde::Deserialize;
use std::collections::BTreeMap;
use toml::Spanned;

/// A hyperplane between two classes.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearModel {
    /// The class on the negative side and that on the positive one.
    pub classes: [String; 2],
    /// What the model was trained on, and how well it does; for people.
    pub about: BTreeMap<String, String>,
    /// The margin where all features are at their offset.
    pub bias: f64,
    /// At least one.
    pub features: Vec<Weight>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    format: Spanned<u32>,
    classes: Spanned<Vec<String>>,
    #[serde(default)]
    about: BTreeMap<String, String>,
    bias: Spanned<f64>,
    features: Vec<Spanned<Weight>>,
}

impl LinearModel {
    /// Largest model file in bytes.
    pub const MAX_BYTES: u64 = 1 << 20;

    /// Reads a model file.
    ///
    /// # Errors
    /// The first fault, with its line.
    pub fn parse(text: &str) -> Result<Self, ModelError> {
        let at = |offset: usize, message: String| fault(text, offset, message);
        let file: File = file::read(text, |file: &File| &file.format)?;
        let start = file.classes.span().start;
        let classes: [String; 2] = file.classes.into_inner().try_into().map_err(|c: Vec<_>| {
            at(
                start,
                format!("a linear model has 2 classes, not {}", c.len()),
            )
        })?;
        let numbers = file.features.iter().flat_map(|f| {
            let numbers = f.get_ref().numbers();
            numbers.map(|number| (f.span().start, number))
        });
        let bias = (file.bias.span().start, *file.bias.get_ref());
        for (start, number) in std::iter::once(bias).chain(numbers) {
            if !number.is_finite() {
                return Err(at(start, format!("{number} is not a finite number")));
            }
        }
        Ok(Self {
            classes,
            about: file.about,
            bias: bias.1,
            features: file.features.into_iter().map(Spanned::into_inner).collect(),
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

    /// The text of a model file, from which [`LinearModel::parse`] makes the same model.
    pub fn to_text(&self) -> String {
        let mut text = head(&self.classes, &self.about);
        text += &format!("bias = {:?}\nfeatures = [\n", self.bias);
        text.extend(self.features.iter().map(Weight::line));
        text + "]\n"
    }

    /// Checks that the model is of these features and classes, in this order.
    ///
    /// # Errors
    /// What was found, and what was expected.
    pub fn expect(&self, features: &[&str], classes: &[&str; 2]) -> Result<(), String> {
        let names: Vec<&str> = self.features.iter().map(|f| f.name.as_str()).collect();
        if names != features {
            let (found, expected) = (names.join(", "), features.join(", "));
            return Err(format!("the features are {found}; expected {expected}"));
        }
        if self.classes != *classes {
            let (found, expected) = (self.classes.join(", "), classes.join(", "));
            return Err(format!("the classes are {found}; expected {expected}"));
        }
        Ok(())
    }

    /// The signed margin of a row; `values` are in the order of the features.
    pub fn margin(&self, values: &[f64]) -> f64 {
        let terms = self.features.iter().zip(values);
        terms.fold(self.bias, |sum, (f, value)| {
            sum + f.weight * ((value - f.offset) * f.scale)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const TEXT: &str = "format = 1
classes = [\"a\", \"b\"]
about.\"trained_on\" = \"two \\\"pages\\\"\"
bias = -0.25
features = [
    { name = \"x\", offset = 1.0, scale = 0.5, weight = 3.0 },
    { name = \"y\", offset = 0.0, scale = 1e-7, weight = -2.0 },
]
";

    fn fault(text: &str) -> String {
        LinearModel::parse(text).unwrap_err().to_string()
    }

    #[test]
    fn a_margin_by_hand() {
        let model = LinearModel::parse(TEXT).unwrap();
        // −0.25 + 3 · (5 − 1) / 2 − 2 · 1
        assert_eq!(model.margin(&[5.0, 1e7]), 3.75);
        assert_eq!(model.to_text(), TEXT);
    }

    #[test]
    fn every_truncated_file_is_refused() {
        for end in 0..TEXT.len() - 2 {
            assert!(LinearModel::parse(&TEXT[..end]).is_err(), "{end}");
        }
    }

    #[test]
    fn faults_are_named_with_their_line() {
        let e = fault(&TEXT.replace("format = 1", "format = 2"));
        assert!(e.starts_with("line 1: format 2 is not 1"), "{e}");
        let e = fault(&TEXT.replace("\"b\"]", "\"b\", \"c\"]"));
        assert!(
            e.starts_with("line 2:") && e.contains("2 classes, not 3"),
            "{e}"
        );
        let e = fault(&TEXT.replace("-0.25", "nan"));
        assert!(e.starts_with("line 4:") && e.contains("NaN"), "{e}");
        let e = fault(&TEXT.replace("0.5", "inf"));
        assert!(e.starts_with("line 6:") && e.contains("inf"), "{e}");
        let e = fault(&TEXT.replace("weight = -2.0", "wait = -2.0"));
        assert!(e.starts_with("line 7:") && e.contains("wait"), "{e}");
    }

    #[test]
    fn other_features_and_classes_are_named() {
        let model = LinearModel::parse(TEXT).unwrap();
        model.expect(&["x", "y"], &["a", "b"]).unwrap();
        assert_eq!(
            model.expect(&["x", "z"], &["a", "b"]).unwrap_err(),
            "the features are x, y; expected x, z"
        );
        assert_eq!(
            model.expect(&["x", "y"], &["b", "a"]).unwrap_err(),
            "the classes are a, b; expected b, a"
        );
    }

    proptest! {
        #[test]
        fn a_model_survives_a_round_trip(
            bias in -1e300..1e300f64,
            numbers in prop::collection::vec((any::<i32>(), -1e9..1e9f64, 1e-300..1f64), 1..12),
        ) {
            let weights = numbers.iter().enumerate();
            let model = LinearModel {
                classes: ["a\"\n".to_owned(), "b".to_owned()],
                about: BTreeMap::new(),
                bias,
                features: weights
                    .map(|(i, &(offset, weight, scale))| Weight {
                        name: format!("f{i}"),
                        offset: offset.into(),
                        scale,
                        weight,
                    })
                    .collect(),
            };
            prop_assert_eq!(LinearModel::parse(&model.to_text()).unwrap(), model);
        }
    }
}
