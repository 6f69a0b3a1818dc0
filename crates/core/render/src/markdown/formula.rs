//! Formulas: TeX between `$`, which is not escaped.
//!
//! Markdown programs do not agree on formulas, and a page may put anything into one. So a formula
//! must also be harmless if `$` has no meaning: no tag, link, reference or code can begin in it.

use super::super::page::Page;
use super::reference::is_reference;

/// Appends a formula with its `$`. `cell` says whether it is in a table cell.
pub(super) fn write(source: &str, cell: bool, out: &mut Page<'_>) {
    let bytes = source.as_bytes();
    for (at, c) in source.char_indices() {
        let next = bytes.get(at + 1);
        match c {
            '\n' => out.push(' '),
            '`' => out.push('‘'),
            '<' if next.is_some_and(|b| !b.is_ascii_whitespace()) => out.push_str("< "),
            ']' if matches!(next, Some(b'(' | b'[' | b':')) => out.push_str("] "),
            '&' if is_reference(&bytes[at + 1..]) => out.push_str("& "),
            // Renderers do not agree on how to write `\|` in a cell.
            '|' if cell && source[..at].ends_with('\\') => out.push_str("Vert "),
            '|' if cell => out.push_str("\\|"),
            c => out.push(c),
        }
    }
}

/// Maximum length of TeX between two delimiters, in bytes. Longer text is not a formula.
const MAX_TEX: usize = 16 << 10;

/// A pair of delimiters, with the state of the search for it.
struct Signs {
    open: &'static str,
    close: &'static str,
    /// The delimiter in Markdown.
    written: &'static str,
    /// No formula with these delimiters begins before this offset.
    from: usize,
    /// Offset of the next closing delimiter, if it was searched. The text's length if there is
    /// none.
    closing: usize,
    /// The next formula: the offsets of its opening and closing delimiters.
    next: Option<(usize, usize)>,
}

impl Signs {
    const fn new(open: &'static str, close: &'static str, written: &'static str) -> Self {
        Self {
            open,
            close,
            written,
            from: 0,
            closing: 0,
            next: None,
        }
    }

    /// The first formula that begins at `at` or later. Skips delimiters without TeX between them.
    fn next(&mut self, text: &str, at: usize) -> Option<(usize, usize)> {
        if self.next.is_some_and(|(open, _)| open >= at) {
            return self.next;
        }
        self.next = None;
        self.from = self.from.max(at);
        while let Some(found) = text.get(self.from..).and_then(|rest| rest.find(self.open)) {
            let open = self.from + found;
            let inside = open + self.open.len();
            if self.closing < inside {
                let closing = text[inside..].find(self.close);
                self.closing = closing.map_or(text.len(), |closing| inside + closing);
            }
            if self.closing == text.len() {
                break;
            }
            let length = self.closing - inside;
            if length <= MAX_TEX && is_tex(text[inside..self.closing].trim()) {
                self.next = Some((open, self.closing));
                return self.next;
            }
            self.from = match length > MAX_TEX {
                true => inside,
                false => self.closing + self.close.len(),
            };
        }
        self.from = text.len();
        None
    }
}

fn is_tex(tex: &str) -> bool {
    !tex.is_empty() && !tex.contains("$$") && !tex.ends_with('\\')
}

/// Iterates over the formulas of a text: between `\(` and `\)`, `\[` and `\]`, or two `$$`.
///
/// For each pair of delimiters, the text is searched once, and the next formula is remembered. The
/// iterator takes the earliest of them. Formulas that begin inside it are ignored.
pub(super) struct Formulas<'t> {
    text: &'t str,
    at: usize,
    signs: [Signs; 3],
}

impl<'t> Formulas<'t> {
    pub fn new(text: &'t str) -> Self {
        Self {
            text,
            at: 0,
            signs: [
                Signs::new("\\(", "\\)", "$"),
                Signs::new("\\[", "\\]", "$$"),
                Signs::new("$$", "$$", "$$"),
            ],
        }
    }

    /// The text after the last formula.
    pub fn rest(&self) -> &'t str {
        &self.text[self.at..]
    }
}

impl<'t> Iterator for Formulas<'t> {
    /// The text before the formula (since the last one), and the formula with `$`.
    type Item = (&'t str, String);

    fn next(&mut self) -> Option<Self::Item> {
        if !self.rest().contains(['\\', '$']) {
            return None;
        }
        let (text, at) = (self.text, self.at);
        let found = self.signs.iter_mut().filter_map(|signs| {
            let (open, close) = signs.next(text, at)?;
            Some((open, close, signs))
        });
        let (open, close, signs) = found.min_by_key(|(open, ..)| *open)?;
        let tex = text[open + signs.open.len()..close].trim();
        let formula = [signs.written, tex, signs.written].concat();
        self.at = close + signs.close.len();
        Some((&text[at..open], formula))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(source: &str, cell: bool) -> String {
        let mut out = String::new();
        write(source, cell, &mut Page::new(&mut out, usize::MAX));
        out
    }

    #[test]
    fn tex_is_not_escaped_and_begins_nothing_else() {
        for (tex, expected) in [
            (r"$\frac{a_1}{b^*}$", r"$\frac{a_1}{b^*}$"),
            ("$a<b$", "$a< b$"),
            ("$[x](javascript:y)$", "$[x] (javascript:y)$"),
            ("$&lt;$", "$& lt;$"),
            ("$a & b$", "$a & b$"),
            ("$`$", "$‘$"),
        ] {
            assert_eq!(written(tex, false), expected);
        }
        assert_eq!(written(r"$|a| \|b\|$", true), r"$\|a\| \Vert b\Vert $");
    }

    #[test]
    fn formulas_between_delimiters_are_found() {
        let found = |text| {
            let mut formulas = Formulas::new(text);
            let (before, tex) = formulas.next()?;
            Some(format!("{before}|{tex}|{}", formulas.rest()))
        };
        assert_eq!(found(r"a \(x_1\) b").unwrap(), "a |$x_1$| b");
        assert_eq!(found(r"\[x\]\(y\)").unwrap(), r"|$$x$$|\(y\)");
        assert_eq!(found("a $$x$$ b").unwrap(), "a |$$x$$| b");
        assert_eq!(
            found(r"\(\) a \(b\)").unwrap(),
            r"\(\) a |$b$|",
            "after none"
        );
        assert_eq!(found(r"\( $$x$$ \)").unwrap(), r"\( |$$x$$| \)");
        assert_eq!(found(r"\(a \[b\) c\]").unwrap(), r"|$a \[b$| c\]");
        for none in ["", "$5 and $6", r"a \( b", r"\(\)", "$$", r"\) \("] {
            assert_eq!(found(none), None, "{none}");
        }
    }

    #[test]
    fn hostile_texts_take_linear_time() {
        let started = std::time::Instant::now();
        let long = [
            r"\(x\) ".repeat(200_000),
            r"\(\[\) ".repeat(200_000) + r"\]",
            r"\(".repeat(500_000) + r"$$ \)",
            r"\( \[ $$ ".repeat(200_000),
        ];
        let found = long.map(|text| Formulas::new(&text).count());
        assert_eq!(found[0], 200_000);
        assert!(started.elapsed().as_secs() < 20, "{:?}", started.elapsed());
    }
}
