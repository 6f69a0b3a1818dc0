//! The authors' own divisions of CleanEval's pages: `web2text-splits.md`.
//!
//! Their published program numbers 737 pages, those of both sets, and divides them twice: with
//! CleanEval's test set as the test, and with 148 pages drawn at random. Numbers here are
//! CleanEval's, from 1 to 799; the page that is in both sets is one of the training set, as there.

use super::table2::{Row, leaf_rows, network_params, rivals};
use crate::Result;
use crate::job::Job;
use std::collections::BTreeSet;
use warcsieve_classify::expected_f::Options;
use warcsieve_classify::methods::web2text::decode::Decode;
use warcsieve_clean::Pipeline;
use warcsieve_crawl::pipeline::Input;
use warcsieve_eval::align::Alignment;
use warcsieve_eval::pages::Gold;
use warcsieve_train::crf;
use warcsieve_train::sequences::Sequences;
use warcsieve_train::web2text::{Params, learn, potentials};

/// Seeds of the networks: how much of a figure is chance.
const SEEDS: [u64; 3] = [1, 2, 3];

/// The test pages drawn at random, as places among the 737 pages, from 0.
const DRAWN: [usize; 148] = [
    309, 87, 534, 705, 362, 192, 247, 538, 311, 29, 494, 202, 210, 636, 183, 238, 628, 64, 126,
    469, 345, 429, 732, 697, 235, 566, 234, 108, 62, 158, 484, 299, 503, 459, 643, 213, 243, 522,
    656, 506, 291, 50, 110, 714, 406, 711, 303, 435, 633, 260, 701, 142, 421, 240, 59, 187, 314, 2,
    136, 682, 54, 602, 427, 718, 157, 381, 195, 127, 683, 392, 5, 122, 93, 451, 629, 83, 616, 458,
    542, 334, 428, 596, 205, 693, 91, 177, 215, 252, 140, 500, 649, 448, 443, 594, 728, 266, 239,
    554, 570, 452, 152, 323, 576, 598, 473, 100, 173, 275, 627, 525, 8, 284, 26, 37, 130, 472, 208,
    222, 352, 52, 45, 367, 278, 106, 615, 15, 432, 246, 166, 721, 145, 63, 608, 694, 346, 600, 450,
    612, 441, 102, 20, 658, 471, 673, 118, 333, 437, 254,
];

/// The first page of the other division's test, as a place among the 737 pages.
const FIRST_OF_TEST: usize = 61;

/// CleanEval's numbers of the 737 pages, in order.
fn numbers() -> Vec<u16> {
    let missing =
        |n: &u16| matches!(n, 55 | 56 | 100..=103 | 248 | 423 | 432 | 511..=560 | 751 | 753 | 769);
    (1..=799).filter(|n| !missing(n)).collect()
}

/// The pages of a division by CleanEval's numbers: those of the test, and all others.
fn divided(is_test: impl Fn(usize) -> bool) -> [BTreeSet<u16>; 2] {
    let numbers = numbers();
    let places = numbers.iter().enumerate();
    let (test, rest): (Vec<_>, Vec<_>) = places.partition(|(place, _)| is_test(*place));
    [test, rest].map(|pages| pages.into_iter().map(|(_, number)| *number).collect())
}

/// CleanEval's number in one of our ids.
fn number(id: &str) -> Option<u16> {
    id.rsplit('-').next()?.parse().ok()
}

pub fn write(job: &Job) -> Result {
    let leaves = Pipeline::built_in("web2text")?;
    let mut text = HEAD.to_owned();
    let drawn: BTreeSet<usize> = DRAWN.into();
    for (title, division) in [
        (
            "148 test pages drawn at random",
            divided(|place| drawn.contains(&place)),
        ),
        (
            "CleanEval's test set, 676 pages",
            divided(|place| place >= FIRST_OF_TEST),
        ),
    ] {
        text += &section(job, &leaves, title, division)?;
        job.say(title);
    }
    text += NOTES;
    job.page("web2text-splits.md", &text)
}

fn section(
    job: &Job,
    leaves: &Pipeline,
    title: &str,
    [test, rest]: [BTreeSet<u16>; 2],
) -> Result<String> {
    let (inputs, test) = chosen(job, &test)?;
    let (_, training) = chosen(job, &rest)?;
    let read = |gold: &Gold| Sequences::collect(&inputs, gold, leaves, Alignment::Divide);
    let (data, training) = (read(&test)?, read(&training)?);
    let mut rows = Vec::new();
    let pages: Vec<usize> = (0..training.pages.len()).collect();
    let model = crf::train(&training, &pages, &crf::Params::default())?;
    let decoded = (0..data.pages.len()).map(|page| crf::decode(&model, &data, page));
    rows.push(Row::ours("CRF", decoded.collect()));
    rows.extend(rivals(&inputs, &test, leaves)?);
    for seed in SEEDS {
        let learned = learn(
            &training,
            &params(seed, training.pages.len()),
            0,
            None,
            &|_| {},
        )?;
        let found = potentials(&data, &learned.all.networks)?;
        let options = Options::keeping_comments();
        let content = data.decode(&found, Decode::Viterbi, options);
        rows.push(Row::ours(&format!("Web2Text, seed {seed}"), content));
    }
    Ok(format!(
        "\n## {title}\n\n{} pages to learn from, {} leaves; {} to measure on, {} leaves.\n\n{}",
        training.pages.len(),
        training.labels.len(),
        data.pages.len(),
        data.labels.len(),
        leaf_rows(&data, &rows)
    ))
}

/// As in `web2text.md` for as many pages.
fn params(seed: u64, pages: usize) -> Params {
    let few = network_params(seed);
    match pages {
        0..100 => few,
        _ => Params {
            batch: 500,
            epochs: 30,
            patience: 10,
            ..few
        },
    }
}

/// The inputs, and the gold of the pages with these numbers.
fn chosen(job: &Job, numbers: &BTreeSet<u16>) -> Result<(Vec<Input>, Gold)> {
    let (inputs, gold) = job
        .corpora
        .several(&["cleaneval-train", "cleaneval-test"])?;
    let Gold::Texts(mut set) = gold else {
        return Err("CleanEval has gold texts".into());
    };
    let mut seen = BTreeSet::new();
    set.retain(|page| {
        number(&page.id).is_some_and(|number| numbers.contains(&number) && seen.insert(number))
    });
    if seen.len() != numbers.len() {
        return Err(format!("{} of {} pages are here", seen.len(), numbers.len()).into());
    }
    Ok((inputs, Gold::Texts(set)))
}

const HEAD: &str = "# Web2Text on its authors' own divisions of CleanEval\n
Written by `make reproduce-web2text-splits` from the labelled corpora, for those who compare with the published program: its pages, by its numbers.\n
The paper's Table 2 has an F1 of .90, and does not say on which pages. The published program has two divisions of 737 pages: CleanEval's test set against the \
pages before it (56 to learn from, 5 for validation), and 148 pages drawn at random against the others (531 and 58). Figures are over all leaves, each counting 1; \
the last column is a mean over pages. Our networks hold out pages of their own for validation from those they learn from, and are trained by our optimizer \
(`crates/train/src/web2text/mod.rs`).\n";

const NOTES: &str = "\n## What remains of the distance\n
Replicas of the published program are reported to reach .86 (676 pages) to .876 (148 pages), never .90. Four things differ here and are not options yet: its leaves leave out `select`, \
`textarea` and `noscript` (130,961 leaves against ours above), a leaf is content from two thirds of its characters on, where ours goes by words, it takes 5,000 steps of Adam at .001 on 128 patches of 9 blocks with \
dropout on weights and keeps the step of the best F1 on validation, and it has further features (numeric tokens, copyright signs, addresses, years, tags of leaf and parent).\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_divisions_have_the_published_sizes() {
        let drawn: BTreeSet<usize> = DRAWN.into();
        let [test, rest] = divided(|place| drawn.contains(&place));
        assert_eq!((test.len(), rest.len()), (148, 531 + 58));
        let [test, rest] = divided(|place| place >= FIRST_OF_TEST);
        assert_eq!((test.len(), rest.len()), (676, 56 + 5));
        assert_eq!((test.first(), rest.last()), (Some(&64), Some(&63)));
        assert_eq!(number("cleaneval-test-103"), Some(103));
        assert_eq!(number("other"), None);
    }
}
