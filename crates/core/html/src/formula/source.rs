//! TeX as it is written in pages, with its surroundings removed.

/// Most bytes of the TeX of a formula. If there are more, another copy of the formula is used.
const MAX_TEX_BYTES: usize = 1 << 14;

/// TeX without comments, delimiters and MediaWiki's `{\displaystyle …}`, and whether its delimiters
/// say that the formula stands on lines of its own. `None` if nothing is left, or if it is longer
/// than 16 KiB.
pub(super) fn bare(source: &str) -> Option<(String, bool)> {
    if source.len() > MAX_TEX_BYTES {
        return None;
    }
    let without = without_comments(source);
    let mut tex = without.trim();
    let mut display = false;
    for (open, close, on_own_lines) in [
        ("\\(", "\\)", false),
        ("\\[", "\\]", true),
        ("$$", "$$", true),
        ("$", "$", false),
    ] {
        if let Some(inner) = inside(tex, open, close) {
            (tex, display) = (inner, on_own_lines);
            break;
        }
    }
    for wrapper in ["{\\displaystyle ", "{\\textstyle "] {
        if let Some(inner) = inside(tex, wrapper, "}").filter(|inner| is_balanced(inner)) {
            tex = inner;
        }
    }
    (!tex.is_empty()).then(|| (tex.to_owned(), display))
}

/// The TeX in a text that has its delimiters at both ends, without these delimiters.
pub(super) fn delimited(text: &str) -> Option<(String, bool)> {
    let text = text.trim();
    let is = [("\\(", "\\)"), ("\\[", "\\]"), ("$$", "$$")]
        .iter()
        .any(|(open, close)| inside(text, open, close).is_some());
    is.then(|| bare(text)).flatten()
}

fn inside<'a>(tex: &'a str, open: &str, close: &str) -> Option<&'a str> {
    let inner = tex.strip_prefix(open)?.strip_suffix(close)?;
    Some(inner.trim())
}

/// Whether every closing brace closes a brace that was opened in the text.
fn is_balanced(tex: &str) -> bool {
    let mut depth = 0_i32;
    let mut escaped = false;
    for byte in tex.bytes() {
        match byte {
            b'{' if !escaped => depth += 1,
            b'}' if !escaped => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
        escaped = byte == b'\\' && !escaped;
    }
    depth == 0
}

/// Removes the text between `%` and the end of its line, because line ends are lost in blocks.
fn without_comments(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    for line in source.split_inclusive('\n') {
        let mut escaped = false;
        let comment = line.bytes().position(|byte| {
            let begins = byte == b'%' && !escaped;
            escaped = byte == b'\\' && !escaped;
            begins
        });
        match comment {
            Some(at) => out.push_str(&line[..at]),
            None => out.push_str(line),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_surrounds_tex_is_left_out() {
        for (source, expected, display) in [
            (" x^2 ", "x^2", false),
            ("\\(x\\)", "x", false),
            ("\\[ x \\]", "x", true),
            ("$$x$$", "x", true),
            ("{\\displaystyle {\\frac {a}{b}}}", "{\\frac {a}{b}}", false),
            ("{\\displaystyle a}{b}", "{\\displaystyle a}{b}", false),
            ("a % b\nc \\% d", "a c \\% d", false),
            ("$", "$", false),
        ] {
            assert_eq!(
                bare(source),
                Some((expected.to_owned(), display)),
                "{source}"
            );
        }
        assert_eq!(bare(" \n"), None);
        assert_eq!(bare("%x"), None);
        assert_eq!(bare(&"x".repeat(MAX_TEX_BYTES + 1)), None);
    }

    #[test]
    fn only_a_whole_text_between_delimiters_is_tex() {
        assert_eq!(delimited(" \\(x\\) "), Some(("x".to_owned(), false)));
        assert_eq!(delimited("x"), None);
        assert_eq!(delimited("$5$"), None, "prices");
    }
}
