//! The blocks of a stored text: where each ends, and the values by which a search selects or weights it. Relevance
//! feedback uses them.

/// A block of a page's text.
#[derive(Clone, Copy, Debug)]
pub struct EntryBlock<'a> {
    /// Its text.
    pub text: &'a str,
    /// Its number of words.
    pub words: u32,
    /// Its text density (Kohlschütter et al. 2010, Eq. 1).
    pub density: f32,
    /// The probability that it is content, 0 to 1.
    pub score: f32,
}

/// A block of a stored text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// Bytes of its text; one line end follows.
    pub bytes: u32,
    /// Its number of words.
    pub words: u32,
    /// Its text density (Kohlschütter et al. 2010, Eq. 1).
    pub density: f32,
    /// Its score, 0 to 1.
    pub score: f32,
}

/// Bytes of a part as stored: its numbers in their order, little-endian.
const SIZE: usize = 16;

/// The parts of a text of these blocks.
pub fn encode(blocks: &[EntryBlock<'_>]) -> Vec<u8> {
    let part = |block: &EntryBlock<'_>| {
        [
            (block.text.len() as u32).to_le_bytes(),
            block.words.to_le_bytes(),
            block.density.to_le_bytes(),
            block.score.to_le_bytes(),
        ]
        .concat()
    };
    blocks.iter().flat_map(part).collect()
}

/// Each part with its text. If the text is shorter than the parts say, there are fewer.
pub fn decode<'t>(bytes: &'t [u8], text: &'t str) -> impl Iterator<Item = (Part, &'t str)> {
    let mut at = 0;
    bytes.as_chunks::<SIZE>().0.iter().map_while(move |bytes| {
        let number = |i: usize| -> [u8; 4] { [0, 1, 2, 3].map(|byte| bytes[4 * i + byte]) };
        let part = Part {
            bytes: u32::from_le_bytes(number(0)),
            words: u32::from_le_bytes(number(1)),
            density: f32::from_le_bytes(number(2)),
            score: f32::from_le_bytes(number(3)),
        };
        let end = at + part.bytes as usize;
        let own = text.get(at..end)?;
        at = end + 1;
        Some((part, own))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_survive_a_round_trip() {
        let block = |text, words, score| EntryBlock {
            text,
            words,
            density: 2.5,
            score,
        };
        let blocks = [
            block("one two", 2, 0.25),
            block("", 0, 0.0),
            block("é\nx", 2, 1.0),
        ];
        let bytes = encode(&blocks);
        let text = "one two\n\né\nx";
        let found: Vec<_> = decode(&bytes, text).collect();
        let texts: Vec<_> = found.iter().map(|(_, text)| *text).collect();
        assert_eq!(texts, ["one two", "", "é\nx"]);
        let first = Part {
            bytes: 7,
            words: 2,
            density: 2.5,
            score: 0.25,
        };
        assert_eq!(found[0].0, first);
        assert_eq!(decode(&bytes, "one").count(), 0);
        assert_eq!(decode(&bytes[..20], text).count(), 1);
    }
}
