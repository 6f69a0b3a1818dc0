//! Reads the facts of a product: its price, and the names and numbers by which shops know it.

use super::json_ld::{Json, Node};
use super::linked::{documents, has_type, nodes};
use super::marked::{is_aside, name_in, text_of};
use super::plain::{plain, shown};
use warcsieve_html::document::Document;
use warcsieve_html::{ElementId, Tag, attribute, attributes, decode_value};
use warcsieve_page::Page;

/// What a page says about the product that it is about.
///
/// Each fact is taken from the first source that has it: JSON-LD, then microdata and RDFa in document order, then
/// `meta` elements. Of several products on a page, the first is taken.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Product {
    /// Its price; of a range, the lowest.
    pub price: Option<f64>,
    /// The currency of the price: three letters (ISO 4217).
    pub currency: Option<String>,
    /// Its brand.
    pub brand: Option<String>,
    /// The number that the shop has for it.
    pub sku: Option<String>,
    /// Its GTIN (EAN, UPC): 8, 12, 13 or 14 digits.
    pub gtin: Option<String>,
    /// Its ISBN: 10 or 13 digits, of which the last may be `X`.
    pub isbn: Option<String>,
}

/// Maximum length of a value in bytes.
const MAX_BYTES: usize = 200;
/// Maximum number of marked elements whose texts are read.
const MAX_ELEMENTS: usize = 256;

/// Types of JSON-LD nodes that are products.
const TYPES: [&str; 6] = [
    "Product",
    "ProductGroup",
    "ProductModel",
    "IndividualProduct",
    "Vehicle",
    "Book",
];

/// The facts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fact {
    Price,
    Currency,
    Brand,
    Sku,
    Gtin,
    Isbn,
}

/// Names of facts in the vocabulary of schema.org.
const WORDS: [(&str, Fact); 12] = [
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
    ("productID", Fact::Isbn),
];

/// Names of `meta` elements, without the prefixes `og:`, `product:`, `book:` and `books:`.
const METAS: [(&str, Fact); 11] = [
    ("price:amount", Fact::Price),
    ("sale_price:amount", Fact::Price),
    ("price:currency", Fact::Currency),
    ("sale_price:currency", Fact::Currency),
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
    pub fn of(page: &Page<'_>, doc: &Document) -> Self {
        let mut product = Self::default();
        product.read_json_ld(page.payload, doc);
        product.read_marked(doc);
        product.read_metas(doc);
        product
    }

    fn read_json_ld(&mut self, html: &str, doc: &Document) {
        let documents = documents(html, &doc.json_ld);
        let nodes = nodes(&documents);
        let is_product = |node: &Node| TYPES.iter().any(|name| has_type(node, name));
        let Some(node) = nodes.into_iter().find(|node| is_product(node)) else {
            return;
        };
        for (word, fact) in WORDS {
            self.offer_json(fact, node.get(word));
        }
        let offers = node.get("offers").map(Json::items).unwrap_or_default();
        let priced = offers.iter().find_map(|offer| match offer {
            Json::Node(offer) => price_of(offer),
            _ => None,
        });
        if let Some((price, currency)) = priced {
            self.offer_json(Fact::Price, Some(price));
            self.offer_json(Fact::Currency, currency);
        }
    }

    fn offer_json(&mut self, fact: Fact, value: Option<&Json>) {
        match value.map(Json::items).and_then(<[Json]>::first) {
            Some(Json::Text(text)) => self.offer(fact, &decode_value(text)),
            Some(Json::Number(number)) => self.offer(fact, &number.to_string()),
            Some(Json::Node(named)) => self.offer(fact, named.text("name").unwrap_or_default()),
            _ => {}
        }
    }

    /// Reads microdata (`itemprop`) and RDFa (`property`).
    fn read_marked(&mut self, doc: &Document) {
        let elements = doc.tree.elements.iter().enumerate();
        let marked = elements.filter(|(_, e)| !matches!(e.tag, Tag::Html | Tag::Body | Tag::Head));
        let marked = marked.filter_map(|(id, e)| Some((id, e, marked_as(doc.attributes(e))?)));
        for (id, element, fact) in marked.take(MAX_ELEMENTS) {
            let id = id as ElementId;
            if self.has(fact) || is_aside(doc, id) {
                continue;
            }
            let value = match attribute(doc.attributes(element), "content") {
                Some(content) => decode_value(content).into_owned(),
                None if fact == Fact::Brand => {
                    name_in(doc, id).unwrap_or_else(|| text_of(doc, id, MAX_BYTES))
                }
                None => text_of(doc, id, MAX_BYTES),
            };
            self.offer(fact, &value);
        }
    }

    fn read_metas(&mut self, doc: &Document) {
        for element in &doc.tree.elements {
            if element.tag != Tag::Meta {
                continue;
            }
            let attributes = doc.attributes(element);
            let name = attribute(attributes, "property").or_else(|| attribute(attributes, "name"));
            let (Some(name), Some(content)) = (name, attribute(attributes, "content")) else {
                continue;
            };
            let mut name = &*name.trim().to_ascii_lowercase();
            for prefix in ["og:", "product:", "book:", "books:"] {
                name = name.strip_prefix(prefix).unwrap_or(name);
            }
            if let Some((_, fact)) = METAS.iter().find(|(known, _)| *known == name) {
                self.offer(*fact, &decode_value(content));
            }
        }
    }

    fn has(&self, fact: Fact) -> bool {
        match fact {
            Fact::Price => self.price.is_some(),
            Fact::Currency => self.currency.is_some(),
            Fact::Brand => self.brand.is_some(),
            Fact::Sku => self.sku.is_some(),
            Fact::Gtin => self.gtin.is_some(),
            Fact::Isbn => self.isbn.is_some(),
        }
    }

    /// Takes a value, unless it is unusable or there is one already.
    fn offer(&mut self, fact: Fact, value: &str) {
        if self.has(fact) || value.len() > MAX_BYTES {
            return;
        }
        let text = || plain(&shown(value));
        match fact {
            Fact::Price => {
                self.price = price(value);
                // A price as shown often has its currency.
                self.currency = self.currency.take().or_else(|| currency(value));
            }
            Fact::Currency => self.currency = currency(value),
            Fact::Brand => self.brand = text(),
            Fact::Sku => self.sku = text(),
            Fact::Gtin => {
                let is_gtin = |n: &String| matches!(n.len(), 8 | 12..=14) && !n.ends_with('X');
                self.gtin = digits(value).filter(is_gtin);
                // These prefixes of EAN are those of books.
                let is_book =
                    |n: &&String| n.len() == 13 && (n.starts_with("978") || n.starts_with("979"));
                self.isbn = self
                    .isbn
                    .take()
                    .or(self.gtin.as_ref().filter(is_book).cloned());
            }
            Fact::Isbn => {
                let isbn = value
                    .trim()
                    .trim_start_matches("isbn:")
                    .trim_start_matches("ISBN");
                self.isbn = digits(isbn).filter(|n| matches!(n.len(), 10 | 13));
            }
        }
    }
}

/// The price of an offer, and its currency.
fn price_of(offer: &Node) -> Option<(&Json, Option<&Json>)> {
    let specified = offer.get("priceSpecification").map(Json::items);
    let specified = specified
        .unwrap_or_default()
        .iter()
        .filter_map(|item| match item {
            Json::Node(node) => Some(node),
            _ => None,
        });
    let mut places = [offer].into_iter().chain(specified);
    places.find_map(|node| {
        let price = node.get("price").or_else(|| node.get("lowPrice"))?;
        let currency = node
            .get("priceCurrency")
            .or_else(|| offer.get("priceCurrency"));
        Some((price, currency))
    })
}

/// The fact that microdata or RDFa marks an element as.
fn marked_as(written: &str) -> Option<Fact> {
    let marks = attributes(written).filter(|(key, _)| {
        key.eq_ignore_ascii_case("itemprop") || key.eq_ignore_ascii_case("property")
    });
    let mut words = marks.flat_map(|(_, value)| value.split_ascii_whitespace());
    words.find_map(|word| {
        let word = word.strip_prefix("schema:").unwrap_or(word);
        let known = WORDS
            .iter()
            .find(|(known, _)| known.eq_ignore_ascii_case(word));
        known.map(|(_, fact)| *fact)
    })
}

/// The number in a price as written, such as `1.299,00 €`.
///
/// A number alone has decimals after a point, as schema.org asks. Otherwise, if both `.` and `,` are in it, the last one
/// is before the decimals; if one of them is in it once, decimals follow, unless these are three digits. A mark that is
/// there more than once divides thousands.
fn price(written: &str) -> Option<f64> {
    let is_bare = written
        .trim()
        .bytes()
        .all(|b| b.is_ascii_digit() || b == b'.');
    if is_bare && let Ok(price) = written.trim().parse() {
        return Some(price).filter(|price: &f64| price.is_finite());
    }
    let start = written.find(|c: char| c.is_ascii_digit())?;
    let is_part =
        |c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '\'' | '\u{a0}' | '\u{202f}' | ' ');
    let end = written[start..]
        .find(|c| !is_part(c))
        .map_or(written.len(), |n| start + n);
    let number = written[start..end].trim_end_matches(|c: char| !c.is_ascii_digit());
    let last = number.rfind(['.', ',']);
    let decimals = last.filter(|&at| {
        let mark = &number[at..at + 1];
        let is_only = number.matches(mark).count() == 1;
        let other = if mark == "," { '.' } else { ',' };
        is_only && (number.contains(other) || number.len() - at != 4)
    });
    let (whole, decimals) = match decimals {
        Some(at) => (&number[..at], &number[at + 1..]),
        None => (number, ""),
    };
    let digits = |text: &str| {
        text.chars()
            .filter(char::is_ascii_digit)
            .collect::<String>()
    };
    let price: f64 = format!("{}.{}", digits(whole), digits(decimals))
        .parse()
        .ok()?;
    price.is_finite().then_some(price)
}

/// The code of a currency: three letters, or one of the signs that stand for one currency alone.
fn currency(written: &str) -> Option<String> {
    let code = written.split(|c: char| !c.is_ascii_alphabetic());
    let mut codes =
        code.filter(|word| word.len() == 3 && word.bytes().all(|b| b.is_ascii_uppercase()));
    let sign = || match written
        .chars()
        .find(|c| matches!(c, '€' | '£' | '₹' | '₩' | '₽' | '₺'))?
    {
        '€' => Some("EUR"),
        '£' => Some("GBP"),
        '₹' => Some("INR"),
        '₩' => Some("KRW"),
        '₽' => Some("RUB"),
        _ => Some("TRY"),
    };
    codes.next().or_else(sign).map(str::to_owned)
}

/// The digits of a number that may be divided by hyphens and blanks; the last digit may be `X`.
fn digits(written: &str) -> Option<String> {
    let digits: String = written
        .trim()
        .chars()
        .filter(|c| !matches!(c, '-' | ' '))
        .collect();
    let (rest, _) = digits.split_at_checked(digits.len().checked_sub(1)?)?;
    let last = digits.as_bytes()[digits.len() - 1];
    let is_number =
        rest.bytes().all(|b| b.is_ascii_digit()) && (last.is_ascii_digit() || last == b'X');
    is_number.then_some(digits)
}

#[cfg(test)]
mod tests;
