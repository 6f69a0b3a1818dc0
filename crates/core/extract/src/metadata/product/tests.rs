use super::*;
use crate::{Engine, Pipeline};

fn of(html: &str) -> Product {
    let pipeline = "[[step]]\nmethod = 'keep-all'\n";
    let pipeline = Pipeline::parse(&warcsieve_classify::CORE, "test", pipeline).unwrap();
    let mut engine = Engine::new(&pipeline);
    engine.html(html, "").ok().unwrap().product().clone()
}

fn facts(html: &str) -> String {
    let p = of(html);
    let price = p.price.map(|price| price.to_string());
    let all = [price, p.currency, p.brand, p.sku, p.gtin, p.isbn];
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
            r#"{"@type":"Product","offers":{"priceCurrency":"CHF","priceSpecification":[{"price":1299.5}]}}"#
        ),
        "1299.5 | CHF | - | - | - | -"
    );
    assert_eq!(
        ld(r#"{"@type":"Book","isbn":"978-3-16-148410-0"}"#),
        "- | - | - | - | - | 9783161484100"
    );
    assert_eq!(
        ld(r#"{"@type":"Article","price":5}"#),
        "- | - | - | - | - | -"
    );
}

#[test]
fn microdata_and_rdfa_are_read_outside_of_what_is_related() {
    assert_eq!(
        facts(
            "<div class=related-items><b itemprop=price content=1>1</b></div>\
             <div itemscope><span itemprop=priceCurrency content=GBP>£</span>\
             <span itemprop=price>1,299.00</span><p itemprop=brand><b itemprop=name>D</b></p>\
             <i itemprop='sku productID'>a-1</i></div>"
        ),
        "1299 | GBP | D | a-1 | - | -"
    );
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
                 <meta property=product:retailer_item_id content=r9><meta property=books:isbn content=316148410X>";
    assert_eq!(facts(metas), "24.99 | EUR | E | r9 | - | 316148410X");
    let page = format!("{metas}<p itemprop=price>3</p>");
    assert_eq!(of(&page).price, Some(3.0));
}

#[test]
fn prices_are_read_as_people_write_them() {
    for (written, expected) in [
        ("1.299,00 €", Some(1299.0)),
        ("$1,299.00", Some(1299.0)),
        ("1,299", Some(1299.0)),
        ("1.299", Some(1.299)),
        ("1.299 €", Some(1299.0)),
        ("12,5", Some(12.5)),
        ("1'299.50", Some(1299.5)),
        ("1 299,50 kr", Some(1299.5)),
        ("1.234.567", Some(1_234_567.0)),
        ("From 9.99 to 12", Some(9.99)),
        ("free", None),
        ("", None),
    ] {
        assert_eq!(price(written), expected, "{written}");
    }
    assert_eq!(currency("1 299 SEK").as_deref(), Some("SEK"));
    assert_eq!(currency("1.299,00 €").as_deref(), Some("EUR"));
    assert_eq!(currency("$5"), None);
}

#[test]
fn numbers_of_another_length_are_none() {
    for (gtin, expected) in [
        ("4006381333931", true),
        ("40063", false),
        ("40063813339X", false),
        ("", false),
    ] {
        let found = of(&format!("<p itemprop=gtin>{gtin}</p>")).gtin;
        assert_eq!(found.is_some(), expected, "{gtin}");
    }
    let book = of("<p itemprop=gtin13>9783161484100</p>");
    assert_eq!(book.isbn.as_deref(), Some("9783161484100"));
}
