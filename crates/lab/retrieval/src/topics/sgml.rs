//! Topics of the ad hoc tracks: SGML with optional end tags.

use super::topic::{Found, Topic, collapsed};

const FIELDS: [&str; 4] = ["num", "title", "desc", "narr"];
/// Labels at the start of the fields, in most years.
const LABELS: [&str; 4] = ["Number:", "Topic:", "Description:", "Narrative:"];

/// Whether a text begins with a topic.
pub(super) fn begins(text: &str) -> bool {
    let name = text.strip_prefix('<').and_then(tag).map(|(name, _)| name);
    name.is_some_and(|name| name.eq_ignore_ascii_case("top"))
}

/// A field ends at the next tag of any name; the content of other fields than these four is
/// ignored. A `<` that begins no tag is text.
pub(super) fn parse(text: &str) -> Vec<Found> {
    let mut found: Vec<(usize, [String; 4])> = Vec::new();
    let mut field = None;
    let mut pieces = text.split('<');
    let mut line = 1 + newlines(pieces.next().unwrap_or_default());
    for piece in pieces {
        let (sign, text) = match tag(piece) {
            Some((name, text)) => {
                if name.eq_ignore_ascii_case("top") {
                    found.push((line, Default::default()));
                }
                field = FIELDS.iter().position(|f| name.eq_ignore_ascii_case(f));
                ("", text)
            }
            None => ("<", piece),
        };
        if let (Some((_, fields)), Some(field)) = (found.last_mut(), field) {
            fields[field].extend([sign, text]);
        }
        line += newlines(piece);
    }
    let found = found.into_iter();
    found.map(|(line, fields)| (line, topic(&fields))).collect()
}

/// The line of the first topic without an end tag, if others have one: the file was truncated
/// there. Only topics in SGML have such tags.
pub(super) fn unended(text: &str) -> Option<usize> {
    let (mut open, mut ended) = (None, false);
    let mut unended = None;
    let mut pieces = text.split('<');
    let mut line = 1 + newlines(pieces.next().unwrap_or_default());
    for piece in pieces {
        match tag(piece) {
            Some((name, _)) if name.eq_ignore_ascii_case("top") => {
                unended = unended.or(open.replace(line));
            }
            Some((name, _)) if name.eq_ignore_ascii_case("/top") => {
                (open, ended) = (None, true);
            }
            _ => {}
        }
        line += newlines(piece);
    }
    unended.or(open).filter(|_| ended)
}

fn topic(fields: &[String; 4]) -> Topic {
    let [id, title, desc, narr] = std::array::from_fn(|i| value(&fields[i], LABELS[i]));
    Topic {
        id,
        title,
        desc,
        narr,
    }
}

/// The name of the tag that begins here, after its `<`, and the text after the tag. The name of an
/// end tag includes its slash.
fn tag(piece: &str) -> Option<(&str, &str)> {
    let (name, rest) = piece.split_once('>')?;
    let letters = name.strip_prefix('/').unwrap_or(name);
    let is_name = !letters.is_empty() && letters.bytes().all(|b| b.is_ascii_alphanumeric());
    is_name.then_some((name, rest))
}

/// A field's text without its label.
fn value(text: &str, label: &str) -> String {
    let text = collapsed(&htmlize::unescape(text));
    match text.get(..label.len()) {
        Some(begin) if begin.eq_ignore_ascii_case(label) => {
            text[label.len()..].trim_start().to_owned()
        }
        _ => text,
    }
}

fn newlines(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count()
}
