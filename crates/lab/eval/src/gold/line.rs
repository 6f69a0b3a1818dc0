//! One line of a gold file.

use super::{GoldPage, Variant};
use serde::Deserialize;
use serde_json::Value;

#[derive(Deserialize)]
struct Line {
    id: Option<Value>,
    main_content: Option<Value>,
    gold: Option<Value>,
    text: Option<Value>,
    gold_main: Option<Value>,
    comments: Option<Value>,
    page_type: Option<Value>,
    url: Option<Value>,
    markdown: Option<Value>,
}

/// Reads a line. The error says what is wrong and what to do.
pub(super) fn parse(text: &str, line: usize, variant: Variant) -> Result<GoldPage, String> {
    if !text.trim_start().starts_with('{') {
        return Err("not a JSON object; write one object a line".into());
    }
    let fields: Line = serde_json::from_str(text).map_err(|e| {
        // The error's line number is relative to this line, so always 1; remove it.
        let what = e.to_string();
        let what = what.split(" at line ").next().unwrap_or_default();
        let column = e.column();
        format!("broken JSON at column {column}: {what}; write one object a line")
    })?;
    let id = string("id", fields.id)?
        .filter(|id| !id.is_empty())
        .ok_or("no `id`; give the page's id as the output tables have it")?;
    let of = |what: String| format!("page {id}: {what}");
    let read = |name, value| string(name, value).map_err(of);
    // The same order as in the reference scorer: the first of the three that is present.
    let whole = read("main_content", fields.main_content)?
        .or(read("gold", fields.gold)?)
        .or(read("text", fields.text)?);
    let main = read("gold_main", fields.gold_main)?;
    let comments = read("comments", fields.comments)?;
    let missing = |name: &str, advice: &str| of(format!("no {name}; {advice}"));
    let need = || {
        whole.ok_or_else(|| {
            missing(
                "`gold`, `main_content` or `text`",
                "give the content as text, \"\" if the page has none",
            )
        })
    };
    let text = match variant {
        Variant::Gold => need()?,
        Variant::Main => main.ok_or_else(|| {
            missing(
                "`gold_main`",
                "give it on every line, or use another variant",
            )
        })?,
        Variant::Both => {
            let comments = comments.ok_or_else(|| {
                missing(
                    "`comments`",
                    "give it on every line, or use another variant",
                )
            })?;
            need()? + "\n" + &comments
        }
    };
    Ok(GoldPage {
        file: 0,
        line,
        text,
        page_type: read("page_type", fields.page_type)?.unwrap_or_default(),
        url: read("url", fields.url)?,
        markdown: read("markdown", fields.markdown)?,
        id,
    })
}

/// The text of a field; `null` counts as absent.
fn string(name: &str, value: Option<Value>) -> Result<Option<String>, String> {
    let kind = match value {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(text)) => return Ok(Some(text)),
        Some(Value::Bool(_)) => "true or false",
        Some(Value::Number(_)) => "a number",
        Some(Value::Array(_)) => "a list",
        Some(Value::Object(_)) => "an object",
    };
    Err(format!("`{name}` is {kind}; write a string"))
}
