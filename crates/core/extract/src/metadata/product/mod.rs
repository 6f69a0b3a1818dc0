//! Reads the facts of a product: its price, and the names and numbers by which shops know it.
//!
//! `json_ld.rs` and `marked.rs` here say which of several products is the page's own, and `value.rs` reads one value.

mod facts;
mod json_ld;
mod marked;
#[cfg(test)]
mod tests;
mod value;

pub use facts::Product;

use super::json_ld::Json;
use super::linked::nodes;
use facts::Fact;
use warcsieve_html::document::Document;
use warcsieve_html::{Tag, attribute, decode_value};

/// Names of `meta` elements, without the prefixes `og:`, `product:`, `book:` and `books:`. The sale
/// price is tried before the regular price.
const METAS: [(&str, Fact); 11] = [
    ("sale_price:amount", Fact::Price),
    ("sale_price:currency", Fact::Currency),
    ("price:amount", Fact::Price),
    ("price:currency", Fact::Currency),
    ("brand", Fact::Brand),
    ("retailer_item_id", Fact::Sku),
    ("gtin", Fact::Gtin),
    ("ean", Fact::Gtin),
    ("upc", Fact::Gtin),
    ("isbn", Fact::Isbn),
    ("citation_isbn", Fact::Isbn),
];

impl Product {
    /// Reads the JSON-LD, the attributes and the `meta` elements of a page. Takes time linear in the page's length.
    pub(super) fn of(doc: &Document, documents: &[Json]) -> Self {
        let mut product = Self::default();
        json_ld::read(&nodes(documents), &mut product);
        if product.price.is_none() {
            marked::read(doc, &mut product);
        }
        product.read_metas(doc);
        product
    }

    fn read_metas(&mut self, doc: &Document) {
        let metas = doc.tree.elements.iter().filter(|e| e.tag == Tag::Meta);
        let known = metas.filter_map(|element| {
            let attributes = doc.attributes(element);
            let name =
                attribute(attributes, "property").or_else(|| attribute(attributes, "name"))?;
            let mut name = &*name.trim().to_ascii_lowercase();
            for prefix in ["og:", "product:", "book:", "books:"] {
                name = name.strip_prefix(prefix).unwrap_or(name);
            }
            let at = METAS.iter().position(|(known, _)| *known == name)?;
            Some((at, attribute(attributes, "content")?))
        });
        let mut known: Vec<_> = known.collect();
        known.sort_by_key(|(at, _)| *at);
        for (at, content) in known {
            self.offer(METAS[at].1, &decode_value(content), true);
        }
    }
}
