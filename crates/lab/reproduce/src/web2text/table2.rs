//! Table 2: labels of the leaves of CleanEval's pages.

use super::leaves;
use crate::Result;
use crate::job::Job;
use crate::old::table;
use std::collections::HashSet;
use warcsieve_classify::expected_f::Options;
use warcsieve_classify::methods::web2text::decode::Decode;
use warcsieve_engine::Input;
use warcsieve_eval::align::Alignment;
use warcsieve_eval::blocks::BlockMeasures;
use warcsieve_eval::pages::Gold;
use warcsieve_eval::score::Scores;
use warcsieve_eval::stats::{mean, wilcoxon};
use warcsieve_extract::Pipeline;
use warcsieve_train::crf;
use warcsieve_train::sequences::Sequences;
use warcsieve_train::web2text::{self, Learned, Params, Weighting, learn, potentials};

/// Competing methods, our pipelines for them, and the paper's figures: accuracy, precision, recall,
/// F1.
const RIVALS: [(&str, &str, [f64; 4]); 4] = [
    ("BTE", "bte", [0.75, 0.76, 0.84, 0.80]),
    (
        "default-ext",
        "boilerpipe-default",
        [0.79, 0.89, 0.74, 0.81],
    ),
    (
        "article-ext",
        "boilerpipe-article-1-2",
        [0.67, 0.89, 0.50, 0.64],
    ),
    (
        "largest-ext",
        "boilerpipe-largest",
        [0.59, 0.93, 0.33, 0.48],
    ),
];
const CRF: [f64; 4] = [0.82, 0.88, 0.81, 0.84];
const UNFLUFF: [f64; 4] = [0.68, 0.90, 0.51, 0.65];
const WEB2TEXT: [f64; 4] = [0.88, 0.89, 0.91, 0.90];

/// Figures marked in the paper, by row and column.
const STARRED: [(&str, usize); 4] = [
    ("largest-ext", 1),
    ("Web2Text", 0),
    ("Web2Text", 2),
    ("Web2Text", 3),
];

/// Number of folds of whole registered domains.
const FOLDS: usize = 5;

/// Networks are trained with each seed, to show how much of a figure is chance.
const SEEDS: [u64; 5] = [1, 2, 3, 4, 5];

/// As published, adapted to 58 pages: more epochs, smaller batches.
pub fn network_params(seed: u64) -> Params {
    Params {
        weighting: Weighting::Blocks,
        batch: 300,
        epochs: 80,
        patience: 20,
        seed,
        ..Params::default()
    }
}

/// The labels of all pages by one method.
pub struct Row {
    name: String,
    paper: Option<[f64; 4]>,
    content: Labels,
}

impl Row {
    /// A row without a figure of the paper beside it.
    pub fn ours(name: &str, content: Labels) -> Self {
        Self {
            name: name.to_owned(),
            paper: None,
            content,
        }
    }
}

/// Whether a leaf is content, by page, then leaf.
type Labels = Vec<Vec<bool>>;

/// The tables, and the networks of the first seed.
pub struct CleanEval {
    pub table: String,
    pub ablation: String,
    /// The table of both sets in folds.
    pub folds: String,
    pub learned: Learned,
    /// Numbers of labelled pages and leaves in training and test.
    pub sizes: [(usize, usize); 2],
}

pub fn measure(job: &Job) -> Result<CleanEval> {
    let leaves = Pipeline::built_in("web2text")?;
    let read = |corpus: &str, left_out: &HashSet<String>| -> Result<Sequences> {
        let mut gold = job.corpora.gold(corpus)?;
        gold.retain(|page| !left_out.contains(&page.id));
        let inputs = job.corpora.inputs(corpus)?;
        let alignment = Alignment::Divide;
        let read = Sequences::collect(&inputs, &Gold::Texts(gold), &leaves, alignment)?;
        match read.faults.is_empty() {
            true => Ok(read),
            false => Err(format!("pages of {corpus} are missing").into()),
        }
    };
    let test = read("cleaneval-test", &HashSet::new())?;
    // One page is in both sets, under two names.
    let unseen: HashSet<&str> = test.pages.iter().map(|p| p.text.text()).collect();
    let all = read("cleaneval-train", &HashSet::new())?.pages;
    let both = all.into_iter().filter(|p| unseen.contains(p.text.text()));
    let training = read("cleaneval-train", &both.map(|p| p.text.id).collect())?;
    job.say("CleanEval read");
    let mut rows = Vec::new();
    let pages: Vec<usize> = (0..training.pages.len()).collect();
    let model = crf::train(&training, &pages, &crf::Params::default())?;
    rows.push(Row {
        name: "CRF".to_owned(),
        paper: Some(CRF),
        content: (0..test.pages.len())
            .map(|page| crf::decode(&model, &test, page))
            .collect(),
    });
    job.say("CRF");
    let (inputs, gold) = job.corpora.several(&["cleaneval-test"])?;
    rows.extend(rivals(&inputs, &gold, &leaves)?);
    job.say("rivals");
    let mut seeds = Vec::new();
    for seed in SEEDS {
        seeds.push(learn(&training, &network_params(seed), 0, None, &|_| {})?);
    }
    let learned = seeds.remove(0);
    let networks = |learned: &Learned, data: &Sequences, decode: Decode| -> Result<Labels> {
        let potentials = potentials(data, &learned.all.networks)?;
        Ok(data.decode(&potentials, decode, Options::keeping_comments()))
    };
    job.say("networks");
    rows.push(Row {
        name: "Web2Text".to_owned(),
        paper: Some(WEB2TEXT),
        content: networks(&learned, &test, Decode::Viterbi)?,
    });
    let mut text = table_2(&test, &rows);
    text += &spread(&test, &seeds, networks)?;
    let mut ablation = vec![Row {
        name: "with Viterbi".to_owned(),
        paper: None,
        content: networks(&learned, &test, Decode::Viterbi)?,
    }];
    ablation.push(Row {
        name: "unary potentials only".to_owned(),
        paper: None,
        content: networks(&learned, &test, Decode::Unary)?,
    });
    let (mut less, mut less_test) = (training, test);
    for data in [&mut less, &mut less_test] {
        data.without(|name| {
            name.starts_with("root.") || name.starts_with("path.") || name == "edge.logDistance"
        });
    }
    let published = learn(&less, &network_params(SEEDS[0]), 0, None, &|_| {})?;
    for (name, decode) in [
        ("the paper's features alone, with Viterbi", Decode::Viterbi),
        (
            "the paper's features alone, unary potentials only",
            Decode::Unary,
        ),
    ] {
        ablation.push(Row {
            name: name.to_owned(),
            paper: None,
            content: networks(&published, &less_test, decode)?,
        });
    }
    let mut added = "### What Viterbi and our features add\n\nThe first two rows are the same networks with Viterbi and without it. The other rows are networks trained without the features that are not in the paper: the \
             root, the elements around a block, and the distance in the tree.\n\n"
        .to_owned();
    added += &leaf_rows(&less_test, &ablation);
    job.say("ablation");
    let size = |data: &Sequences| (data.pages.len(), data.labels.len());
    Ok(CleanEval {
        table: text,
        ablation: added,
        folds: in_folds(job, &leaves)?,
        learned,
        sizes: [size(&less), size(&less_test)],
    })
}

/// The pages of both sets in folds, each labelled by a model trained on the others.
fn in_folds(job: &Job, leaves: &Pipeline) -> Result<String> {
    let sets = ["cleaneval-train", "cleaneval-test"];
    let (inputs, gold) = job.corpora.several(&sets)?;
    let data = Sequences::collect(&inputs, &gold, leaves, Alignment::Divide)?;
    let field = crf::learn(&data, &crf::Params::default(), FOLDS)?;
    job.say("CRF, in folds");
    let params = Params {
        batch: 500,
        epochs: 30,
        patience: 10,
        ..network_params(SEEDS[0])
    };
    let learned = learn(&data, &params, FOLDS, None, &|_| {})?;
    let decode = |decode| data.decode(&learned.potentials, decode, Options::keeping_comments());
    job.say("networks, in folds");
    let row = |name: &str, paper, content| Row {
        name: name.to_owned(),
        paper,
        content,
    };
    let mut rows = vec![row("CRF", Some(CRF), field.content)];
    rows.extend(rivals(&inputs, &gold, leaves)?);
    rows.push(row("Web2Text", Some(WEB2TEXT), decode(Decode::Viterbi)));
    let unary = row("unary potentials only", None, decode(Decode::Unary));
    let table = table_2(&data, &rows);
    Ok(table + "\nWithout Viterbi:\n\n" + &leaf_rows(&data, &[unary]))
}

/// The competing methods on the pages of a gold set.
pub fn rivals(inputs: &[Input], gold: &Gold, leaves: &Pipeline) -> Result<Vec<Row>> {
    let pipelines = RIVALS.map(|(_, pipeline, _)| Pipeline::built_in(pipeline));
    let pipelines: Vec<Pipeline> = pipelines
        .into_iter()
        .collect::<std::result::Result<_, _>>()?;
    let found = leaves::content(inputs, gold, leaves, &pipelines)?;
    let rows = RIVALS.iter().enumerate().map(|(at, (name, _, paper))| Row {
        name: (*name).to_owned(),
        paper: Some(*paper),
        content: found.iter().map(|page| page[at].clone()).collect(),
    });
    Ok(rows.collect())
}

/// Accuracy, precision, recall and F1 over all leaves.
pub fn measures(data: &Sequences, content: &[Vec<bool>]) -> [f64; 4] {
    let mut measures = BlockMeasures::default();
    for (gold, found) in data.labels.iter().zip(content.iter().flatten()) {
        measures.add(*gold, u8::from(*found), &[], 1);
    }
    measures.measured().map_or([0.0; 4], |m| {
        let class = m.classes.get(1).copied().unwrap_or_default();
        [m.accuracy, class.precision, class.recall, class.f1]
    })
}

/// Accuracy, precision, recall and F1 of each page.
fn by_page(data: &Sequences, content: &[Vec<bool>]) -> [Vec<f64>; 4] {
    let mut pages: [Vec<f64>; 4] = Default::default();
    for (page, content) in data
        .pages
        .iter()
        .zip(content)
        .filter(|(p, _)| !p.rows.is_empty())
    {
        let gold = &data.labels[page.rows.clone()];
        let count = |is: &dyn Fn(bool, bool) -> bool| {
            let leaves = gold.iter().zip(content);
            leaves
                .filter(|(gold, found)| is(**gold == 1, **found))
                .count() as u64
        };
        let right = count(&|gold, found| gold == found) as f64 / gold.len() as f64;
        let both = count(&|gold, found| gold && found);
        let s = Scores::of(both, count(&|_, found| found), count(&|gold, _| gold));
        for (to, value) in pages.iter_mut().zip([right, s.precision, s.recall, s.f1]) {
            to.push(value);
        }
    }
    pages
}

fn table_2(test: &Sequences, rows: &[Row]) -> String {
    let by_page: Vec<_> = rows.iter().map(|row| by_page(test, &row.content)).collect();
    let ours: Vec<[f64; 4]> = rows
        .iter()
        .map(|row| measures(test, &row.content))
        .collect();
    // The greatest figure of a column, if the test over pages confirms it.
    let best = |row: usize, measure: usize| {
        let own = &by_page[row][measure];
        (0..rows.len()).filter(|other| *other != row).all(|other| {
            let test = wilcoxon(own, &by_page[other][measure]);
            ours[row][measure] > ours[other][measure]
                && test.is_some_and(|t| t.p < 0.05 && t.first > t.second)
        })
    };
    let mut lines = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let mut line = vec![row.name.clone()];
        for (measure, figure) in ours[at].iter().enumerate() {
            let paper = row.paper.map_or(String::new(), |p| {
                let starred = STARRED.contains(&(row.name.as_str(), measure));
                let mark = if starred { "*" } else { "" };
                format!("{:.2}{mark}", p[measure])
            });
            let mark = if best(at, measure) { "*" } else { "" };
            line.extend([paper, format!("{figure:.3}{mark}")]);
        }
        line.push(format!("{:.3}", mean(&by_page[at][3]).unwrap_or_default()));
        lines.push(line);
    }
    let unfluff = UNFLUFF
        .iter()
        .flat_map(|f| [format!("{f:.2}"), "–".to_owned()]);
    let unfluff = std::iter::once("Unfluff".to_owned()).chain(unfluff);
    lines.insert(lines.len() - 1, unfluff.chain(["–".to_owned()]).collect());
    table(
        &[
            "",
            "accuracy: paper",
            "ours",
            "precision: paper",
            "ours",
            "recall: paper",
            "ours",
            "F1: paper",
            "ours",
            "mean of pages' F1",
        ],
        &lines,
    )
}

/// Accuracy, precision, recall and F1 of the rows over all leaves.
pub fn leaf_rows(data: &Sequences, rows: &[Row]) -> String {
    let lines: Vec<Vec<String>> = rows
        .iter()
        .map(|row| {
            let figures = measures(data, &row.content).map(|f| format!("{f:.3}"));
            let f1 = by_page(data, &row.content)[3].clone();
            std::iter::once(row.name.clone())
                .chain(figures)
                .chain([format!("{:.3}", mean(&f1).unwrap_or_default())])
                .collect()
        })
        .collect();
    table(
        &[
            "",
            "accuracy",
            "precision",
            "recall",
            "F1",
            "mean of pages' F1",
        ],
        &lines,
    )
}

/// The spread of the figures over networks of other seeds.
fn spread(
    test: &Sequences,
    others: &[web2text::Learned],
    decode: impl Fn(&Learned, &Sequences, Decode) -> Result<Labels>,
) -> Result<String> {
    let mut found = Vec::new();
    for learned in others {
        found.push(measures(test, &decode(learned, test, Decode::Viterbi)?));
    }
    let range = |at: usize| {
        let figures = found.iter().map(|f| f[at]);
        let low = figures.clone().fold(1.0, f64::min);
        format!("{low:.3} to {:.3}", figures.fold(0.0, f64::max))
    };
    Ok(format!(
        "\nNetworks trained with {} other seeds: accuracy {}, precision {}, recall {}, F1 {}.\n",
        found.len(),
        range(0),
        range(1),
        range(2),
        range(3)
    ))
}
