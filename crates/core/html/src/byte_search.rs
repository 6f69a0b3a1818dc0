//! Searches for a byte that is usually near.

use memchr::memchr;

const ONES: u64 = 0x0101_0101_0101_0101;
const UPPER: u64 = ONES << 7;

/// Steps of eight bytes before memchr is called. memchr searches far faster, but a call costs as
/// much as some steps, and the end of a text or of an attribute's value is usually near.
const STEPS: usize = 3;

/// The first position of a byte.
#[inline]
pub(super) fn find(byte: u8, bytes: &[u8]) -> Option<usize> {
    let mut rest = bytes;
    for step in 0..STEPS {
        let Some((eight, after)) = rest.split_first_chunk() else {
            break;
        };
        let found = less(u64::from_le_bytes(*eight) ^ spread(byte), 1);
        if found != 0 {
            return Some(8 * step + found.trailing_zeros() as usize / 8);
        }
        rest = after;
    }
    memchr(byte, rest).map(|at| bytes.len() - rest.len() + at)
}

/// The first position, from `at` on, of a byte that is below `!`, or `/`, or from `<` to `?`. At
/// most seven bytes at the end are not searched; the error says where these begin.
#[inline]
pub(super) fn find_sign(bytes: &[u8], mut at: usize) -> Result<usize, usize> {
    while let Some(eight) = bytes.get(at..).and_then(<[u8]>::first_chunk) {
        let eight = u64::from_le_bytes(*eight);
        let slash = less(eight ^ spread(b'/'), 1);
        let other = less((eight | spread(3)) ^ spread(b'?'), 1);
        let found = less(eight, b'!') | slash | other;
        if found != 0 {
            return Ok(at + found.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    Err(at)
}

/// A number that has this byte in all eight places.
#[inline]
const fn spread(byte: u8) -> u64 {
    ONES * byte as u64
}

/// A mask with the upper bit of each byte that is less than `than`, which is at most 128. The upper
/// bit of such a byte is 0, and the subtraction sets it. The subtraction also borrows from the bytes
/// above, so only the lowest set bit of the mask is reliable.
///
/// Example: for the bytes 5 and 9 (lowest first) and `than` 9, the mask has both upper bits. The
/// second one is wrong: it comes from the borrow.
#[inline]
fn less(bytes: u64, than: u8) -> u64 {
    bytes.wrapping_sub(spread(than)) & !bytes & UPPER
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_first_place_is_found(
            bytes in prop::collection::vec(prop_oneof![60u8..64, any::<u8>()], 0..60),
            byte in prop_oneof![60u8..64, any::<u8>()],
        ) {
            prop_assert_eq!(find(byte, &bytes), bytes.iter().position(|b| *b == byte));
        }

        #[test]
        fn the_first_sign_is_found(
            bytes in prop::collection::vec(prop_oneof![4 => b'a'..=b'z', 1 => b'.'..=b'B', 1 => any::<u8>()], 0..60),
            at in 0usize..60,
        ) {
            let is_sign = |b: &u8| matches!(b, 0..b'!' | b'/' | b'<'..=b'?');
            let first = bytes.get(at..).and_then(|rest| Some(at + rest.iter().position(is_sign)?));
            match find_sign(&bytes, at) {
                Ok(found) => prop_assert_eq!(first, Some(found)),
                Err(end) => {
                    prop_assert!(end + 8 > bytes.len());
                    prop_assert!(first.is_none_or(|first| first >= end));
                }
            }
        }
    }
}
