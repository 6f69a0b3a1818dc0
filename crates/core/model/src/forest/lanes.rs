//! The operations of a forest that use the vector instructions of the processor, with one implementation per
//! instruction set.
//!
//! Invariant: in each mask, bit r stands for row r of the group, and all implementations return the same bits.
//!
//! Example: with the codes 3, 7, 5 and then only zeros, `above(codes, 4)` is `0b110`. Then `add(sums, 0b110, 0.5)` adds
//! 0.5 to the sums of rows 1 and 2.
//!
//! A value of `Avx2` or `Avx512` exists only if the processor has the instructions, so its methods are safe. The
//! methods are inlined into [`Lanes::run`], which is compiled for these instructions.
#![allow(
    unsafe_code,
    reason = "vector instructions where the processor has them"
)]

#[cfg(target_arch = "x86_64")]
use std::arch::x86_64::*;

/// Rows of a group, one bit each in a mask.
pub const ROWS: usize = 64;
/// Groups that are scored together.
pub const GROUPS: usize = 4;
/// One mask per group.
pub type Masks = [u64; GROUPS];
/// How many leaves are examined together.
pub const LEAVES_AT_ONCE: usize = 16;

/// Operations on the rows of a group.
pub trait Lanes: Copy {
    /// Runs a task in a function that is compiled for these instructions.
    fn run<T: Task>(self, task: T);

    /// The rows whose code is greater than `code`.
    fn above(self, codes: &[u8; ROWS], code: u8) -> u64;

    /// Which leaves are reached by rows of which group: bit `leaf * GROUPS + group` is set if the mask of that leaf and
    /// group is not 0.
    fn occupied(self, leaves: &[Masks; LEAVES_AT_ONCE]) -> u64;

    /// Adds a value to the sums of some rows.
    fn add(self, sums: &mut [f32; ROWS], rows: u64, value: f32);
}

/// The work that is done with lanes. Implementations of `with`, and the functions they call, must be marked
/// `#[inline(always)]`.
pub trait Task {
    fn with<L: Lanes>(self, lanes: L);
}

/// Runs a task with the best instructions of this processor.
pub fn run(task: impl Task) {
    #[cfg(target_arch = "x86_64")]
    if let Some(lanes) = Avx512::detect() {
        return lanes.run(task);
    } else if let Some(lanes) = Avx2::detect() {
        return lanes.run(task);
    }
    Plain.run(task);
}

/// Plain integers of 64 bits, for all processors.
#[derive(Clone, Copy)]
pub struct Plain;

impl Lanes for Plain {
    fn run<T: Task>(self, task: T) {
        task.with(self);
    }

    /// Compares eight codes at a time. The upper bit of each byte of `difference` says whether the lower seven bits of
    /// `code` are at least those of the byte. The upper bit was set before the subtraction, so no byte borrows from the
    /// next one. This bit and the upper bits of both codes together say which code is greater.
    ///
    /// Example: for `code` 5, the byte 3 leads to 0x85 − 0x03 = 0x82, whose upper bit is set: 3 is not greater. The
    /// byte 7 leads to 0x85 − 0x07 = 0x7e, whose upper bit is not set: 7 is greater.
    #[inline(always)]
    fn above(self, codes: &[u8; ROWS], code: u8) -> u64 {
        const UPPER: u64 = 0x8080_8080_8080_8080;
        let code = u64::from_le_bytes([code; 8]);
        let mut above = 0;
        for (byte, codes) in codes.as_chunks().0.iter().enumerate() {
            let codes = u64::from_le_bytes(*codes);
            let difference = (code | UPPER) - (codes & !UPPER);
            let greater = (codes & !code) | (!(codes ^ code) & !difference);
            // The multiplication collects the eight upper bits in the upper byte.
            let bits = ((greater & UPPER) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56;
            above |= bits << (byte * 8);
        }
        above
    }

    #[inline(always)]
    fn occupied(self, leaves: &[Masks; LEAVES_AT_ONCE]) -> u64 {
        let bits = leaves.as_flattened().iter().enumerate();
        bits.fold(0, |all, (at, mask)| all | u64::from(*mask != 0) << at)
    }

    #[inline(always)]
    fn add(self, sums: &mut [f32; ROWS], mut rows: u64, value: f32) {
        while rows != 0 {
            sums[rows.trailing_zeros() as usize] += value;
            rows &= rows - 1;
        }
    }
}

/// Vectors of 32 bytes.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub struct Avx2(());

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    pub fn detect() -> Option<Self> {
        let has = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("bmi1");
        has.then_some(Self(()))
    }

    #[target_feature(enable = "avx2,bmi1")]
    fn run_with<T: Task>(self, task: T) {
        task.with(self);
    }

    /// The rows whose code is at most `code`.
    #[inline(always)]
    fn within(self, codes: &[u8; 32], code: u8) -> u64 {
        // SAFETY: as below.
        unsafe {
            let code = _mm256_set1_epi8(code.cast_signed());
            let codes = _mm256_loadu_si256(codes.as_ptr().cast());
            // These vectors have no unsigned comparison, only the unsigned maximum.
            let within = _mm256_cmpeq_epi8(_mm256_max_epu8(codes, code), code);
            u64::from(_mm256_movemask_epi8(within).cast_unsigned())
        }
    }
}

// SAFETY of all below: a value of this type exists, so the processor has the instructions. Pointers are read and
// written only within the arrays they point to.
#[cfg(target_arch = "x86_64")]
impl Lanes for Avx2 {
    fn run<T: Task>(self, task: T) {
        // SAFETY: as above.
        unsafe { self.run_with(task) }
    }

    #[inline(always)]
    fn above(self, codes: &[u8; ROWS], code: u8) -> u64 {
        let (halves, _) = codes.as_chunks();
        !(self.within(&halves[0], code) | self.within(&halves[1], code) << 32)
    }

    #[inline(always)]
    fn occupied(self, leaves: &[Masks; LEAVES_AT_ONCE]) -> u64 {
        let mut unreached = 0;
        for (at, masks) in leaves.iter().enumerate() {
            // SAFETY: as above.
            let empty = unsafe {
                let masks = _mm256_loadu_si256(masks.as_ptr().cast());
                let empty = _mm256_cmpeq_epi64(masks, _mm256_setzero_si256());
                _mm256_movemask_pd(_mm256_castsi256_pd(empty)).cast_unsigned()
            };
            unreached |= u64::from(empty) << (at * GROUPS);
        }
        !unreached
    }

    #[inline(always)]
    fn add(self, sums: &mut [f32; ROWS], rows: u64, value: f32) {
        for (sums, rows) in sums
            .as_chunks_mut::<8>()
            .0
            .iter_mut()
            .zip(rows.to_le_bytes())
        {
            // SAFETY: as above.
            unsafe {
                let bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
                let own = _mm256_and_si256(_mm256_set1_epi32(i32::from(rows)), bits);
                let own = _mm256_castsi256_ps(_mm256_cmpeq_epi32(own, bits));
                // -0 changes no sum. Blending the sums instead would compile to masked stores, which are slow on some
                // processors.
                let value = _mm256_blendv_ps(_mm256_set1_ps(-0.0), _mm256_set1_ps(value), own);
                let sum = _mm256_add_ps(_mm256_loadu_ps(sums.as_ptr()), value);
                _mm256_storeu_ps(sums.as_mut_ptr(), sum);
            }
        }
    }
}

/// Vectors of 64 bytes, and masks of their lanes.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub struct Avx512(());

#[cfg(target_arch = "x86_64")]
impl Avx512 {
    pub fn detect() -> Option<Self> {
        let has = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("bmi1");
        has.then_some(Self(()))
    }

    #[target_feature(enable = "avx512f,avx512bw,bmi1")]
    fn run_with<T: Task>(self, task: T) {
        task.with(self);
    }
}

#[cfg(target_arch = "x86_64")]
impl Lanes for Avx512 {
    fn run<T: Task>(self, task: T) {
        // SAFETY: as above.
        unsafe { self.run_with(task) }
    }

    #[inline(always)]
    fn above(self, codes: &[u8; ROWS], code: u8) -> u64 {
        // SAFETY: as above.
        unsafe {
            let codes = _mm512_loadu_si512(codes.as_ptr().cast());
            _mm512_cmpgt_epu8_mask(codes, _mm512_set1_epi8(code.cast_signed()))
        }
    }

    #[inline(always)]
    fn occupied(self, leaves: &[Masks; LEAVES_AT_ONCE]) -> u64 {
        let mut occupied = 0;
        for (at, masks) in leaves.as_chunks::<2>().0.iter().enumerate() {
            // SAFETY: as above.
            let bits = unsafe {
                let masks = _mm512_loadu_si512(masks.as_ptr().cast());
                _mm512_test_epi64_mask(masks, masks)
            };
            occupied |= u64::from(bits) << (at * 2 * GROUPS);
        }
        occupied
    }

    #[inline(always)]
    fn add(self, sums: &mut [f32; ROWS], rows: u64, value: f32) {
        for (at, sums) in sums.as_chunks_mut::<16>().0.iter_mut().enumerate() {
            let rows = (rows >> (at * 16)) as u16;
            // SAFETY: as above.
            unsafe {
                let before = _mm512_loadu_ps(sums.as_ptr());
                let after = _mm512_mask_add_ps(before, rows, before, _mm512_set1_ps(value));
                _mm512_storeu_ps(sums.as_mut_ptr(), after);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Compares the results of the operations with their definitions.
    struct Check<'a> {
        codes: [u8; ROWS],
        code: u8,
        value: f32,
        done: &'a mut usize,
    }

    impl Task for Check<'_> {
        fn with<L: Lanes>(self, lanes: L) {
            let above = lanes.above(&self.codes, self.code);
            let mut sums = self.codes.map(|code| f32::from(code) * -0.5);
            let before = sums;
            lanes.add(&mut sums, above, self.value);
            for row in 0..ROWS {
                let is_above = self.codes[row] > self.code;
                assert_eq!(above >> row & 1 == 1, is_above, "row {row}");
                let sum = if is_above {
                    before[row] + self.value
                } else {
                    before[row]
                };
                assert_eq!(sums[row].to_bits(), sum.to_bits(), "row {row}");
            }
            let masks = self.codes.map(|code| u64::from(code / 2) << 50);
            let occupied = lanes.occupied(&masks.as_chunks().0.try_into().unwrap());
            for (bit, mask) in masks.iter().enumerate() {
                assert_eq!(occupied >> bit & 1 == 1, *mask != 0, "bit {bit}");
            }
            *self.done += 1;
        }
    }

    proptest! {
        #[test]
        fn every_implementation_follows_the_definitions(
            codes in prop::array::uniform32((any::<u8>(), 0u8..4)),
            code in prop_oneof![any::<u8>(), 0u8..4],
            value in prop_oneof![-1.0f32..1.0, Just(-0.0)],
        ) {
            let codes: [u8; ROWS] = std::array::from_fn(|i| if i < 32 { codes[i].0 } else { codes[i - 32].1 });
            let mut done = 0;
            let mut check = |run: &dyn Fn(Check<'_>)| run(Check { codes, code, value, done: &mut done });
            check(&|task| Plain.run(task));
            check(&|task| run(task));
            #[cfg(target_arch = "x86_64")]
            if let Some(lanes) = Avx2::detect() {
                check(&|task| lanes.run(task));
            }
            prop_assert!(done >= 2);
        }
    }
}
