//! The product of JSON-LD.

use super::facts::{Fact, Product, TYPES, WORDS};
use crate::metadata::json_ld::{Json, Node};
use crate::metadata::linked::has_type;
use std::collections::HashMap;
use warcsieve_html::decode_value;

/// Maximum number of offers and variants of a product that are searched for a price.
const MAX_OFFERS: usize = 64;

/// Words in the types of prices that nobody pays: list price, recommended price, price before.
const NOT_PAID: [&str; 6] = [
    "ListPrice",
    "SRP",
    "MSRP",
    "Strikethrough",
    "Suggested",
    "Advertised",
];

/// Reads the first product that has a price, else the first.
pub(super) fn read(nodes: &[&Node], product: &mut Product) {
    let is_product = |node: &Node| TYPES.iter().any(|name| has_type(node, name));
    let mut offered = HashMap::new();
    for node in nodes.iter().filter(|node| node.get("offers").is_some()) {
        if let Some(id) = node.text("@id") {
            offered.entry(id).or_insert(*node);
        }
    }
    let mut first = None;
    for node in nodes.iter().filter(|node| is_product(node)) {
        let found = of_node(node, &offered);
        if found.price.is_some() {
            *product = found;
            return;
        }
        first.get_or_insert(found);
    }
    if let Some(first) = first {
        *product = first;
    }
}

/// The facts of a product, and where it has none, those of its first variants. `offered` has the nodes with offers by
/// their ids: a variant may be a node of its own, and only be named here.
fn of_node(node: &Node, offered: &HashMap<&str, &Node>) -> Product {
    let mut product = Product::default();
    let mut left = MAX_OFFERS;
    take(node, &mut product, &mut left);
    for variant in inner(node, "hasVariant") {
        if product.price.is_some() || left == 0 {
            break;
        }
        left -= 1;
        let named = variant.text("@id").and_then(|id| offered.get(id));
        take(named.copied().unwrap_or(variant), &mut product, &mut left);
    }
    product
}

/// Takes the facts of a product without its variants.
fn take(node: &Node, product: &mut Product, left: &mut usize) {
    for (word, fact) in WORDS {
        offer(fact, node.get(word), product);
    }
    for offered in inner(node, "offers") {
        for place in [offered].into_iter().chain(inner(offered, "offers")) {
            if product.price.is_some() || *left == 0 {
                return;
            }
            *left -= 1;
            take_price(place, product);
        }
    }
}

/// Takes the price of an offer, and its currency.
fn take_price(offered: &Node, product: &mut Product) {
    for place in [offered]
        .into_iter()
        .chain(inner(offered, "priceSpecification"))
    {
        let is_paid = |text: &str| !NOT_PAID.iter().any(|word| text.contains(word));
        let is_price = place
            .get("priceType")
            .is_none_or(|kinds| kinds.texts().all(is_paid));
        if !is_price || has_type(place, "DeliveryChargeSpecification") {
            continue;
        }
        for word in ["price", "lowPrice"] {
            offer(Fact::Price, place.get(word), product);
        }
        if product.price.is_some() {
            for place in [place, offered] {
                offer(Fact::Currency, place.get("priceCurrency"), product);
            }
            return;
        }
    }
}

/// The nodes that are values of a key.
fn inner<'j>(node: &'j Node, key: &str) -> impl Iterator<Item = &'j Node> {
    let items = node.get(key).map(Json::items).unwrap_or_default();
    items.iter().filter_map(|item| match item {
        Json::Node(node) => Some(node),
        _ => None,
    })
}

fn offer(fact: Fact, value: Option<&Json>, product: &mut Product) {
    match value.and_then(|value| value.items().first()) {
        Some(Json::Text(text)) => product.offer(fact, &decode_value(text), true),
        Some(Json::Number(number)) => product.offer(fact, number, true),
        Some(Json::Node(named)) => {
            product.offer(
                fact,
                &decode_value(named.text("name").unwrap_or_default()),
                true,
            );
        }
        _ => {}
    }
}
