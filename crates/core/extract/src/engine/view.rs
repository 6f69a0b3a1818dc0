//! A page that the engine has processed, borrowed from its buffers.

use super::rendered::Rendered;
use crate::metadata::{Facts, ReadFacts};
use crate::{Metadata, Product, Rights};
use std::cell::{OnceCell, RefCell};
use std::ops::Range;
use std::sync::{Arc, LazyLock};
use warcsieve_classify::{Chain, Classifier, Label, Names};
use warcsieve_common::counted;
use warcsieve_filters::edits::{Reason, Replaced};
use warcsieve_filters::filter::{Filters, Removal};
use warcsieve_filters::personal::Kind;
use warcsieve_filters::signals::Measurer;
use warcsieve_html::Segmentation;
use warcsieve_html::document::Document;
use warcsieve_language::{Identifier, Language};
use warcsieve_page::Page;
use warcsieve_render::{RenderOptions, TextFormat};
use warcsieve_warc::DigestCheck;

/// A processed page. It borrows from the [`Engine`](crate::Engine), which is free for the next page
/// when the view is dropped. [`to_extraction`](Self::to_extraction) copies it.
///
/// The text is plain text after all filters. Language and metadata are computed at their first use.
pub struct PageView<'a> {
    /// The page as it was read. If the record has no address, `url` is the one that the page
    /// states.
    pub page: Page<'a>,
    /// Whether the page's bytes match the digest in the record; `None` unless the pipeline asks for
    /// it.
    pub digest: Option<DigestCheck>,
    /// Its blocks and elements.
    pub doc: &'a Document,
    /// One label per block.
    pub labels: &'a [Label],
    /// The content as [`PlainText`](warcsieve_render::PlainText), whatever the pipeline's output
    /// is.
    pub text: &'a str,
    /// Byte range in `text` of each content block's text, in order.
    pub text_blocks: &'a [Range<u32>],
    /// The content in the form of the pipeline's `output`.
    pub output: &'a str,
    /// The filter rule that removes the page.
    pub removal: Option<Removal>,
    /// How many lines or parts of lines filters cut, by reason.
    pub cuts: &'a [(Reason, u64)],
    /// Signals of the text after all filters.
    pub signals: &'a Measurer,
    /// The steps. They can explain labels.
    pub chain: &'a Chain,
    /// Texts of the classes and reasons in labels.
    pub names: &'a Arc<Names>,
    /// The methods of these steps, joined by `+`.
    pub method: &'a str,
    /// The pipeline whose steps labelled the page: a name in `union` or `[[fallback]]`, or
    /// [`OWN`](crate::Pipeline::OWN). `None` if only one pipeline may label pages.
    pub labelled_by: Option<&'a str>,
    /// How the page was segmented.
    pub segmentation: Segmentation,
    /// How links, images and tables are rendered.
    pub rendering: RenderOptions,
    pub(super) rendered: &'a [Rendered],
    pub(super) filters: &'a Filters,
    pub(super) replaced: &'a [(usize, Replaced)],
    pub(super) language: LanguageOf<'a>,
    pub(super) facts: Facts,
    /// What the pipeline reads of these.
    pub reads: ReadFacts,
}

impl PageView<'_> {
    /// What the page says about itself. Empty if the pipeline does not read metadata.
    pub fn metadata(&self) -> &Metadata {
        static NONE: LazyLock<Metadata> = LazyLock::new(Metadata::default);
        match self.reads.metadata {
            true => self.facts.metadata(&self.page, self.doc),
            false => &NONE,
        }
    }

    /// What the page and its HTTP header say about the use of the content.
    pub fn rights(&self) -> &Rights {
        self.facts.rights(&self.page, self.doc)
    }

    /// What the page says about the product that it is about.
    pub fn product(&self) -> &Product {
        self.facts.product(&self.page, self.doc)
    }

    /// The content in one of the forms that the pipeline asks for, or as plain text; `None` for other forms.
    pub fn form(&self, form: TextFormat) -> Option<&str> {
        if form == TextFormat::Text {
            return Some(self.text);
        }
        let found = self.rendered.iter().find(|rendered| rendered.form == form);
        found.map(|rendered| rendered.text.as_str())
    }

    /// The language of the text before filters changed it; `None` if it is not known.
    pub fn language(&self) -> Option<&Language> {
        self.language.get()
    }

    /// Computes language, metadata, and rights and product if they are columns, now, so that no work is left for later.
    /// Does nothing if a filter removes the page.
    pub fn complete(&self) {
        if self.removal.is_none() {
            self.language();
            self.metadata();
            if self.reads.rights {
                self.rights();
            }
            if self.reads.product {
                self.product();
            }
        }
    }

    /// Expected accuracy of the labels, from 0 to 1; `None` if the pipeline's method does not
    /// estimate it.
    pub fn confidence(&self) -> Option<f32> {
        self.chain.confidence()
    }

    /// Number of content blocks.
    pub fn content_blocks(&self) -> usize {
        self.labels.iter().filter(|l| l.content).count()
    }

    /// Why no block is content, in words. `None` if a block is content.
    pub fn nothing(&self) -> Option<String> {
        if self.content_blocks() > 0 {
            return None;
        }
        let (Some(first), blocks) = (self.labels.first(), &self.doc.blocks) else {
            return Some("the page has no text".to_owned());
        };
        let words: u64 = blocks.iter().map(|block| u64::from(block.words)).sum();
        let reason = self.names.reason_of(first);
        let is_one = self
            .labels
            .iter()
            .all(|l| self.names.reason_of(l) == reason);
        let why = self.chain.nothing();
        let why = why.or_else(|| (is_one && !reason.is_empty()).then(|| reason.to_owned()));
        let why = why.map_or_else(String::new, |why| format!("; {why}"));
        Some(format!(
            "{} in {}{why}",
            counted(words, "word", "words"),
            counted(blocks.len(), "block", "blocks")
        ))
    }

    /// Problems of the page and its markup, as words of [`WARNINGS`](warcsieve_page::WARNINGS).
    pub fn warnings(&self) -> impl Iterator<Item = &'static str> {
        let page = self.page.warnings.iter().copied();
        page.chain(self.doc.flaws.words())
    }

    /// What filters replaced in the text of a block.
    pub fn replaced(&self, block: usize) -> Option<Replaced> {
        let at = self
            .replaced
            .binary_search_by_key(&block, |(number, _)| *number);
        at.ok().map(|at| self.replaced[at].1)
    }

    /// The rule that removes the page, as written in the pipeline file.
    pub fn removing_rule(&self) -> Option<&str> {
        let removal = self.removal.as_ref()?;
        self.filters.rules().nth(removal.number)
    }

    /// The kinds of personal data that filters looked for, with the number found of each.
    pub fn personal(&self) -> impl Iterator<Item = (Kind, u64)> {
        let kinds = self.filters.kinds(false).into_iter();
        kinds.map(|kind| (kind, self.filters.found(kind)))
    }
}

/// The language of a text, computed at its first use.
pub(super) struct LanguageOf<'a> {
    identifier: &'a RefCell<Identifier>,
    text: &'a str,
    pub found: OnceCell<Option<Language>>,
}

impl<'a> LanguageOf<'a> {
    /// `found` is set if the language is known.
    pub fn new(
        identifier: &'a RefCell<Identifier>,
        text: &'a str,
        found: OnceCell<Option<Language>>,
    ) -> Self {
        Self {
            identifier,
            text,
            found,
        }
    }

    pub fn get(&self) -> Option<&Language> {
        let found = self
            .found
            .get_or_init(|| self.identifier.borrow_mut().identify(self.text));
        found.as_ref()
    }
}
