//! Text in `pre`, with its line ends and indentation.

use super::super::code;
use warcsieve_html::document::Document;
use warcsieve_html::{ElementId, Tag};

/// Reads the preformatted text of a block in parallel with its runs. Both have the same words.
#[derive(Debug, Default)]
pub(super) struct Verbatim {
    block: Option<usize>,
    /// The rest of the block's preformatted text: a range of [`Preformatted::text`].
    ///
    /// [`Preformatted::text`]: warcsieve_html::document::Preformatted::text
    left: (usize, usize),
}

impl Verbatim {
    /// Begins or continues a block. `false` if the block is not preformatted.
    pub fn begin(&mut self, doc: &Document, block: usize) -> bool {
        if self.block != Some(block) {
            let Some(range) = doc.preformatted.range(block) else {
                return false;
            };
            (self.block, self.left) = (Some(block), (range.start, range.end));
        }
        true
    }

    /// The preformatted text of the next run. `run` is the collapsed text of that run. If it ends
    /// with a space, the white space after the words is included.
    pub fn take<'d>(&mut self, doc: &'d Document, run: &str) -> &'d str {
        let text = &doc.preformatted.text[self.left.0..self.left.1];
        let mut to_come = run.chars().filter(|c| *c != ' ').count();
        let ends = |c: char| {
            let is_space = matches!(c, ' ' | '\t' | '\n');
            if to_come == 0 {
                return !(is_space && run.ends_with(' '));
            }
            to_come -= usize::from(!is_space);
            false
        };
        let end = text.find(ends).unwrap_or(text.len());
        self.left.0 += end;
        &text[..end]
    }
}

/// The white space between two blocks of the same `pre`, without `made` line ends that tags between
/// the blocks already make.
pub(super) fn between(doc: &Document, (before, block): (usize, usize), made: usize) -> &str {
    let mut space = doc.preformatted.between(before, block);
    for _ in 0..made {
        space = space.strip_prefix('\n').unwrap_or(space);
    }
    space
}

/// The language of the code in a `pre`, stated by the `pre` or its `code`.
pub(super) fn language(doc: &Document, pre: ElementId) -> Option<String> {
    let mut children = doc.tree.children(pre);
    let code = children.find(|child| doc.tree.elements[*child as usize].tag == Tag::Code);
    code::language(doc, code.unwrap_or(pre))
}
