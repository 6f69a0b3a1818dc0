//! Victor's features have few values each: numbers are reduced to steps, and shares to tenths.

/// The greatest of some ascending steps that is not above a number; 0 if all are.
pub fn step(number: usize, steps: &[u16]) -> u16 {
    let below = steps
        .iter()
        .rev()
        .find(|step| number >= usize::from(**step));
    below.copied().unwrap_or(0)
}

/// 1, 2, 4 and so on, up to a power of two.
pub fn power(number: usize, most: u16) -> u16 {
    let power = 1 << number.max(1).ilog2().min(u32::from(most).ilog2());
    if number == 0 { 0 } else { power }
}

/// A share of a total in parts: from 0 to `parts`, where only the whole is `parts`.
pub fn share(number: usize, total: usize, parts: usize) -> u16 {
    let share = (number * (parts + 1)).checked_div(total).unwrap_or(0);
    share.min(parts) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_reduced() {
        assert_eq!(
            [0, 1, 5, 9, 99].map(|n| step(n, &[1, 2, 8])),
            [0, 1, 2, 8, 8]
        );
        assert_eq!([0, 1, 3, 8, 99].map(|n| power(n, 16)), [0, 1, 2, 8, 16]);
        assert_eq!([0, 1, 5, 9, 10].map(|n| share(n, 10, 10)), [0, 1, 5, 9, 10]);
        assert_eq!(share(3, 0, 10), 0);
    }
}
