//! Code in a table without a `pre`, where each row or `div` is a line. Such tables are the files
//! and gists of GitHub (`blob-code`), Crayon, and SyntaxHighlighter after its script ran.
//!
//! In the tree, the table becomes a `pre`, and the elements in it are inline. White space between
//! lines is at most one line end, because pages indent rows and cells.

use super::edges::Edges;
use super::tags::Tag;
use super::tree::{ElementId, ElementTree};
use super::written_tag::Start;
use crate::names::{NameSpans, has_class};

/// Longer attributes are not read, because each table looks at the attributes of the elements
/// around it.
const MAX_ATTRIBUTES: usize = 1024;

/// The open code. No element stands for it at the root, so 0 means none.
#[derive(Debug, Default)]
pub(super) struct CodeTable {
    table: ElementId,
    line: ElementId,
    /// The cell of Crayon or SyntaxHighlighter in which `div`s are lines.
    cell: ElementId,
}

impl CodeTable {
    #[inline]
    pub fn is_open(&self) -> bool {
        self.table != 0
    }

    /// Whether text here belongs to no line.
    #[inline]
    pub fn is_between_lines(&self) -> bool {
        self.is_open() && self.line == 0
    }

    /// The tag that an element gets in the tree when it begins.
    #[inline]
    pub fn opens(
        &mut self,
        tag: Tag,
        start: &Start<'_>,
        id: ElementId,
        parent: ElementId,
        tree: &ElementTree,
        edges: &mut impl Edges,
    ) -> Tag {
        if !self.is_open() {
            if tag == Tag::Table && is_code(start, parent, tree) {
                self.table = id;
                return Tag::Pre;
            }
            return tag;
        }
        if !matches!(
            tag,
            Tag::Table | Tag::Tbody | Tag::Tr | Tag::Td | Tag::Th | Tag::Div
        ) {
            return tag;
        }
        let has = |class| start.has_class(&[class]);
        let is_line = match tag {
            Tag::Td if has("blob-code") => true,
            Tag::Td if has("code") || has("crayon-code") => {
                self.cell = id;
                false
            }
            Tag::Div => self.cell != 0 && (has("line") || has("crayon-line")),
            _ => false,
        };
        if is_line && self.line == 0 {
            self.line = id;
            edges.begin_line();
        }
        Tag::Span
    }

    /// Handles the end of an element.
    #[inline]
    pub fn ends(&mut self, id: ElementId, edges: &mut impl Edges) {
        if id == self.line {
            self.line = 0;
            edges.end_line();
        } else if id == self.cell {
            self.cell = 0;
        } else if id == self.table {
            self.table = 0;
        }
    }
}

/// Whether a table that begins contains lines of code.
fn is_code(start: &Start<'_>, parent: ElementId, tree: &ElementTree) -> bool {
    let around = &tree.elements[parent as usize];
    let is = |attrs: &str, names: NameSpans, classes: &[&str]| {
        (1..=MAX_ATTRIBUTES).contains(&attrs.len()) && has_class(names.class(attrs), classes)
    };
    let own = ["js-file-line-container", "crayon-table"];
    is(start.attrs, start.names, &own)
        || is(
            tree.attributes(around),
            around.attrs.names(),
            &["syntaxhighlighter"],
        )
}

#[cfg(test)]
mod tests {
    use crate::document::Document;
    use crate::tests::segmented;
    use crate::{Segmentation, Tag};

    fn code(doc: &Document) -> Vec<&str> {
        let blocks = 0..doc.blocks.len();
        blocks
            .filter_map(|i| doc.preformatted.block_text(i))
            .collect()
    }

    #[test]
    fn lines_of_tables_are_lines_of_code() {
        let git = "<table class='highlight js-file-line-container' data-tab-size=8>\n <tr>\n  \
            <td id=L1 class=blob-num data-line-number=1></td>\n  <td class='blob-code blob-code-inner'><span \
            class=pl-k>if</span> a:</td>\n </tr>\n <tr>\n  <td class=blob-num>2</td>\n  <td class=blob-code>\n</td>\n \
            </tr>\n <tr>\n  <td class=blob-num></td>\n  <td class=blob-code>\tb()</td>\n </tr>\n</table>";
        let crayon = "<table class=crayon-table><tr class=crayon-row><td class=crayon-nums><div \
            class=crayon-num>1</div><div class=crayon-num>2</div></td><td class=crayon-code><div class=crayon-pre><div \
            class=crayon-line><span>if</span> a:</div><div class=crayon-line>&nbsp;</div><div \
            class=crayon-line>\tb()</div></div></td></tr></table>";
        let highlighter = "<div class='syntaxhighlighter python'><table border=0><tbody><tr><td class=gutter><div \
            class='line number1'>1</div><div class='line number2'>2</div></td><td class=code><div class=container><div \
            class='line number1'><code class='python keyword'>if</code> <code>a:</code></div><div class=line> \
            </div><div class=line><code class='spaces'>\t</code><code>b()</code></div></div></table></div>";
        for html in [git, crayon, highlighter] {
            let doc = segmented(&format!("<p>x</p>{html}<p>y</p>"), Segmentation::Inline);
            let text = code(&doc).join("|").replace("\n \n", "\n\n");
            assert_eq!(text, "if a:\n\n\tb()", "{html}");
            let texts: Vec<_> = doc.blocks.iter().map(|b| doc.block_text(b)).collect();
            assert_eq!(texts, ["x", "if a: b()", "y"]);
            assert!(doc.tree.elements.iter().all(|e| e.tag != Tag::Td));
        }
    }

    #[test]
    fn other_tables_stay_tables() {
        for html in [
            "<table class=highlight><tr><td class=blob-code>a</table>",
            "<div class=syntaxhighlighter><section><table><tr><td>a</table>",
            "<table class=crayon-table><tr><td>a</table><table><tr><td>b</table>",
        ] {
            let doc = segmented(html, Segmentation::Inline);
            assert!(doc.tree.elements.iter().any(|e| e.tag == Tag::Td), "{html}");
        }
    }
}
