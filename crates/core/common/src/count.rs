//! Numbers with their nouns, and in groups of digits.

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

/// A number with a comma between every three digits.
///
/// ```
/// assert_eq!(warcsieve_common::grouped(1_234_567), "1,234,567");
/// ```
pub fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_are_in_groups_of_three() {
        assert_eq!(
            [0, 999, 1000, 12_345, 1_234_567].map(grouped),
            ["0", "999", "1,000", "12,345", "1,234,567"]
        );
    }
}
