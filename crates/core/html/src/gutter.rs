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
    /// Whether the page may contain such elements; `None` until a candidate was found.
    possible: Option<bool>,
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
            && (in_code || self.are_possible(start.page))
    }

    /// Whether the page contains code. Without code, such classes have another meaning.
    fn are_possible(&mut self, html: &str) -> bool {
        static TRACES: LazyLock<[Finder<'static>; 2]> =
            LazyLock::new(|| ["<pre", "<PRE"].map(Finder::new));
        *self.possible.get_or_insert_with(|| {
            TRACES
                .iter()
                .any(|trace| trace.find(html.as_bytes()).is_some())
        })
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
        let doc = segmented(
            "<p><span class=gp>a</span><div class=gutter>b</div><pre>c</pre>",
            Segmentation::Inline,
        );
        assert_eq!(doc.text, "a\nb\nc\n");
    }
}
