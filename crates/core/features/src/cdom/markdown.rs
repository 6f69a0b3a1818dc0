//! Generates the tables of features in `docs/cdom.md`.

use super::table::{BREAK, EDGE, LEAF_TAGS, MARKS, NODE, PARENT_TAGS, PATH, SAME};
use std::fmt::Write;
use warcsieve_fixture::assert_page_ends_with;
use warcsieve_html::Tag;

/// The first generated line; the page before it is written by hand.
const START: &str = "## Of a node\n";

fn to_markdown() -> String {
    let mut text = String::new();
    for (title, rows) in [
        (START, NODE.as_slice()),
        ("\n## Of the elements around a block\n", PATH.as_slice()),
        ("\n## Of an edge\n", EDGE.as_slice()),
        ("\n## Further: of a node\n", MARKS.as_slice()),
        ("\n## Further: of a block\n", SAME.as_slice()),
        ("\n## Further: of an edge\n", &[BREAK]),
    ] {
        text += title;
        text += "\n| name | source | formula |\n|---|---|---|\n";
        for (name, source, about) in rows {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "| `{name}` | {source} | {about} |");
        }
    }
    let tags = |tags: &[(Tag, &str)]| -> String {
        let names: Vec<String> = tags.iter().map(|(_, name)| format!("`{name}`")).collect();
        names.join(", ")
    };
    text + &format!(
        "\n## Further: tags\n\n`block.tag_` and one of {}: 1 if an element that contains only this block has that tag.\n\n`parent.tag_` and one of {}: \
         1 if the block's parent, or an element that is merged into it, has that tag.\n",
        tags(&LEAF_TAGS),
        tags(&PARENT_TAGS)
    )
}

/// `UPDATE_DOCS=1 cargo test --lib the_page_has_the_tables` rewrites the page.
#[test]
fn the_page_has_the_tables() {
    assert_page_ends_with("cdom.md", START, &to_markdown());
}
