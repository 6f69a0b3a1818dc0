//! Formulas: TeX between `$`, which is not escaped.
//!
//! Programs that read Markdown do not agree on formulas, and a page may put anything into one. So it must also be
//! harmless where `$` means nothing: no tag, link, reference or code may begin in it.

use super::super::page::Page;
use super::escape::is_reference;

/// Appends a formula with its `$`; `cell` says whether it is in a cell of a table.
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
            // Renderers do not agree on how `\|` is written in a cell.
            '|' if cell && source[..at].ends_with('\\') => out.push_str("Vert "),
            '|' if cell => out.push_str("\\|"),
            c => out.push(c),
        }
    }
}

/// The first formula between `\(` and `\)`, `\[` and `\]`, or two `$$`: the text before it, the formula with `$`, and
/// the text after it.
pub(super) fn next(text: &str) -> Option<(&str, String, &str)> {
    if !text.contains(['\\', '$']) {
        return None;
    }
    let pairs = [
        ("\\(", "\\)", "$"),
        ("\\[", "\\]", "$$"),
        ("$$", "$$", "$$"),
    ];
    let found = pairs.iter().filter_map(|&(open, close, sign)| {
        let at = text.find(open)?;
        let inside = &text[at + open.len()..];
        let end = inside.find(close)?;
        let tex = inside[..end].trim();
        let is_tex = !tex.is_empty() && !tex.contains("$$") && !tex.ends_with('\\');
        is_tex.then(|| {
            (
                &text[..at],
                [sign, tex, sign].concat(),
                &inside[end + close.len()..],
            )
        })
    });
    found.min_by_key(|(before, ..)| before.len())
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
        let found = |text| next(text).map(|(before, tex, after)| format!("{before}|{tex}|{after}"));
        assert_eq!(found(r"a \(x_1\) b").unwrap(), "a |$x_1$| b");
        assert_eq!(found(r"\[x\]\(y\)").unwrap(), r"|$$x$$|\(y\)");
        assert_eq!(found("a $$x$$ b").unwrap(), "a |$$x$$| b");
        for none in ["", "$5 and $6", r"a \( b", r"\(\)", "$$", r"\) \("] {
            assert_eq!(found(none), None, "{none}");
        }
    }
}
