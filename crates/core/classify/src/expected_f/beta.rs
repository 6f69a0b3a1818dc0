//! The weight of recall against precision.

use serde::Deserialize;

/// The weight of recall against precision, above 0 and at most 100. In pipeline files it is a
/// number or one of [`Beta::WORDS`].
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "toml::Value")]
pub struct Beta(f64);

impl Beta {
    /// Weights with names: for text with little noise, for the default, and for complete text.
    pub const WORDS: [(&str, Self); 3] = [
        ("precision", Self::of(0.6)),
        ("balanced", Self::of(0.9)),
        ("recall", Self::of(1.0)),
    ];

    /// A default.
    ///
    /// # Panics
    /// If `value` is not above 0 and at most 100.
    pub const fn of(value: f64) -> Self {
        assert!(value > 0.0 && value <= 100.0);
        Self(value)
    }

    /// The value.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<toml::Value> for Beta {
    type Error = String;

    fn try_from(value: toml::Value) -> Result<Self, String> {
        let (number, written) = match &value {
            toml::Value::Float(number) => (Some(*number), number.to_string()),
            toml::Value::Integer(number) => (Some(*number as f64), number.to_string()),
            toml::Value::String(word) => {
                let known = Self::WORDS.iter().find(|(name, _)| name == word);
                (known.map(|(_, beta)| beta.0), word.clone())
            }
            other => (None, format!("a value of type {}", other.type_str())),
        };
        match number {
            Some(number) if number > 0.0 && number <= 100.0 => Ok(Self(number)),
            _ => {
                let words = Self::WORDS.map(|(name, _)| name).join(", ");
                Err(format!(
                    "{written} is neither a number above 0 and at most 100 nor one of {words}"
                ))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Options;
    use super::*;

    #[test]
    fn a_weight_is_a_number_or_a_word() {
        #[derive(Debug, Deserialize)]
        struct Params {
            beta: Beta,
        }
        let of = |value: &str| toml::from_str::<Params>(&format!("beta = {value}")).map(|p| p.beta);
        for (value, beta) in [
            ("'precision'", 0.6),
            ("'balanced'", 0.9),
            ("'recall'", 1.0),
            ("2", 2.0),
            ("0.5", 0.5),
        ] {
            assert_eq!(of(value).unwrap().get(), beta, "{value}");
        }
        assert_eq!(Options::default().beta.get(), 0.9);
        for value in ["0", "-1.0", "nan", "101", "'most'", "true"] {
            let e = of(value).unwrap_err().to_string();
            assert!(e.contains("one of precision, balanced, recall"), "{e}");
        }
    }
}
