//! Labelling blocks as content or boilerplate.
//!
//! Every published method is one file here and one row in [`METHODS`]; a
//! [`Chain`] of methods is again a [`Classifier`].

mod boilerpipe;
mod bte;
mod ccb;
mod cetd;
mod cetr;
mod chain;
mod chosen;
mod crf;
mod density;
mod density_rule;
mod dsc;
pub mod expected_f;
mod fixed_tree;
#[cfg(test)]
pub(crate) mod fixture;
pub mod forest;
pub mod goce;
mod justext;
mod keep_all;
mod largest_content;
mod learned_tree;
pub mod linear_chain;
mod lqf;
mod main_content;
mod min_words;
mod noise;
mod numwords;
mod sequence;
mod smoothing;
#[cfg(test)]
mod tests;
mod title;
pub mod web2text;

pub use chain::Chain;

use crate::config::{ParamError, StepParams};
use crate::document::Document;
use crate::html::Segmentation;

/// What a method says about one block.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Label {
    /// Content, or else boilerplate.
    pub content: bool,
    /// Index into the [`Names::classes`] of the pipeline.
    pub class: u8,
    /// How sure, from 0 (boilerplate) to 1 (content). Methods that decide
    /// without a degree give 0 or 1.
    pub score: f32,
    /// Index into the [`Names::reasons`] of the pipeline.
    pub reason: u32,
}

impl Label {
    /// The label of a method that knows two classes and no degree.
    pub fn plain(content: bool, reason: u32) -> Self {
        Self {
            content,
            class: 0,
            score: f32::from(u8::from(content)),
            reason,
        }
    }

    /// Sets the label if it says otherwise, for steps that change what a step before them said. The
    /// class stays.
    pub fn change(&mut self, content: bool, reason: u32) {
        if self.content != content {
            *self = Self {
                class: self.class,
                ..Self::plain(content, reason)
            };
        }
    }
}

/// A method, ready to label pages.
///
/// Everything that can fail has failed when it was built.
pub trait Classifier: Send {
    /// Labels the blocks of a page. `labels` is as long as `doc.blocks` and holds
    /// what the step before said; for the first step all boilerplate, score 0.
    fn classify(&mut self, doc: &Document, labels: &mut [Label]);

    /// Says for a person why `block` got its label, in more words than the
    /// reason: the values compared, and with what. For inspection only, and only of
    /// the page classified last.
    ///
    /// `labels` are those of the whole chain. Empty where the step left the
    /// label as it was.
    fn explain(&self, doc: &Document, labels: &[Label], block: usize) -> String;
}

/// Texts of the classes and reasons that the steps of a pipeline give. A step
/// registers its own while it is built and keeps the indices.
#[derive(Clone, Debug)]
pub struct Names {
    /// Class names; index 0 is the empty class of methods that know only two.
    pub classes: Vec<String>,
    /// Reasons; index 0 is "not labelled by any step".
    pub reasons: Vec<String>,
}

impl Default for Names {
    fn default() -> Self {
        Self {
            classes: vec![String::new()],
            reasons: vec!["not labelled by any step".to_owned()],
        }
    }
}

impl Names {
    /// The index of a class name, which is registered if it is new.
    ///
    /// # Panics
    /// If a pipeline comes to know more than 256 classes.
    pub fn class(&mut self, name: &str) -> u8 {
        u8::try_from(register(&mut self.classes, name)).expect("methods know a handful of classes")
    }

    /// The index of a reason, which is registered if it is new.
    ///
    /// # Panics
    /// If a pipeline comes to know more than 2³² reasons.
    pub fn reason(&mut self, text: &str) -> u32 {
        u32::try_from(register(&mut self.reasons, text)).expect("methods know some dozen reasons")
    }
}

impl Names {
    /// The class a label gives; empty for methods that know only two.
    pub fn class_of(&self, label: &Label) -> &str {
        &self.classes[usize::from(label.class)]
    }

    /// The reason a label gives.
    pub fn reason_of(&self, label: &Label) -> &str {
        &self.reasons[label.reason as usize]
    }
}

fn register(texts: &mut Vec<String>, text: &str) -> usize {
    texts.iter().position(|t| t == text).unwrap_or_else(|| {
        texts.push(text.to_owned());
        texts.len() - 1
    })
}

/// A published algorithm, as the command line and pipeline files know it.
pub struct Method {
    /// Name in pipeline files.
    pub name: &'static str,
    /// One line: what it does.
    pub summary: &'static str,
    /// The paper and the place in it.
    pub paper: &'static str,
    /// The segmentation its authors used, or that serves it best.
    pub segmentation: Segmentation,
    /// Changes the labels of a step before it, so it cannot be the first.
    pub follows: bool,
    /// Parameters without which the step cannot be built, with examples for values, as a
    /// pipeline file has them; files are named from the root of the repository. Mostly empty.
    pub required: &'static str,
    /// Reads the step's parameters and builds it.
    pub build: Build,
}

/// Builds a step from the parameters of its `[[step]]` table.
pub type Build = fn(StepParams<'_>, &mut Names) -> Result<Box<dyn Classifier>, ParamError>;

/// Every method there is. The command line, pipeline files, tests and benches
/// all go by this table.
pub static METHODS: &[Method] = &[
    Method {
        name: "forest",
        summary: "boosted trees on the page's structure, then the blocks of highest expected F-β",
        paper: "none; Friedman 2001 (gradient boosting) on features after several papers",
        segmentation: Segmentation::Inline,
        follows: false,
        required: "",
        build: forest::build,
    },
    Method {
        name: "density",
        summary: "decision tree on text and link density of a block and its neighbours",
        paper: "Kohlschütter, Fankhauser, Nejdl 2010, Algorithm 1 (Densitometric Classifier)",
        segmentation: Segmentation::Inline,
        follows: false,
        required: "",
        build: density::build,
    },
    Method {
        name: "numwords",
        summary: "decision tree on words and link density of a block and its neighbours",
        paper: "Kohlschütter, Fankhauser, Nejdl 2010, Algorithm 2 (Number of Words)",
        segmentation: Segmentation::Inline,
        follows: false,
        required: "",
        build: numwords::build,
    },
    Method {
        name: "density-rule",
        summary: "content is every block of enough text density and few enough links",
        paper: "Kohlschütter, Fankhauser, Nejdl 2010, §4.3.2 (rule trained on CleanEval)",
        segmentation: Segmentation::Inline,
        follows: false,
        required: "",
        build: density_rule::build,
    },
    Method {
        name: "bte",
        summary: "the one region with the most words inside and the most tags outside",
        paper: "Finn, Kushmerick, Smyth 2001 (Body Text Extraction); rival in Kohlschütter et al. 2010",
        segmentation: Segmentation::Leaves,
        follows: false,
        required: "",
        build: bte::build,
    },
    Method {
        name: "boilerpipe",
        summary: "a list of filters: numwords or density, then fusion, title, end and largest part",
        paper: "boilerpipe 1.2, the program of Kohlschütter et al. 2010 (its extractors)",
        segmentation: Segmentation::Inline,
        follows: false,
        required: "",
        build: boilerpipe::build,
    },
    Method {
        name: "tree",
        summary: "decision tree from a model file, on any shallow features",
        paper: "Kohlschütter, Fankhauser, Nejdl 2010, §4.3.1 (C4.8)",
        segmentation: Segmentation::Inline,
        follows: false,
        required: "model = \"pipelines/numwords.tree\"",
        build: learned_tree::build,
    },
    Method {
        name: "justext",
        summary: "stop words, length and links of a block, then the classes around it",
        paper: "Pomikálek 2011 (jusText); Pan Ei San, Nilar Aye 2014, §4.1",
        segmentation: Segmentation::Justext,
        follows: false,
        required: "",
        build: justext::build,
    },
    Method {
        name: "noise-tree",
        summary: "decision tree on text and link density, alone or on another step's content",
        paper: "Pan Ei San, Nilar Aye 2014, §4.1.2.2 (tree after the context-sensitive stage)",
        segmentation: Segmentation::Justext,
        follows: false,
        required: "",
        build: noise::tree::build,
    },
    Method {
        name: "noise-duplicates",
        summary: "drops content whose keywords repeat those of content above, after another step",
        paper: "Pan Ei San, Nilar Aye 2014, §4.1.3.1 (duplicate blocks by cosine similarity)",
        segmentation: Segmentation::Justext,
        follows: true,
        required: "",
        build: noise::duplicates::build,
    },
    Method {
        name: "noise-main",
        summary: "keeps the run of content with most title words and keywords, after another step",
        paper: "Pan Ei San, Nilar Aye 2014, §4.1.3.2 and §4.1.3.3 (block weight, main block)",
        segmentation: Segmentation::Justext,
        follows: true,
        required: "",
        build: noise::main_block::build,
    },
    Method {
        name: "lqf",
        summary: "content is what is in no block element of mostly linked text",
        paper: "Mantratzis, Orgun, Cassidy 2005; Gottron 2007 (Link Quota Filter); rival in Song, Sun, Liao 2013",
        segmentation: Segmentation::Inline,
        follows: false,
        required: "",
        build: lqf::build,
    },
    Method {
        name: "cetr",
        summary: "clusters blocks by their characters a tag, smoothed, and how these change",
        paper: "Weninger, Hsu, Han 2010 (CETR-KM); rival in Song, Sun, Liao 2013",
        segmentation: Segmentation::Inline,
        follows: false,
        required: "",
        build: cetr::build,
    },
    Method {
        name: "ccb",
        summary: "content is where the blurred sequence of words and tags is nearly all words",
        paper: "Gottron 2008 (Content Code Blurring, by tokens: TCCB); rival in Song, Sun, Liao 2013",
        segmentation: Segmentation::Leaves,
        follows: false,
        required: "",
        build: ccb::build,
    },
    Method {
        name: "dsc",
        summary: "content is where the curve of tags over tokens is flat",
        paper: "Pinto et al. 2002 (Document Slope Curves); rival in Song, Sun, Liao 2013",
        segmentation: Segmentation::Leaves,
        follows: false,
        required: "",
        build: dsc::build,
    },
    Method {
        name: "cetd",
        summary: "elements whose children add up to the most characters a tag",
        paper: "Song, Sun, Liao 2013, §3.2, §3.5 (CETD-DS)",
        segmentation: Segmentation::Inline,
        follows: false,
        required: "",
        build: cetd::plain,
    },
    Method {
        name: "cectd",
        summary: "the same, characters and tags weighed against linked ones",
        paper: "Song, Sun, Liao 2013, §3.3, §3.5 (CECTD-DS)",
        segmentation: Segmentation::Inline,
        follows: false,
        required: "",
        build: cetd::composite,
    },
    Method {
        name: "cectd-s",
        summary: "elements dense enough when averaged with their neighbours",
        paper: "Song, Sun, Liao 2013, §3.3, §4.1.3 (CECTD-S)",
        segmentation: Segmentation::Inline,
        follows: false,
        required: "",
        build: cetd::smoothed,
    },
    Method {
        name: "goce",
        summary: "tells articles from lists, then takes the algorithm of the page's genre",
        paper: "Nguyen-Hoang et al. 2018, §3.1, §4.2 (GOCE with the SVM)",
        segmentation: Segmentation::Inline,
        follows: false,
        required: "",
        build: goce::by_genre,
    },
    Method {
        name: "goce-article",
        summary: "goes down to the element whose children share its text evenly",
        paper: "Nguyen-Hoang et al. 2018, §3.3.2, Algorithm 1 (article extractor)",
        segmentation: Segmentation::Inline,
        follows: false,
        required: "",
        build: goce::article,
    },
    Method {
        name: "goce-list",
        summary: "all elements of the class and depth that has much text and many elements",
        paper: "Nguyen-Hoang et al. 2018, §3.3.3, Algorithm 2 (list-view extractor)",
        segmentation: Segmentation::Inline,
        follows: false,
        required: "",
        build: goce::list,
    },
    Method {
        name: "web2text",
        summary: "two convolutional networks along the blocks, then the best labels of the chain",
        paper: "Vogels, Ganea, Eickhoff 2018, §3.4, §3.5 (Web2Text)",
        segmentation: Segmentation::Leaves,
        follows: false,
        required: "",
        build: web2text::build,
    },
    Method {
        name: "min-words",
        summary: "content is every block of at least `words` words",
        paper: "Kohlschütter, Fankhauser, Nejdl 2010, §4.3.2 (baseline of 10 words)",
        segmentation: Segmentation::Inline,
        follows: false,
        required: "",
        build: min_words::build,
    },
    Method {
        name: "crf",
        summary: "the best labels of the whole sequence of blocks: a linear-chain conditional random field",
        paper: "Spousta, Marek, Pecina 2008 (Victor), on features of Vogels et al. 2018; rival there, Table 2",
        segmentation: Segmentation::Leaves,
        follows: false,
        required: "",
        build: crf::build,
    },
    Method {
        name: "keep-all",
        summary: "content is every block",
        paper: "Kohlschütter, Fankhauser, Nejdl 2010, §4.3.2 (baseline)",
        segmentation: Segmentation::Inline,
        follows: false,
        required: "",
        build: keep_all::build,
    },
    Method {
        name: "largest-content",
        summary: "keeps the run of content with the most words, after another step",
        paper: "Kohlschütter, Fankhauser, Nejdl 2010, §4.3.2 (Largest Content Filter)",
        segmentation: Segmentation::Inline,
        follows: true,
        required: "",
        build: largest_content::build,
    },
    Method {
        name: "main-content",
        summary: "the same, from the title on and without readers' comments, after another step",
        paper: "Kohlschütter, Fankhauser, Nejdl 2010, §4.3.2 (Main Content Filter)",
        segmentation: Segmentation::Inline,
        follows: true,
        required: "",
        build: main_content::build,
    },
    Method {
        name: "smoothing",
        summary: "fills short gaps in content and drops small islands of it, after another step",
        paper: "none; area closing and opening of a binary signal (Vincent 1993)",
        segmentation: Segmentation::Inline,
        follows: true,
        required: "",
        build: smoothing::build,
    },
];
