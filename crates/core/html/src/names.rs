//! Where the class and the id are in an element's attributes.

use super::attributes::spans;
use std::ops::Range;

/// Where the class and the id of a start tag are. They are found while the end of the tag is
/// searched for, so that its attributes need not be read again.
///
/// If there are several classes or ids, the first one counts. Offsets are those in the attributes
/// as [`ElementTree::attributes`](crate::ElementTree::attributes) returns them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NameSpans {
    /// Start and end of the value. The end is 0 if there is none.
    class: [u16; 2],
    id: [u16; 2],
    has_more: bool,
}

impl NameSpans {
    /// The positions for a tag without attributes.
    pub const NONE: Self = Self {
        class: [0; 2],
        id: [0; 2],
        has_more: false,
    };

    /// The positions in attributes without white space around them.
    pub fn of(attrs: &str) -> Self {
        let mut names = Self::NONE;
        for span in spans(attrs) {
            names.note(&attrs.as_bytes()[span.name], span.value);
        }
        names
    }

    /// Attributes that end after this many bytes are not recorded.
    pub const REACH: usize = u16::MAX as usize;

    /// The class as written. Empty if there is none, or if it ends after [`REACH`](Self::REACH).
    #[inline]
    pub fn class<'a>(&self, attrs: &'a str) -> &'a str {
        &attrs[usize::from(self.class[0])..usize::from(self.class[1])]
    }

    /// The same for the id.
    #[inline]
    pub fn id<'a>(&self, attrs: &'a str) -> &'a str {
        &attrs[usize::from(self.id[0])..usize::from(self.id[1])]
    }

    /// Whether class and id are not enough to know what the element is for. This is so if there is
    /// a role, a style, `hidden`, `aria-hidden`, another class or id, or one that ends after
    /// [`REACH`](Self::REACH).
    #[inline]
    pub fn has_more(&self) -> bool {
        self.has_more
    }

    /// Records an attribute.
    #[inline]
    pub(crate) fn note(&mut self, name: &[u8], value: Range<usize>) {
        let first = name[0] | 0x20;
        match (name.len(), first) {
            (5, b'c') if name.eq_ignore_ascii_case(b"class") => {
                self.has_more |= !place(&mut self.class, value);
            }
            (2, b'i') if name[1] | 0x20 == b'd' => {
                self.has_more |= !place(&mut self.id, value);
            }
            (4, b'r') | (5, b's') | (6, b'h') | (11, b'a') => {
                let others: [&[u8]; 4] = [b"role", b"style", b"hidden", b"aria-hidden"];
                self.has_more |= others.iter().any(|other| name.eq_ignore_ascii_case(other));
            }
            _ => {}
        }
    }
}

/// Whether an attribute's value contains one of the known classes.
pub(crate) fn has_class(value: &str, known: &[&str]) -> bool {
    value
        .split_ascii_whitespace()
        .any(|class| known.contains(&class))
}

/// Records where a value is and returns `true`, unless one was recorded before or it is too far
/// away.
fn place(noted: &mut [u16; 2], value: Range<usize>) -> bool {
    let (Ok(start), Ok(end)) = (u16::try_from(value.start), u16::try_from(value.end)) else {
        return false;
    };
    let is_first = noted[1] == 0;
    if is_first {
        *noted = [start, end];
    }
    is_first
}

#[cfg(test)]
mod tests {
    use crate::tests::segmented;
    use crate::{NameSpans, Segmentation, attribute};
    use proptest::prelude::*;

    fn read(attrs: &str) -> (&str, &str, bool) {
        let names = NameSpans::of(attrs);
        (names.class(attrs), names.id(attrs), names.has_more())
    }

    #[test]
    fn the_first_class_and_id_are_found() {
        assert_eq!(read("href=/ CLASS='a b' id=c"), ("a b", "c", false));
        assert_eq!(read("class id"), ("", "", false));
        assert_eq!(read("data-class=a lid=b"), ("", "", false));
        assert_eq!(read("class=a class=b"), ("a", "", true));
        assert_eq!(read("class='' class=b"), ("", "", true));
        assert_eq!(read("class=\"a\"class=\"b\""), ("a", "", true));
        assert_eq!(
            read("id=\"class\" CLASS=' a  b\n'"),
            (" a  b\n", "class", false)
        );
        assert_eq!(read("class=\""), ("", "", false));
        for more in ["role=x", "Style=x", "hidden", "aria-hidden=true"] {
            assert_eq!(read(&format!("{more} id=x")), ("", "x", true));
        }
    }

    #[test]
    fn a_class_far_behind_is_not_noted() {
        let attrs = format!("title='{}' class=a", "x".repeat(70_000));
        assert_eq!(read(&attrs), ("", "", true));
        let doc = segmented(
            &format!("<body><p {attrs}>x<p role=x class=b>y"),
            Segmentation::Inline,
        );
        let classes = doc.tree.elements.iter().map(|e| doc.tree.class(e));
        assert_eq!(classes.collect::<Vec<_>>(), ["", "", "a", "b"]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]

        /// The tokenizer must record the same as is read from the attributes afterwards.
        #[test]
        fn the_tokenizer_finds_the_same(attrs in "(class|ID|role|[ab=/'\"é \n\r\t\u{c}]|=\"|='|&amp;){0,20}") {
            let doc = segmented(&format!("<body><i {attrs}>x"), Segmentation::Inline);
            for element in &doc.tree.elements {
                let attrs = doc.attributes(element);
                let names = element.attrs.names();
                let found = (names.class(attrs), names.id(attrs), names.has_more());
                prop_assert_eq!(found, read(attrs));
                let first = ["class", "id"].map(|name| attribute(attrs, name).unwrap_or_default());
                prop_assert_eq!([found.0, found.1], first);
            }
        }
    }
}
