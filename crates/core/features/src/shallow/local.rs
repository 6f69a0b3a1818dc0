//! The values of one block, from which rows are assembled.

use super::text_shape::TextShape;
use crate::enclosing::ENCLOSING_TAGS;
use crate::frequency::Frequencies;
use warcsieve_html::document::Document;

/// Values of a block, in the order of [`NAMES`].
pub(super) type Local = [f32; NAMES.len()];

/// The names of the values in [`SHALLOW`](super::SHALLOW).
pub(super) const NAMES: [&str; 24] = [
    "words",
    "link_density",
    "text_density",
    "avg_word_length",
    "avg_sentence_length",
    "capitalized_words",
    "all_caps_words",
    "capitalized_ratio",
    "all_caps_ratio",
    "full_stop_ratio",
    "date_tokens",
    "vertical_bars",
    "absolute_position",
    "relative_position",
    "in_h1",
    "in_h2",
    "in_h3",
    "in_h4",
    "in_h5",
    "in_h6",
    "in_p",
    "in_div",
    "in_a",
    "frequency",
];

pub(super) const WORDS: usize = 0;
pub(super) const TEXT_DENSITY: usize = 2;
const SHAPE: std::ops::Range<usize> = 3..12;
const POSITION: usize = 12;
const INSIDE: std::ops::Range<usize> = 14..23;
const FREQUENCY: usize = 23;

/// Which of the more expensive values are needed, grouped by the work they require.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Needs {
    /// A scan of the text.
    pub shape: bool,
    /// The enclosing elements.
    pub inside: bool,
    /// A hash of the text, and a lookup.
    pub frequency: bool,
}

impl Needs {
    /// Adds the work that value `i` requires.
    pub fn add(&mut self, i: usize) {
        self.shape |= SHAPE.contains(&i);
        self.inside |= INSIDE.contains(&i);
        self.frequency |= i == FREQUENCY;
    }
}

/// Everything that the values depend on, except the document.
pub(super) struct Context<'a> {
    pub needs: Needs,
    /// [`enclosing_bits`](crate::enclosing::enclosing_bits) of the page, if needed.
    pub around: &'a [u16],
    pub frequencies: Option<&'a Frequencies>,
}

/// The values of a block; 0 for values that are not needed, all 0 for a missing block.
pub(super) fn measure(doc: &Document, block: Option<usize>, context: &Context<'_>) -> Local {
    let mut values = [0.0; NAMES.len()];
    let Some((i, block)) = block.and_then(|i| Some((i, doc.blocks.get(i)?))) else {
        return values;
    };
    values[WORDS] = block.words as f32;
    values[1] = block.link_density();
    values[TEXT_DENSITY] = block.text_density();
    if context.needs.shape {
        let shape = TextShape::of(doc.block_text(block));
        values[SHAPE].copy_from_slice(&[
            ratio(shape.word_chars, shape.words),
            ratio(shape.words, shape.sentences),
            shape.capitalized as f32,
            shape.all_caps as f32,
            ratio(shape.capitalized, shape.words),
            ratio(shape.all_caps, shape.words),
            ratio(shape.full_stops, shape.words),
            shape.dates as f32,
            shape.bars as f32,
        ]);
    }
    values[POSITION] = i as f32;
    values[POSITION + 1] = i as f32 / doc.blocks.len() as f32;
    if context.needs.inside {
        let around = context.around.get(block.element as usize).copied();
        for (bit, value) in values[INSIDE].iter_mut().enumerate() {
            *value = f32::from(around.unwrap_or(0) >> bit & 1);
        }
    }
    if let Some(frequencies) = context.frequencies
        && context.needs.frequency
    {
        values[FREQUENCY] = frequencies.get(doc.block_text(block));
    }
    values
}

fn ratio(numerator: u32, denominator: u32) -> f32 {
    quotient(numerator as f32, denominator as f32)
}

/// 0 if the denominator is 0.
pub(super) fn quotient(numerator: f32, denominator: f32) -> f32 {
    if denominator == 0.0 {
        0.0
    } else {
        numerator / denominator
    }
}

const _: () = assert!(INSIDE.end - INSIDE.start == ENCLOSING_TAGS.len() && FREQUENCY == INSIDE.end);
