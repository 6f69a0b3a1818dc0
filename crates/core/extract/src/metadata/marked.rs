//! Reads elements whose attributes tell what their text is.

use super::candidates::Candidates;
use super::field::{MetadataField, MetadataSource as S};
use super::{date, name};
use aho_corasick::{AhoCorasick, MatchKind};
use std::sync::LazyLock;
use warcsieve_html::document::Document;
use warcsieve_html::{ElementId, Tag, attribute, attributes, decode_value};

/// Maximum number of elements examined per field.
const MAX_ELEMENTS: usize = 64;
/// Maximum length of the text of an author or date, in bytes.
const MAX_BYTES: usize = 200;
/// Maximum length of attributes in bytes. They are parsed again for each element below.
const MAX_ATTRIBUTES: usize = 2048;
/// Number of elements inside of an author that may have the name.
const INSIDE: usize = 16;
/// Number of ancestors that are checked for a comment or a review.
const NEAR: usize = 16;

/// Offers the date of the first `time` element with a date, and of the first that is marked as a
/// change.
pub(super) fn read_times(doc: &Document, found: &mut Candidates<'_>) {
    let times = doc.tree.elements.iter().enumerate();
    let times = times.filter(|(_, element)| element.tag == Tag::Time);
    for (id, element) in times.take(MAX_ELEMENTS) {
        let written = doc.attributes(element);
        let Some(value) = attribute(written, "datetime") else {
            continue;
        };
        if is_aside(doc, id as ElementId) {
            continue;
        }
        let words = ["class", "itemprop"].map(|key| attribute(written, key).unwrap_or_default());
        let changed = words.iter().any(|words| says(words, &["updat", "modif"]));
        let microdata = has_word(words[1], "datePublished") || has_word(words[1], "dateModified");
        let field = if changed {
            MetadataField::Modified
        } else {
            MetadataField::Published
        };
        let source = if microdata { S::Microdata } else { S::Time };
        found.offer(field, source, &decode_value(value));
    }
}

/// Offers the author or date of publication in elements marked for it.
pub(super) fn read(doc: &Document, field: MetadataField, found: &mut Candidates<'_>) {
    let words = match field {
        MetadataField::Author => &AUTHORS,
        _ => &DATES,
    };
    for id in elements(doc, words) {
        let element = &doc.tree.elements[id as usize];
        let Some(source) = marked_as(doc.attributes(element), field) else {
            continue;
        };
        if is_aside(doc, id) {
            continue;
        }
        let content = attribute(doc.attributes(element), "content")
            .or_else(|| attribute(doc.attributes(element), "datetime"));
        let text = match content {
            Some(content) => decode_value(content).into_owned(),
            None if field == MetadataField::Author => {
                name_in(doc, id).unwrap_or_else(|| text_of(doc, id, MAX_BYTES))
            }
            None => text_of(doc, id, MAX_BYTES),
        };
        match field {
            MetadataField::Author if source == S::Class => {
                if let Some(name) = name::byline(&text) {
                    found.offer(field, source, &name);
                }
            }
            MetadataField::Author => found.offer(field, source, &text),
            _ => {
                if let Some(date) = date::found(&text, &found.language) {
                    found.offer(field, source, &date);
                }
            }
        }
    }
}

/// How the attributes mark an element as this field; `None` if they do not.
fn marked_as(written: &str, field: MetadataField) -> Option<S> {
    let mut by_class = false;
    for (key, value) in attributes(written) {
        let is = |name: &str| key.eq_ignore_ascii_case(name);
        match field {
            MetadataField::Author => {
                if is("itemprop") && (has_word(value, "author") || has_word(value, "creator")) {
                    return Some(S::Microdata);
                }
                if is("rel") && has_word(value, "author") {
                    return Some(S::Rel);
                }
                by_class |= (is("class") || is("id") || is("data-testid"))
                    && value.split_ascii_whitespace().any(is_byline);
            }
            _ => {
                if is("itemprop")
                    && (has_word(value, "datePublished") || has_word(value, "dateCreated"))
                {
                    return Some(S::Microdata);
                }
                by_class |= (is("class") || is("id"))
                    && says(value, &["date", "publish", "posted"])
                    && !says(
                        value,
                        &[
                            "updat",
                            "modif",
                            "validat",
                            "candidat",
                            "mandat",
                            "copyright",
                        ],
                    );
            }
        }
    }
    by_class.then_some(S::Class)
}

/// Whether a class marks an author's name, such as `author`, `byline`, `post-author`,
/// `author_name`.
fn is_byline(class: &str) -> bool {
    let class = class.to_ascii_lowercase();
    let is_other = [
        "bio",
        "box",
        "avatar",
        "image",
        "img",
        "photo",
        "desc",
        "social",
        "comment",
        "authority",
        "authoriz",
        "authoris",
        "related",
        "more",
        "list",
        "title",
        "role",
        "icon",
        "link-",
    ];
    if class == "username" {
        return true;
    }
    (class.contains("author") || class.contains("byline") || class.contains("creator"))
        && !is_other.iter().any(|word| class.contains(word))
}

/// Parts of words that mark an author or a date. One search finds all words of a field.
static AUTHORS: LazyLock<AhoCorasick> =
    LazyLock::new(|| any_of(&["uthor", "yline", "reator", "username"]));
static DATES: LazyLock<AhoCorasick> =
    LazyLock::new(|| any_of(&["date", "Date", "ublish", "osted"]));

fn any_of(words: &[&str]) -> AhoCorasick {
    // With this match kind, the searcher can use vector instructions for a few words.
    let found = AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostFirst)
        .build(words);
    found.expect("a few short words make a small automaton")
}

/// The first elements whose attributes contain one of the words, at most [`MAX_ELEMENTS`]. Excludes
/// `html` and `body`, which are the whole page, and `meta` and `link`, which show no text.
///
/// All attributes of a page are in one text, in document order (except those of `html` and `body`).
/// So one search finds the elements, and the attributes of all others need no parsing.
fn elements(doc: &Document, words: &AhoCorasick) -> Vec<ElementId> {
    let mut found: Vec<ElementId> = Vec::new();
    let elements = doc.tree.elements.iter().enumerate();
    let mut elements = elements
        .filter(|(_, e)| !matches!(e.tag, Tag::Html | Tag::Body | Tag::Meta | Tag::Link))
        .peekable();
    for hit in words.find_iter(&doc.tree.attrs) {
        let at = hit.start();
        while elements
            .next_if(|(_, e)| e.attrs.range().end <= at)
            .is_some()
        {}
        let Some((id, element)) = elements.peek() else {
            break;
        };
        let id = *id as ElementId;
        if element.attrs.range().contains(&at) && found.last() != Some(&id) {
            found.push(id);
        }
        if found.len() == MAX_ELEMENTS {
            break;
        }
    }
    found
}

/// Whether the element is in a comment, a review, or another part that is not about the page
/// itself.
fn is_aside(doc: &Document, id: ElementId) -> bool {
    let mut near = doc.tree.ancestors(id).take(NEAR);
    near.any(|element| {
        if matches!(element.tag, Tag::Footer | Tag::Aside | Tag::Nav) {
            return true;
        }
        let written = doc.attributes(element);
        if element.tag == Tag::Body || written.len() > MAX_ATTRIBUTES {
            return false;
        }
        attributes(written).any(|(key, value)| {
            let is_name = ["class", "id", "itemprop"]
                .iter()
                .any(|name| key.eq_ignore_ascii_case(name));
            is_name && says(value, &["comment", "review", "related", "sidebar"])
        })
    })
}

/// The name of a person in microdata.
pub(super) fn name_in(doc: &Document, id: ElementId) -> Option<String> {
    let end = doc.tree.elements[id as usize].end;
    (id + 1..end).take(INSIDE).find_map(|inner| {
        let written = doc.attributes(&doc.tree.elements[inner as usize]);
        if written.len() > MAX_ATTRIBUTES {
            return None;
        }
        attribute(written, "itemprop").filter(|value| has_word(value, "name"))?;
        Some(match attribute(written, "content") {
            Some(name) => decode_value(name).into_owned(),
            None => text_of(doc, inner, MAX_BYTES),
        })
    })
}

/// The text inside an element; empty if it is longer than `most` bytes.
pub(super) fn text_of(doc: &Document, id: ElementId, most: usize) -> String {
    let end = doc.tree.elements[id as usize].end;
    let first = doc.runs.partition_point(|run| run.next <= id);
    let mut text = String::new();
    for (at, run) in doc.runs.iter().enumerate().skip(first) {
        if !(id..end).contains(&run.element) {
            // All these runs come after the element's start tag, so a run of an ancestor means that
            // the element has ended.
            if run.next > end || run.element < id {
                break;
            }
            continue;
        }
        let next = doc
            .runs
            .get(at + 1)
            .map_or(doc.text.len(), |run| run.start as usize);
        text.push_str(&doc.text[run.start as usize..next]);
        if text.len() > most {
            return String::new();
        }
    }
    text
}

fn has_word(value: &str, word: &str) -> bool {
    value
        .split_ascii_whitespace()
        .any(|w| w.eq_ignore_ascii_case(word))
}

/// Whether the value contains one of these words. The words are in lower case.
fn says(value: &str, words: &[&str]) -> bool {
    if value.is_empty() {
        return false;
    }
    let value = value.to_ascii_lowercase();
    words.iter().any(|word| value.contains(word))
}
