//! Figures of the readme are those of the pages that measure them.

use std::fs;
use std::path::Path;

/// A cell of a table in `docs/`: its page, what its row begins with, and its number from 0.
type Cell = (&'static str, &'static str, usize);

/// What the readme says, with `{}` for each of these cells. Figures with a point before them are percents there.
const SAID: [(&str, &[Cell]); 6] = [
    (
        "| word F1, mean of four corpora | {} | {} | {} | {} |",
        &[
            ("accuracy", "**`default`, comments dropped from all**", 1),
            ("accuracy", "trafilatura 2.3 (Python)", 1),
            ("accuracy", "resiliparse 2.0, main content", 1),
            ("accuracy", "jusText 3.0 (Python)", 1),
        ],
    ),
    (
        "| pages/s, one thread | {} | {} | {} | {} |",
        &[
            ("peers", "**warcsieve, default**", 3),
            ("peers", "Trafilatura, defaults", 3),
            ("peers", "Resiliparse, `main_content=True`", 3),
            ("peers", "jusText, English", 3),
        ],
    ),
    (
        "is trafilatura 0.6 (Rust), with {} when comments are off",
        &[("accuracy", "trafilatura 0.6 (Rust), comments off", 1)],
    ),
    (
        "its word F1 on dragnet-a is .{}, and that of readability-lxml is .{}.",
        &[
            ("accuracy", "dragnet-a", 2),
            ("accuracy", "readability-lxml 0.9", 5),
        ],
    ),
    (
        "word F1 is .{} and .{}, out of fold",
        &[("accuracy", "collection", 2), ("accuracy", "product", 2)],
    ),
    (
        "Two threads took {} MiB on wcxb-dev",
        &[("performance", "whole | 416 | 2", 7)],
    ),
];

fn read(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// The text of a cell, in the first row of its page that begins so.
fn measured((page, row, cell): Cell) -> String {
    let text = read(&format!("docs/{page}.md"));
    let begin = format!("| {row} |");
    let line = text.lines().find(|line| line.starts_with(&begin));
    let line = line.unwrap_or_else(|| panic!("docs/{page}.md has no row `{row}`"));
    line.split('|').nth(cell + 1).unwrap().trim().to_owned()
}

#[test]
fn the_readme_says_what_was_measured() {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let readme = words(&read("README.md"));
    for (said, cells) in SAID {
        let mut expected = said.to_owned();
        for cell in cells {
            let at = expected.find("{}").unwrap();
            let is_share = expected[..at].ends_with('.');
            let figure = measured(*cell);
            let figure = if is_share {
                figure.replace('.', "")
            } else {
                figure
            };
            expected.replace_range(at..at + 2, &figure);
        }
        assert!(
            readme.contains(&expected),
            "README.md does not say: {expected}"
        );
    }
}
