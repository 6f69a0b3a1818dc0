//! Shows results to a person.

use crate::print;
use anstyle::{AnsiColor, Style};
use std::fmt::Write as _;
use warcsieve_common::{Error, Result, counted, is_control};
use warcsieve_retrieval::search::{Excerpts, Found, Method, Scoped, SearchIndex};

/// Maximum length of an excerpt in bytes.
const EXCERPT: usize = 240;

/// Prints the results for some words, at most `limit` pages.
pub fn show(
    index: &SearchIndex,
    scoped: &Scoped<'_>,
    words: &str,
    method: &Method,
    limit: usize,
) -> Result<()> {
    let query = index.query(words);
    if query.is_empty() {
        return Err(Error::Invalid(format!(
            "no word to search for in {words:?}"
        )));
    }
    let found = scoped.answer(words, method, limit)?;
    let excerpts = Excerpts::new(scoped, &query, EXCERPT)?;
    let (bold, dim) = (Style::new().bold(), AnsiColor::BrightBlack.on_default());
    let marked = AnsiColor::Yellow.on_default().bold();
    let mut text = String::new();
    for (rank, page) in found.iter().enumerate() {
        let shown = index.show(page)?;
        let title = if shown.title.is_empty() {
            "(no title)"
        } else {
            &shown.title
        };
        let _ = writeln!(text, "{:>3}  {bold}{}{bold:#}", rank + 1, plain(title));
        let Found { id, score, .. } = page;
        let _ = writeln!(
            text,
            "     {dim}{score:.4}  {}  {}{}{dim:#}",
            plain(id),
            plain(&shown.url),
            match shown.inlinks {
                0 => String::new(),
                n => format!("  {}", counted(n, "link to it", "links to it")),
            }
        );
        let excerpt = excerpts.of(&shown.text, EXCERPT);
        let mut line = String::new();
        let mut at = 0;
        for term in &excerpt.terms {
            line += &plain(&excerpt.text[at..term.start]);
            let _ = write!(
                line,
                "{marked}{}{marked:#}",
                plain(&excerpt.text[term.clone()])
            );
            at = term.end;
        }
        line += &plain(&excerpt.text[at..]);
        let _ = writeln!(text, "     {line}\n");
    }
    if found.is_empty() {
        let pages = scoped.collection().pages;
        let _ = writeln!(text, "nothing found in {}", counted(pages, "page", "pages"));
    }
    print::styled(&text)
}

/// A text on one line, without terminal control characters.
fn plain(text: &str) -> String {
    text.chars()
        .map(|c| if is_control(c) { ' ' } else { c })
        .collect()
}
