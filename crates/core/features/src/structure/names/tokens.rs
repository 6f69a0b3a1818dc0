//! The tokens of names, and their hashes.

use warcsieve_html::{Tag, attributes};

/// How many letters the longest known token has.
pub const MAX_TOKEN: usize = 24;

/// How many bytes of an attribute are read.
pub const MAX_READ: usize = 512;

/// Calls `each` with the tokens of a name, as written, and the hashes of their small letters. A token is a run of
/// ASCII letters; digits and punctuation separate tokens, and so does a change from lower to upper case:
/// `mainNav-2` has `main` and `nav`. Tokens longer than any known one are left out.
#[inline]
pub fn tokens(name: &str, mut each: impl FnMut(&[u8], u32)) {
    let bytes = name.as_bytes();
    let bytes = &bytes[..bytes.len().min(MAX_READ)];
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let mut hash = 0;
        let mut after_lower = false;
        while let Some(byte) = bytes.get(at) {
            let is_lower = byte.is_ascii_lowercase();
            if !is_lower && (after_lower || !byte.is_ascii_uppercase()) {
                break;
            }
            hash = hash_letter(hash, byte | 0x20);
            after_lower = is_lower;
            at += 1;
        }
        match at - start {
            0 => at += 1,
            1..=MAX_TOKEN => each(&bytes[start..at], hash),
            _ => {}
        }
    }
}

/// Extends the hash of a token by letters.
pub const fn hash_letters(mut hash: u32, letters: &[u8]) -> u32 {
    let mut at = 0;
    while at < letters.len() {
        hash = hash_letter(hash, letters[at]);
        at += 1;
    }
    hash
}

/// Extends the hash of a token by a letter.
const fn hash_letter(hash: u32, letter: u8) -> u32 {
    (hash.rotate_left(5) ^ letter as u32).wrapping_mul(0x9e37_79b1)
}

/// Calls `each` with the hashes that the path score uses for an element with this tag and these attributes: its tokens,
/// each pair of consecutive tokens in one name, and its tag.
pub fn hashes(tag: Tag, source: &str, mut each: impl FnMut(u32)) {
    for (name, value) in attributes(source) {
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        if is("class") || is("id") || is("role") {
            let mut pairs = Pairs::default();
            tokens(value, |_, hash| pairs.with(hash, &mut each));
        }
    }
    hash_of_tag(tag).into_iter().for_each(each);
}

/// The token before, to form pairs of consecutive tokens.
#[derive(Default)]
pub struct Pairs(Option<u32>);

impl Pairs {
    /// Calls `each` with the hash of a token, and of the pair that it ends.
    #[inline]
    pub fn with(&mut self, hash: u32, mut each: impl FnMut(u32)) {
        each(hash);
        if let Some(before) = self.0.replace(hash) {
            each(hash_letter(before, PAIR) ^ hash.rotate_left(9));
        }
    }
}

/// Not a letter, so that a pair differs from one token with the letters of both.
const PAIR: u8 = 7;

/// The hash of a tag, in the space of the tokens' hashes. `None` for tags that say nothing about the place of a block.
pub fn hash_of_tag(tag: Tag) -> Option<u32> {
    let is_any = matches!(tag, Tag::Div | Tag::Span | Tag::P | Tag::Body | Tag::Html);
    (!is_any).then(|| hash_letters(TAG, tag.name().as_bytes()))
}

/// The start value of hashes of tags.
const TAG: u32 = 0x5bd1_e995;
