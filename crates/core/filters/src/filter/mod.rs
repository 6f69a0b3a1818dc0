//! Rules that decide which pages stay and what remains of their texts. They look at columns of
//! `documents`, at signals, at lists, at lines, and at personal data.
//!
//! Rules are applied in order, and the first rule that a page breaks removes the page. The answer
//! has the measured value and the bound, so each removal is explained. A rule that changes the text
//! changes it for all rules after it.

mod list;
mod personal_rule;
mod preset;
mod row;
mod rule;

pub use self::list::List;
use self::personal_rule::PersonalRule;
pub use self::preset::{PRESETS, Preset, PresetRule};
pub use self::row::{COLUMNS, Row, Value};
use self::rule::Rule;
use crate::edits::Reason;
use crate::lines::LineRules;
use crate::personal::Kind;
use std::sync::Arc;
use warcsieve_common::did_you_mean;

/// Why a page was removed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removal {
    /// The number of the rule.
    pub number: usize,
    /// The measured value; `None` if there is none.
    pub value: Option<String>,
    /// Whether the value is a text of the page, such as its title.
    pub is_text: bool,
}

/// The rules of a pipeline, and the findings on the last page.
#[derive(Clone, Debug, Default)]
pub struct Filters {
    steps: Vec<Step>,
    /// Number of findings of each kind of personal data.
    found: [u64; Kind::ALL.len()],
}

#[derive(Clone, Debug)]
enum Step {
    Rule(Rule),
    /// With its name in the counts, and its bound.
    Lines(&'static LineRules, [String; 2]),
    Personal(PersonalRule),
}

impl Filters {
    /// Adds the rule in a text, such as `language in ["en", "de"]`.
    ///
    /// # Errors
    /// What is wrong with the text.
    pub fn keep(&mut self, text: &str) -> Result<(), String> {
        self.steps.push(Step::Rule(Rule::parse(text)?));
        Ok(())
    }

    /// Adds the rules of a preset, in order, without those about these columns, signals or lines.
    ///
    /// # Errors
    /// The preset is unknown, or has no such rule.
    pub fn preset(&mut self, name: &str, without: &[String]) -> Result<(), String> {
        let rules = Preset::named(name)?.rules();
        let names: Vec<_> = rules.iter().map(PresetRule::about).collect();
        if let Some(unknown) = without.iter().find(|name| !names.contains(name)) {
            let meant = did_you_mean(unknown, names.iter().map(String::as_str));
            return Err(format!(
                "`without`: no rule of `{name}` is about `{unknown}`{meant}; `warcsieve signals --presets` lists the rules"
            ));
        }
        let stays = |rule: &&PresetRule| !without.contains(&rule.about());
        for rule in rules.iter().filter(stays) {
            match rule {
                PresetRule::Page(rule) => self.keep(rule)?,
                PresetRule::Lines(name) => self.lines(name)?,
            }
        }
        Ok(())
    }

    /// Adds rules about lines by their name.
    ///
    /// # Errors
    /// There are no rules with that name.
    pub fn lines(&mut self, name: &str) -> Result<(), String> {
        let rules = LineRules::named(name)?;
        let bound = rules.most_removed.map(|most| format!("<= {most}"));
        let texts = [format!("lines {name}"), bound.unwrap_or_default()];
        self.steps.push(Step::Lines(rules, texts));
        Ok(())
    }

    /// Adds an action for some kinds of personal data: `mask`, `tag`, or `drop-over 5`.
    ///
    /// # Errors
    /// The action or a kind is unknown.
    pub fn personal(&mut self, action: &str, kinds: &[String]) -> Result<(), String> {
        self.steps
            .push(Step::Personal(PersonalRule::parse(action, kinds)?));
        Ok(())
    }

    /// Adds a rule over the score that a file gives a page by its id. The score must be at least
    /// `min`.
    pub fn scores(&mut self, file: &str, scores: Arc<List>, min: f64) {
        self.steps.push(Step::Rule(Rule::scores(file, scores, min)));
    }

    /// Adds a rule that the value of a column must be in a file, or must not be.
    pub fn listed(&mut self, key: &str, file: &str, list: Arc<List>, column: &'static str) {
        let rule = Rule::listed(key, file, list, column);
        self.steps.push(Step::Rule(rule));
    }

    /// Whether there are no rules, so that all pages stay unchanged.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// The texts of the rules, by their numbers.
    pub fn rules(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().map(|step| match step {
            Step::Rule(rule) => rule.text.as_str(),
            Step::Lines(_, [text, _]) => text,
            Step::Personal(rule) => &rule.text,
        })
    }

    /// The bound of a rule.
    pub fn bound(&self, number: usize) -> &str {
        self.steps.get(number).map_or("", |step| match step {
            Step::Rule(rule) => &rule.bound,
            Step::Lines(_, [_, bound]) => bound,
            Step::Personal(rule) => &rule.bound,
        })
    }

    /// The first rule that changes texts.
    pub fn changing(&self) -> Option<&str> {
        let changes = |step: &Step| match step {
            Step::Rule(_) => false,
            Step::Lines(..) => true,
            Step::Personal(rule) => rule.masks(),
        };
        let number = self.steps.iter().position(changes)?;
        self.rules().nth(number)
    }

    /// The columns that rules look at.
    pub fn columns(&self) -> impl Iterator<Item = &'static str> {
        self.steps.iter().filter_map(|step| match step {
            Step::Rule(rule) => rule.column_name(),
            _ => None,
        })
    }

    /// Whether a rule is about a signal, which is measured for it.
    pub fn ask_signals(&self) -> bool {
        let mut steps = self.steps.iter();
        steps.any(|step| matches!(step, Step::Rule(rule) if rule.is_of_signal()))
    }

    /// The rules about lines.
    pub fn line_rules(&self) -> impl Iterator<Item = &'static LineRules> {
        self.steps.iter().filter_map(|step| match step {
            Step::Lines(rules, _) => Some(*rules),
            _ => None,
        })
    }

    /// The reasons for which rules cut blocks out of a text.
    pub fn reasons(&self) -> impl Iterator<Item = Reason> + use<> {
        let lines = self
            .line_rules()
            .flat_map(|rules| rules.reasons.iter().copied());
        let masks = self.kinds(true).into_iter().map(Kind::why);
        lines.collect::<Vec<_>>().into_iter().chain(masks)
    }

    /// The kinds of personal data that are searched for, or only those that are masked.
    pub fn kinds(&self, are_masked: bool) -> Vec<Kind> {
        let private = self.steps.iter().filter_map(|step| match step {
            Step::Personal(rule) if rule.masks() || !are_masked => Some(rule.kinds()),
            _ => None,
        });
        let mut kinds: Vec<_> = private.flatten().copied().collect();
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }

    /// How many findings of a kind the last page had.
    pub fn found(&self, kind: Kind) -> u64 {
        self.found[kind as usize]
    }

    /// Changes the text of a page. Returns the first rule that the page breaks.
    pub fn first_broken(&mut self, row: &mut impl Row) -> Option<Removal> {
        self.found = Default::default();
        let found = &mut self.found;
        let mut steps = self.steps.iter_mut().enumerate();
        steps.find_map(|(number, step)| {
            let value = match step {
                Step::Rule(rule) => rule.broken_by(row)?,
                Step::Lines(rules, _) => Value::Number(drop_lines(rules, row)?),
                Step::Personal(rule) => Value::Number(rule.apply(row, found)? as f64),
            };
            let is_text = matches!(value, Value::Text(_));
            let value = match value {
                Value::Number(n) => Some(n.to_string()),
                Value::Text(text) => Some(text.into_owned()),
                Value::Missing => None,
            };
            Some(Removal {
                number,
                value,
                is_text,
            })
        })
    }
}

/// Applies rules about lines. Returns the share of words that was removed if it is too high or
/// undefined.
fn drop_lines(rules: &LineRules, row: &mut impl Row) -> Option<f64> {
    let share = rules.apply(row.edits());
    if row.edits().is_changed() {
        row.edited();
    }
    let most = rules.most_removed?;
    share.filter(|share| share.is_nan() || *share > most)
}

#[cfg(test)]
mod tests;
