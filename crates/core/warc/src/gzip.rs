//! Decodes gzip members (RFC 1952) so that damaged data, a wrong checksum and a missing end can be
//! distinguished.

use super::progress::{Progress, State};
use flate2::{Crc, Decompress, FlushDecompress, Status};

/// The first bytes of every member: magic and the one compression method.
pub(super) const MAGIC: [u8; 3] = [0x1f, 0x8b, 8];
/// A header with longer optional fields counts as invalid.
const MAX_HEADER: usize = 96 << 10;
const TRAILER: usize = 8;

/// A member decoder, reused for all members of a file.
pub(super) struct Gzip {
    stage: Stage,
    inflate: Decompress,
    crc: Crc,
}

enum Stage {
    Header,
    Body,
    Trailer,
}

impl Gzip {
    pub(super) fn new() -> Self {
        Self {
            stage: Stage::Header,
            inflate: Decompress::new(false),
            crc: Crc::new(),
        }
    }

    pub(super) fn reset(&mut self) {
        self.stage = Stage::Header;
        self.inflate.reset(false);
        self.crc.reset();
    }

    pub(super) fn decode(&mut self, input: &[u8], output: &mut [u8]) -> Progress {
        match self.stage {
            Stage::Header => match header_len(input) {
                Header::Whole(n) => {
                    self.stage = Stage::Body;
                    Progress::new(n, 0, State::More)
                }
                Header::Partial => Progress::new(0, 0, State::More),
                Header::Invalid => Progress::new(0, 0, State::Broken),
            },
            Stage::Body => self.inflate(input, output),
            Stage::Trailer => match input.first_chunk::<TRAILER>() {
                None => Progress::new(0, 0, State::More),
                Some(&[a, b, c, d, e, f, g, h]) => {
                    let matches = u32::from_le_bytes([a, b, c, d]) == self.crc.sum()
                        && u32::from_le_bytes([e, f, g, h]) == self.crc.amount();
                    let state = if matches {
                        State::End
                    } else {
                        State::BadChecksum
                    };
                    Progress::new(TRAILER, 0, state)
                }
            },
        }
    }

    fn inflate(&mut self, input: &[u8], output: &mut [u8]) -> Progress {
        let (read, written) = (self.inflate.total_in(), self.inflate.total_out());
        let status = self
            .inflate
            .decompress(input, output, FlushDecompress::None);
        let read = (self.inflate.total_in() - read) as usize;
        let written = (self.inflate.total_out() - written) as usize;
        self.crc.update(&output[..written]);
        let state = match status {
            Ok(Status::StreamEnd) => {
                self.stage = Stage::Trailer;
                State::More
            }
            Ok(_) => State::More,
            Err(_) => State::Broken,
        };
        Progress::new(read, written, state)
    }
}

/// Length of a member's header, as far as its first bytes show it.
pub(super) enum Header {
    /// The header is this many bytes long.
    Whole(usize),
    Partial,
    Invalid,
}

/// The member header that `bytes` begin with (RFC 1952 §2.3).
pub(super) fn header_len(bytes: &[u8]) -> Header {
    const HCRC: u8 = 2;
    const EXTRA: u8 = 4;
    const NAME: u8 = 8;
    const COMMENT: u8 = 16;
    const RESERVED: u8 = 0xe0;
    if !bytes.starts_with(&MAGIC[..bytes.len().min(3)]) {
        return Header::Invalid;
    }
    let Some(&flags) = bytes.get(3) else {
        return Header::Partial;
    };
    if flags & RESERVED != 0 {
        return Header::Invalid;
    }
    let mut at = 10;
    if flags & EXTRA != 0 {
        match bytes.get(at..at + 2) {
            Some(n) => at += 2 + usize::from(u16::from_le_bytes([n[0], n[1]])),
            None => return Header::Partial,
        }
    }
    for field in [NAME, COMMENT] {
        if flags & field != 0 {
            let rest = bytes.get(at..).unwrap_or_default();
            match memchr::memchr(0, rest) {
                Some(n) => at += n + 1,
                None if bytes.len() > MAX_HEADER => return Header::Invalid,
                None => return Header::Partial,
            }
        }
    }
    if flags & HCRC != 0 {
        at += 2;
    }
    if at <= bytes.len() {
        Header::Whole(at)
    } else {
        Header::Partial
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::{Compression, GzBuilder};
    use std::io::Write;

    fn member(builder: GzBuilder, text: &[u8]) -> Vec<u8> {
        let mut writer = builder.write(Vec::new(), Compression::default());
        writer.write_all(text).unwrap();
        writer.finish().unwrap()
    }

    /// Decodes in small pieces. Returns the output, the number of bytes read and the final state.
    fn run(member: &[u8], step: usize) -> (Vec<u8>, usize, Option<State>) {
        let (mut gzip, mut out, mut at, mut shown) = (Gzip::new(), Vec::new(), 0, 0);
        loop {
            let mut piece = [0; 7];
            let p = gzip.decode(&member[at..shown], &mut piece);
            out.extend_from_slice(&piece[..p.written]);
            at += p.read;
            match p.state {
                State::More if p.read + p.written > 0 => {}
                State::More if shown == member.len() => return (out, at, None),
                State::More => shown = (shown + step).min(member.len()),
                end => return (out, at, Some(end)),
            }
        }
    }

    #[test]
    fn every_optional_header_field_is_skipped() {
        let text = b"a text of a few words, a text of a few words";
        let builder = GzBuilder::new()
            .extra(vec![0; 300])
            .filename("name")
            .comment("comment");
        for data in [member(builder, text), member(GzBuilder::new(), text)] {
            let mut long = data.clone();
            long.extend_from_slice(b"next");
            for step in [1, 5, 1000] {
                assert_eq!(
                    run(&long, step),
                    (text.to_vec(), data.len(), Some(State::End))
                );
            }
        }
    }

    #[test]
    fn the_ways_a_member_ends_are_distinguished() {
        let text = b"some words and some words and others";
        let whole = member(GzBuilder::new(), text);
        let mut bad = whole.clone();
        *bad.last_mut().unwrap() ^= 1;
        assert_eq!(run(&bad, 9).2, Some(State::BadChecksum));
        assert_eq!(
            run(&whole[..whole.len() - 1], 9),
            (text.to_vec(), whole.len() - 8, None)
        );
        let mut damaged = whole.clone();
        damaged[10] = 0xff;
        assert_eq!(run(&damaged, 9).2, Some(State::Broken));
        let mut reserved = whole;
        reserved[3] = 0x80;
        assert_eq!(run(&reserved, 9).2, Some(State::Broken));
    }
}
