//! Compressed files that are built from the contents of their members, because a fuzzer cannot
//! change compressed data.
//!
//! The first byte selects the compression and the damage, the next two the place of the damage.
//! Byte 29 (group separator) begins another member.

use super::warc;
use crate::Target;
use crate::digest::choice;
use flate2::Crc;

/// The target.
pub const TARGET: Target = Target {
    name: "members",
    check,
    seeds,
    max_len: 4096,
    fair: 2000.0,
};

/// Begins another member.
pub(super) const SEPARATOR: u8 = 29;

fn check(input: &[u8]) {
    let (how, damage, rest) = damaged(input);
    let member = if how & 1 == 0 { gzip } else { zstd };
    let mut file: Vec<u8> = rest.split(|b| *b == SEPARATOR).flat_map(member).collect();
    damage.change(&mut file);
    warc::check(&file);
}

/// A change of a file that was built.
pub(super) struct Damage {
    how: usize,
    at: usize,
}

/// The choice in the first byte, the damage in the first three, and the rest.
pub(super) fn damaged(input: &[u8]) -> (usize, Damage, &[u8]) {
    let (how, rest) = choice(input);
    let (high, rest) = choice(rest);
    let (low, rest) = choice(rest);
    let at = high << 8 | low;
    (how, Damage { how, at }, rest)
}

impl Damage {
    pub fn change(&self, file: &mut Vec<u8>) {
        let at = self.at % file.len();
        match self.how >> 1 & 3 {
            1 => file[at] ^= 1 << (self.how >> 3 & 7),
            2 => file.truncate(at),
            3 => drop(file.drain(at / 2..at)),
            _ => {}
        }
    }
}

/// A member that is stored, not compressed (RFC 1952, RFC 1951 §3.2.4).
fn gzip(bytes: &[u8]) -> Vec<u8> {
    let bytes = &bytes[..bytes.len().min(0xffff)];
    let length = bytes.len() as u16;
    let mut crc = Crc::new();
    crc.update(bytes);
    let head = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1];
    let lengths = [length.to_le_bytes(), (!length).to_le_bytes()].concat();
    let end = [crc.sum(), u32::from(length)]
        .map(u32::to_le_bytes)
        .concat();
    [&head, &lengths[..], bytes, &end].concat()
}

/// A frame of one raw block (RFC 8878 §3.1.1): a single segment whose size takes four bytes.
fn zstd(bytes: &[u8]) -> Vec<u8> {
    let bytes = &bytes[..bytes.len().min(0xffff)];
    let size = bytes.len() as u32;
    let block = size << 3 | 1;
    let head = [0x28, 0xb5, 0x2f, 0xfd, 0xa0];
    [
        &head,
        &size.to_le_bytes()[..],
        &block.to_le_bytes()[..3],
        bytes,
    ]
    .concat()
}

fn seeds() -> Vec<Vec<u8>> {
    let each = warc::plain().into_iter().enumerate().map(|(i, plain)| {
        let mut seed = vec![(i % 8) as u8, i as u8, (7 * i) as u8];
        for (n, record) in split(&plain).into_iter().enumerate() {
            seed.extend((n % 3 == 1).then_some(SEPARATOR));
            seed.extend_from_slice(record);
        }
        seed
    });
    each.collect()
}

/// The records of a file.
fn split(file: &[u8]) -> Vec<&[u8]> {
    let mut starts: Vec<usize> = (0..file.len())
        .filter(|at| file[*at..].starts_with(b"WARC/1.0\r\n"))
        .collect();
    starts.push(file.len());
    starts.windows(2).map(|w| &file[w[0]..w[1]]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn decoders_accept_the_members() {
        let mut text = Vec::new();
        let mut decoder = flate2::read::GzDecoder::new(&*gzip(b"some text").leak());
        decoder.read_to_end(&mut text).unwrap();
        assert_eq!(text, b"some text");
        assert_eq!(
            ::zstd::decode_all(&*zstd(b"some text")).unwrap(),
            b"some text"
        );
    }
}
