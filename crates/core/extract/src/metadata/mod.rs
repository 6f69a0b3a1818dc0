//! Reads what a page says about itself: its author, date, site and more.
//!
//! | file | where it reads |
//! |---|---|
//! | `facts.rs` | all of them, each when it is asked for |
//! | `head.rs` | `meta`, `link` and `html` elements |
//! | `json_ld.rs`, `linked.rs` | `script`s of JSON-LD |
//! | `marked.rs` | elements whose attributes say what their text is: microdata, `rel`, class names |
//! | `product/` | the price of a product, and the numbers that name it, from all of these sources |
//! | `rights.rs` | what a page and its header say about the use of the content |
//! | `shown.rs` | text next to the headline, and the address |
//! | `date.rs`, `name.rs` | one date, one name of a person, as written |
//!
//! Each field takes its value from the first source in [`MetadataField::trust`] that has one.

mod candidates;
mod date;
mod facts;
mod field;
mod head;
mod json_ld;
mod linked;
mod marked;
mod name;
mod plain;
mod product;
mod rights;
mod shown;
#[cfg(test)]
mod tests;
mod values;

pub(crate) use facts::Facts;
pub use facts::ReadFacts;
pub use field::{MetadataField, MetadataSource};
pub use product::Product;
pub use rights::{Licence, LicenceSource, Rights};
pub use values::Metadata;

use candidates::Candidates;
use json_ld::Json;
use warcsieve_html::document::Document;
use warcsieve_page::{Page, PageKind};

impl Metadata {
    /// Reads what a page says about itself. `doc` is the segmented page, and `json_ld` its JSON-LD.
    ///
    /// Reads the attributes of `meta`, `link`, `html` and `time` elements, and the text of JSON-LD.
    /// It searches the attributes of other elements only for an author or a date that is still
    /// missing. Takes time linear in the page's length.
    fn of(page: &Page<'_>, doc: &Document, json_ld: &[Json]) -> Self {
        if page.kind == PageKind::Text {
            return Self::default();
        }
        let mut found = Candidates::new(&page.url, doc);
        head::read(doc, &mut found);
        linked::read(json_ld, &mut found);
        marked::read_times(doc, &mut found);
        // Do this first, so that a page without another author is searched for a byline.
        found.drop_sites_as_authors();
        for field in [MetadataField::Author, MetadataField::Published] {
            if !found.has(field) {
                marked::read(doc, field, &mut found);
            }
        }
        shown::read(doc, &mut found);
        found.choose()
    }
}
