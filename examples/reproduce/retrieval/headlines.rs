//! Known items: pages that are looked for by their headline, and the headline taken out of them.

use crate::Result;
use crate::corpora::Corpora;
use flate2::read::MultiGzDecoder;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{BufRead, BufReader};
use warcsieve::config::Pipeline;
use warcsieve::eval::annotated::TextClass;
use warcsieve::eval::pages::{Gold, GoldenPage, View, walk};
use warcsieve::retrieval::index::{Analyzer, Stemming};

/// Headlines of fewer terms would find whole sites.
pub const LEAST_TERMS: usize = 2;

/// Headlines of pages, by their ids.
pub struct Headlines {
    /// Text as it is searched for.
    pub texts: BTreeMap<String, String>,
    terms: HashMap<String, Vec<String>>,
    /// Pages whose headline is too short, or another page's as well.
    pub left_out: usize,
}

#[derive(Deserialize)]
struct GoldLine {
    id: String,
    #[serde(default)]
    title: Option<String>,
    #[serde(default)]
    page_type: String,
}

/// What a corpus's gold calls a page.
pub struct Titled {
    pub id: String,
    pub title: String,
    pub page_type: String,
}

/// The titles of a corpus's gold.
pub fn gold_titles(corpora: &Corpora, corpus: &str) -> Result<Vec<Titled>> {
    let path = corpora.folder().join(format!("{corpus}.gold.jsonl.gz"));
    let lines = BufReader::new(MultiGzDecoder::new(File::open(path)?)).lines();
    let mut titles = Vec::new();
    for line in lines {
        let page: GoldLine = serde_json::from_str(&line?)?;
        titles.push(Titled {
            id: page.id,
            title: page.title.unwrap_or_default(),
            page_type: page.page_type,
        });
    }
    Ok(titles)
}

/// The blocks that annotators of a corpus called headline.
pub fn annotated_headlines(corpora: &Corpora, corpus: &str) -> Result<Vec<(String, String)>> {
    let view = View::new(&Pipeline::built_in("keep-all")?, &Gold::Annotations);
    let headline = |page: &GoldenPage<'_>| {
        let blocks = page.doc.blocks.iter().zip(page.classes);
        let headline = blocks.filter(|(_, class)| **class == TextClass::Headline);
        let texts: Vec<&str> = headline.map(|(b, _)| page.doc.block_text(b)).collect();
        texts.join(" ")
    };
    let inputs = corpora.inputs(corpus)?;
    let walk = walk(
        &inputs,
        &Gold::Annotations,
        &[view],
        || (),
        |(), _, page| headline(page),
    )?;
    let pages = walk.complete()?;
    Ok(pages
        .into_iter()
        .map(|(place, text)| (place.id, text))
        .collect())
}

impl Headlines {
    /// Keeps the headlines that name one page alone.
    pub fn new(pages: Vec<(String, String)>) -> Self {
        let all = pages.len();
        let mut by_terms = BTreeMap::<Vec<String>, Vec<(String, String)>>::new();
        for (id, text) in pages {
            by_terms.entry(terms(&text)).or_default().push((id, text));
        }
        let (mut texts, mut by_id) = (BTreeMap::new(), HashMap::new());
        for (terms, mut pages) in by_terms {
            if let ([_], LEAST_TERMS..) = (&pages[..], terms.len()) {
                let (id, text) = pages.swap_remove(0);
                by_id.insert(id.clone(), terms);
                texts.insert(id, text);
            }
        }
        Self {
            left_out: all - texts.len(),
            texts,
            terms: by_id,
        }
    }

    /// Blocks of a page as terms, without its headline: whatever of the page's terms stands in the order of the headline, at least
    /// half of its terms in a row, is cut out, over the borders of blocks as well.
    pub fn take_out(&self, id: &str, blocks: &[&str]) -> Vec<String> {
        let own = self.terms.get(id).map_or(&[][..], Vec::as_slice);
        let blocks: Vec<Vec<String>> = blocks.iter().map(|block| terms(block)).collect();
        let all: Vec<&str> = blocks.iter().flatten().map(String::as_str).collect();
        let mut kept = without(&all, own).into_iter();
        let mut left = Vec::with_capacity(blocks.len());
        for block in &blocks {
            let mut text = String::new();
            for (term, keep) in block.iter().zip(kept.by_ref()) {
                if keep {
                    text += term;
                    text.push(' ');
                }
            }
            left.push(text);
        }
        left
    }
}

fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    Analyzer::new(Stemming::None).terms(text, |term| terms.push(term.to_owned()));
    terms
}

/// Which terms stay.
fn without(all: &[&str], headline: &[String]) -> Vec<bool> {
    let mut keep = vec![true; all.len()];
    let least = headline.len().div_ceil(2);
    if least == 0 {
        return keep;
    }
    let mut at = 0;
    while at < all.len() {
        let run = |from: usize| {
            let pairs = all[at..].iter().zip(&headline[from..]);
            pairs.take_while(|(a, b)| *a == b).count()
        };
        let longest = (0..headline.len()).map(run).max().unwrap_or(0);
        if longest >= least {
            keep[at..at + longest].fill(false);
        }
        at += longest.max(1);
    }
    keep
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headlines_are_cut_out_over_borders_of_blocks() {
        let pages = [
            ("a", "Ten ways to brew tea"),
            ("b", "x"),
            ("c", "Same one"),
            ("d", "same ONE!"),
        ];
        let pages = pages.map(|(id, text)| (id.to_owned(), text.to_owned()));
        let headlines = Headlines::new(pages.to_vec());
        assert_eq!(headlines.texts.len(), 1);
        assert_eq!(headlines.left_out, 3);
        let blocks = [
            "Ten ways to",
            "brew",
            "tea | Site",
            "ten ways, to brew",
            "brew tea at ten",
        ];
        let left = headlines.take_out("a", &blocks);
        assert_eq!(left, ["", "", "site ", "", "brew tea at ten "]);
        assert_eq!(headlines.take_out("b", &["X y"]), ["x y "]);
    }
}
