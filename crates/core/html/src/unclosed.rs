//! Raw-text elements that are never closed.
//!
//! A raw-text element that is still open at the end of the input, or of a `<noscript>`, would take
//! the rest of the page as its text. It is ended early instead, and all further elements of its
//! name are empty, because as a rule no end tag of that name follows.
//!
//! Invariant: the end lies inside of the element's content, so what comes before and after it is
//! tokenized exactly once.
//!
//! Example: in `<title>News\n<p>text` the title is never closed. It ends after its first line, so
//! its text is `News`, and `<p>` is a tag again. In `<script>a()<body><p>text` the script ends at
//! `<body`.
//!
//! A script that hides end tags, as `<!-- <script>a()</script>` does, is not ended early: the
//! scripts after it have end tags, and an empty one would show its source as text.

use super::tags::Tag;
use memchr::memchr_iter;
use std::ops::Range;

/// Where to end an unclosed element whose content up to the end of the page is `run` and whose
/// start tag is `tag`; `None` if it is not ended early. The position is in `run`:
///
/// - `<title>`: at the end of its first line with text, or at a tag before that.
/// - `<textarea>`: at its first tag.
/// - `<script>` with a hidden end tag: never.
/// - Any other: right after its start tag if that is written `<script/>`, else at the next
///   `</head`, `<body` or `</body`.
pub(super) fn early_end(
    html: &str,
    run: &Range<usize>,
    element: Tag,
    tag: &Range<usize>,
) -> Option<usize> {
    let text = &html.as_bytes()[run.clone()];
    let is_tag = |n: usize| match text.get(n + 1) {
        Some(b'/') => text.get(n + 2).is_some_and(u8::is_ascii_alphabetic),
        c => c.is_some_and(u8::is_ascii_alphabetic),
    };
    let at = match element {
        Tag::Title | Tag::Textarea => {
            let line = if element == Tag::Title {
                let start = text.iter().take_while(|b| b.is_ascii_whitespace()).count();
                memchr::memchr2(b'\n', b'\r', &text[start..]).map(|n| start + n)
            } else {
                None
            };
            let tag = memchr_iter(b'<', &text[..line.unwrap_or(text.len())]).find(|&n| is_tag(n));
            tag.or(line)?
        }
        Tag::Script if hides_end_tag(text) => return None,
        _ if html[tag.clone()].ends_with("/>") => 0,
        _ => memchr_iter(b'<', text).find(|&n| {
            let is = |name: &[u8]| starts_with_name(&text[n..], name);
            is(b"</head") || is(b"<body") || is(b"</body")
        })?,
    };
    Some(run.start + at)
}

/// Whether a script that is never closed has an end tag in its text.
fn hides_end_tag(text: &[u8]) -> bool {
    let mut found = memchr_iter(b'<', text).map(|n| &text[n..]);
    let end_tag = found.find(|rest| starts_with_name(rest, b"</script"));
    end_tag.is_some_and(|rest| rest.contains(&b'>'))
}

/// Whether `text` begins with `name`, compared without regard to case, and the name ends there.
pub(super) fn starts_with_name(text: &[u8], name: &[u8]) -> bool {
    let Some((head, rest)) = text.split_at_checked(name.len()) else {
        return false;
    };
    head.eq_ignore_ascii_case(name)
        && rest
            .first()
            .is_none_or(|b| b.is_ascii_whitespace() || matches!(b, b'/' | b'>'))
}
