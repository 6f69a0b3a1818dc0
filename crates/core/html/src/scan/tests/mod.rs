//! Compares the tokenizer with lol_html, html5ever and the tests of html5lib.

mod corpora;
mod generate;
mod html5ever;
mod html5lib;
mod lol_html;
mod speed;
mod standard;

use super::*;
use crate::Segmentation;
use crate::builder::TreeBuilder;
use crate::edges::Edges;
use crate::tree::ElementTree;
use crate::written_tag::Start;
use generate::page;

/// Numbers of the generated pages in `cargo test`; `cargo xtask agree-tokenizers` uses more.
fn rounds() -> std::ops::Range<u64> {
    let many = std::env::var("WARCSIEVE_ROUNDS").ok();
    0..many.map_or(20_000, |many| many.parse().unwrap())
}

struct Ignored;

impl Edges for Ignored {
    fn edge(&mut self, _: Tag) {}
    fn begin_line(&mut self) {}
    fn end_line(&mut self) {}
}

/// The tokens of a page, whose tree is built at the same time as in the segmenter.
fn tokens(html: &str) -> (Vec<Token<'_>>, Ending) {
    let mut builder = TreeBuilder::new(Segmentation::Inline, 1 << 20, usize::MAX);
    let mut tree = ElementTree::default();
    builder.begin(&mut tree);
    let mut tokens = Vec::new();
    let ending = tokenize(html, |token| {
        match &token {
            Token::Text { range, .. } => {
                let text = &html.as_bytes()[range.clone()];
                if !text.trim_ascii().is_empty() {
                    builder.text(&mut tree, &mut Ignored);
                }
            }
            Token::StartTag {
                name,
                tag,
                attrs,
                names,
                self_closing,
                ..
            } => {
                let start = Start {
                    name,
                    attrs: html[attrs.clone()].trim_ascii(),
                    names: *names,
                    self_closing: *self_closing,
                    page: "",
                };
                builder.start_tag(*tag, &start, &mut tree, &mut Ignored);
            }
            Token::EndTag { name, tag, .. } => {
                builder.end_tag(name, *tag, &mut tree, &mut Ignored);
            }
        }
        tokens.push(token);
        builder.context()
    });
    (tokens, ending)
}
