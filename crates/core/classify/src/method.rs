//! What is registered for each method: name, paper, needs, and how to build it.

use crate::chain::Chain;
use crate::classifier::Classifier;
use crate::names::Names;
use crate::params::{ParamError, StepParams};
use warcsieve_html::Segmentation;

/// A published algorithm, as the command line and pipeline files know it.
pub struct Method {
    /// Name in pipeline files.
    pub name: &'static str,
    /// One line: what it does.
    pub summary: &'static str,
    /// The paper or program that it belongs to, as a heading of `docs/methods.md`.
    pub family: &'static str,
    /// The paper and the place in it.
    pub paper: &'static str,
    /// The segmentation that its authors used, or with which it works best.
    pub segmentation: Segmentation,
    /// Whether it changes the labels of a step before it. Such a method cannot be the first step.
    pub follows: bool,
    /// Parameters that the step needs, with example values, as a pipeline file has them. Files are
    /// named from the root of the repository. Mostly empty.
    pub required: &'static str,
    /// The relation between its scores and its labels.
    pub scores: Scores,
    /// What it reads of a page's elements.
    pub needs: Needs,
    /// How much work a block takes, roughly, as a multiple of a plain method. Tests of time use
    /// fewer blocks by this factor.
    pub cost: usize,
    /// Pipelines that ship for this method.
    pub pipelines: &'static [Shipped],
    /// Reads the step's parameters and builds it.
    pub build: Build,
}

impl Method {
    /// What is usual: a row states what differs. By itself it is a step that leaves all labels as they are.
    pub const PLAIN: Self = Self {
        name: "",
        summary: "",
        family: "",
        paper: "",
        segmentation: Segmentation::Inline,
        follows: false,
        required: "",
        scores: Scores::Half,
        needs: Needs::Tags,
        cost: 1,
        pipelines: &[],
        build: |_, _| Ok(Box::new(Chain::default())),
    };
}

/// The relation between the scores of a method and its labels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scores {
    /// A block is content if its score is above one half.
    Half,
    /// On each page, content scores at least as high as boilerplate. The border depends on the
    /// page.
    Page,
    /// A label also depends on those of other blocks: a block that is likely to be content may be
    /// boilerplate.
    Chain,
}

/// What a method reads of a page's elements. All methods may read the blocks, their counts and
/// texts, and the page's title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Their tags and where they begin and end.
    Tags,
    /// Their attributes, too.
    Attributes,
    /// Tags, and the positions of elements on a screen. On a page without a layout the method says
    /// in its reasons what it does instead.
    Layout,
}

/// A pipeline that ships.
#[derive(Clone, Copy, Debug)]
pub struct Shipped {
    /// The name that `--pipeline` takes; the file is `pipelines/NAME.toml`.
    pub name: &'static str,
    /// The file's text.
    pub text: &'static str,
    /// What it is good for and what it is not good for, in Markdown: for `docs/methods.md`.
    pub note: &'static str,
}

/// A row of [`Method::pipelines`]: the name of a file in `pipelines/`, and the note.
#[macro_export]
macro_rules! shipped {
    ($name:literal, $note:literal) => {
        $crate::Shipped {
            name: $name,
            text: include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/pipelines/",
                $name,
                ".toml"
            )),
            note: $note,
        }
    };
}

pub use shipped;

/// A step that is built, or what is wrong with its parameters.
pub type Built = Result<Box<dyn Classifier>, ParamError>;

/// Builds a step from the parameters of its `[[step]]` table.
pub type Build = fn(StepParams<'_>, &mut Names) -> Built;
