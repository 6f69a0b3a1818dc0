//! The content of a page as HTML or Markdown.

use warcsieve_classify::Label;
use warcsieve_common::shrink_text;
use warcsieve_html::Segmentation;
use warcsieve_html::document::Document;
use warcsieve_render::{RenderOptions, Renderer, TextFormat, TooLong};

/// The content of the last page in a form, and its renderer.
pub(super) struct Rendered {
    pub form: TextFormat,
    pub text: String,
    renderer: Renderer,
}

impl Rendered {
    /// `limit` is the maximum length of the content in bytes.
    pub fn new(
        form: TextFormat,
        segmentation: Segmentation,
        limit: usize,
        options: RenderOptions,
    ) -> Self {
        Self {
            form,
            text: String::new(),
            renderer: Renderer::new(form, segmentation, limit).with(options),
        }
    }

    /// Renders a page at `url`, in place of the last one.
    ///
    /// # Errors
    /// The content would be longer than the limit.
    pub fn write<'m>(
        &mut self,
        url: &str,
        doc: &Document,
        labels: &[Label],
        headline: impl FnOnce() -> Option<&'m str>,
    ) -> Result<(), TooLong> {
        self.text.clear();
        shrink_text(&mut self.text);
        self.renderer.set_url(url);
        render(&mut self.renderer, doc, labels, headline, &mut self.text)
    }
}

/// Renders a page. If Markdown lacks a headline, adds the headline from the metadata.
pub(super) fn render<'m>(
    renderer: &mut Renderer,
    doc: &Document,
    labels: &[Label],
    headline: impl FnOnce() -> Option<&'m str>,
    out: &mut String,
) -> Result<(), TooLong> {
    renderer.render(doc, labels, out)?;
    if renderer.lacks_headline()
        && let Some(headline) = headline()
    {
        renderer.add_headline(doc, labels, headline, out)?;
    }
    Ok(())
}
