//! Finds the row of a name in the tag table: a perfect hash table, computed at compile time.
//!
//! The names of the table have at most 16 letters, so all of a name fits into two `u64`, its
//! [`Key`]. A compile-time search finds a factor by which no two keys fall into the same slot. A
//! lookup is then one multiplication and one comparison of key and length.
//!
//! Example: `blockquote` (10 letters) has the key (`blockquo`, `ockquote`): the first and the last
//! eight letters, which overlap. Together with the length they determine the name. Names of 4 to 7
//! letters are stored likewise, as two overlapping halves of four.

use super::tags::{NAMES, Tag};

const SLOTS: usize = 2048;
const MAX_NAME_BYTES: usize = 16;

/// The table, by slot; an empty slot has length 0 and [`Tag::Other`].
static TABLE: [Row; SLOTS] = TABLE_AND_FACTOR.0;
const FACTOR: u64 = TABLE_AND_FACTOR.1;

#[derive(Clone, Copy)]
struct Row {
    key: Key,
    length: u8,
    tag: Tag,
}

/// All letters of a name of up to 16 letters, in lower case. Two names with the same key and length
/// are the same name.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key(u64, u64);

impl Tag {
    /// The tag with this name, compared without regard to case.
    #[inline]
    pub fn from_name(name: &str) -> Self {
        let name = name.as_bytes();
        if name.len() > MAX_NAME_BYTES {
            return Self::Other;
        }
        let key = key(name);
        let row = &TABLE[slot(key, FACTOR)];
        if row.key.0 == key.0 && row.key.1 == key.1 && usize::from(row.length) == name.len() {
            row.tag
        } else {
            Self::Other
        }
    }
}

#[inline]
const fn key(name: &[u8]) -> Key {
    let n = name.len();
    let (first, last) = if n >= 8 {
        (eight(name, 0), eight(name, n - 8))
    } else if n >= 4 {
        (four(name, 0) | four(name, n - 4) << 32, 0)
    } else if n > 0 {
        let letters = [name[0], name[n / 2], name[n - 1], 0];
        (u32::from_le_bytes(letters) as u64, 0)
    } else {
        (0, 0)
    };
    Key(lower(first), lower(last))
}

#[inline]
const fn eight(name: &[u8], from: usize) -> u64 {
    match name.split_at(from).1.first_chunk() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => 0,
    }
}

#[inline]
const fn four(name: &[u8], from: usize) -> u64 {
    match name.split_at(from).1.first_chunk() {
        Some(bytes) => u32::from_le_bytes(*bytes) as u64,
        None => 0,
    }
}

/// `to_ascii_lowercase` of eight bytes at once.
///
/// Each byte is handled in its own lane. Adding `0x80 - b'A'` to the low seven bits sets the top
/// bit of the lane if the byte is at least `A`; adding `0x7f - b'Z'` sets it if the byte is above
/// `Z`. No lane overflows into the next. `upper` thus has `0x80` where the byte is in `A..=Z` and
/// ASCII, and `0x80 >> 2` is `0x20`, the bit that makes a letter lower case.
#[inline]
const fn lower(bytes: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let seven = bytes & (0x7f * ONES);
    let from_a = seven + (0x80 - b'A' as u64) * ONES;
    let above_z = seven + (0x7f - b'Z' as u64) * ONES;
    let upper = (from_a ^ above_z) & !bytes & (0x80 * ONES);
    bytes | upper >> 2
}

#[inline]
const fn slot(key: Key, factor: u64) -> usize {
    let mixed = (key.0 ^ key.1.rotate_left(29)).wrapping_mul(factor);
    (mixed >> (u64::BITS - SLOTS.trailing_zeros())) as usize
}

const TABLE_AND_FACTOR: ([Row; SLOTS], u64) = {
    let mut factor = 0x9e37_79b9_7f4a_7c15;
    loop {
        if let Some(table) = table(factor) {
            break (table, factor);
        }
        factor = factor.wrapping_mul(6_364_136_223_846_793_005) | 1;
    }
};

/// The table for this factor; `None` if two names fall into the same slot.
const fn table(factor: u64) -> Option<[Row; SLOTS]> {
    let none = Row {
        key: Key(0, 0),
        length: 0,
        tag: Tag::Other,
    };
    let mut table = [none; SLOTS];
    let mut at = 1;
    while at < NAMES.len() {
        let name = NAMES[at].as_bytes();
        let key = key(name);
        let row = &mut table[slot(key, factor)];
        if row.length > 0 {
            return None;
        }
        *row = Row {
            key,
            length: name.len() as u8,
            tag: Tag::ALL[at],
        };
        at += 1;
    }
    Some(table)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn names_are_found_and_no_others(name in "[a-zA-Z0-9@\\[`\0{-]{0,18}", tag in 1..Tag::COUNT, at in 0..16_usize, flip in any::<u8>()) {
            let slow = |name: &str| {
                let found = NAMES.iter().skip(1).position(|n| n.eq_ignore_ascii_case(name));
                found.map_or(Tag::Other, |n| Tag::ALL[n + 1])
            };
            prop_assert_eq!(Tag::from_name(&name), slow(&name));
            let mut close = NAMES[tag].as_bytes().to_vec();
            prop_assert_eq!(Tag::from_name(NAMES[tag]), Tag::ALL[tag]);
            let n = close.len();
            close[at % n] ^= flip & 0x7f;
            let close = std::str::from_utf8(&close).unwrap();
            prop_assert_eq!(Tag::from_name(close), slow(close));
        }
    }
}
