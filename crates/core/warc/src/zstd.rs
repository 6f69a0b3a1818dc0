//! Decodes Zstandard frames as members (RFC 8878), and loads the dictionary that
//! `.warc.zst` files contain in a skippable frame before the first record
//! (IIPC, "Zstandard compression of WARC").

use super::progress::{Progress, State};
use std::io::Read;
use zstd::zstd_safe::{DCtx, DParameter, InBuffer, OutBuffer, ResetDirective};

/// The first bytes of a frame of data.
pub(super) const MAGIC: [u8; 4] = 0xfd2f_b528_u32.to_le_bytes();
/// The skippable frame that holds the dictionary.
pub(super) const DICTIONARY_MAGIC: [u8; 4] = 0x184d_2a5d_u32.to_le_bytes();
/// A larger dictionary, as stored or as decoded, is not loaded.
pub(super) const MAX_DICTIONARY: usize = 16 << 20;
/// Largest window of a frame, log2 of bytes: 64 MiB. The default levels of the
/// reference encoder use 2 to 8 MiB, only `--ultra -22` and `--long` more.
pub(super) const WINDOW_LOG: u32 = 26;
/// How many bytes are enough to find the length of a frame's header.
const FIRST: usize = 5;
/// Error codes of the library.
const WINDOW_TOO_LARGE: usize = 16;
const CHECKSUM_WRONG: usize = 22;
const DICTIONARY_WRONG: usize = 32;

/// What is wrong with a dictionary over [`MAX_DICTIONARY`].
pub(super) const TOO_LARGE: &str = "is larger than 16 MiB";

/// A frame decoder, reused for all frames of a file. Memory: the frame's
/// window, at most 64 MiB, and the dictionary.
pub(super) struct Zstd {
    context: DCtx<'static>,
    /// Bytes of input that the library asks for next.
    needed: usize,
    /// The last call filled its output completely, so the library may hold more output.
    full: bool,
    /// Why the current frame cannot be decoded although its bytes may be intact.
    pub(super) refusal: Option<&'static str>,
}

impl Zstd {
    pub(super) fn new() -> Self {
        let mut context = DCtx::create();
        context
            .set_parameter(DParameter::WindowLogMax(WINDOW_LOG))
            .expect("the library's own maximum is higher");
        Self {
            context,
            needed: FIRST,
            full: false,
            refusal: None,
        }
    }

    pub(super) fn reset(&mut self) {
        // Resetting the session alone cannot fail.
        let _ = self.context.reset(ResetDirective::SessionOnly);
        self.needed = FIRST;
        self.full = false;
        self.refusal = None;
    }

    /// Loads the dictionary of a skippable frame for all frames after it. It may itself be
    /// compressed.
    ///
    /// # Errors
    /// What is wrong with the dictionary.
    pub(super) fn load_dictionary(&mut self, content: &[u8]) -> Result<(), &'static str> {
        self.reset();
        let mut decoded = Vec::new();
        let dictionary = if content.starts_with(&MAGIC) {
            zstd::stream::read::Decoder::with_buffer(content)
                .and_then(|mut decoder| {
                    decoder.window_log_max(WINDOW_LOG)?;
                    let most = MAX_DICTIONARY as u64 + 1;
                    decoder.take(most).read_to_end(&mut decoded)
                })
                .map_err(|_| "is damaged")?;
            &decoded
        } else {
            content
        };
        if dictionary.len() > MAX_DICTIONARY {
            return Err(TOO_LARGE);
        }
        let loaded = self.context.load_dictionary(dictionary);
        loaded.map(drop).map_err(|_| "is damaged")
    }

    /// Decodes one step. The library gets exactly the bytes that it asks for, one block at a time,
    /// so that all blocks before a damaged one, or before a wrong checksum, are returned.
    pub(super) fn decode(&mut self, input: &[u8], output: &mut [u8]) -> Progress {
        if self.full {
            // The rest of the last block is fetched without new input, because a call that also
            // meets an error would lose it.
            let progress = self.run(&[], output);
            self.full = progress.written == output.len();
            if progress.written > 0 || progress.state != State::More {
                return progress;
            }
        }
        let progress = self.run(&input[..input.len().min(self.needed)], output);
        self.full = progress.written == output.len();
        progress
    }

    fn run(&mut self, input: &[u8], output: &mut [u8]) -> Progress {
        let mut source = InBuffer::around(input);
        let mut target = OutBuffer::around(output);
        let result = self.context.decompress_stream(&mut target, &mut source);
        let (read, written) = (source.pos(), target.pos());
        match result {
            Ok(0) => Progress::new(read, written, State::End),
            Ok(needed) => {
                self.needed = needed;
                Progress::new(read, written, State::More)
            }
            Err(code) if code == CHECKSUM_WRONG.wrapping_neg() => {
                Progress::new(input.len(), written, State::BadChecksum)
            }
            Err(code) => {
                self.refusal = match code.wrapping_neg() {
                    WINDOW_TOO_LARGE => Some("its frame needs a window over 64 MiB"),
                    DICTIONARY_WRONG => {
                        Some("its frame needs a dictionary that the file does not hold")
                    }
                    _ => None,
                };
                Progress::new(read, written, State::Broken)
            }
        }
    }
}

/// Whether `bytes` begin with a skippable frame: magic 0x184D2A50 to 0x184D2A5F.
pub(super) fn is_skippable(bytes: &[u8]) -> bool {
    matches!(bytes, [0x50..=0x5f, 0x2a, 0x4d, 0x18, ..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    fn frame(text: &[u8]) -> Vec<u8> {
        let mut writer = zstd::stream::write::Encoder::new(Vec::new(), 3).unwrap();
        writer.include_checksum(true).unwrap();
        writer.write_all(text).unwrap();
        writer.finish().unwrap()
    }

    fn run(frame: &[u8], room: usize) -> (Vec<u8>, usize, Option<State>) {
        let (mut zstd, mut out, mut at) = (Zstd::new(), Vec::new(), 0);
        loop {
            let mut piece = vec![0; room];
            let p = zstd.decode(&frame[at..], &mut piece);
            out.extend_from_slice(&piece[..p.written]);
            at += p.read;
            match p.state {
                State::More if p.read + p.written > 0 => {}
                State::More => return (out, at, None),
                end => return (out, at, Some(end)),
            }
        }
    }

    fn noise(n: usize) -> Vec<u8> {
        let mut x = 1u32;
        (0..n)
            .map(|_| {
                x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (x >> 26) as u8
            })
            .collect()
    }

    #[test]
    fn decoding_stops_at_the_end_of_a_frame() {
        let text = noise(400_000);
        let whole = frame(&text);
        let mut long = whole.clone();
        long.extend_from_slice(&whole);
        for room in [100, 77_777, 1_000_000] {
            assert_eq!(
                run(&long, room),
                (text.clone(), whole.len(), Some(State::End))
            );
        }
    }

    #[test]
    fn a_wrong_checksum_loses_no_output() {
        let text = noise(300_000);
        let mut bad = frame(&text);
        *bad.last_mut().unwrap() ^= 1;
        let n = bad.len();
        for room in [100, 1 << 17, 1 << 20] {
            let want = (text.clone(), n, Some(State::BadChecksum));
            assert_eq!(run(&bad, room), want);
        }
    }

    #[test]
    fn blocks_before_the_damage_are_decoded() {
        let text = noise(400_000);
        let mut damaged = frame(&text);
        let n = damaged.len();
        damaged[n - 5_000..n - 4_800].fill(0xff);
        let (out, _, end) = run(&damaged, 1 << 20);
        assert!(matches!(end, Some(State::Broken | State::BadChecksum)));
        assert!(out.len() >= 256 << 10 && text.starts_with(&out[..256 << 10]));
        assert_eq!(run(&damaged[..n / 2], 1 << 20).2, None);
    }
}
