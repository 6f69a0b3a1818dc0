//! Choices that depend only on the input, so that a finding can be repeated.

/// FNV-1a of the bytes.
pub(crate) fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Whether this is one of the inputs, one in `n`, for which the more expensive checks are made.
pub(crate) fn is_sampled(bytes: &[u8], n: u64) -> bool {
    (digest(bytes) >> 20).is_multiple_of(n)
}

/// The first byte, which selects how the rest is used. An empty input selects 0.
pub(crate) fn choice(bytes: &[u8]) -> (usize, &[u8]) {
    match bytes.split_first() {
        Some((first, rest)) => (usize::from(*first), rest),
        None => (0, bytes),
    }
}
