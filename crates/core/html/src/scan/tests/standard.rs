//! Tokens in the form of the standard's tokenizer: names in lower case, attributes and text
//! decoded, adjacent text joined.

use super::*;
use crate::attributes::{attributes, decode_value};
use crate::entities::decode;

/// A token without NUL and without its replacement U+FFFD, because the standard's tokenizer does
/// not decide where NUL is dropped.
#[derive(Debug, PartialEq, Eq)]
pub enum Standard {
    Text(String),
    StartTag(String, Vec<(String, String)>, bool),
    EndTag(String),
}

/// Appends text, to the last token if that is text.
pub fn push_text(tokens: &mut Vec<Standard>, text: &str) {
    let text = without_nul(text);
    match tokens.last_mut() {
        _ if text.is_empty() => {}
        Some(Standard::Text(last)) => last.push_str(&text),
        _ => tokens.push(Standard::Text(text)),
    }
}

pub fn without_nul(text: &str) -> String {
    text.replace(['\0', '\u{fffd}'], "")
}

fn line_ends(text: &str) -> String {
    text.replace("\r\n", "\n").replace('\r', "\n")
}

/// Our tokens in that form.
pub fn standard(html: &str, tokens: &[Token<'_>]) -> Vec<Standard> {
    let mut standard = Vec::new();
    for token in tokens {
        match token {
            Token::Text { range, kind } => {
                let text = line_ends(&html[range.clone()]);
                match kind {
                    TextKind::Data => decode(&text, |piece, _| push_text(&mut standard, piece)),
                    TextKind::Raw => push_text(&mut standard, &text),
                }
            }
            Token::StartTag {
                name,
                attrs,
                self_closing,
                ..
            } => {
                let attrs = read(&html[attrs.clone()]);
                standard.push(Standard::StartTag(lower(name), attrs, *self_closing));
            }
            Token::EndTag { name, .. } => standard.push(Standard::EndTag(lower(name))),
        }
    }
    standard
}

fn lower(name: &str) -> String {
    without_nul(&name.to_ascii_lowercase())
}

/// The attributes, each name once and sorted.
fn read(attrs: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    for (name, value) in attributes(attrs) {
        let name = name.to_ascii_lowercase().replace('\0', "\u{fffd}");
        if found.iter().all(|(n, _)| *n != name) {
            found.push((name, decode_value(&line_ends(value)).into_owned()));
        }
    }
    sorted(found)
}

pub fn sorted(attrs: Vec<(String, String)>) -> Vec<(String, String)> {
    let attrs = attrs.into_iter();
    let mut attrs: Vec<_> = attrs
        .map(|(n, v)| (without_nul(&n), without_nul(&v)))
        .collect();
    attrs.sort();
    attrs
}
