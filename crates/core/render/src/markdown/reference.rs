//! What may be a character reference.

/// Whether a character reference may continue with `rest` after its `&`. Browsers read numbers
/// without a `;`, too.
pub(super) fn is_reference(rest: &[u8]) -> bool {
    let is_name = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'#';
    let name = rest.iter().take(40).take_while(is_name).count();
    rest.first() == Some(&b'#') || name > 0 && rest.get(name).is_none_or(|&b| b == b';')
}
