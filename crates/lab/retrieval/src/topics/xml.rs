//! Topics of the web tracks from 2010 on: XML.

use super::topic::{Found, Topic, collapsed};
use roxmltree::{Document, Node};

/// Maximum size in bytes of a file: web tracks have 30 KB, and a tree takes many times the memory
/// of its markup.
const MAX_FILE: usize = 1 << 20;
/// Maximum number of attributes of an element: the parser compares each with all others.
const MAX_ATTRIBUTES: usize = 100;

/// The topics, or a line and its error.
pub(super) fn parse(text: &str) -> Result<Vec<Found>, (usize, String)> {
    if text.len() > MAX_FILE {
        let what = format!("XML of more than {} MiB; split the file", MAX_FILE >> 20);
        return Err((1, what));
    }
    reject_costly(text)?;
    let document = Document::parse(text).map_err(|error| {
        let what = format!("{error}; give the XML of a web track, or topics in another format");
        (error.pos().row as usize, what)
    })?;
    let topics = document.descendants().filter(|n| n.has_tag_name("topic"));
    // Topics are in the order of the file, so one pass counts the lines.
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

/// The text in the first child with this name.
fn child(node: Node, name: &str) -> String {
    let found = node.children().find(|c| c.has_tag_name(name));
    let texts = found
        .into_iter()
        .flat_map(|c| c.descendants())
        .filter(Node::is_text);
    collapsed(&texts.filter_map(|t| t.text()).collect::<String>())
}

/// Rejects input for which the parser takes more than linear time and which no web track has:
/// namespaces, and elements with very many attributes. Attributes cannot contain `<`, so a tag ends
/// before the next one.
fn reject_costly(text: &str) -> Result<(), (usize, String)> {
    let mut line = 1;
    for piece in text.split('<') {
        if piece.contains("xmlns") || piece.matches('=').count() > MAX_ATTRIBUTES {
            let what = format!(
                "a namespace, or more than {MAX_ATTRIBUTES} attributes; write elements without"
            );
            return Err((line, what));
        }
        line += piece.matches('\n').count();
    }
    Ok(())
}
