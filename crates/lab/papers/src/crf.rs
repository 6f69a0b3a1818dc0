//! A linear-chain conditional random field on features of the Collapsed DOM: a block's label
//! depends on its features and on the labels of its neighbours.
//!
//! Spousta, Marek, Pecina: Victor: the web-page cleaning tool, 2008, is the baseline of Vogels,
//! Ganea, Eickhoff 2018 (Web2Text), Table 2, that labels a page as a sequence. The labels are the
//! best labelling of the whole page (§3.5 there); the score is the marginal probability of content.
//! So a block may be content with a score below one half, or boilerplate with a score above, if
//! another labelling is nearly as likely.
//!
//! # Deviations
//! * The features are those of Web2Text (its Table 1 and §3.3), and the logarithms of the
//!   potentials are linear in them; Victor has other features, in intervals.
//! * Victor has several classes of content; here there is one.
//!
//! Memory: that of [`Cdom`], and 60 bytes per block.

use crate::linear_chain::{LinearChain, Potentials};
use std::sync::Arc;
use toml::Spanned;
use warcsieve_classify::params::StepParams;
use warcsieve_classify::{
    Built, Classifier, Label, Method, Moved, Names, Needs, shipped, step_params,
};
use warcsieve_common::shrink;
use warcsieve_features::cdom::{CDOM, Cdom, CdomFeature, Of};
use warcsieve_html::Segmentation;
use warcsieve_html::document::Document;
use warcsieve_model::{BLOCK_CLASSES, Crf};

/// The method as pipeline files and the command line know it.
pub const METHOD: Method = Method {
    name: "crf",
    summary: "the best labels of the whole sequence of blocks: a linear-chain conditional random field",
    family: "Methods that the papers compare with",
    paper: "Spousta, Marek, Pecina 2008 (Victor), on features of Vogels et al. 2018; rival there, Table 2",
    segmentation: Segmentation::Leaves,
    needs: Needs::Attributes,
    pipelines: &[shipped!(
        "crf",
        "A linear-chain conditional random field on the leaves of the Collapsed DOM: the label of each block depends on the features of the block and on the labels of its \
        neighbours. It was trained on wcxb-dev, so its figure there is too good. Use it as a baseline for `web2text`, or to train a model on your own pages in minutes."
    )],
    build,
    ..Method::PLAIN
};

/// How many blocks have their features in memory at the same time.
const BATCH: usize = 256;

step_params! {
    /// The model: a file, or the name of one that ships.
    model: Spanned<String> = Spanned::new(0..0, "crf".to_owned()),
}

/// The model, and the indices of its features in a row of [`CDOM`].
struct Model {
    crf: Crf,
    states: Vec<usize>,
    edges: Vec<usize>,
}

impl Model {
    fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let crf = Crf::from_bytes(bytes)?;
        let place = |name: &String, of: &str, is: fn(&CdomFeature) -> bool| {
            let found = CDOM.iter().position(|f| f.name == *name && is(f));
            found.ok_or(format!("there is no feature `{name}` of {of}"))
        };
        let state = |name| place(name, "a block", |f| f.of != Of::Edge);
        let edge = |name| place(name, "an edge", |f| f.of == Of::Edge);
        let states = crf.states.iter().map(|f| state(&f.name));
        let edges = crf.edges.iter().map(|f| edge(&f.name));
        Ok(Self {
            states: states.collect::<Result<_, _>>()?,
            edges: edges.collect::<Result<_, _>>()?,
            crf,
        })
    }

    fn states(&self, row: &[f32]) -> impl Iterator<Item = f32> {
        self.states.iter().map(|at| row[*at])
    }

    fn edges(&self, row: &[f32]) -> impl Iterator<Item = f32> {
        self.edges.iter().map(|at| row[*at])
    }
}

struct LinearChainCrf {
    model: Arc<Model>,
    cdom: Cdom,
    rows: Vec<f32>,
    potentials: Potentials,
    chain: LinearChain,
    content: Vec<bool>,
    /// By block of the last page: the log-odds of its marginal probability.
    log_odds: Vec<f32>,
    /// By label: the reason if the block's own score agrees with it, and the reason if not.
    reasons: [[u32; 2]; 2],
}

pub(super) fn build(params: StepParams<'_>, names: &mut Names) -> Built {
    let (params, files) = params.read_with_files::<Params>()?;
    let model = files.load(&params.model, Crf::MAX_BYTES, Model::from_bytes)?;
    let both = |label: &str| {
        [
            names.reason(&format!("{label} by its features")),
            names.reason(&format!("{label} by its neighbours, against its features")),
        ]
    };
    Ok(Box::new(LinearChainCrf {
        model,
        cdom: Cdom::default(),
        rows: Vec::new(),
        potentials: Potentials::default(),
        chain: LinearChain::default(),
        content: Vec::new(),
        log_odds: Vec::new(),
        reasons: BLOCK_CLASSES.map(both),
    }))
}

/// Converts to a potential, which must be finite whatever the model's weights.
fn finite(log: f64) -> f32 {
    if log.is_nan() {
        return 0.0;
    }
    log.clamp(f64::from(f32::MIN), f64::from(f32::MAX)) as f32
}

impl LinearChainCrf {
    fn read(&mut self, doc: &Document) {
        self.potentials.clear();
        let blocks = doc.blocks.len();
        for start in (0..blocks).step_by(BATCH) {
            self.rows.clear();
            let batch = start..blocks.min(start + BATCH);
            self.cdom.rows(doc, batch, &mut self.rows);
            for row in self.rows.chunks_exact(CDOM.len()) {
                let (crf, model) = (&self.model.crf, &self.model);
                let score = crf.score(model.states(row));
                let between = crf.between(model.edges(row));
                self.potentials.unary.push([0.0, finite(score)]);
                self.potentials.pairwise.push(between.map(finite));
            }
        }
        // The last block has no next one.
        self.potentials.pairwise.pop();
    }
}

impl Classifier for LinearChainCrf {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        shrink(&mut self.content);
        shrink(&mut self.log_odds);
        self.cdom.read(doc);
        self.read(doc);
        self.chain.viterbi(&self.potentials, &mut self.content);
        self.log_odds.clear();
        self.log_odds.resize(labels.len(), 0.0);
        let log_odds = &mut self.log_odds;
        self.chain.expect(&self.potentials, |at| {
            labels[at.block].score = at.label[1] as f32;
            log_odds[at.block] = libm::log(at.label[1] / at.label[0]) as f32;
        });
        let scores = self.potentials.unary.iter().map(|unary| unary[1]);
        for ((label, content), score) in labels.iter_mut().zip(&self.content).zip(scores) {
            let against = (score > 0.0) != *content;
            label.content = *content;
            label.reason = self.reasons[usize::from(*content)][usize::from(against)];
        }
    }

    fn moved(&self, doc: &Document, block: usize) -> Vec<Moved> {
        let mut row = Vec::new();
        self.cdom.rows(doc, block..block + 1, &mut row);
        let crf = &self.model.crf;
        let contributions = crf.contributions(self.model.states(&row));
        let mut contributions: Vec<(f64, usize)> = contributions.zip(0..).collect();
        contributions.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
        let strongest = contributions.into_iter().take(Moved::MAX_FEATURES);
        let strongest = strongest.map(|(by, state)| Moved {
            feature: crf.states[state].name.clone(),
            value: row[self.model.states[state]],
            by: by as f32,
        });
        strongest.collect()
    }

    fn explain(&self, _: &Document, _: &[Label], block: usize) -> String {
        let score = self.potentials.unary[block][1];
        let log_odds = self.log_odds[block];
        format!(
            "crf: log-odds {log_odds:+.2}, of which neighbours are {:+.2} and its features {score:+.2}",
            log_odds - score
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warcsieve_classify::Steps;
    use warcsieve_fixture::segmented;
    use warcsieve_html::Segmentation;

    const MODEL: &str = "format = 1
classes = [\"boilerplate\", \"content\"]
bias = 0.0
transitions = [0.25, -0.25, -0.25, 0.25]
features = [
    { name = \"block.rCharsInLink\", offset = 0.5, scale = 2.0, weight = -1.0 },
]
edges = [
    { name = \"edge.sameParent\", offset = 0.0, scale = 1.0, weights = [2.0, -2.0, -2.0, 2.0] },
]
";

    fn doc() -> Document {
        let page = "<ul><li><a>home</a><li><a>news</a><li>more</ul>\
            <div><p>one two three</p><p><a>four</a></p><p>five six</p></div>";
        segmented(page, Segmentation::Leaves)
    }

    /// Labels and reasons of a page, and the explanation of one block, by a model with this text.
    fn labelled(model: &str, block: usize) -> Result<(Vec<bool>, Vec<String>, String), String> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.crf"), model).unwrap();
        let file = folder.path().join("p.toml");
        let text = "segmentation = 'leaves'\n[[step]]\nmethod = 'crf'\nmodel = 'a.crf'\n";
        let pipeline = Steps::parse(&crate::METHODS, &file.display().to_string(), text);
        let pipeline = pipeline.map_err(|e| e.to_string())?;
        let (mut chain, names) = pipeline.build();
        let doc = doc();
        let mut labels = vec![Label::default(); doc.blocks.len()];
        chain.classify(&doc, &mut labels);
        let reasons = labels.iter().map(|l| names.reason_of(l).to_owned());
        Ok((
            labels.iter().map(|l| l.content).collect(),
            reasons.collect(),
            format!(
                "{}; {}",
                chain.explain(&doc, &labels, block),
                chain.moved(&doc, block)[0]
            ),
        ))
    }

    #[test]
    fn neighbours_can_override_a_blocks_features() {
        let (content, reasons, explanation) = labelled(MODEL, 4).unwrap();
        assert_eq!(content, [false, false, false, true, true, true]);
        assert_eq!(reasons[0], "boilerplate by its features");
        assert_eq!(
            reasons[2],
            "boilerplate by its neighbours, against its features"
        );
        assert_eq!(
            reasons[4],
            "content by its neighbours, against its features"
        );
        assert!(
            explanation.contains("its features -1.00; block.rCharsInLink 1 (-1.00)"),
            "{explanation}"
        );
    }

    #[test]
    fn unknown_features_are_named() {
        let e = labelled(&MODEL.replace("rCharsInLink", "rNone"), 0).unwrap_err();
        assert!(
            e.contains("there is no feature `block.rNone` of a block"),
            "{e}"
        );
        let e = labelled(&MODEL.replace("edge.sameParent", "block.rWords"), 0).unwrap_err();
        assert!(
            e.contains("there is no feature `block.rWords` of an edge"),
            "{e}"
        );
    }

    #[test]
    fn extreme_weights_do_not_fail() {
        let model = MODEL
            .replace("weight = -1.0", "weight = -1e308")
            .replace("0.25", "1e308");
        let (content, ..) = labelled(&model, 0).unwrap();
        assert_eq!(content.len(), 6);
    }
}
