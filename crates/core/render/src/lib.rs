//! Renders the content of a labelled page as plain text, or as HTML or Markdown with the structure
//! of the page.

mod address;
mod code;
mod gap;
mod grid;
#[cfg(test)]
mod hostile;
mod html;
mod markdown;
mod options;
mod page;
mod tables;
mod tei;
mod text;
mod walk;

pub use address::Base;
use page::Page;
use serde::{Deserialize, Serialize};
use warcsieve_classify::Label;
use warcsieve_html::Segmentation;
use warcsieve_html::document::Document;

pub use options::{Links, RenderOptions, TableForm};
pub use tei::{TeiHeader, tei};
pub use text::PlainText;

/// Text format of a cleaned page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextFormat {
    /// The content as [`PlainText`].
    #[default]
    Text,
    /// The content blocks with all elements around them, as HTML.
    Html,
    /// The content blocks with their headings, lists, tables, links and code, as Markdown.
    Markdown,
}

impl TextFormat {
    /// All formats in order.
    pub const ALL: [Self; 3] = [Self::Text, Self::Html, Self::Markdown];

    /// The name in pipeline files.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Html => "html",
            Self::Markdown => "markdown",
        }
    }
}

/// Renders the content of labelled pages, one at a time. Its buffers are reused.
///
/// Takes time linear in the page's text, blocks and elements, without recursion. Memory: one byte
/// per element for HTML; the addresses of links for Markdown. Buffers are kept for the next page.
#[derive(Debug)]
pub struct Renderer {
    form: Form,
    limit: usize,
    links: Links,
    /// Address of the next page.
    url: String,
}

/// The output would be longer than the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("output of more than {limit} bytes")]
pub struct TooLong {
    /// Maximum length of an output in bytes.
    pub limit: usize,
}

#[derive(Debug)]
enum Form {
    Text(Box<PlainText>),
    Html(Box<html::Writer>),
    Markdown(Box<markdown::Writer>),
}

impl Renderer {
    /// A renderer for pages with this segmentation. An output has at most `limit` bytes.
    pub fn new(output: TextFormat, segmentation: Segmentation, limit: usize) -> Self {
        Self {
            form: match output {
                TextFormat::Text => Form::Text(Box::default()),
                TextFormat::Html => Form::Html(Box::new(html::Writer::new(segmentation))),
                TextFormat::Markdown => {
                    Form::Markdown(Box::new(markdown::Writer::new(segmentation)))
                }
            },
            limit,
            links: Links::Page,
            url: String::new(),
        }
    }

    /// The same renderer with these options.
    #[must_use]
    pub fn with(mut self, options: RenderOptions) -> Self {
        self.links = options.links;
        match &mut self.form {
            Form::Markdown(writer) => writer.set_options(options),
            Form::Html(writer) => writer.drop_links(options.links == Links::None),
            Form::Text(_) => {}
        }
        self
    }

    /// Sets the address of the next pages. It completes their links if the options ask for it.
    pub fn set_url(&mut self, url: &str) {
        url.clone_into(&mut self.url);
    }

    /// Writes the content of `doc` to `out`, which is cleared first. `out` stays empty if no block
    /// is content. There must be one label per block of `doc`.
    ///
    /// Plain text and Markdown contain the words of the content blocks. Segmenting the HTML gives
    /// the texts of the content blocks again. Maximum length of the HTML: five times the page's
    /// text, plus six times its attributes, plus 40 bytes per element and block.
    ///
    /// # Errors
    /// The output would be longer than the limit; `out` then contains a part of it.
    pub fn render(
        &mut self,
        doc: &Document,
        labels: &[Label],
        out: &mut String,
    ) -> Result<(), TooLong> {
        out.clear();
        let mut page = Page::new(out, self.limit);
        let base = match self.links {
            Links::Page | Links::None => Base::default(),
            Links::Absolute => Base::of(&self.url, doc),
        };
        match &mut self.form {
            Form::Text(plain) => {
                plain.write(doc, labels);
                page.push_str(plain.as_str());
            }
            Form::Html(writer) => {
                writer.set_base(base);
                writer.write(doc, labels, &mut page);
            }
            Form::Markdown(writer) => {
                writer.set_base(base);
                writer.write(doc, labels, &mut page);
            }
        }
        if page.is_full() {
            return Err(TooLong { limit: self.limit });
        }
        Ok(())
    }

    /// Whether the last page has content but no heading of level 1, and the options ask for one.
    /// Always false unless the format is Markdown.
    pub fn lacks_headline(&self) -> bool {
        matches!(&self.form, Form::Markdown(writer) if writer.lacks_headline())
    }

    /// Adds the headline of the last page to `out` as a heading of level 1. Adds nothing if the
    /// content repeats the headline. But if the first paragraph repeats it, that paragraph becomes
    /// the heading.
    ///
    /// # Errors
    /// The output would be longer than the limit.
    pub fn add_headline(
        &self,
        doc: &Document,
        labels: &[Label],
        headline: &str,
        out: &mut String,
    ) -> Result<(), TooLong> {
        if let Form::Markdown(writer) = &self.form {
            writer.add_headline(doc, labels, headline, out);
        }
        match out.len() > self.limit {
            true => Err(TooLong { limit: self.limit }),
            false => Ok(()),
        }
    }
}
