//! Messages between parent and child: a length, then this many bytes.

use std::io::{self, Read, Write};
use warcsieve_html::layout::{ElementBox, LayoutStatus};

/// The first message of a child.
pub const HELLO: &[u8] = b"warcsieve layout 1 ";

/// Most bytes of a message: a page with its marks, or its boxes.
const MAX_MESSAGE_BYTES: u32 = 64 << 20;

/// Writes a message of several parts.
pub fn write(out: &mut impl Write, parts: &[&[u8]]) -> io::Result<()> {
    let length: usize = parts.iter().map(|part| part.len()).sum();
    let length = u32::try_from(length).map_err(|_| io::ErrorKind::InvalidInput)?;
    out.write_all(&length.to_le_bytes())?;
    for part in parts {
        out.write_all(part)?;
    }
    out.flush()
}

/// Reads a message. `None` if there are no more.
pub fn read(from: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    match from.read_exact(&mut length) {
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(None),
        result => result?,
    }
    let length = u32::from_le_bytes(length);
    if length > MAX_MESSAGE_BYTES {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut message = Vec::new();
    from.take(u64::from(length)).read_to_end(&mut message)?;
    match message.len() == length as usize {
        true => Ok(Some(message)),
        false => Err(io::ErrorKind::UnexpectedEof.into()),
    }
}

/// The answer of a child about a page.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    pub status: LayoutStatus,
    pub page_height: f32,
    /// `@import` rules in the page's own styles.
    pub imports: u32,
    /// Boxes by mark; [`HTML`] and [`BODY`] stand for these elements.
    pub boxes: Vec<(u32, ElementBox)>,
    /// A picture of the page's top, in WebP. Blitz makes none.
    pub screenshot: Option<Vec<u8>>,
}

/// The mark of the root, whose tags have none.
pub const HTML: u32 = 0;

/// The mark of the body, whose tags have none.
pub const BODY: u32 = u32::MAX;

/// Bytes of an element: its mark, five numbers, and whether it is visible.
const BOX: usize = 25;

impl Answer {
    /// An answer without boxes.
    #[cfg(any(feature = "blitz", feature = "browser"))]
    pub fn without(status: LayoutStatus) -> Self {
        Self {
            status,
            ..Self::default()
        }
    }

    /// The answer as bytes.
    #[cfg(any(feature = "blitz", test))]
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(9 + BOX * self.boxes.len());
        let status = LayoutStatus::ALL.iter().position(|s| *s == self.status);
        bytes.push(status.unwrap_or_default() as u8);
        bytes.extend(self.page_height.to_le_bytes());
        bytes.extend(self.imports.to_le_bytes());
        for (mark, own) in &self.boxes {
            bytes.extend(mark.to_le_bytes());
            for number in [own.x, own.y, own.width, own.height, own.font_size] {
                bytes.extend(number.to_le_bytes());
            }
            bytes.push(u8::from(own.visible));
        }
        bytes
    }

    /// Reads an answer. `None` if the bytes are not one. A box with invalid numbers is left out.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let (status, rest) = bytes.split_first()?;
        let (height, rest) = rest.split_first_chunk()?;
        let (imports, rest) = rest.split_first_chunk()?;
        let mut boxes = Vec::with_capacity(rest.len() / BOX);
        let (chunks, end) = rest.as_chunks::<BOX>();
        for chunk in chunks {
            let (mark, rest) = chunk.split_first_chunk()?;
            let (numbers, rest) = rest.as_chunks::<4>();
            let [x, y, width, height, font_size] = <[[u8; 4]; 5]>::try_from(numbers)
                .ok()?
                .map(f32::from_le_bytes);
            let own = ElementBox {
                x,
                y,
                width,
                height,
                font_size,
                visible: rest == [1],
            };
            if [x, y, width, height, font_size]
                .iter()
                .all(|n| n.is_finite())
            {
                boxes.push((u32::from_le_bytes(*mark), own));
            }
        }
        end.is_empty().then_some(())?;
        let height = f32::from_le_bytes(*height);
        Some(Self {
            status: *LayoutStatus::ALL.get(usize::from(*status))?,
            page_height: if height.is_finite() { height } else { 0.0 },
            imports: u32::from_le_bytes(*imports),
            boxes,
            screenshot: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_and_answers_come_back() {
        let own = ElementBox {
            x: 1.5,
            y: -2.0,
            width: 3.0,
            height: 4.0,
            font_size: 16.0,
            visible: true,
        };
        let endless = ElementBox {
            width: f32::INFINITY,
            ..own
        };
        let mut answer = Answer {
            status: LayoutStatus::Done,
            page_height: 99.0,
            imports: 2,
            boxes: vec![(7, own), (8, endless), (BODY, own)],
            screenshot: None,
        };
        let bytes = answer.bytes();
        let mut out = Vec::new();
        write(&mut out, &[&bytes[..3], &bytes[3..]]).unwrap();
        write(&mut out, &[]).unwrap();
        let mut from = &out[..];
        assert_eq!(read(&mut from).unwrap(), Some(bytes.clone()));
        assert_eq!(read(&mut from).unwrap(), Some(Vec::new()));
        assert_eq!(read(&mut from).unwrap(), None);
        answer.boxes.remove(1);
        assert_eq!(Answer::parse(&bytes), Some(answer));
    }

    #[test]
    fn what_is_cut_off_or_too_long_is_refused() {
        for bytes in [&[9, 0, 0, 0, 1][..], &[255; 9]] {
            assert!(read(&mut &bytes[..]).is_err());
        }
        let answer = Answer::default().bytes();
        assert_eq!(Answer::parse(&answer[1..]), None);
        assert_eq!(Answer::parse(&[&answer[..], &[0]].concat()), None);
        assert_eq!(Answer::parse(&[99; 9]), None);
    }
}
