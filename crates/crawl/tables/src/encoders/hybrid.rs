//! Parquet's hybrid of runs and packed bits, for levels and for positions in a dictionary.

/// Number of equal values from which a run of its own is worth it. Packed values come in groups of
/// this size.
const GROUP: usize = 8;

/// Bits that hold every number below `count`, at least 1.
pub(super) fn width(count: usize) -> u32 {
    (usize::BITS - count.saturating_sub(1).leading_zeros()).max(1)
}

/// Appends `values`, each of `width` bits.
///
/// A run is its length times two as a varint, then the value in whole bytes. Packed groups of eight
/// are their number times two plus one, then the bits of the values, the lowest first. Only the
/// last group may be filled up with zeros.
///
/// Example: ten times the value 5 in three bits is `[20, 5]`; the values 0 to 7 are `[3,
/// 0b10_001_000, …]`.
pub(super) fn encode(values: &[u32], width: u32, out: &mut Vec<u8>) {
    // Values from here on are not written yet. Up to `at` they are whole groups.
    let mut packed = 0;
    let mut at = 0;
    while let Some(&value) = values.get(at) {
        let run = values[at..].iter().take_while(|&&v| v == value).count();
        if run < GROUP {
            at = (at + GROUP).min(values.len());
            continue;
        }
        groups(&values[packed..at], width, out);
        varint(2 * run as u64, out);
        out.extend_from_slice(&value.to_le_bytes()[..width.div_ceil(8) as usize]);
        at += run;
        packed = at;
    }
    groups(&values[packed..], width, out);
}

fn groups(values: &[u32], width: u32, out: &mut Vec<u8>) {
    if values.is_empty() {
        return;
    }
    let count = values.len().div_ceil(GROUP);
    varint(2 * count as u64 + 1, out);
    let end = out.len() + count * width as usize;
    pack(values, width, out);
    out.resize(end, 0);
}

/// Appends the lowest `width` bits, at most 32, of each value; the last byte is filled up with zeros.
pub(super) fn pack(values: &[u32], width: u32, out: &mut Vec<u8>) {
    let (mut bits, mut held) = (0u64, 0);
    for &value in values {
        bits |= u64::from(value) << held;
        held += width;
        if held >= 32 {
            out.extend_from_slice(&(bits as u32).to_le_bytes());
            bits >>= 32;
            held -= 32;
        }
    }
    out.extend_from_slice(&bits.to_le_bytes()[..held.div_ceil(8) as usize]);
}

/// Appends seven bits per byte, the lowest first. The highest bit is set in every byte except the
/// last.
pub(super) fn varint(mut value: u64, out: &mut Vec<u8>) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The values that a reader finds.
    fn decode(mut bytes: &[u8], width: u32, count: usize) -> Vec<u32> {
        let mut values = Vec::new();
        while values.len() < count {
            let (mut header, mut shift) = (0u64, 0);
            loop {
                let (byte, rest) = bytes.split_first().unwrap();
                bytes = rest;
                header |= u64::from(byte & 0x7f) << shift;
                shift += 7;
                if *byte < 0x80 {
                    break;
                }
            }
            let n = (header >> 1) as usize;
            if header & 1 == 0 {
                let (value, rest) = bytes.split_at(width.div_ceil(8) as usize);
                let mut all = [0; 4];
                all[..value.len()].copy_from_slice(value);
                values.resize(values.len() + n, u32::from_le_bytes(all));
                bytes = rest;
                continue;
            }
            let (packed, rest) = bytes.split_at(n * width as usize);
            for i in 0..n * GROUP {
                let bit = |b: usize| u32::from((packed[b / 8] >> (b % 8)) & 1);
                let at = i * width as usize;
                values.push((0..width as usize).map(|b| bit(at + b) << b).sum());
            }
            bytes = rest;
        }
        assert!(bytes.is_empty());
        values.truncate(count);
        values
    }

    #[test]
    fn runs_are_short_and_few_values_are_packed() {
        let mut out = Vec::new();
        encode(&[5; 10], 3, &mut out);
        assert_eq!(out, [20, 5]);
        out.clear();
        encode(&[0, 1, 2, 3, 4, 5, 6, 7], 3, &mut out);
        assert_eq!(out, [3, 0b1000_1000, 0b1100_0110, 0b1111_1010]);
        assert_eq!(
            [0, 1, 2, 3, 4, 5, 256, 257].map(width),
            [1, 1, 1, 2, 2, 3, 8, 9]
        );
    }

    proptest! {
        #[test]
        fn readers_find_the_values(runs in prop::collection::vec((any::<u32>(), 1usize..40, any::<bool>()), 0..20), width in 1u32..=32) {
            let mask = u32::MAX >> (32 - width);
            let values: Vec<u32> = runs
                .iter()
                .flat_map(|&(v, n, same)| (0..n as u32).map(move |i| v.wrapping_add(if same { 0 } else { i }) & mask))
                .collect();
            let mut out = Vec::new();
            encode(&values, width, &mut out);
            prop_assert_eq!(decode(&out, width, values.len()), values);
        }
    }
}
