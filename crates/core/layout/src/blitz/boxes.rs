//! The boxes of a page that Blitz has laid out.

use super::nodes::Nodes;
use crate::boxes::{Boxes, Edges};
use crate::marks::ATTRIBUTE;
use crate::message::{Answer, BODY, HTML};
use blitz_dom::{BaseDocument, LocalName, Node, NodeId};
use parley::PositionedLayoutItem;
use std::collections::HashMap;
use style::computed_values::visibility::T as Visibility;
use style::values::specified::box_::DisplayInside;
use warcsieve_html::layout::{ElementBox, LayoutStatus};

/// What is passed from parents to children.
#[derive(Clone, Copy)]
struct Above {
    transparent: bool,
    absent: bool,
}

/// The boxes of all marked elements, of `html` and of `body`.
pub fn of(document: &BaseDocument, nodes: &Nodes) -> Answer {
    let inline = inline_boxes(document, nodes);
    let mut found = Boxes::default();
    let mut above: Vec<Above> = Vec::with_capacity(nodes.list.len());
    let name = LocalName::from(ATTRIBUTE);
    let mut page_height = 0.0;
    for (at, (id, parent)) in nodes.list.iter().enumerate() {
        let outer = above.get(*parent).copied().unwrap_or(Above {
            transparent: false,
            absent: false,
        });
        above.push(outer);
        let Some(node) = document.get_node(*id) else {
            continue;
        };
        let Some(element) = node.element_data() else {
            continue;
        };
        let mark = match (at, &*element.name.local) {
            (0, _) => Some(HTML),
            (_, "body") if *parent == 0 => Some(BODY),
            _ => element.attr(name.clone()).and_then(|m| m.parse().ok()),
        };
        let styled = Styled::of(node);
        above[at] = Above {
            transparent: outer.transparent || styled.is_some_and(|s| s.transparent),
            absent: outer.absent || styled.is_none_or(|s| s.absent),
        };
        let own = match styled {
            Some(styled) if !above[at].absent => {
                let edges = match is_inline(node) {
                    true => inline.get(id).copied(),
                    false => edges_of(document, *id),
                };
                // Without a box of its own: `display: contents`.
                if styled.contents {
                    continue;
                }
                seen(edges, styled, above[at].transparent)
            }
            _ => ElementBox::default(),
        };
        if at == 0 {
            page_height = own.y + own.height;
        }
        if let Some(mark) = mark {
            found.add(mark, own);
        }
    }
    Answer {
        status: LayoutStatus::Done,
        page_height,
        imports: nodes.imports,
        boxes: found.into_list(),
        ..Answer::default()
    }
}

/// What styles say of an element.
#[derive(Clone, Copy)]
struct Styled {
    font_size: f32,
    visible: bool,
    transparent: bool,
    absent: bool,
    contents: bool,
}

impl Styled {
    /// `None` below `display: none`, where there are no styles.
    fn of(node: &Node) -> Option<Self> {
        let styles = node.primary_styles()?;
        let display = styles.clone_display();
        Some(Self {
            font_size: styles.clone_font_size().computed_size().px(),
            visible: styles.clone_visibility() == Visibility::Visible,
            transparent: styles.clone_opacity() <= 0.0,
            absent: display.is_none(),
            contents: display.inside() == DisplayInside::Contents,
        })
    }
}

fn seen(edges: Option<Edges>, styled: Styled, transparent: bool) -> ElementBox {
    let none = Edges {
        left: 0.0,
        top: 0.0,
        right: 0.0,
        bottom: 0.0,
    };
    let Edges {
        left,
        top,
        right,
        bottom,
    } = edges.unwrap_or(none);
    ElementBox {
        x: left,
        y: top,
        width: right - left,
        height: bottom - top,
        font_size: styled.font_size,
        visible: styled.visible && !transparent,
    }
}

/// The box of an element that has one of its own.
fn edges_of(document: &BaseDocument, id: NodeId) -> Option<Edges> {
    // An inline element would be looked for in all of its text; those are not asked here.
    let rect = document.get_client_bounding_rect(id)?;
    let [x, y, width, height] = [rect.x, rect.y, rect.width, rect.height].map(|n| n as f32);
    Some(Edges {
        left: x,
        top: y,
        right: x + width,
        bottom: y + height,
    })
}

/// Whether the element is laid out as part of a text.
fn is_inline(node: &Node) -> bool {
    node.is_non_atomic_inline()
}

/// Boxes of the elements that are laid out as parts of a text, around their parts on all lines: one
/// pass over the page's texts, as a pass for each element could take hours.
fn inline_boxes(document: &BaseDocument, nodes: &Nodes) -> HashMap<NodeId, Edges> {
    let mut found: HashMap<NodeId, Edges> = HashMap::new();
    let mut join = |id: NodeId, edges: Edges| {
        let place = found.entry(id).or_insert(edges);
        *place = place.around(edges);
    };
    for (id, node) in document
        .tree()
        .iter()
        .filter(|(_, n)| n.flags.is_inline_root())
    {
        let element = node.element_data();
        let Some(text) = element.and_then(|e| e.inline_layout_data.as_ref()) else {
            continue;
        };
        let Some(root) = edges_of(document, id) else {
            continue;
        };
        let own = node.unrounded_layout();
        let x = root.left + own.padding.left + own.border.left;
        let y = root.top + own.padding.top + own.border.top + text.block_offset;
        let scale = text.layout.scale();
        let placed = |left: f32, top: f32, right: f32, bottom: f32| Edges {
            left: x + left / scale,
            top: y + top / scale,
            right: x + right / scale,
            bottom: y + bottom / scale,
        };
        for line in text.layout.lines() {
            let (top, bottom) = {
                let metrics = line.metrics();
                (metrics.block_min_coord, metrics.block_max_coord)
            };
            for item in line.items() {
                match item {
                    PositionedLayoutItem::GlyphRun(run) => {
                        let left = run.offset();
                        let edges = placed(left, top, left + run.advance(), bottom);
                        join(run.style().brush.id, edges);
                    }
                    PositionedLayoutItem::InlineBox(inner) => {
                        let (right, bottom) = (inner.x + inner.width, inner.y + inner.height);
                        let edges = placed(inner.x, inner.y, right, bottom);
                        join(NodeId::from_u64(inner.id), edges);
                    }
                }
            }
        }
    }
    // Of a text and its inline elements the element around it, children before parents.
    for (id, parent) in nodes.list.iter().rev() {
        let parent = nodes.list[*parent].0;
        let around = document.get_node(parent).is_some_and(is_inline);
        if let (true, Some(edges)) = (around && parent != *id, found.get(id).copied()) {
            let place = found.entry(parent).or_insert(edges);
            *place = place.around(edges);
        }
    }
    found
}
