//! Boosted trees on features of the page's structure: the default.

#[cfg(test)]
mod tests;

use super::expected_f::{Beta, Comments, Kept, Options, Scored, choose};
use super::{Classifier, Label, Names};
use crate::config::{ParamError, StepParams};
use crate::document::{Document, shrink};
use crate::features::structure::{Columns, STRUCTURE, Structure};
use crate::model::Forest;
use crate::model::forest::Exits;
use serde::Deserialize;
use std::sync::Arc;
use toml::Spanned;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Params {
    /// The forest; by default the one that ships.
    model: Spanned<String>,
    /// What is done with readers' comments.
    comments: Comments,
    /// Tokens of content that a page has to be expected to have, or else it has none.
    least_tokens: u32,
    /// What recall counts against precision in choosing blocks: β of the expected F-β.
    beta: Beta,
    /// Give each label the feature that moved it most as its reason.
    reasons: bool,
}

impl Default for Params {
    fn default() -> Self {
        Self {
            model: Spanned::new(0..0, "default".to_owned()),
            comments: Options::default().comments,
            least_tokens: Options::default().least_tokens,
            beta: Options::default().beta,
            reasons: false,
        }
    }
}

/// The trees and what stands with them, shared by all workers.
struct Model {
    /// Its features are indices into [`STRUCTURE`].
    forest: Forest,
    /// The same, to add up.
    exits: Exits,
    /// The log-odds before any test: the bias and the trees' first values.
    start: f32,
}

impl Model {
    fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let place = |name: &str| STRUCTURE.iter().position(|f| f.name == name);
        let forest = Forest::from_bytes(bytes)?.placed(place)?;
        let first = |sum, tree: &crate::model::forest::Tree| sum + tree.value(tree.start());
        Ok(Self {
            start: forest.trees.iter().fold(forest.bias, first),
            exits: Exits::new(&forest),
            forest,
        })
    }
}

/// A step with its buffers.
///
/// Memory: that of [`Structure`], 28 bytes a block, and one [`Columns`]: of a page of a million blocks
/// the features do not all stand in memory.
struct BoostedTrees {
    model: Arc<Model>,
    options: Options,
    reasons: Reasons,
    structure: Structure,
    columns: Columns,
    log_odds: Vec<f32>,
    moves: Vec<f32>,
    /// Of each block, if reasons are asked for.
    strongest: Vec<[Option<u16>; 2]>,
    scored: Vec<Scored>,
    order: Vec<(f32, u32)>,
    /// Of the last page.
    kept: Kept,
}

/// Indices of the reasons.
struct Reasons {
    kept: u32,
    left: u32,
    comment: u32,
    little: u32,
    /// For each feature: that it spoke against content, and for it. Empty unless asked for.
    features: Vec<[u32; 2]>,
}

impl Reasons {
    fn new(features: bool, names: &mut Names) -> Self {
        let names_of = |names: &mut Names| {
            let both = |f: &crate::features::structure::StructureFeature| {
                ["against", "for"].map(|side| names.reason(&format!("{}: {side} content", f.name)))
            };
            STRUCTURE.iter().map(both).collect()
        };
        Self {
            kept: names.reason("among the likeliest content of the page"),
            left: names.reason("not among the likeliest content of the page"),
            comment: names.reason("among readers' comments"),
            little: names.reason("the page is expected to have next to no content"),
            features: if features {
                names_of(names)
            } else {
                Vec::new()
            },
        }
    }
}

pub(super) fn build(
    params: StepParams<'_>,
    names: &mut Names,
) -> Result<Box<dyn Classifier>, ParamError> {
    let (params, files) = params.read_with_files::<Params>()?;
    let model = files.load(&params.model, Forest::MAX_BYTES, Model::from_bytes)?;
    Ok(Box::new(BoostedTrees {
        model,
        options: Options {
            comments: params.comments,
            least_tokens: params.least_tokens,
            beta: params.beta,
            ..Options::default()
        },
        reasons: Reasons::new(params.reasons, names),
        structure: Structure::default(),
        columns: Columns::default(),
        log_odds: Vec::new(),
        moves: Vec::new(),
        strongest: Vec::new(),
        scored: Vec::new(),
        order: Vec::new(),
        kept: Kept::default(),
    }))
}

impl BoostedTrees {
    /// Gives each label its score, and, if asked, its reason.
    fn score(&mut self, doc: &Document, labels: &mut [Label]) {
        shrink(&mut self.strongest);
        self.strongest.clear();
        let forest = &self.model.forest;
        for (batch, labels) in labels.chunks_mut(Columns::BLOCKS).enumerate() {
            let first = batch * Columns::BLOCKS;
            let columns = &mut self.columns;
            self.structure
                .columns(doc, first..first + labels.len(), columns);
            self.log_odds.resize(labels.len(), 0.0);
            let exits = &self.model.exits;
            exits.add_up(columns.values(), Columns::STRIDE, &mut self.log_odds);
            for (i, label) in labels.iter_mut().enumerate() {
                label.score = forest.calibration.probability(self.log_odds[i]);
                if !self.reasons.features.is_empty() {
                    self.moves.clear();
                    self.moves.resize(STRUCTURE.len(), 0.0);
                    forest.explain(|feature| columns.value(feature, i), &mut self.moves);
                    self.strongest.push(strongest(&self.moves));
                }
            }
        }
    }

    /// Whether the block of the last page is a comment, and boilerplate for that.
    fn is_dropped(&self, block: usize) -> bool {
        self.kept.without_comments && self.scored[block].comment
    }
}

/// The features that moved a label farthest against content, and for it.
fn strongest(moves: &[f32]) -> [Option<u16>; 2] {
    let mut best = [(0.0, None); 2];
    for (feature, by) in (0..).zip(moves) {
        let best = &mut best[usize::from(*by > 0.0)];
        if by.abs() > best.0 {
            *best = (by.abs(), Some(feature));
        }
    }
    best.map(|(_, feature)| feature)
}

impl Classifier for BoostedTrees {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        if labels.is_empty() {
            return;
        }
        self.structure.read(doc);
        self.score(doc, labels);
        shrink(&mut self.scored);
        shrink(&mut self.order);
        self.scored.clear();
        let scored = (0..).zip(labels.iter()).zip(&doc.blocks);
        self.scored.extend(scored.map(|((block, label), b)| Scored {
            probability: label.score,
            tokens: b.tokens,
            comment: self.structure.is_comment(block),
        }));
        self.kept = choose(&self.scored, self.options, &mut self.order);
        for (rank, &(probability, block)) in self.order.iter().enumerate() {
            let is_dropped = self.is_dropped(block as usize);
            let label = &mut labels[block as usize];
            label.content = rank < self.kept.blocks;
            label.score = probability;
            if is_dropped {
                label.reason = self.reasons.comment;
            } else if self.kept.blocks == 0 {
                label.reason = self.reasons.little;
            } else {
                let strongest = self.strongest.get(block as usize);
                let side = usize::from(label.content);
                label.reason = match strongest.and_then(|s| s[side]) {
                    Some(feature) => self.reasons.features[usize::from(feature)][side],
                    None => [self.reasons.left, self.reasons.kept][side],
                };
            }
        }
    }

    fn explain(&self, doc: &Document, labels: &[Label], block: usize) -> String {
        let (mut row, mut moves) = (Vec::new(), vec![0.0; STRUCTURE.len()]);
        self.structure.rows(doc, block..block + 1, &mut row);
        self.model
            .forest
            .explain(|feature| row[feature], &mut moves);
        let mut order: Vec<usize> = (0..moves.len()).filter(|f| moves[*f] != 0.0).collect();
        order.sort_by(|a, b| moves[*b].abs().total_cmp(&moves[*a].abs()));
        let strongest = order
            .iter()
            .take(5)
            .map(|&f| format!("{} {} ({:+.2})", STRUCTURE[f].name, short(row[f]), moves[f]));
        let page = match self.kept.blocks {
            0 => format!(
                "{:.0} tokens of content expected, {} needed",
                self.kept.expected, self.options.least_tokens
            ),
            _ => format!("the page's cut is {:.2}", self.kept.cut),
        };
        let comment = match self.is_dropped(block) {
            true => "without its place among readers' comments ",
            false => "",
        };
        format!(
            "probability {:.2}; {page}; {comment}log-odds start at {:+.2}, moved most by {}",
            labels[block].score,
            self.model.start,
            strongest.collect::<Vec<_>>().join(", ")
        )
    }
}

/// A value with at most two digits after the point.
fn short(value: f32) -> String {
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_owned()
}
