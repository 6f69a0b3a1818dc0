//! Every block is content: the baseline that keeps all text.
//!
//! Kohlschütter, Fankhauser, Nejdl: Boilerplate Detection using Shallow Text
//! Features, WSDM 2010, §4.3.2 ("Keep all text").

use crate::classifier::Classifier;
use crate::label::Label;
use crate::method::{Built, Method, shipped};
use crate::names::Names;
use crate::params::StepParams;
use warcsieve_html::document::Document;

/// The method as pipeline files and the command line know it.
pub const METHOD: Method = Method {
    name: "keep-all",
    summary: "content is every block",
    family: "Kohlschütter, Fankhauser, Nejdl 2010: shallow text features",
    paper: "Kohlschütter, Fankhauser, Nejdl 2010, §4.3.2 (baseline)",
    pipelines: &[shipped!(
        "keep-all",
        "Every block is content. Use it for your own filters on the `blocks` table, and as the lowest precision to compare with."
    )],
    build,
    ..Method::PLAIN
};

struct KeepAll {
    reason: u32,
}

pub(super) fn build(params: StepParams<'_>, names: &mut Names) -> Built {
    params.expect_none()?;
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
