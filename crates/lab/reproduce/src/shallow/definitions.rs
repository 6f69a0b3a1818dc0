//! Two features whose definitions are not in the paper, inferred from its figures.
//!
//! Text density: words, not tokens, of all lines except the last, wrapped with a mark at each start
//! and end of a link, since a program may have written links into the text this way; rounded. With
//! the marks the numbers of tokens equal those of the paper, in total and in boilerplate.
//!
//! Sentence length: a boundary counts only inside the text, before a capital letter; a text without
//! a boundary has length 0; rounded.

use crate::Result;
use crate::corpora::{Corpora, each_page};
use warcsieve_eval::pages::Gold;
use warcsieve_extract::Pipeline;
use warcsieve_html::Tag;

/// Names of the two columns.
pub const NAMES: [&str; 2] = ["inferred.text_density", "inferred.avg_sentence_length"];

/// Values of the two columns for the blocks of all annotated pages, except those inside `without`.
pub fn columns(corpora: &Corpora, pipeline: &Pipeline, without: &[Tag]) -> Result<[Vec<f32>; 2]> {
    let inputs = corpora.inputs("l3s-gn1")?;
    let pages = each_page(&inputs, &Gold::Annotations, pipeline, |page| {
        let (doc, html) = (page.doc, page.page.payload);
        let mut values = Vec::new();
        let (mut at, mut linked) = (0, false);
        for block in &doc.blocks {
            let (start, end) = (block.source.start as usize, block.source.end as usize);
            links(&html[at..start], &mut linked, &mut |_, _| ());
            let density = density(&html[start..end], &mut linked);
            at = end;
            let mut around = doc.tree.ancestors(block.element);
            if !around.any(|e| without.contains(&e.tag)) {
                values.push([density, sentence_length(doc.block_text(block))]);
            }
        }
        values
    })?;
    let mut columns = [Vec::new(), Vec::new()];
    for [density, length] in pages.into_iter().flat_map(|(_, rows)| rows) {
        columns[0].push(density);
        columns[1].push(length);
    }
    Ok(columns)
}

/// Calls `each` with the text between tags, and whether a link starts or ends after it.
fn links(html: &str, linked: &mut bool, each: &mut dyn FnMut(&str, bool)) {
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        let tag = &rest[at..];
        let end = tag.find('>').map_or(tag.len(), |end| end + 1);
        let lower = tag[..end].to_ascii_lowercase();
        let (opens, closes) = (lower.starts_with("<a "), lower.starts_with("</a"));
        if opens || closes {
            *linked = opens;
        }
        each(&rest[..at], opens || closes);
        rest = &tag[end..];
    }
    each(rest, false);
}

/// Words per line of 80 columns, with link marks.
fn density(html: &str, linked: &mut bool) -> f32 {
    let mut lines = vec![0_u32];
    let mut column = 0;
    let mut take = |width: u32, word: bool| {
        if column > 0 && column + 1 + width > 80 {
            lines.push(0);
            column = width;
        } else {
            column += width + u32::from(column > 0);
        }
        if let Some(line) = lines.last_mut() {
            *line += u32::from(word);
        }
    };
    if *linked {
        take(1, false);
    }
    links(html, linked, &mut |text, mark| {
        for token in htmlize::unescape(text).split_whitespace() {
            take(token.chars().count() as u32, is_word(token));
        }
        if mark {
            take(1, false);
        }
    });
    if *linked {
        take(1, false);
    }
    let counted = lines.len().saturating_sub(1).max(1);
    let words: u32 = lines[..counted].iter().sum();
    (words as f32 / counted as f32).round()
}

fn is_word(token: &str) -> bool {
    token.chars().any(char::is_alphanumeric)
}

/// Words per sentence, if there is more than one sentence.
fn sentence_length(text: &str) -> f32 {
    let tokens: Vec<&str> = text.split_whitespace().collect();
    let words = tokens.iter().filter(|token| is_word(token)).count();
    let closing = ['"', '\'', ')', ']', '}', '’', '”', '»'];
    let boundaries = tokens.windows(2).filter(|pair| {
        let closed = pair[0].trim_end_matches(closing);
        let ends = closed.ends_with(['.', '?', '!', ';']);
        let first = pair[1].chars().find(|c| c.is_alphanumeric());
        ends && first.is_some_and(char::is_uppercase)
    });
    match boundaries.count() {
        0 => 0.0,
        n => (words as f32 / (n + 1) as f32).round(),
    }
}
