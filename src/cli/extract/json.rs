//! A page as a line of JSON.

use crate::cli::print;
use serde_json::json;
use warcsieve_clean::Cleaned;

/// The line, with its line end.
pub fn line(cleaned: &Cleaned<'_>) -> String {
    let page = &cleaned.page;
    let url = Some(&page.url).filter(|url| !url.is_empty());
    let title = Some(&cleaned.doc.title).filter(|title| !title.is_empty());
    let warnings: Vec<_> = cleaned.warnings().collect();
    print::json_line(json!({
        "id": page.id,
        "url": url,
        "title": title,
        "text": cleaned.output,
        "content_blocks": cleaned.content_blocks(),
        "blocks": cleaned.labels.len(),
        "charset": page.charset,
        "warnings": warnings,
    }))
}
