//! A page as a line of JSON.

use crate::print;
use serde_json::{Map, Value, json};
use warcsieve_extract::{MetadataField, PageView};
use warcsieve_language::UNDETERMINED;

/// The line, including its line end.
pub fn line(view: &PageView<'_>) -> String {
    let page = &view.page;
    let url = Some(&page.url).filter(|url| !url.is_empty());
    let title = Some(&view.doc.title).filter(|title| !title.is_empty());
    let warnings: Vec<_> = view.warnings().collect();
    let language = view.language();
    let mut line = json!({
        "id": page.id,
        "url": url,
        "title": title,
        "text": view.output,
        "language": language.map_or(UNDETERMINED, |found| found.code),
        "language_score": language.map(|found| found.score),
        "content_blocks": view.content_blocks(),
        "blocks": view.labels.len(),
        "charset": page.charset,
        "warnings": warnings,
    });
    if let Some(line) = line.as_object_mut() {
        add_metadata(view, line);
        add_rights_and_product(view, line);
        if let Some(pipeline) = view.labelled_by {
            line.insert("labelled_by".to_owned(), json!(pipeline));
        }
    }
    print::json_line(line)
}

/// Adds the rights and the facts of a product, with the names of the columns, if the pipeline reads them.
fn add_rights_and_product(view: &PageView<'_>, line: &mut Map<String, Value>) {
    let mut add = |name: &str, value: Value| line.insert(name.to_owned(), value);
    if view.reads.rights {
        let rights = view.rights();
        let licence = rights.licence.as_ref();
        add("robots_meta", json!(rights.robots_meta));
        add("x_robots_tag", json!(rights.x_robots_tag));
        add("noindex", json!(rights.noindex));
        add("noai", json!(rights.noai));
        add("tdm_reservation", json!(rights.tdm_reservation));
        add("licence", json!(licence.map(|licence| &licence.address)));
        add(
            "licence_source",
            json!(licence.map(|licence| licence.source.as_str())),
        );
    }
    if view.reads.product {
        let product = view.product();
        add("price", json!(product.price));
        add("currency", json!(product.currency));
        add("brand", json!(product.brand));
        add("sku", json!(product.sku));
        add("gtin", json!(product.gtin));
        add("isbn", json!(product.isbn));
    }
}

/// Adds what the page says about itself, with the names of the columns.
fn add_metadata(view: &PageView<'_>, line: &mut Map<String, Value>) {
    let metadata = view.metadata();
    let mut sources = Map::new();
    for field in MetadataField::ALL {
        let value = match field {
            MetadataField::Tags => json!(metadata.tags()),
            _ => json!(metadata.get(field)),
        };
        line.insert(field.as_str().to_owned(), value);
        if let Some(source) = metadata.source(field) {
            sources.insert(field.as_str().to_owned(), json!(source.as_str()));
        }
    }
    line.insert("metadata_source".to_owned(), Value::Object(sources));
}
