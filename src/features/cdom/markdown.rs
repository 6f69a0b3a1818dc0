//! The table of features as `docs/cdom.md` has it.

use super::table::{EDGE, NODE, PATH};
use crate::classify::fixture::assert_page_ends_with;
use std::fmt::Write;

/// What the page has before the tables is written by hand.
const START: &str = "## Of a node\n";

fn to_markdown() -> String {
    let mut text = String::new();
    for (title, rows) in [
        (START, NODE.as_slice()),
        ("\n## Of the elements around a block\n", PATH.as_slice()),
        ("\n## Of an edge\n", EDGE.as_slice()),
    ] {
        text += title;
        text += "\n| name | source | formula |\n|---|---|---|\n";
        for (name, source, about) in rows {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "| `{name}` | {source} | {about} |");
        }
    }
    text
}

/// `UPDATE_DOCS=1 cargo test --lib the_page_has_the_tables` writes it anew.
#[test]
fn the_page_has_the_tables() {
    assert_page_ends_with("cdom.md", START, &to_markdown());
}
