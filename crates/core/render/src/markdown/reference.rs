//! Recognizes character references.

/// Whether `rest` after a `&` can be a character reference. Browsers also read numbers without a
/// `;`.
pub(super) fn is_reference(rest: &[u8]) -> bool {
    let is_name = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'#';
    let name = rest.iter().take(40).take_while(is_name).count();
    rest.first() == Some(&b'#') || name > 0 && rest.get(name).is_none_or(|&b| b == b';')
}
