//! Figures of the documentation: what `cargo xtask reproduce NAME` writes.

mod methods;
mod others;
mod papers;
mod program;
mod search;

use crate::task::{Key, Task, Theme};

/// Names whose figures do not depend on the default: no page of theirs is of an older one.
pub const WITHOUT_DEFAULT: [&str; 7] = [
    "bad-warcs",
    "density",
    "genre",
    "languages",
    "noise",
    "shallow",
    "web2text-splits",
];

/// All of them in turn.
const EVERYTHING: Theme = Theme {
    title: "All figures",
    tasks: &[Task {
        name: "all",
        does: "Writes every page of figures, in the order of this list. Pages say of which model and pipeline \
               of the default they are; those of the default that ships are left as they are, so this goes on \
               where it stopped. It prints the time of each name. A name that fails does not stop the others.",
        needs: &["what the names below need"],
        takes: "4 hours",
        keys: &[Key {
            name: "FORCE",
            help: "any value: pages of the default that ships are written again, too",
        }],
        steps: &[],
    }],
};

/// All figures.
pub static THEMES: [Theme; 6] = [
    EVERYTHING,
    papers::THEME,
    methods::THEME,
    program::THEME,
    search::THEME,
    others::THEME,
];

/// Every figure, theme by theme.
pub fn all() -> impl Iterator<Item = &'static Task> {
    THEMES.iter().flat_map(|theme| theme.tasks)
}

/// The figure with this name.
pub fn find(name: &str) -> Option<&'static Task> {
    all().find(|task| task.name == name)
}
