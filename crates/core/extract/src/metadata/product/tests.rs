use super::*;
use crate::{Engine, Pipeline};

fn facts(html: &str) -> String {
    let pipeline = "[[step]]\nmethod = 'keep-all'\n";
    let pipeline = Pipeline::parse(&warcsieve_classify::CORE, "test", pipeline).unwrap();
    let mut engine = Engine::new(&pipeline);
    let found = engine.html(html, "").ok().unwrap().product().clone();
    let price = found.price.map(|price| price.to_string());
    let Product {
        currency,
        brand,
        sku,
        gtin,
        isbn,
        ..
    } = found;
    let all = [price, currency, brand, sku, gtin, isbn];
    all.map(|fact| fact.unwrap_or_else(|| "-".to_owned()))
        .join(" | ")
}

fn ld(json: &str) -> String {
    facts(&format!(
        "<script type=application/ld+json>{json}</script><p>text"
    ))
}

#[test]
fn json_ld_has_offers_brands_and_numbers() {
    assert_eq!(
        ld(
            r#"{"@type":"Product","sku":12,"brand":{"name":"A &amp; B"},"gtin13":"4006381333931",
            "offers":[{"@type":"Offer","price":"19.90","priceCurrency":"EUR"}]}"#
        ),
        "19.9 | EUR | A & B | 12 | 4006381333931 | -"
    );
    assert_eq!(
        ld(
            r#"{"@graph":[{"@type":"WebPage"},{"@type":["Product","Thing"],"brand":"C",
            "offers":{"@type":"AggregateOffer","lowPrice":5,"priceCurrency":"USD"}}]}"#
        ),
        "5 | USD | C | - | - | -"
    );
    assert_eq!(
        ld(
            r#"{"@type":"Book","isbn":"978-3-16-148410-0","offers":{"@type":"AggregateOffer","offers":[
            {"price":"on request"},{"price":7,"priceCurrency":"CHF"}]}}"#
        ),
        "7 | CHF | - | - | - | 9783161484100"
    );
    assert_eq!(
        ld(r#"{"@type":"Article","price":5}"#),
        "- | - | - | - | - | -"
    );
    assert_eq!(
        ld(r#"{"@type":"Product","productID":"isbn:080442957X"}"#),
        "- | - | - | - | - | 080442957X"
    );
}

#[test]
fn the_price_that_is_paid_is_read_not_the_one_of_before() {
    assert_eq!(
        ld(
            r#"{"@type":"Product","offers":{"priceCurrency":"EUR","priceSpecification":[
            {"priceType":"https://schema.org/ListPrice","price":249},{"price":149},
            {"@type":"DeliveryChargeSpecification","price":5}]}}"#
        ),
        "149 | EUR | - | - | - | -"
    );
    let marked = "<div itemscope itemtype=https://schema.org/Product>\
                  <span itemprop=price><del>25.00</del> <ins>15.00 €</ins></span></div>";
    assert_eq!(facts(marked), "15 | EUR | - | - | - | -");
    let metas = "<meta property=product:price:amount content=25><meta property=product:sale_price:amount content=15>";
    assert_eq!(facts(metas), "15 | - | - | - | - | -");
}

#[test]
fn variants_have_what_their_product_lacks() {
    assert_eq!(
        ld(
            r#"{"@type":"ProductGroup","brand":"N","hasVariant":[{"@type":"Product","sku":"n1",
            "offers":{"price":110,"priceCurrency":"USD"}},{"sku":"n2","offers":{"price":120}}]}"#
        ),
        "110 | USD | N | n1 | - | -"
    );
    assert_eq!(
        ld(
            r##"{"@graph":[{"@type":"ProductGroup","hasVariant":[{"@id":"#1"}]},
            {"@id":"#1","@type":"Product","sku":"y","offers":{"price":3,"priceCurrency":"EUR"}}]}"##
        ),
        "3 | EUR | - | y | - | -"
    );
}

#[test]
fn of_several_marked_products_the_one_with_the_title_is_read() {
    let product =
        |inner: &str| format!("<div itemscope itemtype=http://schema.org/Product>{inner}</div>");
    let tile = product("<b itemprop=price content=1>1</b>");
    let own = product(&format!(
        "<h1>D</h1><div class=sidebar><span itemprop=priceCurrency content=gbp>£</span>\
         <span itemprop=price>1,299.00</span></div><p itemprop=brand><b itemprop=name>D</b></p>\
         <i itemprop='sku productID'>a-1</i>{tile}"
    ));
    assert_eq!(
        facts(&format!("{tile}{own}{tile}")),
        "1299 | GBP | D | a-1 | - | -"
    );
    assert_eq!(facts(&format!("{tile}{tile}")), "- | - | - | - | - | -");
    assert_eq!(facts(&tile), "1 | - | - | - | - | -");
    assert_eq!(
        facts(
            "<p property='schema:price' content=7.5>x</p><p property=schema:priceCurrency>SEK</p>"
        ),
        "7.5 | SEK | - | - | - | -"
    );
}

#[test]
fn metas_come_last() {
    let metas = "<meta property=product:price:amount content='24,99'>\
                 <meta property=og:price:currency content=EUR><meta name=product:brand content=E>\
                 <meta property=product:retailer_item_id content=r9><meta property=books:isbn content=080442957X>";
    assert_eq!(facts(metas), "24.99 | EUR | E | r9 | - | 080442957X");
    let page = format!("{metas}<p itemprop=price>3</p>");
    assert!(facts(&page).starts_with("3 | EUR"), "{}", facts(&page));
}
