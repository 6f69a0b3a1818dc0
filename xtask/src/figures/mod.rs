//! Figures of the documentation: what `cargo xtask reproduce NAME` writes.

mod methods;
mod others;
mod papers;
mod program;
mod search;

use crate::task::{Task, Theme};

/// All figures.
pub static THEMES: [Theme; 5] = [
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
