//! Every block is content: the baseline that keeps all text.
//!
//! Kohlschütter, Fankhauser, Nejdl: Boilerplate Detection using Shallow Text
//! Features, WSDM 2010, §4.3.2 ("Keep all text").

use crate::classifier::Classifier;
use crate::label::Label;
use crate::method::{Method, Needs, Scores, shipped};
use crate::names::Names;
use crate::params::{ParamError, StepParams};
use serde::Deserialize;
use warcsieve_html::Segmentation;
use warcsieve_html::document::Document;

/// The method as pipeline files and the command line know it.
pub const METHOD: Method = Method {
    name: "keep-all",
    summary: "content is every block",
    family: "Kohlschütter, Fankhauser, Nejdl 2010: shallow text features",
    paper: "Kohlschütter, Fankhauser, Nejdl 2010, §4.3.2 (baseline)",
    segmentation: Segmentation::Inline,
    follows: false,
    required: "",
    scores: Scores::Half,
    needs: Needs::Tags,
    cost: 1,
    pipelines: &[shipped!(
        "keep-all",
        "Every block is content. Use it for languages without spaces, for your own filters on the `blocks` table, and as the lowest precision to compare with."
    )],
    build,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Params {}

struct KeepAll {
    reason: u32,
}

pub(super) fn build(
    params: StepParams<'_>,
    names: &mut Names,
) -> Result<Box<dyn Classifier>, ParamError> {
    let Params {} = params.read()?;
    Ok(Box::new(KeepAll {
        reason: names.reason("every block is kept"),
    }))
}

impl Classifier for KeepAll {
    fn classify(&mut self, _: &Document, labels: &mut [Label]) {
        labels.fill(Label::plain(true, self.reason));
    }

    fn explain(&self, _: &Document, _: &[Label], _: usize) -> String {
        "keep-all: every block is kept".to_owned()
    }
}
