//! One page through Blitz.

use super::boxes;
use crate::message::Answer;
use crate::{DEEPEST, MOST_ELEMENTS, VIEWPORT_HEIGHT, VIEWPORT_WIDTH};
use blitz_dom::{BaseDocument, DocumentConfig, FontContext, NodeData, NodeId};
use blitz_html::HtmlDocument;
use blitz_traits::net::Url;
use blitz_traits::shell::{ColorScheme, Viewport};
use warcsieve_html::layout::LayoutStatus;

/// Where a page is that has no address: styles cannot be read without one.
const NOWHERE: &str = "http://page.invalid/";

/// Lays out a marked page. Without a net provider Blitz fetches nothing.
pub fn lay_out(url: &str, html: &str, font: FontContext) -> Answer {
    let is_base = Url::parse(url).is_ok_and(|url| !url.cannot_be_a_base());
    let config = DocumentConfig {
        viewport: Some(Viewport::new(
            VIEWPORT_WIDTH,
            VIEWPORT_HEIGHT,
            1.0,
            ColorScheme::Light,
        )),
        base_url: Some(if is_base { url } else { NOWHERE }.to_owned()),
        font_ctx: Some(font),
        ..DocumentConfig::default()
    };
    let mut document = HtmlDocument::from_html(html, config);
    let nodes = in_order(&document);
    if nodes.elements > MOST_ELEMENTS {
        return Answer::without(LayoutStatus::TooManyElements);
    }
    if nodes.deepest > DEEPEST + 2 {
        return Answer::without(LayoutStatus::TooDeep);
    }
    document.resolve(0.0);
    boxes::of(&document, &nodes)
}

/// The nodes of a page, parents before children.
pub struct Nodes {
    /// Each with its parent's place in this list.
    pub list: Vec<(NodeId, usize)>,
    elements: usize,
    deepest: usize,
    /// `@import` rules in style elements.
    pub imports: u32,
}

fn in_order(document: &BaseDocument) -> Nodes {
    let mut nodes = Nodes {
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
