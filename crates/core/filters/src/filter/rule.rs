//! One rule: its condition, and which values break it.

use super::list::List;
use super::row::{COLUMNS, Row, Value};
use crate::signals;
use std::sync::Arc;
use warcsieve_common::did_you_mean;

/// A rule.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    /// The rule as it was written. This is its name in the counts.
    pub(super) text: String,
    /// The condition on the value.
    pub(super) bound: String,
    column: Column,
    test: Test,
}

#[derive(Clone, Copy, Debug)]
enum Column {
    /// A column of [`COLUMNS`].
    Of(&'static str),
    Signal(usize),
}

#[derive(Clone, Debug)]
enum Test {
    Between(f64, f64),
    Above(f64),
    Below(f64),
    In(Vec<String>),
    NotIn(Vec<String>),
    Score(Arc<List>, f64),
    Listed(Arc<List>, bool),
}

const FORMS: &str = "NAME >= 1, NAME <= 1, NAME > 1, NAME < 1, NAME between 1 and 2, NAME in \
                     [\"a\", \"b\"] or NAME not in [\"a\"]";

impl Rule {
    /// Reads a rule such as `gopher.words@datatrove between 50 and 100000`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (name, bound) = text
            .split_once(char::is_whitespace)
            .ok_or_else(|| format!("`{text}` is no rule; a rule is {FORMS}"))?;
        let (column, is_number) = column(name)?;
        let bound = bound.trim();
        let test = test(bound).ok_or_else(|| {
            format!("`{bound}` is not a condition for `{name}`; a rule is {FORMS}")
        })?;
        let is_text = matches!(test, Test::In(_) | Test::NotIn(_));
        if is_text == is_number {
            let kind = if is_number { "a number" } else { "a text" };
            return Err(format!("`{name}` is {kind}, which `{bound}` cannot test"));
        }
        Ok(Self {
            text: text.to_owned(),
            bound: bound.to_owned(),
            column,
            test,
        })
    }

    pub(super) fn scores(file: &str, scores: Arc<List>, min: f64) -> Self {
        Self {
            text: format!("scores {file} >= {min}"),
            bound: format!(">= {min}"),
            column: Column::Of("id"),
            test: Test::Score(scores, min),
        }
    }

    pub(super) fn listed(key: &str, file: &str, list: Arc<List>, column: &'static str) -> Self {
        let is_in = key.starts_with("keep");
        Self {
            text: format!("{key} {file}"),
            bound: if is_in { "listed" } else { "not listed" }.to_owned(),
            column: Column::Of(column),
            test: Test::Listed(list, is_in),
        }
    }

    /// The column that it is about; `None` if it is about a signal.
    pub(super) fn column_name(&self) -> Option<&'static str> {
        match self.column {
            Column::Of(name) => Some(name),
            Column::Signal(_) => None,
        }
    }

    /// Whether it is about a signal.
    pub(super) fn is_of_signal(&self) -> bool {
        matches!(self.column, Column::Signal(_))
    }

    /// The value with which a page breaks the rule; `None` if it does not.
    pub(super) fn broken_by<'r>(&self, row: &'r mut impl Row) -> Option<Value<'r>> {
        let value = match self.column {
            Column::Of(name) => row.column(name),
            Column::Signal(number) => row.signal(number).map_or(Value::Missing, Value::Number),
        };
        let is_kept = match (&self.test, &value) {
            (Test::Between(least, most), Value::Number(n)) => least <= n && n <= most,
            (Test::Above(bound), Value::Number(n)) => n > bound,
            (Test::Below(bound), Value::Number(n)) => n < bound,
            (Test::In(texts), Value::Text(text)) => texts.iter().any(|t| t == text),
            (Test::NotIn(texts), Value::Text(text)) => !texts.iter().any(|t| t == text),
            (Test::Listed(list, is_in), Value::Text(text)) => list.has(text) == *is_in,
            (Test::Score(scores, min), Value::Text(id)) => match scores.score(id) {
                // The score as written is that of 32 bits, and so is the bound.
                Some(score) if score as f32 >= *min as f32 => true,
                Some(score) => return Some(Value::Number(score)),
                None => return Some(Value::Missing),
            },
            _ => false,
        };
        (!is_kept).then_some(value)
    }
}

/// The column with that name, and whether it is a number.
fn column(name: &str) -> Result<(Column, bool), String> {
    if let Some(&(name, is_number)) = COLUMNS.iter().find(|(known, _)| *known == name) {
        return Ok((Column::Of(name), is_number));
    }
    if let Some(number) = signals::number(name) {
        return Ok((Column::Signal(number), true));
    }
    let known = signals::signals().map(|(signal, ..)| signal.name);
    let known = COLUMNS.iter().map(|(name, _)| *name).chain(known);
    Err(format!(
        "no column or signal `{name}`{}; rules may name {} and signals, which `warcsieve signals \
         --list` has",
        did_you_mean(name, known),
        COLUMNS.map(|(name, _)| name).join(", ")
    ))
}

fn test(bound: &str) -> Option<Test> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|n| n.is_finite());
    if let Some(range) = bound.strip_prefix("between ") {
        let (least, most) = range.split_once(" and ")?;
        return Some(Test::Between(number(least)?, number(most)?));
    }
    if let Some(texts) = bound.strip_prefix("not in") {
        return Some(Test::NotIn(list(texts)?));
    }
    if let Some(texts) = bound.strip_prefix("in") {
        return Some(Test::In(list(texts)?));
    }
    let (least, most) = (f64::NEG_INFINITY, f64::INFINITY);
    if let Some(bound) = bound.strip_prefix(">=") {
        return Some(Test::Between(number(bound)?, most));
    }
    if let Some(bound) = bound.strip_prefix("<=") {
        return Some(Test::Between(least, number(bound)?));
    }
    if let Some(bound) = bound.strip_prefix('>') {
        return Some(Test::Above(number(bound)?));
    }
    Some(Test::Below(number(bound.strip_prefix('<')?)?))
}

/// Reads texts in quotes between brackets.
fn list(text: &str) -> Option<Vec<String>> {
    let inside = text.trim().strip_prefix('[')?.strip_suffix(']')?;
    let texts = inside.split(',').map(|text| {
        let text = text.trim();
        let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
        let text = text.strip_prefix(quote)?.strip_suffix(quote)?;
        Some(text.to_owned())
    });
    texts.collect()
}
