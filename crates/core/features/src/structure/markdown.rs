//! Generates the tables of features in `docs/features.md`.

use super::names::Group;
use super::table::{FAMILIES, FOREST};
use std::fmt::Write;
use warcsieve_fixture::assert_page_ends_with;

/// The first generated line; the page before it is written by hand.
const START: &str = "## The families\n";

/// All features by family, and the tokens of all groups of names, as Markdown.
fn to_markdown() -> String {
    let mut text = format!(
        "{START}\n{} features of {} families, in the order of a row.\n",
        FOREST.len(),
        FAMILIES.len()
    );
    for family in &FAMILIES {
        // Writing to a string cannot fail.
        let _ = write!(
            text,
            "\n### {}\n\nDescribes {}. Costs {}.{}\n\n",
            family.name,
            family.about,
            family.cost,
            if family.terms.is_empty() {
                String::new()
            } else {
                format!("\n\n{}", family.terms)
            }
        );
        text += "| name | unit | source | formula |\n|---|---|---|---|\n";
        for f in (family.features)() {
            let about = f.about.replace('|', "\\|");
            let _ = writeln!(
                text,
                "| `{}` | {} | {} | {about} |",
                f.name, f.unit, f.source
            );
        }
    }
    text += "\n## The names\n\n| group | tokens |\n|---|---|\n";
    for group in Group::ALL {
        let tokens = group.tokens().join(", ");
        let _ = writeln!(text, "| `{}` | {tokens} |", group.name());
    }
    text
}

/// `UPDATE_DOCS=1 cargo test --lib the_documentation_has_the_table` rewrites the page.
#[test]
fn the_documentation_has_the_table() {
    assert_page_ends_with("features.md", START, &to_markdown());
}

#[test]
fn every_row_has_four_cells() {
    let text = to_markdown();
    let (features, names) = text.split_once("## The names").unwrap();
    let rows = |text: &str, cells: usize| {
        let rows = text.lines().filter(|l| l.starts_with("| `"));
        let plain = rows.map(|l| l.replace("\\|", ""));
        plain
            .map(|l| assert_eq!(l.matches('|').count(), cells + 1, "{l}"))
            .count()
    };
    assert_eq!(rows(features, 4), FOREST.len());
    assert_eq!(rows(names, 2), Group::ALL.len());
}
