use super::path::best;
use super::*;
use proptest::prelude::*;

/// Score in half points by plain quadratic dynamic programming over all pairs, with the path traced
/// back through the whole table.
fn oracle(page: &[u32], gold: &[u32]) -> (u32, Vec<(usize, usize)>) {
    // Words that do not occur in the gold do not interrupt runs.
    let kept: Vec<usize> = (0..page.len())
        .filter(|&p| gold.contains(&page[p]))
        .collect();
    let (n, m) = (kept.len(), gold.len());
    // Best score up to (p, g), and best score of a path that ends with the match (p, g).
    let mut all = vec![vec![0; m + 1]; n + 1];
    let mut ending = vec![vec![None; m + 1]; n + 1];
    for p in 1..=n {
        for g in 1..=m {
            if page[kept[p - 1]] == gold[g - 1] {
                let fresh = all[p - 1][g - 1] + 2;
                let continued = ending[p - 1][g - 1].map_or(0, |s: u32| s + 3);
                ending[p][g] = Some(fresh.max(continued));
            }
            all[p][g] = all[p - 1][g]
                .max(all[p][g - 1])
                .max(ending[p][g].unwrap_or(0));
        }
    }
    let (mut p, mut g, mut path, mut continued) = (n, m, Vec::new(), false);
    while p > 0 && g > 0 {
        let score = ending[p][g];
        if continued || score == Some(all[p][g]) {
            path.push((kept[p - 1], g - 1));
            let before = ending[p - 1][g - 1];
            continued = before.is_some_and(|s| Some(s + 3) == score);
            (p, g) = (p - 1, g - 1);
        } else if all[p - 1][g] == all[p][g] {
            p -= 1;
        } else {
            g -= 1;
        }
    }
    path.reverse();
    (all[n][m], path)
}

/// Score of a path in half points, by its definition.
fn score(page: &[u32], gold: &[u32], path: &[(usize, usize)]) -> u32 {
    let mut score = 0;
    for (k, &(p, g)) in path.iter().enumerate() {
        assert_eq!(page[p], gold[g]);
        score += 2;
        if let Some(&(before, other)) = k.checked_sub(1).map(|k| &path[k]) {
            assert!(before < p && other < g, "not in order");
            let skipped = &page[before + 1..p];
            let apart = skipped.iter().any(|w| gold.contains(w));
            score += u32::from(!apart && other + 1 == g);
        }
    }
    score
}

fn ours(page: &[u32], gold: &[u32], most_pairs: usize) -> Vec<(usize, usize)> {
    let page: Vec<u32> = page
        .iter()
        .map(|w| if gold.contains(w) { *w } else { 0 })
        .collect();
    let path = best(&page, gold, 50, most_pairs);
    path.iter()
        .map(|p| (p.page as usize, p.gold as usize))
        .collect()
}

proptest! {
    #[test]
    fn the_best_path_scores_like_the_oracle(
        page in prop::collection::vec(1_u32..9, 0..60),
        gold in prop::collection::vec(1_u32..7, 0..40),
    ) {
        let path = ours(&page, &gold, MAX_PAIRS);
        let (best, oracles) = oracle(&page, &gold);
        prop_assert_eq!(score(&page, &gold, &path), best);
        prop_assert_eq!(score(&page, &gold, &oracles), best);
    }

    #[test]
    fn matches_are_equal_words_each_once(
        page in prop::collection::vec(0_u32..6, 0..80),
        gold in prop::collection::vec(1_u32..6, 0..80),
        most_pairs in 0_usize..200,
    ) {
        let tokens = Tokens { page: page.clone(), gold: gold.clone(), words: 6, ends: vec![] };
        let mut seen = vec![false; gold.len()];
        for (at, &m) in matches(&tokens, most_pairs).iter().enumerate().filter(|(_, m)| **m != NONE) {
            prop_assert_eq!(page[at], gold[m as usize]);
            prop_assert!(!std::mem::replace(&mut seen[m as usize], true));
        }
    }
}

/// Matched words of each block.
fn matched(blocks: &[&str], gold: &str) -> Vec<u32> {
    let labels = align_texts(blocks.iter().copied(), gold);
    labels.iter().map(|b| b.matched).collect()
}

#[test]
fn words_are_compared_in_lower_case_without_punctuation() {
    let labels = align_texts(["Über ALL, that's", "x y z"].into_iter(), "über all that s");
    assert_eq!((labels[0].tokens, labels[0].matched), (4, 4));
    assert_eq!((labels[1].tokens, labels[1].matched), (3, 0));
}

#[test]
fn a_repeated_text_matches_where_the_gold_continues_it() {
    let nav = "Fire at the mill";
    let blocks = [nav, "x", nav, "Smoke rose over town"];
    assert_eq!(
        matched(&blocks, "Fire at the mill. Smoke rose over town."),
        [0, 0, 4, 4]
    );
}

#[test]
fn short_runs_need_a_neighbour() {
    let far = "w ".repeat(26);
    let near = "w ".repeat(25);
    let gold = "one two three four Reply";
    assert_eq!(
        matched(&["one two three four", &near, "Reply"], gold),
        [4, 0, 1]
    );
    assert_eq!(
        matched(&["one two three four", &far, "Reply"], gold),
        [4, 0, 0]
    );
    assert_eq!(
        matched(
            &["one two three four", "Reply"],
            "one two three four a b c reply"
        ),
        [4, 0]
    );
    assert_eq!(matched(&["Reply"], "reply"), [0]);
}

#[test]
fn five_words_may_match_out_of_order() {
    let body = "a b c d e f g h i j k l";
    assert_eq!(
        matched(&[body, "p q r s t u"], &format!("p q r s t u {body}")),
        [12, 6]
    );
    assert_eq!(
        matched(&[body, "p q r s"], &format!("p q r s {body}")),
        [12, 0]
    );
    assert_eq!(
        matched(
            &["p q r s t", body, "p q r s t"],
            &format!("{body} p q r s t")
        ),
        [0, 12, 5]
    );
}

#[test]
fn a_block_is_content_if_half_of_its_words_match() {
    let labels = align_texts(
        ["a b c", "a b c x y z", "a b c x y z w"].into_iter(),
        "a b c a b c a b c",
    );
    let content: Vec<_> = labels.iter().map(|b| b.content).collect();
    assert_eq!(content, [true, true, false]);
}

#[test]
fn blocks_without_words_get_the_label_of_their_neighbours() {
    let content = |blocks: &[&str]| -> Vec<bool> {
        let labels = align_texts(blocks.iter().copied(), "a b c d e f");
        labels.iter().map(|b| b.content).collect()
    };
    assert_eq!(
        content(&["a b c", "*", "-", "d e f", "*"]),
        [true, true, true, true, false]
    );
    assert_eq!(
        content(&["*", "a b c d e f", "|", "no"]),
        [false, true, false, false]
    );
    assert_eq!(align_texts(std::iter::empty(), "x"), []);
    assert!(!align_texts(["a"].into_iter(), "")[0].content);
}

#[test]
fn above_the_limit_frequent_words_extend_runs_of_rare_ones() {
    // 30 sentences: three rare words among frequent ones, boilerplate between.
    let sentence = |k: usize| format!("the {k}x of a {k}y and the {k}z");
    let gold: Vec<_> = (0..30).map(sentence).collect();
    let page: Vec<_> = gold
        .iter()
        .flat_map(|s| [s.as_str(), "menu the of"])
        .collect();
    let tokens = Tokens::of(page.iter().copied(), &gold.join(" "));
    let of = |most_pairs| {
        let matches = matches(&tokens, most_pairs);
        matches.iter().filter(|m| **m != NONE).count()
    };
    assert_eq!(of(MAX_PAIRS), 240);
    assert_eq!(of(200), 240);
}

#[test]
fn hostile_pages_take_bounded_time() {
    let same = "the ".repeat(300_000);
    assert_eq!(matched(&[&same], &same[..400_000]), [100_000]);
    let template = "alpha beta gamma delta epsilon zeta ".repeat(20_000);
    assert_eq!(matched(&[&template], &template), [120_000]);
}

#[test]
fn long_texts_are_aligned_by_their_rare_words() {
    // Ranks as in natural text: few words are frequent, most are rare.
    let mut state = 1_u64;
    let mut word = || {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let share = (state >> 32) as f64 / 2_f64.powi(32);
        format!("w{} ", (share.powi(4) * 20_000.0) as u32)
    };
    let mut texts = || -> Vec<String> {
        (0..5_000)
            .map(|_| (0..10).map(|_| word()).collect())
            .collect()
    };
    let (content, noise) = (texts(), texts());
    let blocks: Vec<&str> = content
        .iter()
        .zip(&noise)
        .flat_map(|(c, n)| [c.as_str(), n])
        .collect();
    let labels = align_texts(blocks.iter().copied(), &content.concat());
    let right = labels
        .iter()
        .enumerate()
        .filter(|(at, b)| b.content == (at % 2 == 0))
        .count();
    assert!(
        right as f64 > 0.99 * labels.len() as f64,
        "{right} of {}",
        labels.len()
    );
}
