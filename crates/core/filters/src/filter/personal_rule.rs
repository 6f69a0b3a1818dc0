//! The rule about personal data.

use super::row::Row;
use crate::personal::{Finder, Kind};
use warcsieve_common::did_you_mean;

/// The action for some kinds of personal data.
#[derive(Clone, Debug)]
pub(super) struct PersonalRule {
    /// The name in the counts.
    pub(super) text: String,
    /// The bound that a page must keep; empty if the rule removes no page.
    pub(super) bound: String,
    finder: Finder,
    action: Action,
}

#[derive(Clone, Copy, Debug)]
enum Action {
    Mask,
    Tag,
    DropOver(u64),
}

impl PersonalRule {
    /// Reads `mask`, `tag` or `drop-over 5`, and names of kinds. Without names, the kinds are those
    /// of datatrove.
    ///
    /// # Errors
    /// Which word is unknown.
    pub(super) fn parse(action: &str, names: &[String]) -> Result<Self, String> {
        let bound = action.strip_prefix("drop-over ").map(str::trim);
        let parsed = match (action, bound.and_then(|n| n.parse().ok())) {
            ("mask", _) => Action::Mask,
            ("tag", _) => Action::Tag,
            (_, Some(most)) => Action::DropOver(most),
            _ => {
                return Err(format!(
                    "personal data cannot be `{action}`{}; it can be mask, tag or drop-over N",
                    did_you_mean(action, ["mask", "tag", "drop-over 5"])
                ));
            }
        };
        let named = |name: &String| {
            let kind = Kind::ALL.into_iter().find(|kind| kind.as_str() == name);
            kind.ok_or_else(|| {
                let known = Kind::ALL.map(Kind::as_str);
                let meant = did_you_mean(name, known);
                let known = known.join(", ");
                format!("no kind of personal data `{name}`{meant}; there are {known}")
            })
        };
        let kinds = match names.is_empty() {
            true => vec![Kind::Email, Kind::Ip],
            false => names.iter().map(named).collect::<Result<_, _>>()?,
        };
        let listed: Vec<_> = kinds.iter().map(|kind| kind.as_str()).collect();
        Ok(Self {
            text: format!("personal {action}: {}", listed.join(", ")),
            bound: match parsed {
                Action::DropOver(most) => format!("<= {most}"),
                Action::Mask | Action::Tag => String::new(),
            },
            finder: Finder::new(&kinds),
            action: parsed,
        })
    }

    /// Whether it changes texts.
    pub(super) fn masks(&self) -> bool {
        matches!(self.action, Action::Mask)
    }

    pub(super) fn kinds(&self) -> &[Kind] {
        self.finder.kinds()
    }

    /// Searches a page, and masks the findings if that is the action. Returns the count if it is
    /// too high. Data that an earlier rule masked is not found again, so the highest counts stay.
    pub(super) fn apply(&mut self, row: &mut impl Row, found: &mut [u64]) -> Option<u64> {
        self.finder.find(row.edits().text());
        for &kind in self.finder.kinds() {
            let count = &mut found[kind as usize];
            *count = self.finder.count(kind).max(*count);
        }
        match self.action {
            Action::Tag => None,
            Action::DropOver(most) => {
                let count = self.finder.found().len() as u64;
                (count > most).then_some(count)
            }
            Action::Mask => {
                if self.finder.mask(row.edits()) {
                    row.edited();
                }
                None
            }
        }
    }
}
