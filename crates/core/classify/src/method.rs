//! What each method says of itself.

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
    /// The segmentation its authors used, or that serves it best.
    pub segmentation: Segmentation,
    /// Changes the labels of a step before it, so it cannot be the first.
    pub follows: bool,
    /// Parameters without which the step cannot be built, with examples for values, as a
    /// pipeline file has them; files are named from the root of the repository. Mostly empty.
    pub required: &'static str,
    /// How its scores and its labels go together.
    pub scores: Scores,
    /// What it reads of a page's elements.
    pub needs: Needs,
    /// How many times the work of a plain method a block takes, roughly; tests of time give it as
    /// many blocks fewer.
    pub cost: usize,
    /// Pipelines that ship, which are there for this method.
    pub pipelines: &'static [Shipped],
    /// Reads the step's parameters and builds it.
    pub build: Build,
}

/// How the scores of a method and its labels go together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scores {
    /// Content is what scores above one half.
    Half,
    /// Content scores at least as high as boilerplate of the same page; where the border is,
    /// depends on the page.
    Page,
    /// A label also depends on those of other blocks: a block that is likely to be content may be
    /// boilerplate.
    Chain,
}

/// What a method reads of a page's elements. All may read the blocks, their counts and texts, and
/// the page's title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Their tags and where they begin and end.
    Tags,
    /// Their attributes, too.
    Attributes,
    /// Tags, and where they are on a screen. On a page that has no layout the method says in its
    /// reasons what it does without.
    Layout,
}

/// A pipeline that ships.
#[derive(Clone, Copy, Debug)]
pub struct Shipped {
    /// The name that `--pipeline` takes; the file is `pipelines/NAME.toml`.
    pub name: &'static str,
    /// The file's text.
    pub text: &'static str,
    /// What it is good for, and for what not, in Markdown: for `docs/methods.md`.
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

/// Builds a step from the parameters of its `[[step]]` table.
pub type Build = fn(StepParams<'_>, &mut Names) -> Result<Box<dyn Classifier>, ParamError>;
