//! Rules that say which pages stay: over columns of `documents`, over signals, over lists.
//!
//! Rules are asked in order, and the first that a page breaks removes it. What was measured and what
//! the bound is are in the answer, so that nothing is removed in silence.

mod list;
mod preset;
mod rule;

pub use self::list::List;
pub use self::preset::{PRESETS, Preset};
use self::rule::Rule;
use std::borrow::Cow;
use std::sync::Arc;

/// A value that rules compare.
#[derive(Clone, Debug, PartialEq)]
pub enum Value<'v> {
    /// A number.
    Number(f64),
    /// A text.
    Text(Cow<'v, str>),
    /// None: it breaks every rule about it.
    Missing,
}

/// A page as rules see it.
pub trait Row {
    /// The value of one of [`COLUMNS`].
    fn column(&self, name: &str) -> Value<'_>;

    /// The value of a signal, by its number.
    fn signal(&self, number: usize) -> Option<f64>;
}

/// Columns that rules may name besides signals, and whether they are numbers. `host` is that of
/// `url`.
pub const COLUMNS: [(&str, bool); 15] = [
    ("id", false),
    ("url", false),
    ("host", false),
    ("title", false),
    ("content_mime_type", false),
    ("content_charset", false),
    ("language", false),
    ("language_score", true),
    ("fetch_status", true),
    ("n_blocks", true),
    ("n_content_blocks", true),
    ("confidence", true),
    ("n_formulas", true),
    ("html_bytes", true),
    ("text_bytes", true),
];

/// Why a page was removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removal {
    /// The number of the rule.
    pub number: usize,
    /// The measured value; `None` if there is none.
    pub value: Option<String>,
}

/// The rules of a pipeline.
#[derive(Clone, Debug, Default)]
pub struct Filters(Vec<Rule>);

impl Filters {
    /// Adds the rule that a text says, such as `language in ["en", "de"]`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn keep(&mut self, text: &str) -> Result<(), String> {
        self.0.push(Rule::parse(text)?);
        Ok(())
    }

    /// Adds the rules of a preset.
    ///
    /// # Errors
    /// The preset is unknown.
    pub fn preset(&mut self, name: &str) -> Result<(), String> {
        let rules = preset::rules(name)?;
        rules.iter().try_for_each(|rule| self.keep(rule))
    }

    /// Adds a rule over the score that a file gives a page, by its id: at least `min`.
    pub fn scores(&mut self, file: &str, scores: Arc<List>, min: f64) {
        self.0.push(Rule::scores(file, scores, min));
    }

    /// Adds a rule that a column is in a file, or that it is not.
    pub fn listed(&mut self, key: &str, file: &str, list: Arc<List>, column: &'static str) {
        self.0.push(Rule::listed(key, file, list, column));
    }

    /// Whether all pages stay.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The texts of the rules, by their numbers.
    pub fn rules(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|rule| rule.text.as_str())
    }

    /// The bound of a rule.
    pub fn bound(&self, number: usize) -> &str {
        self.0.get(number).map_or("", |rule| rule.bound.as_str())
    }

    /// The numbers of the signals that rules ask for.
    pub fn signals(&self) -> impl Iterator<Item = usize> {
        self.0.iter().filter_map(Rule::signal)
    }

    /// The first rule that a page breaks.
    pub fn judge(&self, row: &impl Row) -> Option<Removal> {
        self.0.iter().enumerate().find_map(|(number, rule)| {
            let value = rule.broken_by(row)?;
            let value = match value {
                Value::Number(n) => Some(n.to_string()),
                Value::Text(text) => Some(text.into_owned()),
                Value::Missing => None,
            };
            Some(Removal { number, value })
        })
    }
}

/// The host of an address in lower case: without scheme, user and port.
pub fn host(url: &str) -> String {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let is_bracketed = host.starts_with('[');
    let host = match host.rsplit_once(':') {
        Some((name, _)) if !is_bracketed || name.ends_with(']') => name,
        _ => host,
    };
    host.to_lowercase()
}

#[cfg(test)]
mod tests;
