//! CleanEval's markers: `<h>`, `<p>` and `<l>` before headings, paragraphs and
//! list items.

use super::GoldPage;

/// Whether gold texts have CleanEval's markers, which are not words.
///
/// A marker is `<h>`, `<p>` or `<l>`, opening or closing, in any case and with
/// white space around the letter; each becomes a space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Markup {
    /// CleanEval if at least half of the texts that are not only white space begin with a marker,
    /// after optional white space; else plain.
    #[default]
    Auto,
    /// The text is used unchanged.
    Plain,
    /// Markers are removed.
    CleanEval,
}

/// Resolves [`Markup::Auto`], and removes the markers if there are any.
pub(super) fn apply(markup: Markup, pages: &mut [GoldPage]) -> Markup {
    let markup = match markup {
        Markup::Auto => detect(pages),
        markup => markup,
    };
    if markup == Markup::CleanEval {
        for page in pages {
            page.text = without_markers(&page.text);
        }
    }
    markup
}

fn detect(pages: &[GoldPage]) -> Markup {
    let texts = pages.iter().map(|p| p.text.trim_start_matches(is_space));
    let (mut marked, mut all) = (0, 0);
    for text in texts.filter(|t| !t.is_empty()) {
        all += 1;
        marked += usize::from(marker(text).is_some());
    }
    if marked > 0 && 2 * marked >= all {
        Markup::CleanEval
    } else {
        Markup::Plain
    }
}

fn without_markers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let len = marker(rest).inspect(|_| out.push(' ')).unwrap_or_else(|| {
            out.push('<');
            1
        });
        rest = &rest[len..];
    }
    out + rest
}

/// Length of the marker at the start of `text`.
fn marker(text: &str) -> Option<usize> {
    let rest = text.strip_prefix('<')?;
    let rest = rest.strip_prefix('/').unwrap_or(rest);
    let rest = rest.trim_start_matches(is_space);
    let rest = rest.strip_prefix(['h', 'p', 'l', 'H', 'P', 'L'])?;
    let rest = rest.trim_start_matches(is_space).strip_prefix('>')?;
    Some(text.len() - rest.len())
}

/// White space as in Python's `\s`, which includes the information separators U+001C to U+001F.
fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\x1c'..='\x1f').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_become_spaces() {
        for (text, plain) in [
            ("<h>A<p>b</p>c", " A b c"),
            ("< L\n>x</\u{a0}H\u{1c}>y", " x y"),
            ("<<p>", "< "),
            ("<b>a</i> <pp> <p/> < /p> <p", "<b>a</i> <pp> <p/> < /p> <p"),
        ] {
            assert_eq!(without_markers(text), plain, "{text}");
        }
    }

    #[test]
    fn half_of_the_texts_must_begin_with_a_marker() {
        let detect = |texts: &[&str]| {
            let pages: Vec<_> = texts.iter().map(|t| super::super::tests::page(t)).collect();
            detect(&pages)
        };
        assert_eq!(detect(&["\n <P> a", "b <p>", "", " "]), Markup::CleanEval);
        assert_eq!(detect(&["<p> a", "b", "c"]), Markup::Plain);
        assert_eq!(detect(&["", ""]), Markup::Plain);
    }
}
