//! Where elements are, as paths of XPath.

use super::siblings::{Counting, Places};
use super::tags::Tag;
use super::tree::{ElementId, ElementTree};
use std::fmt::Write;

/// Maximum number of elements in a path.
const MAX_LEVELS: usize = 64;
/// Maximum length of a path in bytes.
const MAX_BYTES: usize = 1024;

/// Paths such as `/html/body/div[2]/p` of the elements of a page, as lxml's parser of HTML (libxml2) names them.
///
/// Each step is the tag of an element. Its number among the siblings with this tag follows, unless it is the only one.
/// Names that are not in the table of tags are `*`, and their number is that among all siblings. Elements of tables that
/// the standard adds and the page does not write are left out, because libxml2 does not add them.
///
/// ```
/// use warcsieve_html::document::Document;
/// use warcsieve_html::{Segmenter, SegmenterOptions, XPaths};
///
/// let (mut doc, mut paths) = (Document::default(), XPaths::default());
/// let html = "<div><p>one<p>two</div>";
/// Segmenter::new(SegmenterOptions::default()).segment_html(html, &mut doc)?;
/// paths.begin(&doc.tree);
/// let path = paths.of(&doc.tree, doc.blocks[1].element);
/// assert_eq!(path, Some("/html/body/div/p[2]"));
/// # Ok::<(), warcsieve_html::SegmentError>(())
/// ```
///
/// Memory: 50 bytes per element, and 3.6 KiB per level of the tree.
#[derive(Debug, Default)]
pub struct XPaths {
    /// The elements as the page writes them. An element that it does not write is its own parent.
    written: ElementTree,
    of_type: Places,
    of_type_from_end: Places,
    of_all: Places,
    path: String,
}

impl XPaths {
    /// Begins a page.
    pub fn begin(&mut self, tree: &ElementTree) {
        self.written.clear();
        self.written.elements.extend_from_slice(&tree.elements);
        let elements = &mut self.written.elements;
        for (id, tag) in &tree.written {
            match tag {
                Some(tag) => elements[*id as usize].tag = *tag,
                None => elements[*id as usize].parent = *id,
            }
        }
        if tree.written.iter().any(|(_, tag)| tag.is_none()) {
            for (id, element) in (0..).zip(&tree.elements) {
                let mut parent = element.parent;
                let is_written = elements[id as usize].parent != id;
                while is_written && parent > 0 && elements[parent as usize].parent == parent {
                    parent = tree.elements[parent as usize].parent;
                }
                if is_written {
                    elements[id as usize].parent = parent;
                }
            }
        }
        let counting = |of_type, from_end| Counting { of_type, from_end };
        self.of_type.count(&self.written, counting(true, false));
        (self.of_type_from_end).count(&self.written, counting(true, true));
        self.of_all.count(&self.written, counting(false, false));
    }

    /// The path of an element of the page `tree`, which was begun. `None` if it has more than 64 elements or 1,024 bytes.
    pub fn of(&mut self, tree: &ElementTree, mut element: ElementId) -> Option<&str> {
        let elements = &self.written.elements;
        while element > 0 && elements[element as usize].parent == element {
            element = tree.elements[element as usize].parent;
        }
        let mut steps = [0; MAX_LEVELS];
        let mut levels = 0;
        loop {
            *steps.get_mut(levels)? = element;
            levels += 1;
            if element == 0 {
                break;
            }
            element = elements[element as usize].parent;
        }
        self.path.clear();
        for id in steps[..levels].iter().rev() {
            self.path.push('/');
            let number = match elements[*id as usize].tag {
                Tag::Other => {
                    self.path.push('*');
                    Some(self.of_all.of(*id))
                }
                tag => {
                    self.path.push_str(tag.name());
                    let number = self.of_type.of(*id);
                    (number > 1 || self.of_type_from_end.of(*id) > 1).then_some(number)
                }
            };
            if let Some(number) = number {
                // A string takes any text.
                let _ = write!(self.path, "[{number}]");
            }
        }
        (self.path.len() <= MAX_BYTES).then_some(self.path.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Segmentation;
    use crate::tests::segmented;

    fn paths(html: &str) -> Vec<String> {
        let doc = segmented(html, Segmentation::Inline);
        let mut paths = XPaths::default();
        paths.begin(&segmented("<table><tr><td>x<b>y", Segmentation::Leaves).tree);
        paths.begin(&doc.tree);
        let blocks = doc.blocks.iter();
        let of = |element| paths.of(&doc.tree, element).map(str::to_owned);
        blocks
            .map(|block| block.element)
            .map(of)
            .map(Option::unwrap_or_default)
            .collect()
    }

    #[test]
    fn numbers_count_siblings_of_a_tag_and_are_left_out_if_there_is_one() {
        let html = "<p>a<div><p>b</p><span>c</span><p><b>d</b></div><p>e";
        let expected = [
            "/html/body/p[1]",
            "/html/body/div/p[1]",
            "/html/body/div/span",
            "/html/body/div/p[2]/b",
            "/html/body/p[2]",
        ];
        assert_eq!(paths(html), expected);
        assert_eq!(paths("a"), ["/html/body"]);
    }

    #[test]
    fn names_that_are_not_kept_are_counted_among_all_siblings() {
        let html = "<p>a</p><x-y><p>b</p></x-y><x-y><z>c</z></x-y><p>d";
        let expected = [
            "/html/body/p[1]",
            "/html/body/*[2]/p",
            "/html/body/*[3]/*[1]",
            "/html/body/p[2]",
        ];
        assert_eq!(paths(html), expected);
    }

    #[test]
    fn elements_of_tables_that_the_page_does_not_write_are_left_out() {
        let html = "<table><tr><td>a<td>b<tr><td>c</table><table><tbody><tr><td>d</table><table><td>e<tbody><tr><td>f";
        let expected = [
            "/html/body/table[1]/tr[1]/td[1]",
            "/html/body/table[1]/tr[1]/td[2]",
            "/html/body/table[1]/tr[2]/td",
            "/html/body/table[2]/tbody/tr/td",
            "/html/body/table[3]/td",
            "/html/body/table[3]/tbody/tr/td",
        ];
        assert_eq!(paths(html), expected);
        let text = segmented("<table><td>a</table>", Segmentation::Inline);
        let row = text.tree.elements.iter().position(|e| e.tag == Tag::Tr);
        let mut paths = XPaths::default();
        paths.begin(&text.tree);
        let row = row.unwrap() as ElementId;
        assert_eq!(paths.of(&text.tree, row), Some("/html/body/table"));
    }

    #[test]
    fn tables_of_code_have_the_names_that_the_page_writes() {
        let html = "<table class=crayon-table><tr><td class=crayon-code><div class=crayon-line>a</div></table>";
        assert_eq!(paths(html), ["/html/body/table/tr/td/div"]);
    }

    #[test]
    fn paths_are_bounded() {
        let html = "<div>".repeat(61) + "<p>a<div>b<div>c";
        let found = paths(&html);
        assert!(found[0].ends_with("/div/p") && found[1].ends_with("/div/div"));
        assert_eq!(found[2], "");
        let long = "<blockquote></blockquote>".repeat(1000) + "<blockquote>";
        let long = long.repeat(61) + "<p>a";
        assert_eq!(paths(&long), [""]);
    }
}
