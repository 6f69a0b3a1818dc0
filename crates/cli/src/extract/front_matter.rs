//! What a page says of itself, as YAML before its text.

use serde_json::json;
use warcsieve_extract::{MetadataField, PageView};

/// Lines between `---`; strings are written as in JSON, which YAML reads.
pub fn of(view: &PageView<'_>) -> String {
    let metadata = view.metadata();
    let mut text = "---\n".to_owned();
    let mut line = |key: &str, value: &str| {
        if !value.is_empty() {
            text += &format!("{key}: {}\n", json!(value));
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
            json!(metadata.tags())
        );
    }
    text + "---\n\n"
}
