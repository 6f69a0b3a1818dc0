//! The position of numbers on an axis, and the numbers that are written there.

use std::ops::Range;

/// An axis of a plot.
#[derive(Clone, Debug)]
pub struct Axis {
    /// The numbers at its ends.
    pub range: Range<f64>,
    /// Numbers that are written, with their texts.
    pub ticks: Vec<(f64, String)>,
}

impl Axis {
    /// From 0 to a round number at or above `end`.
    pub fn from_zero(end: f64) -> Self {
        let end = end.max(1e-9);
        let step = step(end / 5.0);
        let steps = (end / step - 1e-9).ceil().max(1.0);
        Self {
            range: 0.0..steps * step,
            ticks: (0..=steps as usize)
                .map(|n| (n as f64 * step, number(n as f64 * step)))
                .collect(),
        }
    }

    /// From 0 to 1.
    pub fn shares() -> Self {
        Self {
            range: 0.0..1.0,
            ticks: (0..=5)
                .map(|n| (f64::from(n) / 5.0, number(f64::from(n) / 5.0)))
                .collect(),
        }
    }

    /// Powers of ten: numbers on it are logarithms.
    pub fn powers(range: Range<f64>) -> Self {
        let (first, last) = (range.start.ceil() as i32, range.end.floor() as i32);
        Self {
            ticks: (first..=last)
                .map(|power| (f64::from(power), power_of_ten(power)))
                .collect(),
            range,
        }
    }

    /// The position of a number between the ends, 0 to 1.
    pub fn share(&self, value: f64) -> f64 {
        let length = self.range.end - self.range.start;
        if length <= 0.0 {
            0.0
        } else {
            (value - self.range.start) / length
        }
    }
}

/// The smallest of 1, 2 and 5 times a power of ten that is at or above `least`.
fn step(least: f64) -> f64 {
    let power = 10_f64.powf(least.log10().floor());
    let factors = [1.0, 2.0, 5.0, 10.0];
    let found = factors
        .into_iter()
        .find(|factor| factor * power >= least * (1.0 - 1e-9));
    found.unwrap_or(10.0) * power
}

/// A number with as many decimals as it needs, at most four.
fn number(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// Ten to this power, in thousands, millions and so on.
fn power_of_ten(power: i32) -> String {
    match usize::try_from(power) {
        Ok(power) => {
            let unit = ["", " k", " M", " G", " T"].get(power / 3).unwrap_or(&" ?");
            format!("1{}{unit}", "0".repeat(power % 3))
        }
        Err(_) => number(10_f64.powi(power)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers() {
        let texts = |end| {
            let axis = Axis::from_zero(end);
            axis.ticks
                .iter()
                .map(|t| t.1.as_str())
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(texts(1.0), "0 0.2 0.4 0.6 0.8 1");
        assert_eq!(texts(93.0), "0 20 40 60 80 100");
        assert_eq!(texts(0.0), texts(1e-9));
        let powers = Axis::powers(2.5..7.1);
        assert_eq!(
            powers
                .ticks
                .iter()
                .map(|t| t.1.as_str())
                .collect::<Vec<_>>(),
            ["1 k", "10 k", "100 k", "1 M", "10 M"]
        );
        assert_eq!(Axis::from_zero(10.0).share(5.0), 0.5);
    }
}
