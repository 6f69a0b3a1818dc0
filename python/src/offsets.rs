//! Byte offsets as offsets in characters (Unicode scalar values), as Python counts them.

/// The numbers of characters before these byte offsets of `text`, in the same order. Takes one pass over the text, and
/// sorting.
pub fn characters(text: &str, offsets: &[u32]) -> Vec<u32> {
    if text.is_ascii() {
        return offsets.to_vec();
    }
    let mut order: Vec<usize> = (0..offsets.len()).collect();
    order.sort_by_key(|at| offsets[*at]);
    let mut found = vec![0; offsets.len()];
    let (mut bytes, mut chars) = (0, 0);
    for at in order {
        let offset = (offsets[at] as usize).min(text.len());
        chars += count(&text.as_bytes()[bytes..offset]);
        bytes = offset;
        found[at] = chars;
    }
    found
}

/// Characters that begin in these bytes.
fn count(bytes: &[u8]) -> u32 {
    let begins = bytes.iter().filter(|byte| **byte & 0xc0 != 0x80);
    u32::try_from(begins.count()).unwrap_or(u32::MAX)
}
