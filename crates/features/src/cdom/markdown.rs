//! Generates the tables of features in `docs/cdom.md`.

use super::table::{EDGE, NODE, PATH};
use std::fmt::Write;
use warcsieve_fixture::assert_page_ends_with;

/// The first generated line; the page before it is written by hand.
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

/// `UPDATE_DOCS=1 cargo test --lib the_page_has_the_tables` rewrites the page.
#[test]
fn the_page_has_the_tables() {
    assert_page_ends_with("cdom.md", START, &to_markdown());
}
