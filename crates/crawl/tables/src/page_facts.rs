//! What is said of a page beside its text: before it, and in the list of an input's pages.

use serde_json::{Value, json};
use warcsieve_common::escaped_json;
use warcsieve_page::rfc3339;

/// The name of the list of an input's pages, in the folder of their files.
pub const PAGE_INDEX: &str = "index.jsonl";

/// A value as YAML, which reads JSON. A `<` is escaped, because readers that do not know of YAML take it for Markdown, in
/// which tags are live. So are noncharacters, which JSON allows and YAML does not.
pub fn yaml(value: &Value) -> String {
    let mut text = String::new();
    for c in escaped_json(&value.to_string()).chars() {
        let code = u32::from(c);
        let is_noncharacter = code & 0xfffe == 0xfffe || matches!(c, '\u{fdd0}'..='\u{fdef}');
        match is_noncharacter || c == '<' {
            true if code <= 0xffff => text += &format!("\\u{code:04x}"),
            true => text += &format!("\\U{code:08x}"),
            false => text.push(c),
        }
    }
    text
}

/// What is said of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PageFacts {
    /// Its id.
    pub id: String,
    /// Its address; empty if it is not known, as title and language.
    pub url: String,
    /// The text of `<title>`.
    pub title: String,
    /// When it was fetched: microseconds since 1970.
    pub date: Option<i64>,
    /// The code of its language.
    pub language: String,
}

impl PageFacts {
    /// Lines of YAML. Strings are written as in JSON, which YAML reads; what is not known is left out.
    pub fn yaml(&self) -> String {
        let date = self.date.map(rfc3339).unwrap_or_default();
        let said = [
            ("title", &self.title),
            ("url", &self.url),
            ("date", &date),
            ("language", &self.language),
        ];
        let said = said.iter().filter(|(_, value)| !value.is_empty());
        said.map(|(key, value)| format!("{key}: {}\n", yaml(&json!(value))))
            .collect()
    }

    /// A line of the list: the name of the page's file, and what is said of the page.
    pub fn index_line(&self, file: &str) -> String {
        let known = |text: &str| match text {
            "" => json!(null),
            text => json!(text),
        };
        let pairs = [
            ("file", json!(file)),
            ("url", known(&self.url)),
            ("id", json!(self.id)),
            ("title", known(&self.title)),
            ("date", json!(self.date.map(rfc3339))),
            ("language", known(&self.language)),
        ];
        let pairs = pairs.map(|(key, value)| format!("\"{key}\":{value}"));
        escaped_json(&format!("{{{}}}", pairs.join(","))) + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yaml_has_no_character_that_its_readers_refuse_or_take_for_a_line_end() {
        let text = yaml(&json!(
            "a\u{85}\u{2028}\u{2029}\u{fdd0}\u{fffe}\u{ffff}\u{1fffe}<é\u{fffd}\u{10000}"
        ));
        let escaped = "a\\u0085\\u2028\\u2029\\ufdd0\\ufffe\\uffff\\U0001fffe\\u003c";
        assert_eq!(text, format!("\"{escaped}é\u{fffd}\u{10000}\""));
    }
}
