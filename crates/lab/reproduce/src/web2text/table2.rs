//! Table 2: labels of the leaves of CleanEval's pages.

use super::curves::curves;
use super::leaf_tables::{CLEANEVAL, Row, beside_printed, leaf_rows, measures, rivals};
use super::leaves::sequences;
use crate::victor::{self, VICTOR};
use crate::{Job, Page, Result};
use std::collections::HashSet;
use warcsieve_classify::expected_f::Options;
use warcsieve_eval::align::Alignment;
use warcsieve_eval::pages::Gold;
use warcsieve_extract::Pipeline;
use warcsieve_papers::web2text::decode::Decode;
use warcsieve_train::crf;
use warcsieve_train::sequences::Sequences;
use warcsieve_train::web2text::{Learned, Params, Weighting, learn, potentials};

/// Number of folds of whole registered domains.
const FOLDS: usize = 5;

/// Networks are trained with each seed, to show how much of a figure is random.
const SEED: u64 = 1;
const OTHER_SEEDS: [u64; 4] = [2, 3, 4, 5];

/// As published, adapted to 58 pages: more epochs, smaller batches.
pub fn params_for_few_pages(seed: u64) -> Params {
    Params {
        weighting: Weighting::Blocks,
        batch: 300,
        epochs: 80,
        patience: 20,
        seed,
        ..Params::default()
    }
}

/// The same for hundreds of pages.
pub fn params_for_many_pages(seed: u64) -> Params {
    Params {
        batch: 500,
        epochs: 30,
        patience: 10,
        ..params_for_few_pages(seed)
    }
}

/// The labels of pages by networks.
fn labelled(name: &str, learned: &Learned, data: &Sequences, decode: Decode) -> Result<Row> {
    let potentials = potentials(data, &learned.all.networks)?;
    let options = Options::keeping_comments();
    Ok(Row::new(name, data.decode(&potentials, decode, options)))
}

pub fn put(job: &Job, page: Page) -> Result<Page> {
    let leaves = Pipeline::built_in(&warcsieve_papers::METHODS, "web2text")?;
    let (training, test) = read(job, &leaves)?;
    job.say("CleanEval read");
    let pages: Vec<usize> = (0..training.pages.len()).collect();
    let model = crf::train(&training, &pages, &crf::Params::default())?;
    let decoded = (0..test.pages.len()).map(|page| crf::decode(&model, &test, page));
    let mut rows = vec![Row::new("CRF", decoded.collect())];
    job.say("CRF");
    let victor = victor::labels(&job.corpora, &leaves, &training, &test)?;
    rows.push(Row::new(VICTOR, victor));
    job.say(VICTOR);
    let (inputs, gold) = job.corpora.several(&["cleaneval-test"])?;
    rows.extend(rivals(job, &inputs, &gold, &leaves, Alignment::Divide)?);
    job.say("rivals");
    let learned = learn(&training, &params_for_few_pages(SEED), 0, None, &|_| {})?;
    let mut others = Vec::new();
    for seed in OTHER_SEEDS {
        let other = learn(&training, &params_for_few_pages(seed), 0, None, &|_| {})?;
        let other = labelled("", &other, &test, Decode::Viterbi)?;
        others.push(measures(&test, &other.content));
    }
    job.say("networks");
    rows.push(labelled("Web2Text", &learned, &test, Decode::Viterbi)?);
    let range = |at: usize| {
        let figures = || others.iter().map(|figures| figures[at]);
        let (low, high) = (figures().fold(1.0, f64::min), figures().fold(0.0, f64::max));
        format!("{low:.3} to {high:.3}")
    };
    let page = page
        .put("training pages", training.pages.len())
        .put("training leaves", training.labels.len())
        .put("test pages", test.pages.len())
        .put("test leaves", test.labels.len())
        .put("table 2", beside_printed(&test, &rows)?)
        .put("seeds", OTHER_SEEDS.len())
        .put("accuracy", range(0))
        .put("precision", range(1))
        .put("recall", range(2))
        .put("F1", range(3))
        .put("ablation", ablation(&learned, training, test)?);
    job.say("ablation");
    let page = in_folds(job, page, &leaves)?;
    curves(job, &learned, "CleanEval's training set", "cleaneval")?;
    Ok(page)
}

/// CleanEval's training set and its test set. One page is in both, under two names.
pub fn read(job: &Job, leaves: &Pipeline) -> Result<(Sequences, Sequences)> {
    let read = |corpus: &str, left_out: &HashSet<String>| -> Result<Sequences> {
        let mut gold = job.corpora.gold(corpus)?;
        gold.retain(|page| !left_out.contains(&page.id));
        let inputs = job.corpora.inputs(corpus)?;
        sequences(&inputs, &Gold::Texts(gold), leaves, Alignment::Divide)
    };
    let test = read("cleaneval-test", &HashSet::new())?;
    let unseen: HashSet<&str> = test.pages.iter().map(|p| p.text.text()).collect();
    let all = read("cleaneval-train", &HashSet::new())?.pages;
    let both = all.into_iter().filter(|p| unseen.contains(p.text.text()));
    let training = read("cleaneval-train", &both.map(|p| p.text.id).collect())?;
    Ok((training, test))
}

/// The gain of Viterbi, and of the features that are not in the paper.
fn ablation(learned: &Learned, mut training: Sequences, mut test: Sequences) -> Result<String> {
    let hows = [
        ("with Viterbi", Decode::Viterbi),
        ("unary potentials only", Decode::Unary),
    ];
    let mut rows = Vec::new();
    for (how, decode) in hows {
        rows.push(labelled(how, learned, &test, decode)?);
    }
    for data in [&mut training, &mut test] {
        data.without(|name| {
            name.starts_with("root.") || name.starts_with("path.") || name == "edge.logDistance"
        });
    }
    let published = learn(&training, &params_for_few_pages(SEED), 0, None, &|_| {})?;
    for (how, decode) in hows {
        let name = format!("the paper's features alone, {how}");
        rows.push(labelled(&name, &published, &test, decode)?);
    }
    Ok(leaf_rows(&test, &rows))
}

/// The pages of both sets in folds, each labelled by a model trained on the others.
fn in_folds(job: &Job, page: Page, leaves: &Pipeline) -> Result<Page> {
    let (inputs, gold) = job.corpora.several(&CLEANEVAL)?;
    let data = Sequences::collect(&inputs, &gold, leaves, Alignment::Divide)?;
    let field = crf::learn(&data, &crf::Params::default(), FOLDS)?;
    job.say("CRF, in folds");
    let learned = learn(&data, &params_for_many_pages(SEED), FOLDS, None, &|_| {})?;
    let decode = |decode| data.decode(&learned.potentials, decode, Options::keeping_comments());
    job.say("networks, in folds");
    let mut rows = vec![Row::new("CRF", field.content)];
    rows.extend(rivals(job, &inputs, &gold, leaves, Alignment::Divide)?);
    rows.push(Row::new("Web2Text", decode(Decode::Viterbi)));
    let unary = Row::new("unary potentials only", decode(Decode::Unary));
    Ok(page
        .put("table 2 in folds", beside_printed(&data, &rows)?)
        .put("unary in folds", leaf_rows(&data, &[unary])))
}
