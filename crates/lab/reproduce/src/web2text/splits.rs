//! The authors' own divisions of CleanEval's pages: `web2text-splits.md`.
//!
//! Their published program numbers 737 pages, those of both sets, and divides them twice: with CleanEval's test set as
//! the test, and with 148 pages drawn at random.
//!
//! The differences from their program are removed step by step, so that the gain of each is visible. A training that
//! was finished or begun continues where it stopped.

use super::divisions::{Division, divisions, number};
use super::leaf_tables::{CLEANEVAL, Row, leaf_rows, measures, rivals};
use super::leaves::sequences;
use super::table2::{params_for_few_pages, params_for_many_pages};
use crate::corpora::keep_all;
use crate::{Job, NONE, Result, data, page, row, table};
use std::collections::BTreeSet;
use std::fs;
use std::rc::Rc;
use std::time::{Duration, Instant};
use warcsieve_classify::expected_f::Options;
use warcsieve_engine::Input;
use warcsieve_eval::align::Alignment;
use warcsieve_eval::pages::Gold;
use warcsieve_model::PotentialNetworks;
use warcsieve_papers::web2text::decode::Decode;
use warcsieve_train::crf;
use warcsieve_train::sequences::{RowOptions, Sequences};
use warcsieve_train::web2text::{Checkpoints, Params, fingerprint, learn_held_out, potentials};

/// Seeds of the networks, which show how much of a figure is random.
const SEEDS: [u64; 3] = [1, 2, 3];

/// The parts of a step that are as in the authors' program.
struct Step {
    name: &'static str,
    segmentation: &'static str,
    how: RowOptions,
    /// Whether the training is that of the authors.
    theirs: bool,
}

fn steps() -> Result<Vec<Step>> {
    let steps = data!("web2text/steps.tsv")?.rows()?.into_iter();
    let step = |[name, segmentation, alignment, further, theirs]: [&'static str; 5]| Step {
        name,
        segmentation,
        how: RowOptions {
            alignment: match alignment {
                "two-thirds" => Alignment::TwoThirds,
                _ => Alignment::Divide,
            },
            further: further == "true",
        },
        theirs: theirs == "true",
    };
    Ok(steps.map(step).collect())
}

impl Step {
    /// Whether another step reads pages in the same way.
    fn reads_as(&self, other: &Self) -> bool {
        let reads = |step: &Self| (step.segmentation, step.how.alignment, step.how.further);
        reads(self) == reads(other)
    }

    fn params(&self, seed: u64, pages: usize) -> Params {
        match pages {
            _ if self.theirs => Params::of_the_authors(seed),
            0..100 => params_for_few_pages(seed),
            _ => params_for_many_pages(seed),
        }
    }
}

/// The pages of a division for learning and for measuring, as one step reads them.
type Pages = [Sequences; 2];

fn read(job: &Job, division: &Division, step: &Step) -> Result<Pages> {
    let leaves = keep_all(step.segmentation)?;
    let read = |numbers: &BTreeSet<u16>| -> Result<Sequences> {
        let (inputs, gold) = chosen(job, numbers)?;
        sequences(&inputs, &gold, &leaves, step.how)
    };
    let known = &division.training | &division.validation;
    Ok([read(&known)?, read(&division.test)?])
}

/// A step on a division, and the results on the test of networks of each seed.
struct Trained<'a> {
    division: &'a Division,
    step: &'a Step,
    pages: Rc<Pages>,
    reached: Vec<Reached>,
}

/// Accuracy, precision, recall and F1, and F1 without Viterbi.
type Reached = ([f64; 4], f64);

impl Trained<'_> {
    /// Trains a network, continues its training, or reads the result of an earlier training. `None` if there is no
    /// result and no time left.
    fn reach(&self, job: &Job, seed: u64, in_time: bool) -> Result<Option<Reached>> {
        let division = self.division;
        let [training, test] = &*self.pages;
        let params = self.step.params(seed, division.training.len());
        let key = fingerprint(training, &params, 0);
        let key = key.get(..16).unwrap_or(&key);
        let folder = job.scratch("web2text-splits")?;
        let begun = folder.join(format!("{}-{key}", division.name));
        let file = begun.with_extension("safetensors");
        let networks = match fs::read(&file) {
            Ok(bytes) => PotentialNetworks::from_bytes(&bytes)?,
            Err(_) if !in_time => return Ok(None),
            Err(_) => {
                let held_out = |page: usize| {
                    let number = number(&training.pages[page].text.id);
                    number.is_some_and(|number| division.validation.contains(&number))
                };
                let checkpoints = Checkpoints::new(&begun, key.to_owned());
                let each = |reached: warcsieve_train::web2text::Reached<'_>| {
                    let (network, epoch) = (reached.target.as_str(), reached.epoch);
                    if epoch.number % 10 == 0 {
                        let (number, left) = (epoch.number, epoch.validation);
                        job.say(&format!("{network}, epoch {number}, held out {left:.4}"));
                    }
                };
                let kept = Some(&checkpoints);
                let trained = learn_held_out(training, held_out, &params, kept, &each)?;
                fs::write(&file, trained.networks.to_bytes()?)?;
                checkpoints.remove()?;
                trained.networks
            }
        };
        let found = potentials(test, &networks)?;
        let content = |decode| {
            let options = Options::keeping_comments();
            measures(test, &test.decode(&found, decode, options))
        };
        Ok(Some((content(Decode::Viterbi), content(Decode::Unary)[3])))
    }

    fn row(&self) -> String {
        let leaves = self.pages.each_ref().map(|data| data.labels.len());
        let mean = |of: &dyn Fn(&Reached) -> f64| match self.reached.len() {
            0 => NONE.to_owned(),
            n => format!("{:.3}", self.reached.iter().map(of).sum::<f64>() / n as f64),
        };
        let means = [0, 1, 2, 3].map(|at| mean(&|(figures, _)| figures[at]));
        let each = self.reached.iter().map(|(f, _)| format!("{:.3}", f[3]));
        let each = match self.reached.is_empty() {
            true => "not trained".to_owned(),
            false => each.collect::<Vec<_>>().join(", "),
        };
        let unary = mean(&|(_, unary)| *unary);
        row(row(row(self.step.name, leaves), means), [unary, each])
    }
}

/// Writes the page. With a further argument no training begins after that many minutes. The page then lists what was
/// not trained, and a later run continues.
pub fn write(job: &Job) -> Result {
    let minutes = match job.more.first() {
        Some(minutes) => minutes.parse::<f64>()?,
        None => f64::INFINITY,
    };
    let limit = Duration::try_from_secs_f64(minutes * 60.0).unwrap_or(Duration::MAX);
    let start = Instant::now();
    let (divisions, steps) = (divisions()?, steps()?);
    let mut all: Vec<Vec<Trained<'_>>> = Vec::new();
    for division in &divisions {
        let mut of_steps: Vec<Trained<'_>> = Vec::new();
        for step in &steps {
            let same = of_steps.iter().find(|other| other.step.reads_as(step));
            of_steps.push(Trained {
                division,
                step,
                pages: match same {
                    Some(same) => same.pages.clone(),
                    None => Rc::new(read(job, division, step)?),
                },
                reached: Vec::new(),
            });
        }
        job.say(&format!("{} read", division.title));
        all.push(of_steps);
    }
    // Every step once before any step again, so that an interrupted run has all rows.
    for seed in SEEDS {
        for trained in all.iter_mut().flatten() {
            let reached = trained.reach(job, seed, start.elapsed() < limit)?;
            if let Some((figures, _)) = &reached {
                let (title, name, f1) = (trained.division.title, trained.step.name, figures[3]);
                job.say(&format!("{title}: {name}, seed {seed}: F1 {f1:.4}"));
            }
            trained.reached.extend(reached);
        }
    }
    let mut sections = Vec::new();
    for (division, of_steps) in divisions.iter().zip(&all) {
        let section = section(job, division, of_steps)?;
        sections.push(section.trim_end().to_owned());
        job.say(division.title);
    }
    let page = page!("web2text-splits.md").put("divisions", sections.join("\n\n"));
    job.write(&page)
}

fn section(job: &Job, division: &Division, of_steps: &[Trained<'_>]) -> Result<String> {
    let head = " | leaves to learn from | to measure on | accuracy | precision | recall | F1 | F1 without Viterbi | F1 by seed";
    let section = page!("web2text-splits/division.md")
        .put("title", division.title)
        .put("training", division.training.len())
        .put("validation", division.validation.len())
        .put("test", division.test.len())
        .put("steps", table(head, of_steps.iter().map(Trained::row)))
        .put("rivals", rivals_of(job, &of_steps[2])?);
    section.text()
}

/// CRF and the paper's competing methods, on the leaves and labels of the authors' program.
fn rivals_of(job: &Job, step: &Trained<'_>) -> Result<String> {
    let [training, test] = &*step.pages;
    let pages: Vec<usize> = (0..training.pages.len()).collect();
    let model = crf::train(training, &pages, &crf::Params::default())?;
    let decoded = (0..test.pages.len()).map(|page| crf::decode(&model, test, page));
    let mut rows = vec![Row::new("CRF", decoded.collect())];
    let (inputs, gold) = chosen(job, &step.division.test)?;
    let leaves = keep_all(step.step.segmentation)?;
    let alignment = step.step.how.alignment;
    rows.extend(rivals(job, &inputs, &gold, &leaves, alignment)?);
    Ok(leaf_rows(test, &rows))
}

/// The inputs, and the gold of the pages with these numbers.
fn chosen(job: &Job, numbers: &BTreeSet<u16>) -> Result<(Vec<Input>, Gold)> {
    let (inputs, Gold::Texts(mut set)) = job.corpora.several(&CLEANEVAL)? else {
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

#[cfg(test)]
mod tests {
    #[test]
    fn each_step_has_its_leaves() {
        let steps = super::steps().unwrap();
        assert_eq!(steps.len(), 6);
        assert!(
            steps
                .iter()
                .all(|step| super::keep_all(step.segmentation).is_ok())
        );
        assert!(steps[3].reads_as(&steps[4]) && !steps[2].reads_as(&steps[3]));
    }
}
