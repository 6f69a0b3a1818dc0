//! Boosted trees on features of the page's structure: the default.

#[cfg(test)]
mod tests;

use crate::classifier::{Classifier, Moved};
use crate::expected_f::{Beta, Comments, Kept, Options, Scored, choose};
use crate::forum;
use crate::label::Label;
use crate::method::{Built, Method, Needs, Scores, shipped};
use crate::names::Names;
use crate::params::StepParams;
use crate::pooling::Pooling;
use crate::step_params;
use serde::Deserialize;
use std::sync::Arc;
use toml::Spanned;
use warcsieve_common::{emptied, shrink};
use warcsieve_features::structure::{Columns, Comment, FOREST, PATH_SCORE, PathWeights, Structure};
use warcsieve_html::document::Document;
use warcsieve_model::Forest;
use warcsieve_model::forest::{Batch, Scorer};

/// The method as pipeline files and the command line know it.
pub const METHOD: Method = Method {
    name: "forest",
    summary: "boosted trees on the page's structure, then the blocks of highest expected F-β",
    family: "The default",
    paper: "none; Friedman 2001 (gradient boosting) on features after several papers",
    scores: Scores::Page,
    needs: Needs::Attributes,
    pipelines: &[
        shipped!(
            "default",
            "`forest`: boosted trees on the structure of the whole page. Readers' comments are dropped. It is for crawls of all kinds: it handles forums, products, listings and \
        services as well as articles. It uses no words of a language, except English words in class names and headings of comments in many languages. It was trained on wcxb-dev, so its figure there is too good. [accuracy.md](accuracy.md) has figures of forests that \
        had not seen the page, and figures of other programs."
        ),
        shipped!(
            "default-comments",
            "The same, but readers' comments are content. Use it for corpora of discussions, and with gold that keeps comments (l3s-gn1, cleaneval-test)."
        ),
        shipped!(
            "retrieval",
            "The default, with all settings that search experiments need written out: shards hold raw text and cleaned text, and the words and the text density of every block ([retrieval.md](retrieval.md))."
        ),
    ],
    build,
    ..Method::PLAIN
};

step_params! {
    /// The forest; by default the one that ships.
    model: Spanned<String> = Spanned::new(0..0, "default".to_owned()),
    /// How readers' comments are labelled.
    comments: Comments = Options::default().comments,
    /// What is done with the posts of a forum where comments are dropped.
    forum_posts: ForumPosts = ForumPosts::Keep,
    /// A page whose expected content has fewer tokens than this has no content.
    least_tokens: u32 = Options::default().least_tokens,
    /// The weight of recall against precision when blocks are chosen: β of the expected F-β.
    beta: Beta = Options::default().beta,
    /// Whether a label's reason is the feature that contributed most to it. What blocks in similar places contributed
    /// is not a feature.
    reasons: bool = false,
}

/// What is done with the posts of a forum, which are marked as readers' comments elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ForumPosts {
    /// What people wrote is content on a page that is one of a forum by its address or its markup, if little of
    /// it would be kept without comments.
    Keep,
    /// They are treated as readers' comments.
    Comments,
}

/// The posts of a page of a forum are content if, without comments, less than this share is kept of what is kept with
/// them, in tokens.
const MIN_SHARE_WITHOUT_POSTS: f64 = 0.35;

/// The trees in the forms that are needed, shared by all workers.
struct Model {
    /// The forest for explanations. The features of its tests are indices into [`FOREST`].
    forest: Forest,
    /// The same forest, in the form that computes scores.
    scorer: Scorer,
    /// The log-odds before any test: the bias plus the values of the roots.
    start: f32,
    /// The weights of the path score, if the forest has them.
    paths: Option<Arc<PathWeights>>,
}

impl Model {
    fn from_bytes(bytes: &[u8]) -> Result<Self, String> {
        let place = |name: &str| FOREST.iter().position(|f| f.name == name);
        let forest = Forest::from_bytes(bytes)?.placed(place)?;
        let first = |sum, tree: &warcsieve_model::forest::Tree| sum + tree.value(tree.root());
        if forest.paths.is_none() && forest.features.iter().any(|f| f == PATH_SCORE) {
            return Err("the forest has no weights for its path score".to_owned());
        }
        let weights = forest.paths.as_ref().map(|table| {
            let weights = PathWeights::new(&table.slots, table.unit);
            weights.ok_or("the number of slots of its paths is no power of two")
        });
        Ok(Self {
            paths: weights.transpose()?.map(Arc::new),
            start: forest.trees.iter().fold(forest.bias, first),
            scorer: Scorer::new(&forest),
            forest,
        })
    }
}

/// A step with its buffers.
///
/// Memory: that of [`Structure`], 32 bytes per block, 16 per group of blocks, and one [`Columns`]. The features of a
/// page of a million blocks are never all in memory.
struct BoostedTrees {
    model: Arc<Model>,
    options: Options,
    forum_posts: ForumPosts,
    /// Whether the last page is a thread whose posts are content.
    is_thread: bool,
    reasons: Reasons,
    structure: Structure,
    columns: Columns,
    /// By block: its log-odds, moved towards those of its group.
    log_odds: Vec<f32>,
    batch: Batch,
    pooling: Pooling,
    contributions: Vec<f32>,
    /// By block, if reasons by feature are enabled: the strongest feature against content, and the strongest one for
    /// it.
    strongest: Vec<[Option<u16>; 2]>,
    scored: Vec<Scored>,
    order: Vec<(f32, u32)>,
    /// The same for a page whose posts may be content.
    order_with_posts: Vec<(f32, u32)>,
    /// The choice for the last page.
    kept: Kept,
}

/// Indices of the reasons.
struct Reasons {
    kept: u32,
    left: u32,
    comment: u32,
    below: u32,
    written: u32,
    post: u32,
    little: u32,
    /// By feature: the reason that it contributed against content, and the reason that it contributed for content.
    /// Empty unless enabled.
    features: Vec<[u32; 2]>,
}

impl Reasons {
    fn new(features: bool, names: &mut Names) -> Self {
        let names_of = |names: &mut Names| {
            let both = |f: &warcsieve_features::structure::StructureFeature| {
                ["against", "for"].map(|side| names.reason(&format!("{}: {side} content", f.name)))
            };
            FOREST.iter().map(both).collect()
        };
        Self {
            kept: names.reason("among the likeliest content of the page"),
            left: names.reason("not among the likeliest content of the page"),
            comment: names.reason("among readers' comments"),
            below: names.reason("below the heading of readers' comments"),
            written: names.reason("what a reader wrote"),
            post: names.reason("a post of a forum"),
            little: names.reason("the page is expected to have next to no content"),
            features: if features {
                names_of(names)
            } else {
                Vec::new()
            },
        }
    }
}

pub(super) fn build(params: StepParams<'_>, names: &mut Names) -> Built {
    let (params, files) = params.read_with_files::<Params>()?;
    let model = files.load(&params.model, Forest::MAX_BYTES, Model::from_bytes)?;
    let structure = match &model.paths {
        Some(weights) => Structure::with_paths(weights.clone()),
        None => Structure::default(),
    };
    let structure = structure.only(&model.forest.features);
    Ok(Box::new(BoostedTrees {
        model,
        options: Options {
            comments: params.comments,
            least_tokens: params.least_tokens,
            beta: params.beta,
            ..Options::default()
        },
        forum_posts: params.forum_posts,
        is_thread: false,
        reasons: Reasons::new(params.reasons, names),
        structure,
        columns: Columns::default(),
        log_odds: Vec::new(),
        batch: Batch::default(),
        pooling: Pooling::default(),
        contributions: Vec::new(),
        strongest: Vec::new(),
        scored: Vec::new(),
        order: Vec::new(),
        order_with_posts: Vec::new(),
        kept: Kept::default(),
    }))
}

impl BoostedTrees {
    /// Sets the score of each label, and `strongest` if reasons by feature are enabled.
    fn score(&mut self, doc: &Document, labels: &mut [Label]) {
        emptied(&mut self.strongest);
        let forest = &self.model.forest;
        emptied(&mut self.log_odds).resize(labels.len(), 0.0);
        for (batch, own) in self.log_odds.chunks_mut(Columns::BLOCKS).enumerate() {
            let first = batch * Columns::BLOCKS;
            let columns = &mut self.columns;
            self.structure
                .columns(doc, first..first + own.len(), columns);
            let scorer = &self.model.scorer;
            scorer.log_odds(columns.values(), Columns::STRIDE, own, &mut self.batch);
            if self.reasons.features.is_empty() {
                continue;
            }
            for i in 0..own.len() {
                let contributions = &mut self.contributions;
                contributions.clear();
                contributions.resize(FOREST.len(), 0.0);
                forest.explain(|feature| columns.value(feature, i), contributions);
                self.strongest.push(strongest(contributions));
            }
        }
        let tokens = doc.blocks.iter().map(|block| block.tokens);
        self.pooling
            .pool(self.structure.groups(), tokens, &mut self.log_odds);
        for (label, log_odds) in labels.iter_mut().zip(&self.log_odds) {
            label.score = forest.calibration.probability(*log_odds);
        }
    }

    /// Chooses the content of the last page that was scored.
    fn choose_content(&mut self, doc: &Document) {
        self.is_thread = false;
        self.kept = choose(&self.scored, self.options, &mut self.order);
        let may_be = self.forum_posts == ForumPosts::Keep && self.kept.without_comments;
        if !may_be || !forum::is_forum(doc) {
            return;
        }
        let thread = choose(&self.scored, self.with_posts(), &mut self.order_with_posts);
        if self.kept.tokens < MIN_SHARE_WITHOUT_POSTS * thread.tokens {
            std::mem::swap(&mut self.order, &mut self.order_with_posts);
            (self.kept, self.is_thread) = (thread, true);
        }
    }

    /// The options of a page whose posts are content.
    fn with_posts(&self) -> Options {
        Options {
            comments: Comments::Keep,
            ..self.options
        }
    }

    /// Whether the block of the last page has its probability because a reader wrote it.
    fn is_written(&self, block: usize) -> bool {
        let options = match self.is_thread {
            true => self.with_posts(),
            false => self.options,
        };
        self.scored[block].is_raised(options)
    }

    /// Whether the block of the last page is boilerplate because it is a comment.
    fn is_dropped(&self, block: usize) -> bool {
        self.kept.without_comments && self.scored[block].comment != Comment::No
    }
}

/// The features with the greatest contributions against content, and for it.
fn strongest(contributions: &[f32]) -> [Option<u16>; 2] {
    let mut best = [(0.0, None); 2];
    for (feature, by) in (0..).zip(contributions) {
        let best = &mut best[usize::from(*by > 0.0)];
        if by.abs() > best.0 {
            *best = (by.abs(), Some(feature));
        }
    }
    best.map(|(_, feature)| feature)
}

impl Classifier for BoostedTrees {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        self.kept = Kept::default();
        if labels.is_empty() {
            return;
        }
        self.structure.read(doc);
        self.score(doc, labels);
        emptied(&mut self.scored);
        shrink(&mut self.order);
        shrink(&mut self.order_with_posts);
        let scored = (0..).zip(labels.iter()).zip(&doc.blocks);
        self.scored.extend(scored.map(|((block, label), b)| Scored {
            probability: label.score,
            tokens: b.tokens,
            comment: self.structure.comment(doc, block),
        }));
        self.choose_content(doc);
        for (rank, &(probability, block)) in self.order.iter().enumerate() {
            let is_dropped = self.is_dropped(block as usize);
            let label = &mut labels[block as usize];
            label.content = rank < self.kept.blocks;
            label.score = probability;
            if is_dropped {
                label.reason = match self.scored[block as usize].comment {
                    Comment::Below => self.reasons.below,
                    _ => self.reasons.comment,
                };
            } else if self.kept.blocks == 0 {
                label.reason = self.reasons.little;
            } else if label.content
                && self.is_thread
                && self.scored[block as usize].comment != Comment::No
            {
                label.reason = self.reasons.post;
            } else if label.content && self.is_written(block as usize) {
                label.reason = self.reasons.written;
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

    fn confidence(&self) -> Option<f32> {
        let measured = self.model.forest.confidence?;
        Some(measured.of_share(self.kept.f1))
    }

    fn cut(&self) -> Option<f32> {
        let next = self.order.get(self.kept.blocks);
        match self.kept.blocks {
            0 => next.map(|_| 1.0),
            _ => Some(f32::midpoint(self.kept.cut, next.map_or(0.0, |n| n.0))),
        }
    }

    fn nothing(&self) -> Option<String> {
        let (expected, needed) = (self.kept.expected, self.options.least_tokens);
        let is_nothing = self.kept.blocks == 0;
        is_nothing.then(|| format!("{expected:.0} tokens of content expected, {needed} needed"))
    }

    fn moved(&self, doc: &Document, block: usize) -> Vec<Moved> {
        let (mut row, mut contributions) = (Vec::new(), vec![0.0; FOREST.len()]);
        self.structure.rows(doc, block..block + 1, &mut row);
        self.model
            .forest
            .explain(|feature| row[feature], &mut contributions);
        let by = |feature: usize| contributions[feature];
        let mut order: Vec<usize> = (0..FOREST.len()).filter(|f| by(*f) != 0.0).collect();
        order.sort_by(|a, b| by(*b).abs().total_cmp(&by(*a).abs()));
        let strongest = order.into_iter().take(Moved::MAX_FEATURES);
        let strongest = strongest.map(|f| Moved {
            feature: FOREST[f].name.clone(),
            value: row[f],
            by: by(f),
        });
        strongest.collect()
    }

    fn explain(&self, doc: &Document, labels: &[Label], block: usize) -> String {
        let page = self.nothing().unwrap_or_else(|| {
            let cut = self.cut().unwrap_or(1.0);
            format!("the page's cut is {cut:.2}")
        });
        let comment = match self.is_dropped(block) || self.is_written(block) {
            true => "without its place among readers' comments ",
            false => "",
        };
        let mut row = Vec::new();
        self.structure.rows(doc, block..block + 1, &mut row);
        let by = self.log_odds[block] - self.model.forest.log_odds(|feature| row[feature]);
        let pooled = match by.abs() < 0.005 {
            true => String::new(),
            false => format!(", {by:+.2} by blocks in like places"),
        };
        format!(
            "probability {:.2}; {page}; {comment}log-odds start at {:+.2}{pooled}",
            labels[block].score, self.model.start
        )
    }
}
