//! Content is every block: the baseline that keeps all text.
//!
//! Kohlschütter, Fankhauser, Nejdl: Boilerplate Detection using Shallow Text
//! Features, WSDM 2010, §4.3.2 ("Keep all text").

use super::{Classifier, Label, Names};
use crate::config::{ParamError, StepParams};
use crate::document::Document;
use serde::Deserialize;

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
