//! What a program asks of a pipeline before it uses it.

use super::Pipeline;
use crate::settings::LayoutEngine;
use warcsieve_common::{Error, Result};
use warcsieve_render::TextFormat;

impl Pipeline {
    /// Refuses the pipeline if it needs a layout engine that this program does not have.
    ///
    /// # Errors
    /// [`Error::Invalid`].
    pub fn check_engine(&self) -> Result<()> {
        let missing = match self.settings.layout {
            LayoutEngine::None => return Ok(()),
            LayoutEngine::Blitz if warcsieve_layout::is_offered() => return Ok(()),
            LayoutEngine::Blitz => {
                "layout = \"blitz\" needs an engine, which is not in this build; build it with \
                 `--features layout`"
                    .to_owned()
            }
            LayoutEngine::Chromium => match warcsieve_layout::check_chromium() {
                Ok(()) => return Ok(()),
                Err(why) => format!("layout = \"chromium\": {why}"),
            },
            LayoutEngine::Kept | LayoutEngine::Vdom if self.has_layouts() => return Ok(()),
            LayoutEngine::Kept => "layout = \"kept\": the layouts were not read".to_owned(),
            LayoutEngine::Vdom => "layout = \"vdom\": the layouts were not opened".to_owned(),
        };
        Err(Error::Invalid(format!("{}: {missing}", self.name)))
    }

    /// Refuses forms of the content that have no column, and rules that change plain text where there are other forms.
    ///
    /// # Errors
    /// [`Error::Invalid`].
    pub fn check_forms(&self) -> Result<()> {
        let refuse = |why: String| Err(Error::Invalid(format!("{}: {why}", self.name)));
        let output = self.settings.output;
        if output != TextFormat::Text && self.settings.forms.contains(&TextFormat::Text) {
            return refuse(format!(
                "forms has \"text\", and the column `text` is {}; set output = \"text\", and \"{0}\" in forms",
                output.as_str()
            ));
        }
        let mut segmentations = [self.segmentation]
            .into_iter()
            .chain(self.further_segmentations());
        if !self.filters.kinds(true).is_empty()
            && let Some(divides) = segmentations.find(|segmentation| segmentation.divides_words())
        {
            return refuse(format!(
                "personal = \"mask\" would miss what is in two blocks, as in <b>jo</b>@example.org, with segmentation \
                 \"{}\"; set segmentation = \"inline\", or leave the filter out",
                divides.as_str()
            ));
        }
        match (
            self.filters.changing(),
            self.settings.rendered_forms().next(),
        ) {
            (None, _) | (_, None) => Ok(()),
            (Some(rule), Some(form)) => refuse(format!(
                "the filter `{rule}` changes plain text, and the output is {}; set output = \"text\" without forms, or \
                 leave the filter out",
                form.as_str()
            )),
        }
    }

    /// Refuses filters that change texts. Call it for programs that also show blocks or other forms
    /// of a page: what a filter masks or cuts would be visible there.
    ///
    /// # Errors
    /// [`Error::Invalid`].
    pub fn refuse_edits(&self) -> Result<()> {
        match self.filters.changing() {
            None => Ok(()),
            Some(rule) => Err(Error::Invalid(format!(
                "{}: the filter `{rule}` changes texts, which only `clean` and `corpus` do; use a pipeline without it",
                self.name
            ))),
        }
    }
}
