//! What a page says of itself, as YAML before its text.

use serde_json::{Value, json};
use warcsieve_common::escaped_json;
use warcsieve_extract::{MetadataField, PageView};

/// A value as YAML, which reads JSON. A `<` is escaped, because readers that do not know of YAML take it for Markdown, in
/// which tags are live.
fn yaml(value: &Value) -> String {
    escaped_json(&value.to_string()).replace('<', "\\u003c")
}

/// Lines between `---`.
pub fn of(view: &PageView<'_>) -> String {
    let metadata = view.metadata();
    let mut text = "---\n".to_owned();
    let mut line = |key: &str, value: &str| {
        if !value.is_empty() {
            text += &format!("{key}: {}\n", yaml(&json!(value)));
        }
    };
    line("title", &view.doc.title);
    line("url", &view.page.url);
    for field in MetadataField::ALL {
        line(field.as_str(), metadata.get(field).unwrap_or_default());
    }
    if !metadata.tags().is_empty() {
        text += &format!(
            "{}: {}\n",
            MetadataField::Tags.as_str(),
            yaml(&json!(metadata.tags()))
        );
    }
    text + "---\n\n"
}
