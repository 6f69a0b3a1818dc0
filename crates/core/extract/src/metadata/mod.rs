//! What a page says of itself: who wrote it, when, for which site.
//!
//! | file | where it reads |
//! |---|---|
//! | `head.rs` | `meta`, `link` and `html` elements |
//! | `json_ld.rs`, `linked.rs` | `script`s of JSON-LD |
//! | `marked.rs` | elements whose attributes say what their text is: microdata, `rel`, class names |
//! | `shown.rs` | text next to the headline, and the address |
//! | `date.rs`, `name.rs` | one date, one name of a person, as written |
//!
//! A field takes the first source in the order of [`MetadataField::trust`] that has it.

mod candidates;
mod date;
mod field;
mod head;
mod json_ld;
mod linked;
mod marked;
mod name;
mod plain;
mod shown;
#[cfg(test)]
mod tests;
mod values;

pub use field::{MetadataField, MetadataSource};
pub use values::Metadata;

use candidates::Candidates;
use head::Head;
use warcsieve_html::document::Document;
use warcsieve_page::{Page, PageKind};

impl Metadata {
    /// Reads what a page says about itself. `doc` is the page, segmented.
    ///
    /// Looks at the attributes of `meta`, `link`, `html` and `time` elements, and at the text of
    /// JSON-LD; only for an author or a date that these do not have, at the attributes of others.
    /// Takes time linear in the page's length.
    pub fn of(page: &Page<'_>, doc: &Document) -> Self {
        match page.kind {
            PageKind::Html => Self::of_html(page.payload, &page.url, doc),
            PageKind::Text => Self::default(),
        }
    }

    /// The same, of a page given as HTML and its address, which may be empty.
    pub fn of_html(html: &str, url: &str, doc: &Document) -> Self {
        let mut found = Candidates::new(url, doc);
        let head = Head::read(doc, &mut found);
        linked::read(html, &doc.json_ld, &mut found);
        marked::read_times(doc, &mut found);
        // So that a byline is looked for.
        found.drop_sites_as_authors();
        for field in [MetadataField::Author, MetadataField::Published] {
            if !found.has(field) {
                marked::read(doc, field, &head.language, &mut found);
            }
        }
        shown::read(doc, &head.language, &mut found);
        found.choose()
    }
}
