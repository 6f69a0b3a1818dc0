//! The bytes that separate the parts of a tag.

/// Classes of the bytes that end the name of a tag or of an attribute; `=` ends only the latter.
pub const SPACE: u8 = 1;
pub const SLASH: u8 = 2;
pub const END: u8 = 4;
pub const EQUALS: u8 = 8;

pub static CLASS: [u8; 256] = {
    let mut class = [0; 256];
    class[b'\t' as usize] = SPACE;
    class[b'\n' as usize] = SPACE;
    class[b'\x0c' as usize] = SPACE;
    class[b'\r' as usize] = SPACE;
    class[b' ' as usize] = SPACE;
    class[b'/' as usize] = SLASH;
    class[b'>' as usize] = END;
    class[b'=' as usize] = EQUALS;
    class
};

/// First position at or after `at` whose byte is in the classes `until`, or the end.
#[inline]
pub fn skip(bytes: &[u8], mut at: usize, until: u8) -> usize {
    while let Some(&b) = bytes.get(at) {
        if CLASS[b as usize] & until != 0 {
            break;
        }
        at += 1;
    }
    at
}

/// First position at or after `at` whose byte is not in the classes `of`, or the end.
#[inline]
pub fn skip_all(bytes: &[u8], mut at: usize, of: u8) -> usize {
    while let Some(&b) = bytes.get(at) {
        if CLASS[b as usize] & of == 0 {
            break;
        }
        at += 1;
    }
    at
}
