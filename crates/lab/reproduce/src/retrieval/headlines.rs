//! Known items: pages that are searched by their headline, which is removed from them.

use crate::Result;
use crate::corpora::{Corpora, each_page};
use flate2::read::MultiGzDecoder;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::io::{BufRead, BufReader};
use warcsieve_eval::annotated::TextClass;
use warcsieve_eval::pages::Gold;
use warcsieve_extract::Pipeline;
use warcsieve_retrieval::index::{Analyzer, Stemming};

/// Minimum number of terms. Shorter headlines would match whole sites.
pub const MIN_TERMS: usize = 2;

/// Headlines of pages, by page id.
pub struct Headlines {
    /// The texts of the queries.
    pub texts: BTreeMap<String, String>,
    terms: HashMap<String, Vec<String>>,
    /// Number of pages whose headline is too short, or shared with another page.
    pub left_out: usize,
}

/// A page in a corpus's gold.
#[derive(Deserialize)]
pub struct Titled {
    pub id: String,
    #[serde(default)]
    pub title: Option<String>,
    #[serde(default)]
    pub page_type: String,
}

/// The pages in a corpus's gold.
pub fn gold_titles(corpora: &Corpora, corpus: &str) -> Result<Vec<Titled>> {
    let file = File::open(corpora.gold_file(corpus))?;
    let lines = BufReader::new(MultiGzDecoder::new(file)).lines();
    let titled = lines.map(|line| Ok(serde_json::from_str(&line?)?));
    titled.collect()
}

/// The blocks annotated as headline in a corpus.
pub fn annotated_headlines(corpora: &Corpora, corpus: &str) -> Result<Vec<(String, String)>> {
    let inputs = corpora.inputs(corpus)?;
    let all = Pipeline::built_in(&warcsieve_papers::METHODS, "keep-all")?;
    each_page(&inputs, &Gold::Annotations, &all, |page| {
        let blocks = page.doc.blocks.iter().zip(page.classes);
        let headline = blocks.filter(|(_, class)| **class == TextClass::Headline);
        let texts: Vec<&str> = headline.map(|(b, _)| page.doc.block_text(b)).collect();
        texts.join(" ")
    })
}

impl Headlines {
    /// Keeps the headlines that belong to only one page.
    pub fn new(pages: Vec<(String, String)>) -> Self {
        let all = pages.len();
        let mut by_terms = BTreeMap::<Vec<String>, Vec<(String, String)>>::new();
        for (id, text) in pages {
            by_terms.entry(terms(&text)).or_default().push((id, text));
        }
        let (mut texts, mut by_id) = (BTreeMap::new(), HashMap::new());
        for (terms, mut pages) in by_terms {
            if let ([_], MIN_TERMS..) = (&pages[..], terms.len()) {
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

    /// The blocks of a page as terms, without its headline. Any run of the page's terms that
    /// matches at least half of the headline's terms in a row is removed, even across the borders
    /// of blocks.
    pub fn remove_headline(&self, id: &str, blocks: &[&str]) -> Vec<String> {
        let own = self.terms.get(id).map_or(&[][..], Vec::as_slice);
        let blocks: Vec<Vec<String>> = blocks.iter().map(|block| terms(block)).collect();
        let all: Vec<&str> = blocks.iter().flatten().map(String::as_str).collect();
        let mut kept = without(&all, own).into_iter();
        let left = blocks.iter().map(|block| {
            let terms = block.iter().zip(kept.by_ref()).filter(|(_, keep)| *keep);
            terms.map(|(term, _)| format!("{term} ")).collect()
        });
        left.collect()
    }
}

fn terms(text: &str) -> Vec<String> {
    let mut terms = Vec::new();
    Analyzer::new(Stemming::None).terms(text, |term| terms.push(term.to_owned()));
    terms
}

/// For each term whether it stays.
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
    fn headlines_are_removed_across_borders_of_blocks() {
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
        let left = headlines.remove_headline("a", &blocks);
        assert_eq!(left, ["", "", "site ", "", "brew tea at ten "]);
        assert_eq!(headlines.remove_headline("b", &["X y"]), ["x y "]);
    }
}
