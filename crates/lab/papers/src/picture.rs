//! Pictures of pages, scaled down: the input of networks that look at rendered pages.

use image_webp::WebPDecoder;
use std::io::Cursor;
use warcsieve_common::panics;

/// A size in points, width first.
pub type Size = [usize; 2];

/// Values per point: red, green, blue.
pub const CHANNELS: usize = 3;

/// The maximum size of a picture in bytes, as it is stored.
const MAX_PICTURE_BYTES: usize = 16 << 20;

/// The maximum width and height in points.
const MAX_SIDE_POINTS: u32 = 4096;

/// The maximum number of points.
const MAX_POINTS: u64 = 1 << 22;

/// The greatest value of a channel. The area below the picture is white.
const WHITE: u8 = 255;

/// Scales a picture in WebP to a width. Below, it is cut off or filled with white to reach the height. The result is
/// ordered by row, point and channel. `None` if the bytes are not a picture, or if it is smaller than the target,
/// animated, or very large; this is checked before decoding.
///
/// A point is the mean of the points that it replaces, rounded down, so it is the same on any machine.
pub fn scaled(webp: &[u8], size: Size) -> Option<Vec<u8>> {
    // Pictures come from a browser that shows pages of strangers, and a decoder may panic on some.
    panics::catch(|| decoded(webp))
        .ok()?
        .and_then(|p| p.scaled(size))
}

/// A picture by row, point and channel. The first three channels count.
struct Picture {
    width: usize,
    channels: usize,
    values: Vec<u8>,
}

fn decoded(webp: &[u8]) -> Option<Picture> {
    if webp.len() > MAX_PICTURE_BYTES {
        return None;
    }
    let mut decoder = WebPDecoder::new(Cursor::new(webp)).ok()?;
    let (width, height) = decoder.dimensions();
    let points = u64::from(width) * u64::from(height);
    let fits = width.max(height) <= MAX_SIDE_POINTS && (1..=MAX_POINTS).contains(&points);
    if !fits || decoder.is_animated() {
        return None;
    }
    let channels = if decoder.has_alpha() { 4 } else { 3 };
    decoder.set_memory_limit(MAX_POINTS as usize * 4);
    let mut values = vec![0; decoder.output_buffer_size()?];
    decoder.read_image(&mut values).ok()?;
    Some(Picture {
        width: width as usize,
        channels,
        values,
    })
}

impl Picture {
    fn scaled(&self, [width, height]: Size) -> Option<Vec<u8>> {
        if self.width < width {
            return None;
        }
        let mut sums = vec![[0u32; CHANNELS]; width * height];
        let mut counts = vec![0u32; width * height];
        let rows = self.values.chunks_exact(self.width * self.channels);
        for (y, row) in rows.enumerate() {
            let to = y * width / self.width;
            if to >= height {
                break;
            }
            for (x, point) in row.chunks_exact(self.channels).enumerate() {
                let cell = to * width + x * width / self.width;
                counts[cell] += 1;
                for (sum, value) in sums[cell].iter_mut().zip(point) {
                    *sum += u32::from(*value);
                }
            }
        }
        let mean = |sum: u32, count: u32| sum.checked_div(count).map_or(WHITE, |mean| mean as u8);
        let cells = sums.iter().zip(&counts);
        Some(
            cells
                .flat_map(|(sums, count)| sums.map(|sum| mean(sum, *count)))
                .collect(),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use image_webp::{ColorType, WebPEncoder};
    use proptest::prelude::*;

    fn webp(values: &[u8], width: u32, height: u32, color: ColorType) -> Vec<u8> {
        let mut bytes = Vec::new();
        let encoder = WebPEncoder::new(&mut bytes);
        encoder.encode(values, width, height, color).unwrap();
        bytes
    }

    #[test]
    fn a_point_is_the_mean_of_those_it_stands_for() {
        let values: Vec<u8> = (0..4 * 3 * 3).collect();
        let small = scaled(&webp(&values, 4, 3, ColorType::Rgb8), [2, 3]).unwrap();
        // Rows 0 and 1 become the first row, row 2 the second, and there is nothing for the third.
        let first = [3 + 12 + 15, 1 + 4 + 13 + 16].map(|sum| (sum / 4) as u8);
        assert_eq!(small[..2], first);
        assert_eq!(small[6..8], [(24 + 27) / 2, (25 + 28) / 2]);
        assert_eq!(small[12..], [WHITE; 6]);
        let clear: Vec<u8> = [9, 8, 7, 255].repeat(4);
        let small = scaled(&webp(&clear, 2, 2, ColorType::Rgba8), [1, 1]);
        assert_eq!(small.unwrap(), [9, 8, 7]);
    }

    #[test]
    fn small_large_and_invalid_pictures_are_rejected() {
        let picture = webp(&[0; 12], 2, 2, ColorType::Rgb8);
        assert_eq!(scaled(&picture, [3, 3]), None);
        for bytes in [&b""[..], b"RIFF", &picture[..20]] {
            assert_eq!(scaled(bytes, [1, 1]), None);
        }
        // A header that claims 16,384 by 16,384 points.
        let mut vast = webp(&[0; 12], 2, 2, ColorType::Rgb8);
        let at = vast.iter().position(|b| *b == 0x2f).unwrap();
        vast[at + 1..at + 5].copy_from_slice(&0x0fff_ffff_u32.to_le_bytes());
        assert_eq!(scaled(&vast, [1, 1]), None);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(
            mut bytes in proptest::collection::vec(any::<u8>(), 0..64),
            place in 0usize..60,
            own in any::<bool>(),
        ) {
            if own {
                let mut picture = webp(&[7; 48], 4, 4, ColorType::Rgb8);
                for (to, from) in picture.iter_mut().skip(place).zip(&bytes) {
                    *to ^= from;
                }
                bytes = picture;
            }
            let small = scaled(&bytes, [2, 4]);
            prop_assert!(small.is_none_or(|small| small.len() == 24));
        }
    }
}
