//! Turns an alignment into matches: drops random matches, extends runs, and matches text that is in
//! another order.

use super::path::Pair;
use super::tokens::{NONE, Tokens};
use std::collections::HashMap;

/// Runs of fewer words than this need another run nearby.
pub const SHORT: usize = 3;
/// Maximum number of gold words between neighbouring runs.
pub const NEAR_GOLD: usize = 2;
/// Maximum number of page words between neighbouring runs, and of removed page words within a run.
pub const NEAR_PAGE: usize = 25;
/// Length in words of a sequence that may match out of order.
pub const GRAM: usize = 5;

/// Keeps the pairs of runs that are long or near another run.
pub(super) fn keep(path: &[Pair], matches: &mut [u32]) {
    let is_near = |a: &Pair, b: &Pair| (b.page - a.page - 1) as usize <= NEAR_PAGE;
    let runs: Vec<&[Pair]> = path
        .chunk_by(|last, next| next.continues && is_near(last, next))
        .collect();
    let near = |before: &[Pair], after: &[Pair]| {
        let (Some(a), Some(b)) = (before.last(), after.first()) else {
            return false;
        };
        (b.gold - a.gold - 1) as usize <= NEAR_GOLD && is_near(a, b)
    };
    for (at, run) in runs.iter().enumerate() {
        let kept = run.len() >= SHORT
            || at > 0 && near(runs[at - 1], run)
            || runs.get(at + 1).is_some_and(|next| near(run, next));
        for pair in run.iter().filter(|_| kept) {
            matches[pair.page as usize] = pair.gold;
        }
    }
}

/// Extends matches to both sides by equal unmatched words. This matches words that were too
/// frequent to be aligned.
pub(super) fn extend(tokens: &Tokens, matches: &mut [u32]) {
    let mut used = used(tokens, matches);
    let mut join = |at: usize, gold: Option<usize>, matches: &mut [u32]| {
        if let Some(gold) = gold
            && matches[at] == NONE
            && tokens.gold.get(gold) == Some(&tokens.page[at])
            && !used[gold]
        {
            matches[at] = gold as u32;
            used[gold] = true;
        }
    };
    for at in 1..matches.len() {
        if matches[at - 1] != NONE {
            join(at, Some(matches[at - 1] as usize + 1), matches);
        }
    }
    for at in (1..matches.len()).rev() {
        if matches[at] != NONE {
            join(at - 1, (matches[at] as usize).checked_sub(1), matches);
        }
    }
}

/// Matches unmatched sequences of the gold with equal unmatched sequences anywhere on the page: in
/// the order of the gold, each at its first position on the page, and as long as the words are
/// equal.
pub(super) fn elsewhere(tokens: &Tokens, matches: &mut [u32]) {
    let mut used = used(tokens, matches);
    let mut places: HashMap<&[u32], Vec<u32>> = HashMap::new();
    for (window, used) in tokens.gold.windows(GRAM).zip(used.windows(GRAM)) {
        if !used.contains(&true) {
            places.entry(window).or_default();
        }
    }
    if places.is_empty() {
        return;
    }
    let free = |matches: &[u32]| matches.iter().all(|m| *m == NONE);
    // From the end, so that `pop` returns the first position.
    for at in (0..=matches.len().saturating_sub(GRAM)).rev() {
        if let Some(window) = tokens.page.get(at..at + GRAM)
            && free(&matches[at..at + GRAM])
            && let Some(places) = places.get_mut(window)
        {
            places.push(at as u32);
        }
    }
    let mut gold = 0;
    while let Some(window) = tokens.gold.get(gold..gold + GRAM) {
        let first = places
            .get_mut(window)
            .filter(|_| !used[gold..gold + GRAM].contains(&true));
        let place = first.and_then(|list| {
            // A position that is matched stays matched, so it can be popped for good.
            std::iter::from_fn(|| list.pop()).find(|&at| free(&matches[at as usize..][..GRAM]))
        });
        let Some(place) = place else {
            gold += 1;
            continue;
        };
        let mut at = place as usize;
        while at < matches.len()
            && matches[at] == NONE
            && tokens.gold.get(gold) == Some(&tokens.page[at])
            && !used[gold]
        {
            matches[at] = gold as u32;
            used[gold] = true;
            at += 1;
            gold += 1;
        }
    }
}

/// Which gold words are matched.
fn used(tokens: &Tokens, matches: &[u32]) -> Vec<bool> {
    let mut used = vec![false; tokens.gold.len()];
    for &gold in matches.iter().filter(|m| **m != NONE) {
        used[gold as usize] = true;
    }
    used
}
