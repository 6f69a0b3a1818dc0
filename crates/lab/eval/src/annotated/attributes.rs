//! Removes the annotation from the attributes of a start tag.

use super::TextClass;
use warcsieve_html::attributes::{Span, spans};

/// Prefix of all class names that the annotation added.
const MARK: &str = "x-nc-";
/// Attributes that a classifier added to some of the pages.
const ADDED: [&str; 2] = ["x-text-density", "x-link-density"];

/// The attributes of a start tag without the annotation.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Cleaned {
    /// The original attributes.
    pub attrs: String,
    /// The class of its text, if the tag has one.
    pub class: Option<TextClass>,
    /// Whether the annotation added the tag itself, not only attributes: no other attribute is
    /// left, and it has a class or the classifier's values.
    pub added: bool,
}

/// Cleans the attributes of a start tag; `None` if there is nothing to clean.
pub(super) fn clean(attrs: &str) -> Option<Cleaned> {
    if !attrs.contains(MARK) && !ADDED.iter().any(|name| attrs.contains(name)) {
        return None;
    }
    let (mut kept, mut class, mut measured, mut found) = (String::new(), None, false, false);
    let mut done = 0;
    for Span { name, value, end } in spans(attrs) {
        let name = &attrs[name];
        let whole = &attrs[std::mem::replace(&mut done, end)..end];
        if ADDED.iter().any(|added| name.eq_ignore_ascii_case(added)) {
            (measured, found) = (true, true);
            continue;
        }
        let names = &attrs[value.clone()];
        if !name.eq_ignore_ascii_case("class") || !names.contains(MARK) {
            kept.push_str(whole);
            continue;
        }
        found = true;
        let (marks, others): (Vec<&str>, Vec<&str>) = names
            .split_ascii_whitespace()
            .partition(|name| name.starts_with(MARK));
        class = marks.iter().find_map(|mark| class_of(mark)).or(class);
        if !others.is_empty() {
            let (before, after) = (
                &attrs[end - whole.len()..value.start],
                &attrs[value.end..end],
            );
            kept.extend([before, others.join(" ").as_str(), after]);
        }
    }
    kept.push_str(&attrs[done..]);
    found.then(|| Cleaned {
        added: kept.trim_ascii().is_empty() && (class.is_some() || measured),
        attrs: kept,
        class,
    })
}

fn class_of(mark: &str) -> Option<TextClass> {
    let number: usize = mark.strip_prefix("x-nc-sel")?.parse().ok()?;
    TextClass::ALL.get(number).copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_annotation_is_removed() {
        use TextClass::*;
        for (attrs, left, class, added) in [
            (" class=\"x-nc-sel2\"", "", Some(FullText), true),
            (" CLASS=x-nc-sel0 ", " ", Some(Boilerplate), true),
            (" x-text-density=\"3.0\" x-link-density='1'", "", None, true),
            (" class='x-nc-invisible'", "", None, false),
            (
                " class=\"a x-nc-linearized b\" id=c",
                " class=\"a b\" id=c",
                None,
                false,
            ),
            (" id=c class=\"x-nc-sel5\"", " id=c", Some(Comments), false),
            (" class=\"x-nc-sel6\"", "", None, false),
            (
                " a é='x-nc-' class=x-nc-sel1",
                " a é='x-nc-'",
                Some(Headline),
                false,
            ),
        ] {
            let cleaned = clean(attrs).unwrap();
            assert_eq!(
                (&*cleaned.attrs, cleaned.class, cleaned.added),
                (left, class, added),
                "{attrs}"
            );
        }
        for attrs in [
            "",
            " class=\"y\"",
            " id=x-nc-sel2",
            " title='class=\"x-nc-sel2\"'",
        ] {
            assert_eq!(clean(attrs).map(|c| c.attrs), None, "{attrs}");
        }
    }
}
