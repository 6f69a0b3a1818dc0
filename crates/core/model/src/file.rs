//! What all model files share: TOML with a format, classes, and what the model was trained on.

use super::ModelError;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use toml::Spanned;
use warcsieve_common::line_of;

/// The format that this version writes and reads.
const FORMAT: u32 = 1;

/// A fault at a byte of the file.
pub fn fault(text: &str, offset: usize, message: String) -> ModelError {
    ModelError {
        line: line_of(text, offset),
        message,
    }
}

/// Parses the file and checks its format; `format` returns the key that holds it.
pub fn read<T: DeserializeOwned>(
    text: &str,
    format: impl Fn(&T) -> &Spanned<u32>,
) -> Result<T, ModelError> {
    let file: T = toml::from_str(text).map_err(|e| {
        let offset = e.span().map_or(0, |s| s.start);
        fault(text, offset, e.message().replace('\n', "; "))
    })?;
    let found = format(&file);
    match *found.get_ref() {
        FORMAT => Ok(file),
        other => {
            let message = format!("format {other} is not {FORMAT}, which this version reads");
            Err(fault(text, found.span().start, message))
        }
    }
}

/// The classes of models that label blocks.
pub const BLOCK_CLASSES: [&str; 2] = ["boilerplate", "content"];

/// Refuses a file whose classes are not [`BLOCK_CLASSES`].
pub fn expect_block_classes(text: &str, classes: &Spanned<Vec<String>>) -> Result<(), ModelError> {
    if *classes.get_ref() == BLOCK_CLASSES {
        return Ok(());
    }
    let (found, expected) = (classes.get_ref().join(", "), BLOCK_CLASSES.join(", "));
    let message = format!("the classes are {found}; expected {expected}");
    Err(fault(text, classes.span().start, message))
}

/// The lines at the start of every file.
pub fn head(classes: &[String], about: &BTreeMap<String, String>) -> String {
    let classes: Vec<_> = classes.iter().map(|c| quoted(c)).collect();
    let mut text = format!("format = {FORMAT}\nclasses = [{}]\n", classes.join(", "));
    for (key, value) in about {
        text += &format!("about.{} = {}\n", quoted(key), quoted(value));
    }
    text
}

/// Decodes UTF-8 and parses it; faults are returned as text.
pub fn from_bytes<T>(
    bytes: &[u8],
    parse: impl FnOnce(&str) -> Result<T, ModelError>,
) -> Result<T, String> {
    let text = std::str::from_utf8(bytes).map_err(|e| e.to_string())?;
    parse(text).map_err(|e| e.to_string())
}

/// A TOML basic string: a JSON string in which DEL is escaped too.
pub fn quoted(text: &str) -> String {
    serde_json::Value::from(text)
        .to_string()
        .replace('\u{7f}', "\\u007f")
}
