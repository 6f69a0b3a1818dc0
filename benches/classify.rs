//! What does labelling cost? Nanoseconds a block for every method, on a page of
//! 1,000 blocks: menus, headings, paragraphs, teasers.

use divan::Bencher;
use divan::counter::ItemsCount;
use warcsieve::classify::{Classifier, Label, METHODS};
use warcsieve::config::Pipeline;
use warcsieve::document::{Block, Document};

const BLOCKS: usize = 1_000;

fn main() {
    divan::main();
}

#[divan::bench(args = METHODS.iter().map(|m| m.name))]
fn classify(bencher: Bencher, method: &str) {
    let text = format!("[[step]]\nmethod = \"{method}\"\n");
    let (mut chain, _) = Pipeline::parse("bench", &text)
        .expect("every method builds with its defaults")
        .build();
    let page = page();
    let mut labels = vec![Label::default(); page.blocks.len()];
    bencher
        .counter(ItemsCount::new(page.blocks.len()))
        .bench_local(|| {
            chain.classify(&page, &mut labels);
            divan::black_box(&labels);
        });
}

fn page() -> Document {
    const SENTENCE: &str =
        "It was the best of times and the worst of times for all who had come to see it. ";
    let mut page = Document::default();
    for i in 0..BLOCKS {
        match i % 10 {
            0..4 => push(&mut page, "Home and garden", true),
            4 => push(&mut page, "What we saw there", false),
            5..8 => push(&mut page, SENTENCE.repeat(1 + i % 7).trim_end(), false),
            8 => push(
                &mut page,
                "Read all about it in our newsletter of today",
                true,
            ),
            _ => push(&mut page, "12 comments", false),
        }
    }
    page
}

fn push(page: &mut Document, text: &str, linked: bool) {
    let start = page.text.len() as u32;
    page.text.push_str(text);
    let words = text.split(' ').count() as u32;
    let chars = text.chars().count() as u32;
    let part = |n| if linked { n } else { 0 };
    page.blocks.push(Block {
        text: start..page.text.len() as u32,
        words,
        linked_words: part(words),
        tokens: words,
        linked_tokens: part(words),
        chars,
        linked_chars: part(chars),
        lines: chars.div_ceil(80),
        wrapped_tokens: words,
        ..Block::default()
    });
    page.text.push('\n');
}
