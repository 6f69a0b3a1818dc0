//! Rules that others publish, by name.

use crate::signals;
use warcsieve_base::did_you_mean;

/// Rules that others publish.
#[derive(Debug)]
pub struct Preset {
    /// As pipeline files name it.
    pub name: &'static str,
    /// Whose they are, and what of them they are.
    pub what: &'static str,
    /// Rules over columns, which come first.
    pub columns: &'static [&'static str],
    /// Families of signals, each of which is kept within the bound of its source.
    pub families: &'static [&'static str],
}

/// All of them.
pub const PRESETS: [Preset; 4] = [
    Preset {
        name: "gopher",
        what: "Gopher's repetition and quality rules as datatrove has them",
        columns: &[],
        families: &["gopher-repetition@datatrove", "gopher-quality@datatrove"],
    },
    Preset {
        name: "gopher-dolma",
        what: "Gopher's rules as Dolma's tagger measures them",
        columns: &[],
        families: &["gopher@dolma"],
    },
    Preset {
        name: "c4",
        what: "C4's rules about pages as datatrove has them",
        columns: &[],
        families: &["c4@datatrove"],
    },
    Preset {
        name: "fineweb",
        what: "FineWeb's order: English, repetition, quality, C4 whatever lines end in, its own",
        columns: &["language in [\"en\"]", "language_score >= 0.65"],
        families: &[
            "gopher-repetition@datatrove",
            "gopher-quality@datatrove",
            "c4-any-end@datatrove",
            "fineweb@datatrove",
        ],
    },
];

/// The rules of a preset, in order.
pub(super) fn rules(name: &str) -> Result<Vec<String>, String> {
    let preset = PRESETS.iter().find(|preset| preset.name == name);
    let preset = preset.ok_or_else(|| {
        let names = PRESETS.map(|preset| preset.name);
        let meant = did_you_mean(name, names);
        format!("no preset `{name}`{meant}; there are {}", names.join(", "))
    })?;
    let of_family = |family: &&'static str| {
        let family = *family;
        let own = signals::signals().filter(move |(_, f, _)| *f == family);
        own.map(|(signal, ..)| format!("{} {}", signal.name, signal.bound))
    };
    let columns = preset.columns.iter().map(|rule| (*rule).to_owned());
    Ok(columns
        .chain(preset.families.iter().flat_map(of_family))
        .collect())
}
