//! The tasks of `cargo xtask NAME`.

mod agree;
pub mod check;
mod corpora;
mod faults;
mod layout;
mod python;
mod release;
mod speed;

use crate::task::{Task, Theme};

/// All tasks.
pub static THEMES: [Theme; 8] = [
    check::THEME,
    corpora::THEME,
    agree::THEME,
    layout::THEME,
    speed::THEME,
    faults::THEME,
    python::THEME,
    release::THEME,
];

/// Every task, theme by theme.
pub fn all() -> impl Iterator<Item = &'static Task> {
    THEMES.iter().flat_map(|theme| theme.tasks)
}

/// The task with this name.
pub fn find(name: &str) -> Option<&'static Task> {
    all().find(|task| task.name == name)
}

/// The options of a test program that leave out slow tests of `tests/it`.
pub fn without_slow() -> String {
    let skipped = check::SLOW.iter().map(|name| format!("--skip {name}::"));
    skipped.collect::<Vec<_>>().join(" ")
}
