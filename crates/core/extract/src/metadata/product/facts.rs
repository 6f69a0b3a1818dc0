//! The facts of a product, and what is taken as their value.

use super::value;
use crate::metadata::plain::{plain, shown};

/// What a page says about the product that it is about.
///
/// JSON-LD is read first. If it has no price, microdata and RDFa are read, and `meta` elements at last. Each fact is
/// taken from the first source that has it.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Product {
    /// Its price. Of a range, the lower end; of several offers, the first with a price.
    pub price: Option<f64>,
    /// The currency of the price: three letters (ISO 4217).
    pub currency: Option<String>,
    /// Its brand.
    pub brand: Option<String>,
    /// The number that the shop has for it.
    pub sku: Option<String>,
    /// Its GTIN (EAN, UPC): 8, 12, 13 or 14 digits, of which the last checks the others.
    pub gtin: Option<String>,
    /// Its ISBN: 10 or 13 digits; the last one checks the others, and may be `X`.
    pub isbn: Option<String>,
}

/// Maximum length of a value in bytes.
pub(super) const MAX_BYTES: usize = 200;

/// The facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fact {
    Price,
    Currency,
    Brand,
    Sku,
    Gtin,
    Isbn,
    /// A number that is an ISBN if it begins so.
    Id,
}

/// Names of facts in the vocabulary of schema.org.
pub(super) const WORDS: [(&str, Fact); 12] = [
    ("price", Fact::Price),
    ("lowPrice", Fact::Price),
    ("priceCurrency", Fact::Currency),
    ("brand", Fact::Brand),
    ("sku", Fact::Sku),
    ("gtin13", Fact::Gtin),
    ("gtin12", Fact::Gtin),
    ("gtin14", Fact::Gtin),
    ("gtin8", Fact::Gtin),
    ("gtin", Fact::Gtin),
    ("isbn", Fact::Isbn),
    ("productID", Fact::Id),
];

/// Types of schema.org that are products.
pub(super) const TYPES: [&str; 8] = [
    "Product",
    "ProductGroup",
    "ProductModel",
    "IndividualProduct",
    "Vehicle",
    "Car",
    "Motorcycle",
    "Book",
];

impl Product {
    pub(super) fn has(&self, fact: Fact) -> bool {
        match fact {
            Fact::Price => self.price.is_some(),
            Fact::Currency => self.currency.is_some(),
            Fact::Brand => self.brand.is_some(),
            Fact::Sku => self.sku.is_some(),
            Fact::Gtin => self.gtin.is_some(),
            Fact::Isbn | Fact::Id => self.isbn.is_some(),
        }
    }

    /// Takes a value, unless it is unusable or there is one already. `is_exact`: it is written for programs, not for
    /// readers.
    pub(super) fn offer(&mut self, fact: Fact, value: &str, is_exact: bool) {
        if self.has(fact) || value.len() > MAX_BYTES {
            return;
        }
        match fact {
            Fact::Price => {
                self.price = match is_exact {
                    true => value::exact_price(value),
                    false => value::price(value),
                };
                // A price as shown often has its currency.
                if self.price.is_some() && self.currency.is_none() {
                    self.currency = value::currency(value);
                }
            }
            Fact::Currency => self.currency = value::currency(&value.to_ascii_uppercase()),
            Fact::Brand => self.brand = plain(&shown(value)),
            Fact::Sku => self.sku = plain(&shown(value)),
            Fact::Gtin => {
                self.gtin = value::gtin(value);
                self.isbn = self
                    .isbn
                    .take()
                    .or_else(|| value::isbn(value).filter(|n| n.len() == 13));
            }
            Fact::Isbn => self.isbn = value::isbn(value),
            Fact::Id => {
                let scheme = value.trim().get(..5);
                if scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("isbn:")) {
                    self.isbn = value::isbn(value);
                }
            }
        }
    }
}
