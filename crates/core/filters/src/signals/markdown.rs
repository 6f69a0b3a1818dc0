//! Generates the table of signals in `docs/signals.md`.

use super::signals;
use std::fmt::Write;
use warcsieve_fixture::assert_page_ends_with;

/// The first generated line. The page before it is written by hand.
const START: &str = "## The signals\n";

fn to_markdown() -> String {
    let (mut text, mut last) = (format!("{START}\n{} signals.\n", signals().count()), "");
    for (signal, family, source) in signals() {
        if family != last {
            // Writing to a string cannot fail.
            let _ = write!(text, "\n### `{family}`\n\nSource: {source}.\n\n");
            text += "| signal | what it is | its source keeps |\n|---|---|---|\n";
            last = family;
        }
        let _ = writeln!(
            text,
            "| `{}` | {} | {} |",
            signal.name, signal.what, signal.bound
        );
    }
    text
}

/// `UPDATE_DOCS=1 cargo test -p warcsieve-filters the_documentation` rewrites the page.
#[test]
fn the_documentation_has_the_table() {
    assert_page_ends_with("signals.md", START, &to_markdown());
}
