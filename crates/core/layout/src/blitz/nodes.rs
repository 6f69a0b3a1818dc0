//! The nodes of a page that Blitz has parsed.

use blitz_dom::{BaseDocument, NodeData, NodeId};

/// The nodes of a page, parents before children.
pub struct Nodes {
    /// Each with its parent's place in this list.
    pub list: Vec<(NodeId, usize)>,
    pub elements: usize,
    pub deepest: usize,
    /// `@import` rules in style elements.
    pub imports: u32,
}

impl Nodes {
    /// Those below the root element, with it.
    pub fn of(document: &BaseDocument) -> Self {
        let mut nodes = Self {
            list: Vec::new(),
            elements: 0,
            deepest: 0,
            imports: 0,
        };
        let Some(root) = document.try_root_element() else {
            return nodes;
        };
        let mut waiting = vec![(root.id, 0, 1)];
        while let Some((id, parent, depth)) = waiting.pop() {
            let Some(node) = document.get_node(id) else {
                continue;
            };
            let at = nodes.list.len();
            nodes.list.push((id, parent));
            match &node.data {
                NodeData::Element(_) => {
                    nodes.elements += 1;
                    nodes.deepest = nodes.deepest.max(depth);
                }
                NodeData::Text(text) => {
                    let parent = document.get_node(nodes.list[parent].0);
                    let tag = parent
                        .and_then(|p| p.element_data())
                        .map(|e| &*e.name.local);
                    if tag == Some("style") {
                        nodes.imports += text.content.matches("@import").count() as u32;
                    }
                }
                _ => {}
            }
            let children = node.children.iter().rev();
            waiting.extend(children.map(|child| (*child, at, depth + 1)));
        }
        nodes
    }
}
