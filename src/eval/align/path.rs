//! The best alignment of two sequences of words.
//!
//! Only pairs of equal words are looked at (Hunt and Szymanski 1977), a few in a
//! thousand of all pairs. A pair's score is the greatest of any pair before it
//! in both sequences plus a match, found in a tree of prefix maxima, or that of
//! the pair right before it plus a match that continues.

/// A match in half points.
const MATCH: u32 = 2;
/// A match that continues the last one.
const CONTINUES: u32 = 3;

/// Two equal words: places in page and gold.
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
/// Of equal scores, continuing is preferred, then what is later on the page.
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
        // From the end, so that a row's pairs do not see each other.
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

/// Nodes are numbered from 1; 0 is the start.
#[derive(Clone, Copy)]
struct Node {
    pair: Pair,
    parent: u32,
}

/// The last pair seen of a gold word.
#[derive(Clone, Copy, Default)]
struct Latest {
    /// Counts the page words that take part, from 1.
    row: u32,
    score: u32,
    node: u32,
}

/// A tree of prefix maxima (Fenwick): scores, and below them nodes.
struct Maxima(Vec<u64>);

impl Maxima {
    /// The greatest score at places before `end`, and its node.
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
        // What lies further up covers more and is no smaller.
        while let Some(max) = self.0.get_mut(at).filter(|max| **max < value) {
            *max = value;
            at += at & at.wrapping_neg();
        }
    }
}

/// Where the gold has each word that takes part.
struct Places {
    /// Range of a word in `places`; none if it takes no part.
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
