//! What is outside of the article on a page that declares one.
//!
//! A page that says that it is an article has one text. The blocks that are surely content show where it is; what is less
//! sure and elsewhere is mostly a teaser of another article.

use crate::declared::{meta, types};
use crate::forum::is_forum;
use crate::label::Label;
use crate::why::{Change, Changing, Why};
use warcsieve_html::document::Document;

/// Blocks of at least this score are surely in the article.
const SURE: f32 = 0.85;

/// Blocks of at least this score stay wherever they are.
const LIKELY: f32 = 0.6;

/// Makes blocks of the content with a score under .6 boilerplate if they are outside of the innermost element that
/// holds the parents of all blocks of .85 and more. It does so on pages that declare an article and are not of a forum,
/// after the steps of a pipeline that asks for it.
pub type DropOutside = Changing<Outside>;

/// What [`DropOutside`] changes.
#[derive(Default)]
pub struct Outside;

/// Whether a page declares an article: by `og:type`, or by a type of schema.org as microdata.
fn declares_article(doc: &Document) -> bool {
    meta(doc, "property", "og:type").any(|kind| kind == "article")
        || types(doc).any(|kind| ["Article", "NewsArticle", "BlogPosting"].contains(&kind))
}

impl Change for Outside {
    const REASON: &'static str = "outside of the declared article";
    const WORDS: &'static str = "dropped as outside of the declared article";

    fn change(&mut self, doc: &Document, labels: &mut [Label], why: Why) {
        let is_unsure = |label: &Label| label.content && label.score < LIKELY;
        if !labels.iter().any(is_unsure) || !declares_article(doc) || is_forum(doc) {
            return;
        }
        let elements = &doc.tree.elements;
        let sure = labels
            .iter()
            .zip(&doc.blocks)
            .filter(|(l, _)| l.content && l.score >= SURE);
        let around = sure
            .map(|(_, block)| elements[block.container as usize].parent)
            .reduce(|mut around, container| {
                while !(around..elements[around as usize].end).contains(&container) {
                    around = elements[around as usize].parent;
                }
                around
            });
        let Some(around) = around else {
            return;
        };
        let inside = around..elements[around as usize].end;
        for (label, block) in labels.iter_mut().zip(&doc.blocks) {
            if is_unsure(label) && !inside.contains(&block.element) {
                why.drop(label);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::dropped;
    use super::*;
    use crate::names::Names;

    #[test]
    fn unsure_blocks_outside_of_the_sure_ones_go() {
        let outside = |html: &str| dropped(DropOutside::new(&mut Names::default()), html);
        let page = "<div id=a><p>one<p>two?<div><p>three</div></div><div><p>four?<p>five</p></div>";
        assert_eq!(outside(page), "");
        let og = "<meta property=og:type content=article>";
        assert_eq!(
            outside(&format!(
                "{og}<div><p>one<p>two?<div><p>three</div></div><div><p>four?</div>"
            )),
            "3"
        );
        let item = "<article itemscope itemtype='https://schema.org/NewsArticle'><p>one<p>two?</article><p>three?";
        assert_eq!(outside(item), "2");
        assert_eq!(
            outside(&format!("{og}<p>one?<p>two?")),
            "",
            "nothing is sure"
        );
        let forum = "<meta name=generator content=phpBB>";
        assert_eq!(outside(&format!("{forum}{item}")), "");
    }
}
