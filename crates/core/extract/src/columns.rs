//! What a page says about its rights and its product: the columns of `documents`, and the keys of
//! `extract --to json`.

use crate::{Product, Rights};
use FactValue::{Flag, Number, Text, Word};

/// A column of facts that are of one kind, `T`.
pub struct FactColumn<T: 'static> {
    /// Its name.
    pub name: &'static str,
    /// What it holds, in the words of the documentation.
    pub doc: &'static str,
    /// Its values.
    pub value: FactValue<T>,
}

/// The value that a page has in a column.
pub enum FactValue<T: 'static> {
    /// A text of the page.
    Text(fn(&T) -> Option<&str>),
    /// One of a few words.
    Word(fn(&T) -> Option<&'static str>),
    /// Yes or no.
    Flag(fn(&T) -> Option<bool>),
    /// A number.
    Number(fn(&T) -> Option<f64>),
}

const fn column<T>(name: &'static str, doc: &'static str, value: FactValue<T>) -> FactColumn<T> {
    FactColumn { name, doc, value }
}

/// The columns of rights.
pub static RIGHTS: [FactColumn<Rights>; 7] = [
    column(
        "robots_meta",
        "what `meta name=robots` says; the values of several elements are joined by `, `",
        Text(|rights| rights.robots_meta.as_deref()),
    ),
    column(
        "x_robots_tag",
        "the HTTP header `X-Robots-Tag`; several headers are joined by `, `",
        Text(|rights| rights.x_robots_tag.as_deref()),
    ),
    column(
        "noindex",
        "whether one of these says `noindex` or `none` to all robots",
        Flag(|rights| Some(rights.noindex)),
    ),
    column(
        "noai",
        "whether one of these says `noai` or `noml` to all robots",
        Flag(|rights| Some(rights.noai)),
    ),
    column(
        "tdm_reservation",
        "whether the right to mine the page is reserved, by the HTTP header `TDM-Reservation`, else by the `meta` of \
         this name; null if neither says it",
        Flag(|rights| rights.tdm_reservation),
    ),
    column(
        "licence",
        "the address of the licence, absolute",
        Text(|rights| {
            rights
                .licence
                .as_ref()
                .map(|licence| licence.address.as_str())
        }),
    ),
    column(
        "licence_source",
        "where the page names the licence: `link` (`link rel=license`), `meta` (Dublin Core), `rel` (`a rel=license`), \
         `address` (another link to Creative Commons, which may be about a picture)",
        Word(|rights| {
            rights
                .licence
                .as_ref()
                .map(|licence| licence.source.as_str())
        }),
    ),
];

/// The columns of products.
pub static PRODUCT: [FactColumn<Product>; 6] = [
    column(
        "price",
        "the price; of a range, the lower end; of several offers, the first",
        Number(|product| product.price),
    ),
    column(
        "currency",
        "its currency: three letters (ISO 4217)",
        Text(|product| product.currency.as_deref()),
    ),
    column(
        "brand",
        "the brand",
        Text(|product| product.brand.as_deref()),
    ),
    column(
        "sku",
        "the number that the shop has for it",
        Text(|product| product.sku.as_deref()),
    ),
    column(
        "gtin",
        "the GTIN (EAN, UPC): 8, 12, 13 or 14 digits",
        Text(|product| product.gtin.as_deref()),
    ),
    column(
        "isbn",
        "the ISBN: 10 or 13 digits, without hyphens",
        Text(|product| product.isbn.as_deref()),
    ),
];
