//! Numbers with their nouns.

/// A number with the noun, or noun and verb, that agrees with it.
///
/// ```
/// use warcsieve_common::counted;
///
/// assert_eq!(counted(1, "fault", "faults"), "1 fault");
/// assert_eq!(counted(0, "input is", "inputs are"), "0 inputs are");
/// ```
pub fn counted(n: impl TryInto<u64>, one: &str, many: &str) -> String {
    // A number that does not fit into `u64` is plural.
    let n = n.try_into().unwrap_or(u64::MAX);
    format!("{n} {}", if n == 1 { one } else { many })
}
