//! Links that are around a heading.

use warcsieve_classify::Label;
use warcsieve_common::emptied;
use warcsieve_html::document::Document;
use warcsieve_html::{ElementId, Tag};

/// The links of a page that are around a heading with content. Such a link is printed in the
/// heading, and not in a paragraph before it: of `<a><p>1</p><h2>News</h2></a>`, `News` is the link.
///
/// Takes time linear in elements and blocks. Memory: 8 bytes per element.
#[derive(Debug, Default)]
pub(super) struct HeadedLinks {
    /// For each element the innermost link and the innermost heading at or above it; 0 if there is
    /// none. Element 0 is the root.
    above: Vec<(ElementId, ElementId)>,
    /// The links, sorted.
    links: Vec<ElementId>,
}

impl HeadedLinks {
    /// Finds those of a page, and drops the last page's.
    pub fn find(&mut self, doc: &Document, labels: &[Label]) {
        emptied(&mut self.above);
        emptied(&mut self.links);
        for (id, element) in doc.tree.elements.iter().enumerate() {
            let id = id as ElementId;
            let (link, heading) = self.above(element.parent);
            self.above.push(match element.tag {
                Tag::A => (id, heading),
                // No heading is printed in them.
                Tag::Td | Tag::Th | Tag::Pre => (0, 0),
                Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => (link, id),
                _ => (link, heading),
            });
        }
        let content = doc.blocks.iter().zip(labels);
        for (block, _) in content.filter(|(_, label)| label.content) {
            let (_, heading) = self.above(block.element);
            let (link, _) = self.above(heading);
            if link != 0 && self.links.last() != Some(&link) {
                self.links.push(link);
            }
        }
        self.links.sort_unstable();
    }

    fn above(&self, element: ElementId) -> (ElementId, ElementId) {
        let above = self.above.get(element as usize);
        above.copied().unwrap_or_default()
    }

    /// Whether the link is one of them.
    pub fn contains(&self, link: ElementId) -> bool {
        self.links.binary_search(&link).is_ok()
    }
}
