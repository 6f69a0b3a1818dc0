//! Codes of eight bits that replace the values of a feature.
//!
//! A test compares a value with a number, and a feature is compared with few different numbers. The code of a value
//! says between which of these numbers it lies, so tests can compare codes.
//!
//! Invariant: for each of the numbers n and each value v that is not NaN, the code of v is greater than the code of n
//! exactly if v is greater than n.
//!
//! Finding the code by a search would cost more than the tests. But the bits of a positive `f32`, read as an integer,
//! are in the order of the values, and their upper part is a logarithmic scale: from one power of two to the next there
//! are 128 steps in the upper 16 bits, and 32 in the upper 14. If each number is the last `f32` of a step, a shift and
//! a subtraction compute the code.
//!
//! Example: with steps of 1/4 in [1, 2) and the numbers 1.2499999 and 1.7499999, the numbers have the codes 0 and 2,
//! and the values 1.0, 1.3 and 1.9 have the codes 0, 1 and 3.
//!
//! The trainer puts its thresholds on such steps ([`step_end`]). For other numbers, and for negative ones, the code is
//! how many of the numbers are less than the value.

use super::Forest;

/// How the values of a feature become codes.
#[derive(Clone, Debug)]
pub enum Coder {
    /// The upper bits of a value that is not negative, minus those of the first number.
    Shift { by: u32, base: i32 },
    /// How many of these numbers are less than the value.
    Count(Vec<f32>),
}

/// The smallest shift, because no more than the upper 16 bits are compared.
pub const MIN_SHIFT: u32 = 16;

/// The largest shift: with it, one step is a power of two.
pub const MAX_SHIFT: u32 = 23;

/// The greatest code of a number. Values above all numbers have a code that is greater by 1 or more.
const MAX_NUMBER_CODE: i32 = u8::MAX as i32 - 1;

/// The last number of the step that contains `value`, which must not be negative.
pub fn step_end(value: f32, shift: u32) -> f32 {
    f32::from_bits(value.to_bits() | ((1 << shift) - 1))
}

/// The tests of a feature. All tests are numbered, feature by feature.
#[derive(Clone, Debug)]
pub struct Feature {
    /// Its index in a row.
    pub index: u16,
    pub coder: Coder,
    /// By test: the greatest code on its low side. Ascending, without duplicates.
    pub codes: Vec<u8>,
    /// The number of its first test.
    pub first: usize,
}

/// The features that a forest tests, by index. `None` if a feature is compared with more numbers than there are codes.
pub fn features(forest: &Forest) -> Option<Vec<Feature>> {
    let splits = forest.trees.iter().flat_map(|tree| &tree.splits);
    // The keys are in the order of the features and their numbers. Sorting integers takes a third of the time.
    let mut tests: Vec<u64> = splits
        .map(|s| u64::from(s.feature) << 32 | u64::from(in_order(s.threshold)))
        .collect();
    tests.sort_unstable();
    tests.dedup();
    let mut first = 0;
    let by_feature = tests.chunk_by(|a, b| a >> 32 == b >> 32);
    let features = by_feature.map(|tests| {
        let numbers: Vec<f32> = tests.iter().map(|test| of_order(*test as u32)).collect();
        let coder = Coder::new(&numbers)?;
        let feature = Feature {
            index: (tests[0] >> 32) as u16,
            codes: numbers.iter().map(|number| coder.code(*number)).collect(),
            coder,
            first,
        };
        first += tests.len();
        Some(feature)
    });
    features.collect()
}

/// An integer with the same order as the numbers, none of which may be NaN.
fn in_order(number: f32) -> u32 {
    // Adding 0 turns -0 into 0, which is equal.
    let bits = (number + 0.0).to_bits();
    // The greater the bits of a negative number, the less it is.
    bits ^ if bits >> 31 == 1 { u32::MAX } else { 1 << 31 }
}

/// The number from which [`in_order`] made this key.
fn of_order(key: u32) -> f32 {
    f32::from_bits(key ^ if key >> 31 == 1 { 1 << 31 } else { u32::MAX })
}

impl Coder {
    /// For numbers in ascending order.
    fn new(numbers: &[f32]) -> Option<Self> {
        let shift = numbers.iter().map(|n| n.to_bits().trailing_ones()).min()?;
        let by = shift.min(MAX_SHIFT);
        let upper = |n: &f32| (n.to_bits() >> by) as i32;
        let (first, last) = (numbers.first()?, numbers.last()?);
        if first.is_sign_positive()
            && by >= MIN_SHIFT
            && upper(last) - upper(first) <= MAX_NUMBER_CODE
        {
            let base = upper(first);
            return Some(Self::Shift { by, base });
        }
        (numbers.len() <= MAX_NUMBER_CODE as usize + 1).then(|| Self::Count(numbers.to_vec()))
    }

    /// The code of a value.
    #[inline(always)]
    pub fn code(&self, value: f32) -> u8 {
        match self {
            Self::Shift { by, base } => shifted(value, *by, *base),
            Self::Count(numbers) => numbers.iter().map(|n| u8::from(*n < value)).sum(),
        }
    }

    /// The codes of values.
    #[inline(always)]
    pub fn codes(&self, values: &[f32], codes: &mut [u8]) {
        match self {
            Self::Shift { by, base } => {
                for (code, value) in codes.iter_mut().zip(values) {
                    *code = shifted(*value, *by, *base);
                }
            }
            Self::Count(numbers) => {
                codes.fill(0);
                for number in numbers {
                    for (code, value) in codes.iter_mut().zip(values) {
                        *code += u8::from(*number < *value);
                    }
                }
            }
        }
    }
}

/// The upper bits of a value, minus `base`. Read as an integer, a negative value is less than all others.
#[inline(always)]
fn shifted(value: f32, by: u32, base: i32) -> u8 {
    let upper = value.to_bits().cast_signed() >> by;
    (upper - base).clamp(0, i32::from(u8::MAX)) as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_at_the_ends_of_steps_are_shifted() {
        let numbers = [1.2f32, 1.7].map(|n| step_end(n, 21));
        assert_eq!(numbers, [1.249_999_9, 1.749_999_9]);
        let coder = Coder::new(&numbers).unwrap();
        assert!(matches!(coder, Coder::Shift { .. }), "{coder:?}");
        let codes = [-3.0, 0.0, 1.0, 1.3, 1.6, 1.9, 1e9].map(|v| coder.code(v));
        assert_eq!(codes, [0, 0, 0, 1, 2, 3, 119]);
        assert_eq!(numbers.map(|v| coder.code(v)), [0, 2]);
    }

    #[test]
    fn other_numbers_are_counted() {
        for numbers in [vec![-1.0, 0.5], vec![0.1, 0.2]] {
            let coder = Coder::new(&numbers).unwrap();
            assert!(matches!(coder, Coder::Count(_)), "{coder:?}");
        }
        let many: Vec<f32> = (0..256u16).map(f32::from).collect();
        assert!(Coder::new(&many).is_none());
    }

    #[test]
    fn keys_are_in_the_order_of_the_numbers() {
        let numbers = [f32::MIN, -1.5, -1e-40, 0.0, 1e-40, 0.5, 1.5, f32::MAX];
        let keys = numbers.map(in_order);
        assert!(keys.is_sorted_by(|a, b| a < b), "{keys:?}");
        assert_eq!(keys.map(of_order), numbers);
        assert_eq!(in_order(-0.0), in_order(0.0));
    }

    fn value() -> impl Strategy<Value = f32> {
        prop_oneof![-3.0f32..3.0, 0.0f32..1e5, (0i16..99).prop_map(f32::from)]
    }

    proptest! {
        #[test]
        fn codes_compare_as_the_values_do(
            numbers in prop::collection::vec(value(), 1..50),
            shift in 15u32..24,
            values in prop::collection::vec(value(), 1..50),
        ) {
            let mut numbers: Vec<f32> = numbers.iter().map(|n| step_end(*n, shift)).collect();
            numbers.sort_by(f32::total_cmp);
            numbers.dedup();
            let coder = Coder::new(&numbers).unwrap();
            let mut codes = vec![0; values.len()];
            coder.codes(&values, &mut codes);
            for (value, code) in values.iter().zip(codes) {
                prop_assert_eq!(code, coder.code(*value));
                for number in &numbers {
                    prop_assert_eq!(code <= coder.code(*number), value <= number);
                }
            }
        }
    }
}
