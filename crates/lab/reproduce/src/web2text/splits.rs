//! The authors' own divisions of CleanEval's pages: `web2text-splits.md`.
//!
//! Their published program numbers 737 pages, those of both sets, and divides them twice: with
//! CleanEval's test set as the test, and with 148 pages drawn at random. Numbers here are
//! CleanEval's, from 1 to 799; the page that is in both sets is one of the training set, as there.
//!
//! What differs from their program is taken over step by step, so that it can be seen what each
//! gives. A training that was finished, or begun, goes on where it stopped.

use super::table2::{Row, leaf_rows, measures, network_params, rivals};
use crate::Result;
use crate::job::Job;
use crate::old::table;
use std::collections::BTreeSet;
use std::fs;
use std::rc::Rc;
use std::time::{Duration, Instant};
use warcsieve_classify::expected_f::Options;
use warcsieve_classify::methods::web2text::decode::Decode;
use warcsieve_engine::Input;
use warcsieve_eval::align::Alignment;
use warcsieve_eval::pages::Gold;
use warcsieve_extract::Pipeline;
use warcsieve_model::PotentialNetworks;
use warcsieve_train::crf;
use warcsieve_train::sequences::{How, Sequences};
use warcsieve_train::web2text::{Checkpoints, Params, fingerprint, learn_held_out, potentials};

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

/// The pages that are held out for validation in that division.
const VALIDATED: [usize; 58] = [
    164, 648, 168, 505, 495, 563, 288, 321, 295, 242, 702, 332, 585, 712, 139, 520, 686, 204, 545,
    181, 344, 147, 359, 513, 498, 101, 339, 499, 329, 0, 493, 726, 518, 549, 11, 386, 294, 6, 372,
    18, 328, 369, 727, 13, 292, 556, 244, 488, 76, 403, 379, 206, 407, 610, 188, 112, 193, 516,
];

/// The first pages of the other division's validation and test, as places among the 737 pages.
const FIRST_OF_VALIDATION: usize = 56;
const FIRST_OF_TEST: usize = 61;

/// CleanEval's numbers of the 737 pages, in order.
fn numbers() -> Vec<u16> {
    let missing =
        |n: &u16| matches!(n, 55 | 56 | 100..=103 | 248 | 423 | 432 | 511..=560 | 751 | 753 | 769);
    (1..=799).filter(|n| !missing(n)).collect()
}

/// A division by CleanEval's numbers.
struct Division {
    title: &'static str,
    /// In names of files.
    name: &'static str,
    training: BTreeSet<u16>,
    validation: BTreeSet<u16>,
    test: BTreeSet<u16>,
}

impl Division {
    fn new(
        title: &'static str,
        name: &'static str,
        is_validation: impl Fn(usize) -> bool,
        is_test: impl Fn(usize) -> bool,
    ) -> Self {
        let numbers = numbers();
        let of = |is: &dyn Fn(usize) -> bool| {
            let places = numbers.iter().enumerate().filter(|(place, _)| is(*place));
            places.map(|(_, number)| *number).collect()
        };
        Self {
            title,
            name,
            training: of(&|place| !is_validation(place) && !is_test(place)),
            validation: of(&is_validation),
            test: of(&is_test),
        }
    }

    fn all() -> [Self; 2] {
        [
            Self::new(
                "148 test pages drawn at random",
                "drawn",
                |place| VALIDATED.contains(&place),
                |place| DRAWN.contains(&place),
            ),
            Self::new(
                "CleanEval's test set, 676 pages",
                "test-set",
                |place| (FIRST_OF_VALIDATION..FIRST_OF_TEST).contains(&place),
                |place| place >= FIRST_OF_TEST,
            ),
        ]
    }
}

/// How much is as in the authors' program.
struct Step {
    name: &'static str,
    segmentation: &'static str,
    alignment: Alignment,
    further: bool,
    /// The authors' training.
    theirs: bool,
}

const STEPS: [Step; 6] = [
    Step {
        name: "ours",
        segmentation: "leaves",
        alignment: Alignment::Divide,
        further: false,
        theirs: false,
    },
    Step {
        name: "+ leaves without `select`, `textarea`, `noscript`, `video`",
        segmentation: "web2text",
        alignment: Alignment::Divide,
        further: false,
        theirs: false,
    },
    Step {
        name: "+ content from above two thirds of the characters",
        segmentation: "web2text",
        alignment: Alignment::TwoThirds,
        further: false,
        theirs: false,
    },
    Step {
        name: "+ their further features",
        segmentation: "web2text",
        alignment: Alignment::TwoThirds,
        further: true,
        theirs: false,
    },
    Step {
        name: "+ their training",
        segmentation: "web2text",
        alignment: Alignment::TwoThirds,
        further: true,
        theirs: true,
    },
    Step {
        name: "their training without their further features",
        segmentation: "web2text",
        alignment: Alignment::TwoThirds,
        further: false,
        theirs: true,
    },
];

impl Step {
    /// Steps of equal ones read pages in the same way.
    fn reads(&self) -> (&str, &str, bool) {
        (self.segmentation, self.alignment.as_str(), self.further)
    }

    fn leaves(&self) -> Result<Pipeline> {
        let text = format!(
            "segmentation = '{}'\n[[step]]\nmethod = 'keep-all'\n",
            self.segmentation
        );
        Ok(Pipeline::parse(self.segmentation, &text)?)
    }

    fn params(&self, seed: u64, pages: usize) -> Params {
        match self.theirs {
            true => Params::of_the_authors(seed),
            false => params(seed, pages),
        }
    }
}

/// CleanEval's number in one of our ids.
fn number(id: &str) -> Option<u16> {
    id.rsplit('-').next()?.parse().ok()
}

/// The pages of a division as one step reads them.
struct Pages {
    training: Sequences,
    test: Sequences,
}

impl Pages {
    fn read(job: &Job, division: &Division, step: &Step) -> Result<Self> {
        let known = &division.training | &division.validation;
        let leaves = step.leaves()?;
        let how = How {
            alignment: step.alignment,
            further: step.further,
        };
        let read = |numbers: &BTreeSet<u16>| -> Result<Sequences> {
            let (inputs, gold) = chosen(job, numbers)?;
            let read = Sequences::collect(&inputs, &gold, &leaves, how)?;
            match read.faults.first() {
                None => Ok(read),
                Some(fault) => Err(fault.clone().into()),
            }
        };
        Ok(Self {
            training: read(&known)?,
            test: read(&division.test)?,
        })
    }
}

/// What networks of one seed reach on the test: accuracy, precision, recall and F1, and F1 without
/// Viterbi.
type Reached = ([f64; 4], f64);

/// Trains, or goes on, or reads what was trained before; nothing if it is not there and there is
/// no time left.
fn reached(
    job: &Job,
    division: &Division,
    step: &Step,
    pages: &Pages,
    seed: u64,
    in_time: bool,
) -> Result<Option<Reached>> {
    let params = step.params(seed, division.training.len());
    let key = fingerprint(&pages.training, &params, 0);
    let key = key.get(..16).unwrap_or(&key);
    let folder = job.scratch("web2text-splits")?;
    let file = folder.join(format!("{}-{key}.safetensors", division.name));
    let networks = match fs::read(&file) {
        Ok(bytes) => PotentialNetworks::from_bytes(&bytes)?,
        Err(_) if !in_time => return Ok(None),
        Err(_) => {
            let held_out = |page: usize| {
                let number = number(&pages.training.pages[page].text.id);
                number.is_some_and(|number| division.validation.contains(&number))
            };
            let begun = folder.join(format!("{}-{key}", division.name));
            let checkpoints = Checkpoints::new(&begun, key.to_owned());
            let each = |reached: warcsieve_train::web2text::Reached<'_>| {
                let (network, epoch) = (reached.target.as_str(), reached.epoch);
                if epoch.number % 10 == 0 {
                    let (number, left) = (epoch.number, epoch.validation);
                    job.say(&format!("{network}, epoch {number}, held out {left:.4}"));
                }
            };
            let trained = learn_held_out(
                &pages.training,
                held_out,
                &params,
                Some(&checkpoints),
                &each,
            )?;
            fs::write(&file, trained.networks.to_bytes()?)?;
            checkpoints.remove()?;
            trained.networks
        }
    };
    let found = potentials(&pages.test, &networks)?;
    let content = |decode| {
        let options = Options::keeping_comments();
        measures(&pages.test, &pages.test.decode(&found, decode, options))
    };
    Ok(Some((content(Decode::Viterbi), content(Decode::Unary)[3])))
}

/// Writes the page. With a further argument no training begins after that many minutes; what was
/// not trained is said, and a later run goes on.
pub fn write(job: &Job) -> Result {
    let minutes = match job.more.first() {
        Some(minutes) => minutes.parse::<f64>()?,
        None => f64::INFINITY,
    };
    let limit = Duration::try_from_secs_f64(minutes * 60.0).unwrap_or(Duration::MAX);
    let start = Instant::now();
    let divisions = Division::all();
    let mut read: Vec<Vec<Rc<Pages>>> = Vec::new();
    for division in &divisions {
        let mut of_steps: Vec<Rc<Pages>> = Vec::new();
        for (at, step) in STEPS.iter().enumerate() {
            let same = STEPS[..at].iter().position(|s| s.reads() == step.reads());
            of_steps.push(match same {
                Some(same) => of_steps[same].clone(),
                None => Rc::new(Pages::read(job, division, step)?),
            });
        }
        job.say(&format!("{} read", division.title));
        read.push(of_steps);
    }
    let mut found: [[Vec<Reached>; STEPS.len()]; 2] = Default::default();
    // Every step once before any step again, so that a run that is cut short has all rows.
    for seed in SEEDS {
        for ((division, read), found) in divisions.iter().zip(&read).zip(&mut found) {
            for ((step, pages), found) in STEPS.iter().zip(read).zip(found) {
                let in_time = start.elapsed() < limit;
                let reached = reached(job, division, step, pages, seed, in_time)?;
                if let Some((figures, _)) = &reached {
                    let (title, name, f1) = (division.title, step.name, figures[3]);
                    job.say(&format!("{title}: {name}, seed {seed}: F1 {f1:.4}"));
                }
                found.extend(reached);
            }
        }
    }
    let mut text = HEAD.to_owned();
    for ((division, found), read) in divisions.iter().zip(&found).zip(&read) {
        text += &section(job, division, found, read)?;
        job.say(division.title);
    }
    text += NOTES;
    job.page("web2text-splits.md", &text)
}

fn section(
    job: &Job,
    division: &Division,
    found: &[Vec<Reached>],
    read: &[Rc<Pages>],
) -> Result<String> {
    let mut rows = Vec::new();
    for ((step, found), pages) in STEPS.iter().zip(found).zip(read) {
        let leaves = [&pages.training, &pages.test].map(|data| data.labels.len());
        let mut row = vec![step.name.to_owned()];
        row.extend(leaves.map(|leaves| leaves.to_string()));
        let mean = |of: &dyn Fn(&Reached) -> f64| {
            let sum: f64 = found.iter().map(of).sum();
            match found.len() {
                0 => "–".to_owned(),
                n => format!("{:.3}", sum / n as f64),
            }
        };
        row.extend((0..4).map(|at| mean(&|(figures, _)| figures[at])));
        row.push(mean(&|(_, unary)| *unary));
        let each: Vec<String> = found.iter().map(|(f, _)| format!("{:.3}", f[3])).collect();
        row.push(match each.is_empty() {
            true => "not trained".to_owned(),
            false => each.join(", "),
        });
        rows.push(row);
    }
    let head = [
        "",
        "leaves to learn from",
        "to measure on",
        "accuracy",
        "precision",
        "recall",
        "F1",
        "F1 without Viterbi",
        "F1 by seed",
    ];
    Ok(format!(
        "\n## {}\n\n{} pages are for training, {} for validation and {} for the test. The leaves to learn from are those of training and validation together.\n\n{}\n\
         The next table has the other methods of the paper on the leaves and labels of the third row, and a CRF that was trained on them:\n\n{}",
        division.title,
        division.training.len(),
        division.validation.len(),
        division.test.len(),
        table(&head, &rows),
        rivals_of(job, division, &STEPS[2], &read[2])?
    ))
}

/// CRF and the paper's rivals, on the leaves and labels of the authors' program.
fn rivals_of(job: &Job, division: &Division, step: &Step, pages: &Pages) -> Result<String> {
    let Pages { training, test } = pages;
    let pages: Vec<usize> = (0..training.pages.len()).collect();
    let model = crf::train(training, &pages, &crf::Params::default())?;
    let decoded = (0..test.pages.len()).map(|page| crf::decode(&model, test, page));
    let mut rows = vec![Row::ours("CRF", decoded.collect())];
    let (inputs, gold) = chosen(job, &division.test)?;
    rows.extend(rivals(&inputs, &gold, &step.leaves()?)?);
    Ok(leaf_rows(test, &rows))
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
This page measures `web2text` on the divisions of CleanEval's pages that the authors' program uses. It is for readers who compare warcsieve with the published program.\n
Written by `cargo xtask reproduce web2text-splits` from the labelled corpora: run this command to repeat the measurement, or to continue one that was interrupted.\n
The paper's Table 2 has an F1 of .90, but does not say on which pages. The published program has two divisions of 737 pages. One tests on CleanEval's test set and trains on the \
pages before it. The other tests on 148 pages drawn at random and trains on the rest. Both have validation pages, which decide when training stops, in the program and here. Figures are over all leaves, each counting 1, and are means over seeds.\n
The rows adopt the differences of that program one after the other. A row marked with + includes the changes of the rows above it. The second row changes the leaves, and the third row changes \
which of them are content. So the first three rows are not measured on the same gold. The changes are:\n
- **leaves**: `segmentation = \"web2text\"`. The program has 130,961 leaves on all 737 pages. Our number is the sum of the two numbers of leaves in a row.\n\
- **two thirds**: a leaf is content if more than two thirds of its characters are in the gold text, instead of half of its words.\n\
- **further features**: 92 in addition to our 80, [listed](../cdom.md#further-of-a-node): the logarithm of words, numerals, copyright signs, addresses, years, repeated texts and class paths, tags of leaf and \
parent, breaks between blocks, and the node at which two blocks meet.\n\
- **training**: 5,000 steps of Adam at .001 on 128 patches of 9 blocks, one page after the other, with dropout of weights. Every hundredth step is validated, and the one with the best F1 on the validation pages is kept. Our training uses \
whole pages and a falling learning rate, drops outputs, and keeps the step with the lowest loss.\n";

const NOTES: &str = "\n## What still differs, and what is missing\n
- Their first network sees only features of blocks, and their second network only features of edges. Both of our networks see all features, including those that are not in the paper (the elements around a block, the logarithm of the distance in the tree).
- Their text nodes come from the tree of jsoup, which moves text out of tables and splits text at comments. Our text nodes stay where they are written.
- Their gold is aligned by characters, ours by words.
- They limit each feature to its own bounds. Our features are standardised and limited to 4 standard deviations.
- \"not trained\" means that the time limit of the command was reached before this training. The next run of the command continues there.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_divisions_have_the_published_sizes() {
        let [drawn, test_set] = Division::all();
        let sizes = |d: &Division| [d.training.len(), d.validation.len(), d.test.len()];
        assert_eq!(sizes(&drawn), [531, 58, 148]);
        assert_eq!(sizes(&test_set), [56, 5, 676]);
        assert_eq!(test_set.test.first(), Some(&64));
        assert_eq!(test_set.validation.last(), Some(&63));
        for division in [drawn, test_set] {
            assert!(division.training.is_disjoint(&division.validation));
            assert!(division.training.is_disjoint(&division.test));
            assert!(division.validation.is_disjoint(&division.test));
        }
        assert_eq!(number("cleaneval-test-103"), Some(103));
        assert_eq!(number("other"), None);
    }
}
