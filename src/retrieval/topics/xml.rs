//! Topics of the web tracks from 2010 on: XML.

use super::{Found, Topic, collapsed};
use roxmltree::{Document, Node};

/// Bytes of the largest file: web tracks have 30 KB, and a tree takes many times its markup.
const LARGEST: usize = 1 << 20;
/// Most attributes of an element: the parser compares each with all others.
const MOST_ATTRIBUTES: usize = 100;

/// The topics, or a line and what is wrong there.
pub(super) fn parse(text: &str) -> Result<Vec<Found>, (usize, String)> {
    if text.len() > LARGEST {
        let what = format!("XML of more than {} MiB; split the file", LARGEST >> 20);
        return Err((1, what));
    }
    refuse_costly(text)?;
    let document = Document::parse(text).map_err(|error| {
        let what = format!("{error}; give the XML of a web track, or topics in another format");
        (error.pos().row as usize, what)
    })?;
    let topics = document.descendants().filter(|n| n.has_tag_name("topic"));
    // One walk over the file, since topics come in its order.
    let (mut line, mut counted) = (1, 0);
    Ok(topics
        .map(|node| {
            let start = node.range().start;
            line += text[counted..start].matches('\n').count();
            counted = start;
            (line, topic(node))
        })
        .collect())
}

fn topic(node: Node) -> Topic {
    let id = node.attribute("number").unwrap_or_default();
    Topic {
        id: id.trim().to_owned(),
        title: child(node, "query"),
        desc: child(node, "description"),
        narr: child(node, "narrative"),
    }
}

/// The text in the first child of that name.
fn child(node: Node, name: &str) -> String {
    let found = node.children().find(|c| c.has_tag_name(name));
    let texts = found
        .into_iter()
        .flat_map(|c| c.descendants())
        .filter(Node::is_text);
    collapsed(&texts.filter_map(|t| t.text()).collect::<String>())
}

/// Refuses what takes the parser more than linear time and no web track has: namespaces, and
/// elements of very many attributes. A `<` stands in no attribute, so a tag is in one piece.
fn refuse_costly(text: &str) -> Result<(), (usize, String)> {
    let mut line = 1;
    for piece in text.split('<') {
        if piece.contains("xmlns") || piece.matches('=').count() > MOST_ATTRIBUTES {
            let what = format!(
                "a namespace, or more than {MOST_ATTRIBUTES} attributes; write elements without"
            );
            return Err((line, what));
        }
        line += piece.matches('\n').count();
    }
    Ok(())
}
