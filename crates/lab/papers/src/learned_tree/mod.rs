//! Decision trees from model files, on any of the shallow features.
//!
//! Kohlschütter, Fankhauser, Nejdl: Boilerplate Detection using Shallow Text Features,
//! WSDM 2010, §4.3.1. The file format is that of [`DecisionTree::parse`].
//!
//! A block is content if the leaf's class is not `boilerplate`. The score is the share of the other
//! classes at the leaf in training. So with more than two classes, a block labelled boilerplate may
//! have a score above 0.5.

use serde::Deserialize;
use std::sync::Arc;
use toml::Spanned;
use warcsieve_classify::methods::frequencies;
use warcsieve_classify::params::{ParamError, StepParams};
use warcsieve_classify::{Built, Classifier, Label, Method, Names, shipped};
use warcsieve_features::{Feature, Frequencies, SHALLOW, Shallow};
use warcsieve_html::document::Document;
use warcsieve_model::DecisionTree;

/// The method as pipeline files and the command line know it.
pub const METHOD: Method = Method {
    name: "tree",
    summary: "decision tree from a model file, on any shallow features",
    family: "Kohlschütter, Fankhauser, Nejdl 2010: shallow text features",
    paper: "Kohlschütter, Fankhauser, Nejdl 2010, §4.3.1 (C4.8)",
    required: "model = \"pipelines/numwords.tree\"",
    pipelines: &[shipped!(
        "tree-smoothing",
        "A tree from a model file, here the tree of Algorithm 2, then smoothing. Use it as a start for your own trees, which `train` can learn on any shallow \
        features."
    )],
    build,
    ..Method::PLAIN
};

const BOILERPLATE: &str = "boilerplate";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {
    /// The model file; a relative name is resolved against the pipeline file's folder.
    model: Spanned<String>,
    /// The table of block frequencies, if the model needs them.
    frequencies: Option<Spanned<String>>,
}

struct LearnedTree {
    tree: Arc<DecisionTree>,
    shallow: Shallow,
    /// By leaf: its label.
    labels: Vec<Label>,
}

pub(super) fn build(params: StepParams<'_>, names: &mut Names) -> Built {
    let (params, files): (Params, _) = params.read_with_files()?;
    let tree = files.load(
        &params.model,
        DecisionTree::MAX_BYTES,
        DecisionTree::from_bytes,
    )?;
    let wrong = |message: String| {
        ParamError::at(
            &params.model,
            format!("{}: {message}", params.model.get_ref()),
        )
    };
    let frequencies = match &params.frequencies {
        Some(name) => Some(frequencies::load(files, name)?),
        None => None,
    };
    let asks = |f: &&Feature| f.needs_frequencies() && tree.features().iter().any(|n| n == f.name);
    if let (Some(feature), None) = (SHALLOW.iter().find(asks), &frequencies) {
        return Err(wrong(format!(
            "`{}` needs `frequencies = \"…\"`, a table made by `warcsieve freq`",
            feature.name
        )));
    }
    if names.classes.len() + tree.classes().len() > 256 {
        return Err(wrong("a pipeline can have at most 255 classes".to_owned()));
    }
    let shallow = shallow(&tree, frequencies).map_err(wrong)?;
    let labels = labels(&tree, names);
    Ok(Box::new(LearnedTree {
        tree,
        shallow,
        labels,
    }))
}

fn shallow(tree: &DecisionTree, frequencies: Option<Arc<Frequencies>>) -> Result<Shallow, String> {
    let shallow = Shallow::new(tree.features()).map_err(|e| e.to_string())?;
    Ok(match frequencies {
        Some(frequencies) => shallow.with_frequencies(frequencies),
        None => shallow,
    })
}

fn labels(tree: &DecisionTree, names: &mut Names) -> Vec<Label> {
    let classes: Vec<_> = tree.classes().iter().map(|c| names.class(c)).collect();
    let boilerplate = tree.classes().iter().position(|c| c == BOILERPLATE);
    let leaves = tree.leaves().iter().zip(tree.paths());
    leaves
        .map(|(leaf, path)| {
            let tests: Vec<_> = path
                .iter()
                .map(|&(feature, below, threshold)| {
                    let sign = if below { "<=" } else { ">" };
                    format!("{} {sign} {threshold}", tree.features()[feature])
                })
                .collect();
            let reason = match tests.as_slice() {
                [] => "always".to_owned(),
                tests => tests.join(", "),
            };
            let class = usize::from(leaf.class);
            Label {
                content: boilerplate != Some(class),
                class: classes[class],
                score: boilerplate.map_or(1.0, |b| 1.0 - leaf.share(b)) as f32,
                reason: names.reason(&reason),
            }
        })
        .collect()
}

impl Classifier for LearnedTree {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        self.shallow.compute(doc);
        for (block, label) in labels.iter_mut().enumerate() {
            let row = self.shallow.row(block);
            *label = self.labels[self.tree.leaf_index(|feature| row[feature])];
        }
    }

    fn explain(&self, _: &Document, _: &[Label], block: usize) -> String {
        let row = self.shallow.row(block);
        let index = self.tree.leaf_index(|feature| row[feature]);
        let leaf = &self.tree.leaves()[index];
        let tests: Vec<_> = self.tree.paths()[index]
            .iter()
            .map(|&(feature, below, threshold)| {
                let sign = if below { "<=" } else { ">" };
                let name = &self.tree.features()[feature];
                format!("{name} {} {sign} {threshold}", row[feature])
            })
            .collect();
        let class = usize::from(leaf.class);
        let evidence = match leaf.total() {
            0 => String::new(),
            total => format!(" ({:.2} of {total} words in training)", leaf.share(class)),
        };
        let class = &self.tree.classes()[class];
        format!("tree: {} → {class}{evidence}", tests.join(", "))
    }
}

#[cfg(test)]
mod tests;
