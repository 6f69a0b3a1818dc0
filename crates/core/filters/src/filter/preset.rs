//! Published sets of rules, by name.

use crate::signals::signals;
use std::fmt;
use warcsieve_common::did_you_mean;

/// A published set of rules.
#[derive(Debug)]
pub struct Preset {
    /// The name in pipeline files.
    pub name: &'static str,
    /// Who published the rules, and which part of the publication this is.
    pub what: &'static str,
    pub(super) parts: &'static [Part],
}

/// Some of the rules of a preset.
#[derive(Debug)]
pub(super) enum Part {
    /// A rule over a column.
    Rule(&'static str),
    /// A family of signals. Each must be within the bound of its source.
    Family(&'static str),
    /// Rules about lines.
    Lines(&'static str),
}

/// All of them.
pub const PRESETS: [Preset; 5] = [
    Preset {
        name: "gopher",
        what: "Gopher's repetition and quality rules as datatrove has them",
        parts: &[
            Part::Family("gopher-repetition@datatrove"),
            Part::Family("gopher-quality@datatrove"),
        ],
    },
    Preset {
        name: "gopher-dolma",
        what: "Gopher's rules as Dolma's tagger measures them",
        parts: &[Part::Family("gopher@dolma")],
    },
    Preset {
        name: "c4",
        what: "C4's rules about pages and lines as datatrove has them",
        parts: &[Part::Family("c4@datatrove"), Part::Lines("c4")],
    },
    Preset {
        name: "dclm-heuristics",
        what: "DCLM-Baseline's rules before its model: English, Gopher's, RefinedWeb's lines",
        parts: &[
            Part::Rule("language in [\"en\"]"),
            Part::Rule("language_score >= 0.65"),
            Part::Family("gopher@dclm"),
            Part::Lines("refinedweb"),
        ],
    },
    Preset {
        name: "fineweb",
        what: "FineWeb's order: English, repetition, quality, C4 whatever lines end in, its own",
        parts: &[
            Part::Rule("language in [\"en\"]"),
            Part::Rule("language_score >= 0.65"),
            Part::Family("gopher-repetition@datatrove"),
            Part::Family("gopher-quality@datatrove"),
            Part::Family("c4-any-end@datatrove"),
            Part::Lines("c4-any-end"),
            Part::Family("fineweb@datatrove"),
        ],
    },
];

/// A rule of a preset.
#[derive(Debug)]
pub enum PresetRule {
    /// About a page: what must be true, such as `gopher.words@datatrove between 50 and 100000`.
    Page(String),
    /// About lines: the name of the rules.
    Lines(&'static str),
}

impl PresetRule {
    /// The name of the column or signal, or `lines NAME`.
    pub fn about(&self) -> String {
        match self {
            Self::Page(rule) => rule.split(' ').next().unwrap_or_default().to_owned(),
            Self::Lines(_) => self.to_string(),
        }
    }
}

impl fmt::Display for PresetRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Page(rule) => f.write_str(rule),
            Self::Lines(name) => write!(f, "lines {name}"),
        }
    }
}

impl Preset {
    /// Its rules, in the order in which they are applied.
    pub fn rules(&self) -> Vec<PresetRule> {
        let mut rules = Vec::new();
        for part in self.parts {
            match part {
                Part::Rule(rule) => rules.push(PresetRule::Page((*rule).to_owned())),
                Part::Lines(name) => rules.push(PresetRule::Lines(name)),
                Part::Family(name) => {
                    let own = signals().filter(|(_, family, _)| family == name);
                    rules.extend(own.map(|(signal, ..)| {
                        PresetRule::Page(format!("{} {}", signal.name, signal.bound))
                    }));
                }
            }
        }
        rules
    }

    /// The preset of a name.
    ///
    /// # Errors
    /// There is no preset with that name; suggests a similar name.
    pub(super) fn named(name: &str) -> Result<&'static Self, String> {
        let preset = PRESETS.iter().find(|preset| preset.name == name);
        preset.ok_or_else(|| {
            let names = PRESETS.map(|preset| preset.name);
            let meant = did_you_mean(name, names);
            format!("no preset `{name}`{meant}; there are {}", names.join(", "))
        })
    }
}
