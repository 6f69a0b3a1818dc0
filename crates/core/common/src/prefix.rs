//! Prefixes of a text.

/// The longest prefix of whole characters that has at most `bytes` bytes.
///
/// ```
/// use warcsieve_common::prefix;
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

/// Most bytes that [`shortened`] keeps of a text.
const MAX_SHORTENED_BYTES: usize = 1 << 10;

/// Shortens a text that says where something is, such as an id, for a list or a message. In a
/// hostile crawl such texts may have hundreds of kilobytes. The result is the beginning of the text
/// and `…`.
pub fn shortened(mut text: String) -> String {
    if text.len() > MAX_SHORTENED_BYTES {
        text.truncate(prefix(&text, MAX_SHORTENED_BYTES).len());
        text.push('…');
        text.shrink_to_fit();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_shortened() {
        let longest = "é".repeat(MAX_SHORTENED_BYTES / 2);
        assert_eq!(shortened(longest.clone()), longest);
        assert_eq!(shortened(format!("{longest}é")), format!("{longest}…"));
        assert_eq!(
            shortened(format!("a{longest}")).len(),
            MAX_SHORTENED_BYTES - 1 + "…".len()
        );
    }
}
