//! The texts with which a page's blocks are compared word by word: a gold text, or the text of another pipeline.

use serde::Serialize;
use warcsieve_eval::align::match_words;
use warcsieve_eval::bag::Bag;
use warcsieve_eval::words::{Vocabulary, words};
use warcsieve_extract::PageView;

/// A text, and which of its words are in which block.
///
/// Words are runs of letters, digits and `_`, as in the measures. The script splits texts in the same way. So for any
/// set of kept blocks it can show which words are missing and which are too many.
#[derive(Debug, Serialize)]
pub struct Reference {
    /// Its name: `gold`, or a pipeline.
    pub name: String,
    /// Whether it is gold.
    pub is_gold: bool,
    /// The text.
    pub text: String,
    /// Runs of its words, in order: a block, or -1 for words that are not on the page, and the number of consecutive
    /// words.
    words: Vec<i64>,
    /// For each block, how many of its consecutive words are not in the text, then are in it, and so on; empty if none
    /// is.
    blocks: Vec<Vec<u32>>,
    /// Measures of the text that the shown pipeline keeps.
    pub measures: Measures,
}

/// Words of a text compared with those of its reference as bags, as `eval` measures them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Measures {
    /// Share of the text's words that are in the reference.
    pub precision: f64,
    /// Share of the reference's words that are in the text.
    pub recall: f64,
    /// Their harmonic mean.
    pub f1: f64,
    /// Words of the reference.
    pub words: usize,
    /// Words of the text.
    pub found: usize,
}

impl Measures {
    /// Compares two texts.
    pub fn of(text: &str, reference: &str) -> Self {
        let mut vocabulary = Vocabulary::default();
        let (found, gold) = (vocabulary.ids(text), vocabulary.ids(reference));
        let scores = Bag::new(&found).scores(&Bag::new(&gold));
        Self {
            precision: scores.precision,
            recall: scores.recall,
            f1: scores.f1,
            words: gold.len(),
            found: found.len(),
        }
    }
}

impl Reference {
    /// A gold text.
    pub fn gold(view: &PageView<'_>, gold: &str) -> Self {
        Self::aligned(view, "gold", true, gold)
    }

    /// The text of another pipeline. If both have the same blocks, its labels determine which words are in it.
    pub fn pipeline(view: &PageView<'_>, other: &PageView<'_>, name: &str) -> Self {
        let same = |a: &PageView<'_>, b: &PageView<'_>| {
            a.doc.text == b.doc.text && a.doc.blocks == b.doc.blocks
        };
        if !same(view, other) {
            return Self::aligned(view, name, false, other.text);
        }
        let (mut all, mut blocks) = (Runs::default(), Vec::new());
        for (i, (block, label)) in other.doc.blocks.iter().zip(other.labels).enumerate() {
            let mut n = 0;
            words(other.doc.block_text(block), |_| n += 1);
            blocks.push(match (n, label.content) {
                (0, _) => Vec::new(),
                (_, false) => vec![n],
                (_, true) => vec![0, n],
            });
            if label.content {
                all.add(i as i64, n);
            }
        }
        Self {
            name: name.to_owned(),
            is_gold: false,
            text: other.text.to_owned(),
            words: all.0,
            blocks,
            measures: Measures::of(view.text, other.text),
        }
    }

    fn aligned(view: &PageView<'_>, name: &str, is_gold: bool, text: &str) -> Self {
        let doc = view.doc;
        let matches = match_words(doc.blocks.iter().map(|b| doc.block_text(b)), text);
        let mut found = vec![-1; matches.gold];
        let (mut blocks, mut start) = (Vec::new(), 0);
        for (block, &end) in matches.ends.iter().enumerate() {
            let mut runs = Vec::new();
            for word in &matches.page[start..end] {
                if let Some(word) = word {
                    found[*word as usize] = block as i64;
                }
                // Runs alternate, and the first one is of words that do not match.
                while runs.is_empty() || (runs.len() % 2 == 0) != word.is_some() {
                    runs.push(0);
                }
                if let Some(last) = runs.last_mut() {
                    *last += 1;
                }
            }
            blocks.push(runs);
            start = end;
        }
        let mut all = Runs::default();
        found.iter().for_each(|&block| all.add(block, 1));
        Self {
            name: name.to_owned(),
            is_gold,
            text: text.to_owned(),
            words: all.0,
            blocks,
            measures: Measures::of(view.text, text),
        }
    }
}

/// Pairs of a value and how often it is repeated.
#[derive(Default)]
struct Runs(Vec<i64>);

impl Runs {
    fn add(&mut self, value: i64, n: u32) {
        let len = self.0.len();
        match n {
            0 => {}
            _ if len > 1 && self.0[len - 2] == value => self.0[len - 1] += i64::from(n),
            _ => self.0.extend([value, i64::from(n)]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warcsieve_extract::{Engine, Pipeline};
    use warcsieve_warc::Record;

    fn record() -> Record {
        let headers = [("WARC-Type", "resource"), ("Content-Type", "text/html")];
        let page =
            "<p>Home News</p><p>One two three four five six.</p><p>!</p><p>More words here</p>";
        Record::from_parts(&headers, page.as_bytes())
    }

    fn engine(step: &str) -> Engine {
        Engine::new(&Pipeline::parse(&warcsieve_papers::METHODS, "test", step).unwrap())
    }

    const KEEP: &str = "[[step]]\nmethod = 'keep-all'\n";

    #[test]
    fn words_of_gold_are_found_in_blocks_or_nowhere() {
        let (record, mut engine) = (record(), engine(KEEP));
        let view = engine.record("x", &record).ok().unwrap();
        let gold = Reference::gold(&view, "one two three seven four five six");
        assert_eq!(gold.words, [1, 3, -1, 1, 1, 3]);
        assert_eq!(gold.blocks, [vec![2], vec![0, 6], vec![], vec![3]]);
        assert_eq!((gold.measures.words, gold.measures.found), (7, 11));
        let gold = Reference::gold(&view, "two three four");
        assert_eq!(gold.blocks[1], [1, 3, 2]);
    }

    #[test]
    fn pipelines_that_see_the_same_blocks_are_compared_by_their_labels() {
        let (record, mut all, mut long) = (
            record(),
            engine(KEEP),
            engine("[[step]]\nmethod = 'min-words'\nwords = 3\n"),
        );
        let (all, long) = (
            all.record("x", &record).ok().unwrap(),
            long.record("x", &record).ok().unwrap(),
        );
        let other = Reference::pipeline(&all, &long, "long");
        assert_eq!(other.blocks, [vec![2], vec![0, 6], vec![], vec![0, 3]]);
        assert_eq!(other.words, [1, 6, 3, 3]);
        let mut text_words = 0;
        words(&other.text, |_| text_words += 1);
        assert_eq!(text_words, 9);
    }
}
