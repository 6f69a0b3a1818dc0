//! DELTA_BINARY_PACKED: numbers as differences from the one before.

use super::hybrid::{pack, varint};

/// Number of differences in a block. A block stores their minimum once.
const BLOCK: usize = 128;
/// Number of differences in a miniblock. A miniblock stores one width in bits for all; a block has
/// four.
const MINIBLOCK: usize = 32;

/// Appends the numbers.
///
/// The header has the numbers per block, the miniblocks per block, the count of all numbers, and
/// the first number. Then follows for each block: the least difference, the widths of the
/// miniblocks, and each difference minus the least one. The last miniblock that is used is filled
/// up with zeros. Miniblocks after it have width 0 and no bits.
pub(super) fn encode(numbers: &[i32], out: &mut Vec<u8>) {
    varint(BLOCK as u64, out);
    varint((BLOCK / MINIBLOCK) as u64, out);
    varint(numbers.len() as u64, out);
    let Some((&first, rest)) = numbers.split_first() else {
        return varint(0, out);
    };
    zigzag(first, out);
    let mut last = first;
    let mut over = [0; BLOCK];
    for block in rest.chunks(BLOCK) {
        // Differences wrap around on overflow, and so do the sums that readers compute.
        let mut least = i32::MAX;
        for (difference, &number) in over.iter_mut().zip(block) {
            let own = number.wrapping_sub(last);
            *difference = own as u32;
            least = least.min(own);
            last = number;
        }
        zigzag(least, out);
        let over = &mut over[..block.len()];
        over.iter_mut()
            .for_each(|d| *d = d.wrapping_sub(least as u32));
        let widths = out.len();
        out.extend_from_slice(&[0; BLOCK / MINIBLOCK]);
        for (at, miniblock) in over.chunks(MINIBLOCK).enumerate() {
            let width = 32 - miniblock.iter().fold(0, |all, d| all | d).leading_zeros();
            out[widths + at] = width as u8;
            let end = out.len() + MINIBLOCK / 8 * width as usize;
            pack(miniblock, width, out);
            out.resize(end, 0);
        }
    }
}

fn zigzag(number: i32, out: &mut Vec<u8>) {
    varint(u64::from(((number << 1) ^ (number >> 31)) as u32), out);
}
