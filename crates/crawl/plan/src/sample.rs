//! Which pieces of the inputs are measured.

use rand::SeedableRng;
use rand::seq::index;
use rand_pcg::Pcg32;

/// How much of the inputs is to be measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SampleSize {
    /// This share of their bytes, above 0 and at most 1.
    Share(f64),
    /// This many bytes.
    Bytes(u64),
}

/// Least number of pieces to draw, if there are as many. Fewer pieces show too little of how pieces
/// differ.
pub(super) const MIN_PIECES: u64 = 30;

/// Least and most bytes of a piece, which is a power of 2 between them. It must be small enough
/// that there are [`MIN_PIECES`], and large enough that finding its beginning is a small part of
/// the work.
const PIECE_BYTES: (u64, u64) = (256 << 10, 4 << 20);

/// The inputs cut into pieces of equal size, except the last piece of each input.
#[derive(Debug)]
pub(super) struct Pieces {
    /// Bytes of a piece.
    pub(super) size: u64,
    /// For each input the number of the first piece after it. Pieces are numbered over all inputs.
    ends: Vec<u64>,
    /// Number of pieces to draw.
    pub(super) draws: u64,
}

/// A piece to measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Piece {
    /// Index of its input.
    pub(super) input: usize,
    /// Its number in the input, from 0.
    pub(super) number: u64,
    /// Number of pieces drawn of the input if this is the first of them, otherwise 0.
    pub(super) of_input: u64,
}

impl Pieces {
    /// Cuts inputs of these sizes in bytes.
    pub(super) fn of(sizes: &[u64], sample: SampleSize) -> Self {
        let whole: u64 = sizes.iter().sum();
        let bytes = match sample {
            SampleSize::Share(share) => (share.clamp(0.0, 1.0) * whole as f64).ceil() as u64,
            SampleSize::Bytes(bytes) => bytes.min(whole),
        };
        let size = match bytes >= whole {
            // Everything is measured, so it does not matter how pieces differ.
            true => PIECE_BYTES.1,
            false => (bytes / MIN_PIECES).clamp(PIECE_BYTES.0, PIECE_BYTES.1),
        };
        let size = 1 << size.ilog2();
        let mut end = 0;
        let ends: Vec<u64> = sizes
            .iter()
            .map(|bytes| {
                end += Self::in_input(*bytes, size);
                end
            })
            .collect();
        let draws = match bytes >= whole {
            true => end,
            false => bytes.div_ceil(size).max(MIN_PIECES).min(end),
        };
        Self { size, ends, draws }
    }

    /// Number of pieces of an input of `bytes` bytes. An empty input is one piece.
    fn in_input(bytes: u64, size: u64) -> u64 {
        bytes.div_ceil(size).max(1)
    }

    /// Number of pieces of all inputs.
    pub(super) fn len(&self) -> u64 {
        self.ends.last().copied().unwrap_or(0)
    }

    /// Draws the sample in the order of the inputs. Every set of pieces is equally likely.
    pub(super) fn draw(&self, seed: u64) -> Vec<Piece> {
        let mut random = Pcg32::seed_from_u64(seed);
        let drawn = index::sample(&mut random, self.len() as usize, self.draws as usize);
        let mut drawn: Vec<_> = drawn.iter().map(|piece| self.place(piece as u64)).collect();
        drawn.sort_unstable();
        for of_input in drawn.chunk_by_mut(|a, b| a.input == b.input) {
            of_input[0].of_input = of_input.len() as u64;
        }
        drawn
    }

    fn place(&self, piece: u64) -> Piece {
        let input = self.ends.partition_point(|end| *end <= piece);
        let before = input.checked_sub(1).map_or(0, |i| self.ends[i]);
        Piece {
            input,
            number: piece - before,
            of_input: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const MB: u64 = 1 << 20;

    #[test]
    fn pieces_are_smaller_for_smaller_samples() {
        let size = |whole, share| Pieces::of(&[whole], SampleSize::Share(share)).size;
        assert_eq!(size(MB, 0.9), 256 << 10);
        assert_eq!(size(MB, 1.0), 4 * MB);
        assert_eq!(size(2_000 * MB, 0.01), 512 << 10);
        assert_eq!(size(2_000 * MB, 0.02), MB);
        assert_eq!(size(1 << 50, 0.01), 4 * MB);
        let small = Pieces::of(&[100 * MB], SampleSize::Share(0.01));
        assert_eq!((small.len(), small.draws), (400, MIN_PIECES));
        let tiny = Pieces::of(&[10, 0, 10], SampleSize::Share(0.01));
        assert_eq!((tiny.len(), tiny.draws), (3, 3));
        let all = Pieces::of(&[100 * MB, 1], SampleSize::Share(1.0));
        assert_eq!((all.len(), all.draws), (all.draws, all.len()));
        assert_eq!(
            Pieces::of(&[100 * MB], SampleSize::Bytes(MB)).draws,
            MIN_PIECES
        );
        assert_eq!(Pieces::of(&[], SampleSize::Share(1.0)).draw(0), []);
    }

    #[test]
    fn equal_seeds_draw_equal_pieces() {
        let pieces = Pieces::of(&[80 * MB, 3 * MB, 90 * MB], SampleSize::Share(0.01));
        assert_eq!(pieces.draw(1), pieces.draw(1));
        assert_ne!(pieces.draw(1), pieces.draw(2));
        let drawn: Vec<_> = Pieces::of(&[MB; 4], SampleSize::Share(0.1)).draw(0);
        assert_eq!(drawn.len(), 16, "all there are");
    }

    #[test]
    fn all_pieces_are_equally_likely() {
        let pieces = Pieces {
            size: 1,
            ends: vec![3, 4, 12],
            draws: 4,
        };
        let mut times = [0u32; 12];
        for seed in 0..6_000 {
            for piece in pieces.draw(seed) {
                let first = [0, 3, 4][piece.input];
                times[(first + piece.number) as usize] += 1;
            }
        }
        for n in times {
            assert!((1_850..2_150).contains(&n), "{times:?}");
        }
    }

    proptest! {
        #[test]
        fn pieces_are_drawn_once_and_in_order(
            sizes in prop::collection::vec(0u64..9 * MB, 1..40),
            share in 0.001f64..1.0,
            seed: u64,
        ) {
            let pieces = Pieces::of(&sizes, SampleSize::Share(share));
            let drawn = pieces.draw(seed);
            prop_assert_eq!(drawn.len() as u64, pieces.draws);
            prop_assert!(drawn.windows(2).all(|w| (w[0].input, w[0].number) < (w[1].input, w[1].number)));
            for piece in drawn {
                let size = sizes[piece.input];
                prop_assert!(piece.number == 0 || piece.number * pieces.size < size);
            }
        }
    }
}
