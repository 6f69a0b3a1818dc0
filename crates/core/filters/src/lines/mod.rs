//! Rules about the lines of a text: which lines are removed, and what is cut out of the others.
//!
//! Lines are those of the plain text. Every removal has the name of its rule, which appears in
//! blocks and ledgers.

pub(crate) mod c4;
mod refinedweb;
mod rules;
mod split;
#[cfg(test)]
mod tests;

pub(crate) use self::refinedweb::count_words;
pub use self::rules::LineRules;
pub(crate) use self::split::{count_chars, split_lines, strip};

use crate::edits::Edits;
use warcsieve_common::did_you_mean;

/// All of them.
pub static LINE_RULES: [&LineRules; 3] = [&c4::RULES, &c4::ANY_END, &refinedweb::RULES];

impl LineRules {
    /// The rules with this name.
    ///
    /// # Errors
    /// There are no rules with that name; suggests a similar name.
    pub fn named(name: &str) -> Result<&'static Self, String> {
        let found = LINE_RULES.into_iter().find(|rules| rules.name == name);
        found.ok_or_else(|| {
            let names = LINE_RULES.map(|rules| rules.name);
            let meant = did_you_mean(name, names);
            let names = names.join(", ");
            format!("no rules about lines are called `{name}`{meant}; there are {names}")
        })
    }

    /// Applies the rules to a text. Returns the share of its words that was removed, if the rules
    /// have a [bound](Self::most_removed) for it, or NaN if the text has no words. Takes time
    /// linear in the text.
    pub fn apply(&self, edits: &mut Edits) -> Option<f64> {
        let words = |edits: &Edits| count_words(edits.text());
        let before = self.most_removed.map(|_| words(edits));
        (self.edit)(edits);
        before.map(|before| (before as f64 - words(edits) as f64) / before as f64)
    }
}
