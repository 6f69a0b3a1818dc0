//! All that a page says about itself, each part read when it is first asked for.

use super::json_ld::Json;
use super::linked::documents;
use super::{Metadata, Product, Rights};
use crate::Settings;
use std::cell::OnceCell;
use warcsieve_html::document::Document;
use warcsieve_page::Page;

/// The parts that a pipeline reads of every page.
#[derive(Clone, Copy, Debug)]
pub struct ReadFacts {
    /// Author, dates, site and more. If it is not set, they are empty.
    pub metadata: bool,
    /// What the page says about the use of its content, as columns.
    pub rights: bool,
    /// The facts of a product, as columns.
    pub product: bool,
}

impl From<&Settings> for ReadFacts {
    fn from(settings: &Settings) -> Self {
        Self {
            metadata: settings.metadata,
            rights: settings.rights,
            product: settings.product,
        }
    }
}

/// What a page says about itself. Its JSON-LD is parsed once for all parts.
#[derive(Debug, Default)]
pub(crate) struct Facts {
    json_ld: OnceCell<Vec<Json>>,
    metadata: OnceCell<Metadata>,
    rights: OnceCell<Rights>,
    product: OnceCell<Product>,
}

impl Facts {
    fn json_ld(&self, page: &Page<'_>, doc: &Document) -> &[Json] {
        self.json_ld
            .get_or_init(|| documents(page.payload, &doc.json_ld))
    }

    /// Author, dates, site and more.
    pub fn metadata(&self, page: &Page<'_>, doc: &Document) -> &Metadata {
        self.metadata
            .get_or_init(|| Metadata::of(page, doc, self.json_ld(page, doc)))
    }

    /// What the page and its HTTP header say about the use of the content.
    pub fn rights(&self, page: &Page<'_>, doc: &Document) -> &Rights {
        self.rights.get_or_init(|| Rights::of(page, doc))
    }

    /// What the page says about the product that it is about.
    pub fn product(&self, page: &Page<'_>, doc: &Document) -> &Product {
        self.product
            .get_or_init(|| Product::of(doc, self.json_ld(page, doc)))
    }
}
