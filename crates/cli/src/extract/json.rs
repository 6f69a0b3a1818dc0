//! A page as a line of JSON.

use crate::print;
use serde_json::{Map, Value, json};
use warcsieve_extract::{FactColumn, FactValue, MetadataField, PRODUCT, PageView, RIGHTS};
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
        "confidence": view.confidence(),
        "n_blocks": view.labels.len(),
        "n_content_blocks": view.content_blocks(),
        "content_charset": page.charset,
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
    if view.reads.rights {
        add_facts(&RIGHTS, view.rights(), line);
    }
    if view.reads.product {
        add_facts(&PRODUCT, view.product(), line);
    }
}

fn add_facts<T>(columns: &[FactColumn<T>], facts: &T, line: &mut Map<String, Value>) {
    for column in columns {
        let value = match column.value {
            FactValue::Text(read) => json!(read(facts)),
            FactValue::Word(read) => json!(read(facts)),
            FactValue::Flag(read) => json!(read(facts)),
            FactValue::Number(read) => json!(read(facts)),
        };
        line.insert(column.name.to_owned(), value);
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
