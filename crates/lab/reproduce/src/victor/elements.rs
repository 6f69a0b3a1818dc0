//! Victor's features of the elements around a block, and of the tags between it and the block before it.

use super::values::step;
use warcsieve_html::document::{Block, Document};
use warcsieve_html::{ElementId, ElementTree, Tag};

const BOLD: &str = "b strong";
const ITALIC: &str = "i em";
const HEADERS: &str = "h1 h2 h3 h4 h5 h6";
const LISTS: &str = "dd dir dl dt menu li ol ul";
const FORMS: &str = "button input isindex label";
const INLINE: &str = "b strong i em a abbr acronym bdo big br cite code font img ins kbd noscript samp small span sub \
                      sup tt u var";
const BLOCK: &str = "h1 h2 h3 h4 h5 h6 dd dir dl dt menu li ol ul button input isindex label address blockquote \
                     caption center dfn div layer hr legend noframes p pre q td th title marquee";
/// Elements around a block.
const CONTAINERS: [&str; 8] = [BOLD, ITALIC, HEADERS, LISTS, FORMS, "p", "a", "img"];
/// Tags between a block and the one before it.
const SPLITS: [&str; 5] = [INLINE, BLOCK, "p", "br", "hr"];
/// The place of links in [`CONTAINERS`].
pub const LINK: usize = 6;

fn is_one_of(tag: Tag, names: &str) -> bool {
    names.split_whitespace().any(|name| name == tag.name())
}

/// The elements at and above a block.
fn around(tree: &ElementTree, block: &Block) -> impl Iterator<Item = (ElementId, Tag)> {
    let ids = tree.ancestor_ids(block.element);
    ids.map(|id| (id, tree.elements[id as usize].tag))
}

pub fn nearest(tree: &ElementTree, block: &Block, tag: Tag) -> Option<ElementId> {
    let mut around = around(tree, block);
    around.find(|(_, own)| *own == tag).map(|(at, _)| at)
}

pub fn containers(tree: &ElementTree, block: &Block) -> [u16; CONTAINERS.len()] {
    CONTAINERS.map(|names| {
        let mut around = around(tree, block);
        u16::from(around.any(|(_, tag)| is_one_of(tag, names)))
    })
}

/// The number of elements that begin before a place in the page's text.
fn begun(doc: &Document, place: u32) -> ElementId {
    let after = doc.runs.partition_point(|run| run.start <= place);
    after.checked_sub(1).map_or(0, |run| doc.runs[run].next)
}

/// The start and end tags between a block and the one before it, at most two of each kind. The last value stands for the
/// first two together.
pub fn splits(doc: &Document, before: Option<&Block>, block: &Block) -> [u16; SPLITS.len() + 1] {
    let tree = &doc.tree;
    let mut counts = [0; SPLITS.len()];
    let mut add = |tag: Tag| {
        for (count, names) in counts.iter_mut().zip(SPLITS) {
            *count += usize::from(is_one_of(tag, names));
        }
    };
    let holds = |element: ElementId| {
        let end = tree.elements[element as usize].end;
        (element..end).contains(&block.element)
    };
    let mut start = 0;
    if let Some(before) = before {
        start = begun(doc, before.text.end - 1);
        for (_, tag) in around(tree, before).take_while(|(at, _)| !holds(*at)) {
            add(tag);
        }
    }
    // Elements that begin between the two, and end there unless they hold the block.
    for element in start..begun(doc, block.text.start) {
        let tag = tree.elements[element as usize].tag;
        add(tag);
        if !holds(element) {
            add(tag);
        }
    }
    let [inline, separating, rest @ ..] = counts.map(|count| step(count, &[1, 2]));
    let [p, br, hr] = rest;
    [inline, separating, p, br, hr, 3 * inline + separating]
}
