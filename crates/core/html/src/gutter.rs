//! Finds elements next to code that do not belong to it: line numbers, prompts, buttons.
//!
//! It knows the classes of common highlighters: Pygments (`lineno`, `linenos`, `linenodiv`, `gp`),
//! Rouge, Hexo and SyntaxHighlighter (`gutter`), Chroma (`ln`, `lnt`), highlight.js (`hljs-ln-n`),
//! Prism (`line-numbers-rows`, `toolbar`), Crayon, CodeMirror, and the classes of copy buttons. It
//! also finds elements with the style `user-select: none`.

use crate::attributes::attribute;
use crate::tags::Tag;
use crate::written_tag::Start;
use memchr::memmem::Finder;
use std::sync::LazyLock;

/// Longer attributes are not read.
const MAX_ATTRIBUTES: usize = 512;

/// Classes of elements inside `pre` whose text is not code.
const INSIDE: [&str; 25] = [
    "gp",
    "lineno",
    "linenos",
    "linenodiv",
    "line-number",
    "line-numbers",
    "line-numbers-rows",
    "linenumber",
    "line-num",
    "lnum",
    "ln",
    "lnt",
    "gutter",
    "rouge-gutter",
    "hljs-ln-n",
    "hljs-ln-numbers",
    "react-syntax-highlighter-line-number",
    "CodeMirror-linenumber",
    "copy",
    "copy-btn",
    "copy-button",
    "copybtn",
    "btn-clipboard",
    "clipboard-copy",
    "src-line-numbers",
];

/// Classes of cells next to the cell with the code.
const CELLS: [&str; 11] = [
    "gutter",
    "linenumbers",
    "blob-line-nums",
    "rouge-gutter",
    "linenos",
    "linenodiv",
    "lntd-numbers",
    "crayon-nums",
    "blob-num",
    "line-numbers",
    "hljs-ln-numbers",
];

/// Finds such elements in a page.
#[derive(Debug, Default)]
pub(super) struct Gutters {
    /// For each of [`TRACES`], where it is found next.
    next: [Next; 4],
}

/// What says that a cell is next to code: a `pre` before the end of its table.
static TRACES: LazyLock<[Finder<'static>; 4]> =
    LazyLock::new(|| ["<pre", "<PRE", "</table", "</TABLE"].map(Finder::new));

/// Where a text is found next. Cells come in the order of the page, so the page is searched once.
#[derive(Clone, Copy, Debug, Default)]
struct Next(Option<usize>);

impl Next {
    /// The first place at or after `from`; `usize::MAX` if there is none.
    fn at(&mut self, text: &Finder<'_>, html: &[u8], from: usize) -> usize {
        let known = self.0.filter(|at| *at >= from);
        let search = || text.find(&html[from..]).map_or(usize::MAX, |at| from + at);
        *self.0.insert(known.unwrap_or_else(search))
    }
}

impl Gutters {
    /// Whether the text of an element that begins does not belong to the code in or next to it.
    /// `in_code` says whether a `pre` or a table of code is open.
    #[inline]
    pub fn opens(&mut self, tag: Tag, start: &Start<'_>, in_code: bool) -> bool {
        let known: &[&str] = match tag {
            Tag::Button if in_code => return true,
            Tag::Span | Tag::A | Tag::Div | Tag::Code | Tag::I | Tag::Em if in_code => &INSIDE,
            Tag::Td | Tag::Th => &CELLS,
            Tag::Pre => &["example-line-numbers"],
            _ => return false,
        };
        let is_read = (1..=MAX_ATTRIBUTES).contains(&start.attrs.len());
        is_read
            && (start.has_class(known) || in_code && is_not_copied(start.attrs))
            && (in_code || tag == Tag::Pre || self.is_next_to_code(start))
    }

    /// Whether a `pre` follows before the end of the table. Elsewhere, such classes have another
    /// meaning.
    fn is_next_to_code(&mut self, start: &Start<'_>) -> bool {
        let page = start.page.as_bytes();
        let from = (start.attrs.as_ptr() as usize).checked_sub(page.as_ptr() as usize);
        let Some(from) = from.filter(|from| *from <= page.len()) else {
            return false;
        };
        let mut next = self.next.iter_mut().zip(TRACES.iter());
        let mut at = || {
            next.next()
                .map_or(usize::MAX, |(next, text)| next.at(text, page, from))
        };
        let [pre, upper_pre, end, upper_end] = [at(), at(), at(), at()];
        let pre = pre.min(upper_pre);
        pre < usize::MAX && pre < end.min(upper_end)
    }
}

/// Whether its style excludes it from selection, so that it is not copied with the code, or whether
/// it is excluded from search snippets.
fn is_not_copied(attrs: &str) -> bool {
    // rustdoc marks its line numbers this way.
    if attrs.contains("data-nosnippet") && attribute(attrs, "data-nosnippet").is_some() {
        return true;
    }
    let style = attribute(attrs, "style").filter(|style| style.contains("user-select"));
    style.is_some_and(|style| {
        style.split(';').any(|rule| {
            let (name, value) = rule.split_once(':').unwrap_or_default();
            name.trim().ends_with("user-select") && value.trim().starts_with("none")
        })
    })
}

#[cfg(test)]
mod tests {
    use crate::Segmentation;
    use crate::tests::segmented;

    fn code(html: &str) -> String {
        let doc = segmented(html, Segmentation::Inline);
        let blocks = 0..doc.blocks.len();
        let texts: Vec<_> = blocks
            .filter_map(|i| doc.preformatted.block_text(i))
            .collect();
        texts.join("|")
    }

    #[test]
    fn numbers_prompts_and_buttons_are_no_code() {
        for (html, expected) in [
            (
                "<pre><span class=gp>>>> </span>x = 1\n<span class=go>2</span></pre>",
                "x = 1\n2",
            ),
            (
                "<pre><span class='ln a'>1</span>a\n<span class=ln>2</span>  b</pre>",
                "a\n  b",
            ),
            (
                "<table><tr><td class=gutter><pre>1\n2</pre><td class=code><pre>a\nb</pre></table>",
                "a\nb",
            ),
            ("<pre><button>Copy</button><code>a\nb</code></pre>", "a\nb"),
            ("<pre><div class=copy-btn>Copy</div>a</pre>", "a"),
            (
                "<pre><span style='color:red;-webkit-user-select: none'>1 </span>a<span style='color:red'>b</span>",
                "ab",
            ),
            (
                "<pre class=example-line-numbers>1\n2</pre><pre><a href=#1 id=1 data-nosnippet>1</a>a</pre>",
                "a",
            ),
            (
                "<pre><a class=lineno>1</a>a<span class=p>b</span></pre>",
                "ab",
            ),
        ] {
            assert_eq!(code(html), expected, "{html}");
        }
    }

    #[test]
    fn elsewhere_such_classes_say_nothing() {
        for (html, expected) in [
            (
                "<p><span class=gp>a</span><div class=gutter>b</div><pre>c</pre>",
                "a\nb\nc\n",
            ),
            (
                "<table><tr><td class=gutter>a</td><td>b</td></tr></table><pre>c</pre>",
                "a\nb\nc\n",
            ),
        ] {
            assert_eq!(segmented(html, Segmentation::Inline).text, expected);
        }
    }
}
