//! Boxes from a snapshot of the browser's document.

use crate::boxes::Boxes;
use crate::limits::{DEEPEST, MOST_ELEMENTS};
use crate::marks::ATTRIBUTE;
use crate::message::{Answer, BODY, HTML};
use serde::Deserialize;
use serde_json::Value;
use warcsieve_html::layout::{ElementBox, LayoutStatus};

/// The styles that a snapshot has to have, in this order.
pub const STYLES: [&str; 3] = ["font-size", "visibility", "opacity"];

/// `nodeType` of elements (DOM standard, interface Node).
const ELEMENT: u32 = 1;

/// The answer to `DOMSnapshot.captureSnapshot`. Numbers of texts are places in `strings`, or −1.
#[derive(Deserialize)]
struct Snapshot {
    documents: Vec<Document>,
    strings: Vec<String>,
}

#[derive(Deserialize)]
struct Document {
    #[serde(rename = "documentURL")]
    address: i64,
    nodes: Nodes,
    layout: Rows,
}

/// Nodes in the order of the document, parents before children.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Nodes {
    parent_index: Vec<i64>,
    node_type: Vec<u32>,
    node_name: Vec<i64>,
    node_value: Vec<i64>,
    /// Name, value, name, value, …
    attributes: Vec<Vec<i64>>,
}

/// What is on the screen.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Rows {
    node_index: Vec<usize>,
    styles: Vec<Vec<i64>>,
    bounds: Vec<[f64; 4]>,
}

/// The boxes of the page at that address; the page failed if the browser shows another.
pub fn answer(snapshot: Value, address: &str) -> Answer {
    let Ok(snapshot) = serde_json::from_value::<Snapshot>(snapshot) else {
        return Answer::without(LayoutStatus::Failed);
    };
    let page = snapshot.documents.first();
    // A page may go to a part of itself.
    let whole = |page: &&Document| snapshot.text(page.address).split('#').next() == Some(address);
    let page = page.filter(whole);
    page.map_or_else(
        || Answer::without(LayoutStatus::Failed),
        |page| snapshot.boxes(page),
    )
}

/// What is passed from parents to children.
#[derive(Clone, Copy, Default)]
struct Above {
    transparent: bool,
    depth: usize,
}

impl Snapshot {
    fn text(&self, at: i64) -> &str {
        let text = usize::try_from(at).ok().and_then(|at| self.strings.get(at));
        text.map_or("", String::as_str)
    }

    fn boxes(&self, page: &Document) -> Answer {
        let nodes = &page.nodes;
        let name = |node: usize| nodes.node_name.get(node).map_or("", |n| self.text(*n));
        let is_element = |node: usize| nodes.node_type.get(node) == Some(&ELEMENT);
        // The document itself is its own parent here.
        let parents: Vec<usize> = nodes
            .parent_index
            .iter()
            .enumerate()
            .map(|(node, parent)| usize::try_from(*parent).unwrap_or(0).min(node))
            .collect();
        let rows = rows(&page.layout, parents.len());
        let shown = shown(&parents, &rows);
        let mut above = vec![Above::default(); parents.len()];
        let (mut found, mut answer) = (Boxes::default(), Answer::without(LayoutStatus::Done));
        let mut elements = 0;
        for node in 0..parents.len() {
            let parent = parents[node];
            above[node] = Above {
                depth: above[parent].depth + 1,
                ..above[parent]
            };
            if !is_element(node) {
                if name(parent) == "STYLE" {
                    let styles = nodes.node_value.get(node).map_or("", |v| self.text(*v));
                    answer.imports += styles.matches("@import").count() as u32;
                }
                continue;
            }
            elements += 1;
            if elements > MOST_ELEMENTS {
                return Answer::without(LayoutStatus::TooManyElements);
            }
            if above[node].depth > DEEPEST + 3 {
                return Answer::without(LayoutStatus::TooDeep);
            }
            let own = match rows[node] {
                Some(row) => {
                    let (own, transparent) = self.row(&page.layout, row, above[parent]);
                    above[node].transparent = transparent;
                    own
                }
                // Without a box of its own: `display: contents`.
                None if shown[node] => continue,
                None => ElementBox::default(),
            };
            let is_root = name(node) == "HTML" && !is_element(parent);
            if is_root {
                answer.page_height = own.y + own.height;
            }
            let mark = match name(node) {
                "HTML" if is_root => Some(HTML),
                "BODY" if name(parent) == "HTML" => Some(BODY),
                _ => self.mark(nodes, node),
            };
            if let Some(mark) = mark {
                found.add(mark, own);
            }
        }
        answer.boxes = found.into_list();
        answer
    }

    fn mark(&self, nodes: &Nodes, node: usize) -> Option<u32> {
        let (pairs, _) = nodes.attributes.get(node)?.as_chunks::<2>();
        let mut pairs = pairs.iter();
        let [_, value] = pairs.find(|[name, _]| self.text(*name) == ATTRIBUTE)?;
        self.text(*value).parse().ok()
    }

    /// The box of a row, and whether it or what is around it is transparent.
    fn row(&self, layout: &Rows, row: usize, above: Above) -> (ElementBox, bool) {
        let [x, y, width, height] = layout.bounds[row].map(|n| n as f32);
        let style = |at: usize| {
            let styles = layout.styles.get(row).and_then(|styles| styles.get(at));
            styles.map_or("", |s| self.text(*s))
        };
        let font_size = style(0).trim_end_matches("px").parse().unwrap_or(0.0);
        let transparent = above.transparent || style(2).parse().is_ok_and(|o: f32| o <= 0.0);
        let own = ElementBox {
            x,
            y,
            width,
            height,
            font_size,
            visible: style(1) == "visible" && !transparent,
        };
        let numbers = [x, y, width, height, font_size];
        match numbers.iter().all(|n| n.is_finite()) {
            true => (own, transparent),
            false => (ElementBox::default(), transparent),
        }
    }
}

/// By node the first of its rows.
fn rows(layout: &Rows, nodes: usize) -> Vec<Option<usize>> {
    let mut rows = vec![None; nodes];
    for (row, node) in layout.node_index.iter().enumerate() {
        if let (Some(place @ None), true) = (rows.get_mut(*node), row < layout.bounds.len()) {
            *place = Some(row);
        }
    }
    rows
}

/// By node whether it, or something in it, is on the screen.
fn shown(parents: &[usize], rows: &[Option<usize>]) -> Vec<bool> {
    let mut shown: Vec<bool> = rows.iter().map(Option::is_some).collect();
    for node in (0..parents.len()).rev() {
        if shown[node] {
            shown[parents[node]] = true;
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const STRINGS: [&str; 13] = [
        "http://page.invalid/",
        "#document",
        "HTML",
        "BODY",
        "P",
        "DIV",
        "B",
        ATTRIBUTE,
        "5",
        "6",
        "16px",
        "visible",
        "0",
    ];

    /// html, body, a transparent p (5) with a b (7, no mark), a div without box (6) with a b.
    fn snapshot(address: i64) -> Value {
        json!({
            "strings": STRINGS,
            "documents": [{
                "documentURL": address,
                "nodes": {
                    "parentIndex": [-1, 0, 1, 2, 3, 2, 5],
                    "nodeType": [9, 1, 1, 1, 1, 1, 1],
                    "nodeName": [1, 2, 3, 4, 6, 5, 6],
                    "nodeValue": [-1, -1, -1, -1, -1, -1, -1],
                    "attributes": [[], [], [], [7, 8], [], [7, 9], []],
                },
                "layout": {
                    "nodeIndex": [0, 1, 2, 3, 4, 6, 99],
                    "styles": [[], [10, 11, 10], [10, 11, 10], [10, 11, 12], [10, 11, 10],
                        [10, 11, 10], []],
                    "bounds": [[0, 0, 1, 1], [0, 0, 1280, 50], [8, 8, 1264, 34], [8, 8, 99, 18],
                        [8, 8, 50, 18], [8, 26, 40, 18], [0, 0, 1, 1]],
                },
            }],
        })
    }

    #[test]
    fn boxes_by_mark() {
        let answer = answer(snapshot(0), "http://page.invalid/");
        assert_eq!(
            (answer.status, answer.page_height),
            (LayoutStatus::Done, 50.0)
        );
        let marks: Vec<u32> = answer.boxes.iter().map(|(mark, _)| *mark).collect();
        assert_eq!(
            marks,
            [HTML, 5, BODY],
            "a div with `display: contents` has no box"
        );
        let (p, body) = (&answer.boxes[1].1, &answer.boxes[2].1);
        assert!(!p.visible && body.visible);
        assert_eq!((p.width, p.font_size), (99.0, 16.0));
    }

    #[test]
    fn another_page_or_rubbish_fails() {
        let status = |value| answer(value, "http://page.invalid/").status;
        assert_eq!(status(snapshot(3)), LayoutStatus::Failed);
        assert_eq!(status(snapshot(-1)), LayoutStatus::Failed);
        assert_eq!(
            status(json!({"documents": [], "strings": []})),
            LayoutStatus::Failed
        );
        assert_eq!(status(Value::Null), LayoutStatus::Failed);
    }
}
