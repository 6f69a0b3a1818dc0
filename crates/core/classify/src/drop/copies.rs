//! Copies: text of the content that the content has already said.
//!
//! Pages repeat the article for printing, for phones, or in a list of what is most read. Quotes, tables, code and the posts of a
//! forum repeat text for a reason, and a page that says little more than one text wants it so.

use crate::forum::is_forum;
use crate::label::Label;
use crate::why::{Change, Changing, Why};
use warcsieve_html::Tag;
use warcsieve_html::document::Document;

/// Shorter texts repeat by chance.
const MIN_WORDS: u32 = 12;

/// Makes a block of the content that has at least twelve words boilerplate if its text is that of one before it, after
/// the steps of a pipeline that asks for it. If more than half of the
/// content's words are in copies, or more than a tenth in copies of one text, all stay.
pub type DropCopies = Changing<Copies>;

/// What [`DropCopies`] changes.
#[derive(Default)]
pub struct Copies;

/// The blocks of the content that repeat the text of one before them. Sorting by length first compares few texts.
fn copies(doc: &Document, labels: &[Label]) -> Vec<usize> {
    let text = |at: usize| doc.block_text(&doc.blocks[at]);
    let is_long = |&at: &usize| labels[at].content && doc.blocks[at].words >= MIN_WORDS;
    let mut order: Vec<usize> = (0..labels.len()).filter(is_long).collect();
    let key = |at: usize| (text(at).len(), text(at), at);
    order.sort_unstable_by(|&a, &b| key(a).cmp(&key(b)));
    let repeats = order
        .windows(2)
        .filter(|pair| text(pair[0]) == text(pair[1]));
    repeats.map(|pair| pair[1]).collect()
}

/// By element, whether it is in a quote, a table or `pre`.
fn repeating(doc: &Document) -> Vec<bool> {
    let mut inside: Vec<bool> = Vec::with_capacity(doc.tree.elements.len());
    for (id, element) in doc.tree.elements.iter().enumerate() {
        let repeats = matches!(
            element.tag,
            Tag::Blockquote | Tag::Q | Tag::Table | Tag::Pre
        );
        inside.push(repeats || id > 0 && inside[element.parent as usize]);
    }
    inside
}

impl Change for Copies {
    const REASON: &'static str = "a copy of content before it";
    const WORDS: &'static str = "dropped as a copy of content before it";

    fn change(&mut self, doc: &Document, labels: &mut [Label], why: Why) {
        let mut copies = copies(doc, labels);
        if copies.is_empty() {
            return;
        }
        let inside = repeating(doc);
        copies.retain(|&at| !inside[doc.blocks[at].element as usize]);
        let words = |at: usize| u64::from(doc.blocks[at].words);
        let copied: u64 = copies.iter().map(|&at| words(at)).sum();
        let content = (0..labels.len()).filter(|&at| labels[at].content);
        let content: u64 = content.map(words).sum();
        let text = |at: usize| doc.block_text(&doc.blocks[at]);
        let is_one = copies.iter().all(|&at| text(at) == text(copies[0]));
        if 2 * copied > content || is_one && 10 * copied > content || is_forum(doc) {
            return;
        }
        for at in copies {
            why.drop(&mut labels[at]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::dropped;
    use super::*;
    use crate::names::Names;

    #[test]
    fn the_first_of_equal_texts_is_kept() {
        let copies = |html: &str| dropped(DropCopies::new(&mut Names::default()), html);
        let long = "one two three four five six seven eight nine ten eleven twelve";
        let other = "a b c d e f g h i j k l m";
        let (both, more) = (
            format!("<p>{long}<p>{other}"),
            format!("<p>{}", "x ".repeat(99)),
        );
        assert_eq!(copies(&format!("{both}{more}{both}")), "3 4");
        assert_eq!(copies(&format!("<p>{long}{more}{more}")), "", "filler");
        assert_eq!(
            copies(&format!(
                "<p>{long}{more}<p>{}<div>{long}</div>",
                "y ".repeat(99)
            )),
            "3"
        );
        assert_eq!(
            copies(&format!("{both}{both}{both}")),
            "",
            "most of the page"
        );
        assert_eq!(copies("<p>a b c<p>a b c"), "");
        assert_eq!(
            copies(&format!("<p>{long}<blockquote><p>{long}</blockquote>")),
            ""
        );
        assert_eq!(
            copies(&format!("<p>{long}<table><tr><td>{long}</table>")),
            ""
        );
        let forum = "<meta name=generator content=phpBB>";
        assert_eq!(copies(&format!("{forum}<p>{long}<p>{long}")), "");
    }
}
