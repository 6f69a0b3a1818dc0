//! Shows results to a person.

use crate::print;
use anstyle::{AnsiColor, Style};
use std::fmt::Write as _;
use warcsieve_common::{Error, Result, counted, is_control};
use warcsieve_retrieval::search::{Excerpts, Found, Method, Scoped, SearchIndex};

/// Maximum length of an excerpt in bytes.
const EXCERPT: usize = 240;

/// The width of the lines of an excerpt.
const COLUMNS: usize = 80;

/// How far the lines of an excerpt are indented.
const INDENT: usize = 5;

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
        text += &wrapped(&line);
        text.push('\n');
    }
    if found.is_empty() {
        let pages = scoped.collection().pages;
        let _ = writeln!(text, "nothing found in {}", counted(pages, "page", "pages"));
    }
    print::styled(&text)
}

/// The words of a text in indented lines. A style takes no column.
fn wrapped(text: &str) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        let width = width(word);
        if column > 0 && column + 1 + width > COLUMNS {
            lines.push('\n');
            column = 0;
        }
        match column {
            0 => {
                lines += &" ".repeat(INDENT);
                column = INDENT;
            }
            _ => {
                lines.push(' ');
                column += 1;
            }
        }
        lines += word;
        column += width;
    }
    lines.push('\n');
    lines
}

/// How many characters of a word are shown: all but those of styles, from ESC to `m`.
fn width(word: &str) -> usize {
    let mut is_style = false;
    let shown = word.chars().filter(|&c| {
        is_style |= c == '\x1b';
        let is_shown = !is_style;
        is_style &= c != 'm';
        is_shown
    });
    shown.count()
}

/// A text on one line, without terminal control characters.
fn plain(text: &str) -> String {
    text.chars()
        .map(|c| if is_control(c) { ' ' } else { c })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excerpts_break_between_words() {
        let word = "\x1b[1m\x1b[33mferry\x1b[0m ";
        let text = wrapped(&word.repeat(30));
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), 3);
        for line in lines {
            assert!(
                width(line) <= COLUMNS && line.starts_with("     \x1b"),
                "{line}"
            );
        }
        assert_eq!(wrapped(""), "\n");
    }
}
