//! The best alignment of two sequences of words.
//!
//! Only pairs of equal words are considered (Hunt and Szymanski 1977), a few in a thousand of all
//! pairs. A pair's score is the larger of: the greatest score of any pair before it in both
//! sequences, plus [`MATCH`], found in a tree of prefix maxima; and the score of the pair directly
//! before it, plus [`CONTINUES`].
//!
//! Example: page `a b x`, gold `a b c`. The pair (a, a) scores 2; (b, b) continues it and scores
//! 2 + 3 = 5; the path is both pairs.

/// Score of a match, in half points.
const MATCH: u32 = 2;
/// Score of a match that continues the last one.
const CONTINUES: u32 = 3;

/// Two equal words: their positions in page and gold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pair {
    pub page: u32,
    pub gold: u32,
    /// Whether it continues the pair before it on the path.
    pub continues: bool,
}

/// An alignment with the greatest score, in order. Words are numbers below
/// `words`; word 0 is not in the gold. Exact unless there are more than
/// `most_pairs` pairs: then only the rarer words are aligned.
///
/// Among equal scores, a continued match is preferred, then a later position on the page.
pub(super) fn best(page: &[u32], gold: &[u32], words: usize, most_pairs: usize) -> Vec<Pair> {
    let places = Places::of(page, gold, words, most_pairs);
    let mut maxima = Maxima(vec![0; gold.len() + 1]);
    let mut latest = vec![Latest::default(); gold.len()];
    let mut nodes: Vec<Node> = Vec::with_capacity(places.pairs);
    let mut row = 0;
    for (at, &word) in page.iter().enumerate() {
        let golds = places.of_word(word);
        if golds.is_empty() {
            continue;
        }
        row += 1;
        // From the last gold position to the first: pairs of one page word must not follow each
        // other, and `maxima.before(g)` sees only positions before `g`.
        for &g in golds.iter().rev() {
            let (mut score, mut parent) = maxima.before(g as usize);
            score += MATCH;
            let mut continues = false;
            if let Some(last) = g.checked_sub(1).map(|g| latest[g as usize])
                && last.row + 1 == row
                && row > 1
                && last.score + CONTINUES >= score
            {
                (score, parent, continues) = (last.score + CONTINUES, last.node, true);
            }
            nodes.push(Node {
                pair: Pair {
                    page: at as u32,
                    gold: g,
                    continues,
                },
                parent,
            });
            let node = nodes.len() as u32;
            latest[g as usize] = Latest { row, score, node };
            maxima.raise(g as usize, score, node);
        }
    }
    let mut path = Vec::new();
    let (_, mut node) = maxima.before(gold.len());
    while let Some(Node { pair, parent }) = (node as usize).checked_sub(1).map(|n| nodes[n]) {
        path.push(pair);
        node = parent;
    }
    path.reverse();
    path
}

/// A pair in the tree of paths. Nodes are numbered from 1; 0 is the start.
#[derive(Clone, Copy)]
struct Node {
    pair: Pair,
    parent: u32,
}

/// The latest pair of a gold word.
#[derive(Clone, Copy, Default)]
struct Latest {
    /// Number of its page word, from 1, among the page words with pairs.
    row: u32,
    score: u32,
    node: u32,
}

/// A Fenwick tree of prefix maxima. Values are `score << 32 | node`, so they compare by score
/// first. Index 0 is unused; entry i covers the positions i - lowbit(i) .. i.
struct Maxima(Vec<u64>);

impl Maxima {
    /// The greatest score at positions before `end`, and its node.
    fn before(&self, mut end: usize) -> (u32, u32) {
        let mut max = 0;
        while end > 0 {
            max = max.max(self.0[end]);
            end &= end - 1;
        }
        ((max >> 32) as u32, max as u32)
    }

    fn raise(&mut self, place: usize, score: u32, node: u32) {
        let value = u64::from(score) << 32 | u64::from(node);
        let mut at = place + 1;
        // The entries further up cover this one, so they are at least as large: stop at the first
        // that is not smaller than the value.
        while let Some(max) = self.0.get_mut(at).filter(|max| **max < value) {
            *max = value;
            at += at & at.wrapping_neg();
        }
    }
}

/// The positions in the gold of each word that is aligned.
struct Places {
    /// Range of a word in `places`; `None` if it is not aligned.
    ranges: Vec<Option<(u32, u32)>>,
    places: Vec<u32>,
    pairs: usize,
}

impl Places {
    fn of(page: &[u32], gold: &[u32], words: usize, most_pairs: usize) -> Self {
        let mut counts = vec![(0_u64, 0_u32); words];
        page.iter().for_each(|&w| counts[w as usize].0 += 1);
        gold.iter().for_each(|&w| counts[w as usize].1 += 1);
        let pairs_of = |w: usize| counts[w].0.saturating_mul(u64::from(counts[w].1));
        let mut order: Vec<usize> = (1..words).filter(|&w| pairs_of(w) > 0).collect();
        order.sort_by_key(|&w| (pairs_of(w), w));
        let mut pairs = 0;
        let mut ranges: Vec<Option<(u32, u32)>> = vec![None; words];
        let mut start = 0;
        for word in order {
            if pairs_of(word) > (most_pairs - pairs) as u64 {
                break;
            }
            pairs += pairs_of(word) as usize;
            ranges[word] = Some((start, start));
            start += counts[word].1;
        }
        let mut places = vec![0; start as usize];
        for (at, &word) in gold.iter().enumerate() {
            if let Some((_, end)) = &mut ranges[word as usize] {
                places[*end as usize] = at as u32;
                *end += 1;
            }
        }
        Self {
            ranges,
            places,
            pairs,
        }
    }

    fn of_word(&self, word: u32) -> &[u32] {
        match self.ranges[word as usize] {
            Some((start, end)) => &self.places[start as usize..end as usize],
            None => &[],
        }
    }
}
