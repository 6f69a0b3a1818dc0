//! The beginning of a text.

/// The longest prefix of whole characters that has at most `bytes` bytes.
///
/// ```
/// use warcsieve_base::prefix;
///
/// assert_eq!(prefix("aé", 2), "a");
/// assert_eq!(prefix("aé", 3), "aé");
/// assert_eq!(prefix("aé", 99), "aé");
/// assert_eq!(prefix("é", 1), "");
/// ```
pub fn prefix(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}
