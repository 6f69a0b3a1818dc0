//! The purpose of an element by its class, id and role.

mod groups;
mod known;
mod sums;
mod tokens;

pub use groups::Group;
pub(super) use groups::{GROUPS, bit};
pub(super) use sums::NameSums;
pub(super) use tokens::hashes;

use super::path_weights::PathWeights;
use crate::elements::{class_hash, hash};
use known::{KnownNames, Name};
use tokens::MAX_READ;
use warcsieve_html::{NameSpans, attributes};

/// What the attributes of an element say about its purpose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct ElementNames {
    /// A hash of its class; 0 if it has none.
    pub class: u64,
    /// Its groups, one bit each.
    pub groups: u32,
    /// The weights of its tokens.
    pub sums: NameSums,
}

/// Reads the attributes of elements, always with the same weights. It keeps the meaning of names.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    known: KnownNames,
}

impl Names {
    /// Begins a page.
    pub fn begin(&mut self) {
        self.known.begin();
    }

    /// Reads the attributes `source`, with class and id at `span`.
    pub fn read(
        &mut self,
        span: NameSpans,
        source: &str,
        weights: Option<&PathWeights>,
    ) -> ElementNames {
        let mut names = ElementNames::default();
        if span.has_more() {
            self.read_all(source, weights, &mut names);
            return names;
        }
        let class = span.class(source);
        if !class.is_empty() {
            names.class = class_hash(class);
            names.add(self.known.name(class, names.class, weights));
        }
        let id = span.id(source);
        if !id.is_empty() {
            names.add(self.known.name(id, hash(id.as_bytes()), weights));
        }
        names
    }

    fn read_all(&mut self, source: &str, weights: Option<&PathWeights>, names: &mut ElementNames) {
        let mut has_class = false;
        for (name, value) in attributes(source) {
            let is = |other: &str| name.eq_ignore_ascii_case(other);
            match name.len() {
                5 if is("class") => {
                    let hash = class_hash(value);
                    if !has_class {
                        (has_class, names.class) = (true, hash);
                    }
                    names.add(self.known.name(value, hash, weights));
                }
                2 if is("id") => names.add(self.known.name(value, hash(value.as_bytes()), weights)),
                4 if is("role") => {
                    names.add(self.known.name(value, hash(value.as_bytes()), weights))
                }
                5 if is("style") && hides(value) => names.groups |= bit(Group::Hidden),
                6 if is("hidden") => names.groups |= bit(Group::Hidden),
                11 if is("aria-hidden") && value.eq_ignore_ascii_case("true") => {
                    names.groups |= bit(Group::Hidden);
                }
                _ => {}
            }
        }
    }
}

impl ElementNames {
    fn add(&mut self, name: Name) {
        self.groups |= name.groups;
        self.sums.add(name.sums);
    }
}

/// Whether a style makes its element invisible.
fn hides(style: &str) -> bool {
    let mut compact = [0; 256];
    let mut len = 0;
    let bytes = style
        .bytes()
        .take(MAX_READ)
        .filter(|b| !b.is_ascii_whitespace());
    for (to, byte) in compact.iter_mut().zip(bytes) {
        *to = byte.to_ascii_lowercase();
        len += 1;
    }
    let has = |what: &[u8]| memchr::memmem::find(&compact[..len], what).is_some();
    has(b"display:none") || has(b"visibility:hidden")
}

#[cfg(test)]
mod tests {
    use super::tokens::MAX_TOKEN;
    use super::*;
    use warcsieve_html::Tag;

    fn of(source: &str) -> Vec<&'static str> {
        let span = NameSpans::of(source);
        let bits = Names::default().read(span, source, None).groups;
        let named = Group::ALL.iter().filter(|g| bits & bit(**g) != 0);
        named.map(|g| g.name()).collect()
    }

    #[test]
    fn names_are_split_at_punctuation_digits_and_capitals() {
        assert_eq!(
            of("class=\"mainNavbar x9footer\""),
            ["nav", "footer", "content"]
        );
        assert_eq!(of("id=site_SIDEBAR-2 role=dialog"), ["side", "modal"]);
        assert_eq!(
            of("class=navigational data-class=footer href=/footer"),
            [""; 0]
        );
        assert_eq!(of(""), [""; 0]);
        let long = format!("class='{} nav'", "x".repeat(100));
        assert_eq!(of(&long), ["nav"]);
    }

    #[test]
    fn hidden_elements_are_detected_by_many_attributes() {
        for source in [
            "hidden",
            "aria-hidden=true",
            "style='color:red; DISPLAY : none'",
            "class=sr-only",
        ] {
            assert_eq!(of(source), ["hidden"], "{source}");
        }
        assert_eq!(of("aria-hidden=false style='display:block'"), [""; 0]);
    }

    #[test]
    fn every_token_is_known_and_in_one_group() {
        for group in Group::ALL {
            for token in group.tokens() {
                assert!(token.len() <= MAX_TOKEN);
                assert_eq!(Name::of(token, None).groups, bit(*group), "{token}");
            }
        }
    }

    #[test]
    fn spans_of_the_tokenizer_agree_with_all_attributes() {
        let long = "a-b ".repeat(60);
        let slots: Vec<_> = (0..64).map(|slot| [slot, slot - 20, 30 - slot]).collect();
        let weights = PathWeights::new(&slots, 1.0).unwrap();
        for source in [
            "class='main nav' id=x-footer",
            "id=nav href=/ class=post",
            "class",
            &format!("class='{long}' id='{long}'"),
        ] {
            let span = NameSpans::of(source);
            assert!(!span.has_more());
            let weights = Some(&weights);
            let found = Names::default().read(span, source, weights);
            let mut all = ElementNames::default();
            Names::default().read_all(source, weights, &mut all);
            assert_eq!(found, all, "{source}");
            let mut tokens = 0;
            hashes(Tag::Div, source, |_| tokens += 1);
            assert_eq!(found.sums.tokens(), tokens, "{source}");
        }
    }
}
