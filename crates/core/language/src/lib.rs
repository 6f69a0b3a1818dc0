//! Detects the language of a text: Compact Language Detector 3 by Google, in Rust, with a score
//! that says how reliable the answer is.
//!
//! The network is Google's, unchanged; `models/language.md` is its card. We added three things
//! around it: the choice of the text that is read ([`Identifier`]), letters and words that separate
//! languages which the network confuses, and the [`confidence`].

mod confidence;
mod iso_15924;
mod iso_639_3;
mod languages;
mod network;
mod ngrams;
mod relatives;
mod sample;
mod script;
#[cfg(test)]
mod tests;

pub use confidence::{confidence, terms};
pub use iso_639_3::iso_639_3;

use network::{CLASSES, Network, best, softmax};
use sample::Sample;
use script::Script;
use std::sync::LazyLock;

/// The code of a text whose language is unknown (ISO 639-2).
pub const UNDETERMINED: &str = "und";

/// A language and the confidence in it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Language {
    /// ISO 639-1 code, or 639-3 if there is none.
    pub code: &'static str,
    /// The probability that it is right: from [`MIN_SCORE`] to 1.
    pub score: f32,
}

/// Languages with a lower score are not named.
pub const MIN_SCORE: f32 = 0.5;

/// The score if only the script decides the language.
const SCRIPT_SCORE: f32 = 0.99;

/// Texts with fewer letters have no language. For Chinese, Japanese and Korean half as many letters
/// are enough.
const MIN_LETTERS: usize = 20;

/// If less than one letter in this many is specific to Vietnamese, the text is in another language.
const VIETNAMESE_SHARE: usize = 25;

/// The evidence for the best language of a text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Evidence {
    /// The language.
    pub code: &'static str,
    /// The network's probability of that language, above 0 and at most 1.
    pub probability: f32,
    /// The network's best score, without bounds. It is small if the network knows nothing like the
    /// text.
    pub score: f32,
    /// Letters in the sample of the text.
    pub letters: usize,
    /// How many of them the language does not have.
    pub foreign: usize,
}

static NETWORK: LazyLock<Network> = LazyLock::new(|| {
    const FILE: &[u8] = include_bytes!("../models/language.safetensors");
    // The file is compiled into the program, and a test reads it.
    Network::from_bytes(FILE).unwrap_or_else(|e| panic!("models/language.safetensors: {e}"))
});

static MODEL: LazyLock<Model> = LazyLock::new(Model::new);

struct Model {
    network: &'static Network,
    /// The language of each class.
    codes: Vec<&'static str>,
    /// The letters of each class.
    letters: Vec<Option<&'static str>>,
}

impl Model {
    fn new() -> Self {
        let network = &*NETWORK;
        let letters = network.classes.iter().map(|c| languages::letters(c));
        let codes = network.classes.iter().map(|c| languages::code(c));
        Self {
            letters: letters.collect(),
            codes: codes.collect(),
            network,
        }
    }
}

/// All codes that [`Identifier::identify`] can return, in alphabetic order.
pub fn codes() -> Vec<&'static str> {
    let mut codes = MODEL.codes.clone();
    codes.extend(languages::codes_by_letters());
    codes.sort_unstable();
    codes.dedup();
    codes
}

/// Detects languages; keeps its buffers from text to text.
#[derive(Debug, Default)]
pub struct Identifier {
    sample: Sample,
}

impl Identifier {
    /// The language of a text. Reads five windows of 120 bytes in the first 4 KiB of `text`, or all
    /// of a text of up to 600 bytes. `None` for short texts, and if the score would be below
    /// [`MIN_SCORE`].
    pub fn identify(&mut self, text: &str) -> Option<Language> {
        self.sample.take(text);
        let Sample {
            script,
            letters,
            all,
            ..
        } = self.sample;
        let least = match script {
            Script::HAN | Script::HANGUL => MIN_LETTERS / 2,
            _ => MIN_LETTERS,
        };
        if letters < least || letters * 2 < all {
            return None;
        }
        let found = match languages::of_script(script) {
            Some(code) => Language {
                code,
                score: SCRIPT_SCORE,
            },
            None => {
                let evidence = self.weigh();
                let score = confidence(&evidence);
                Language {
                    code: evidence.code,
                    score,
                }
            }
        };
        (found.score >= MIN_SCORE).then_some(found)
    }

    /// The evidence of network, letters and words for `text`, however short it is.
    pub fn evidence(&mut self, text: &str) -> Evidence {
        self.sample.take(text);
        self.weigh()
    }

    fn weigh(&mut self) -> Evidence {
        let mut scores = self.scores();
        let is_vietnamese = |scores: &_| MODEL.codes[best(scores)] == "vi";
        let mut is_refuted = is_vietnamese(&scores) && self.lacks_vietnamese_letters();
        if is_refuted {
            // Without tone marks, because the network knows such languages without them (Yoruba,
            // for example).
            self.sample.remove_tones();
            scores = self.scores();
            is_refuted = is_vietnamese(&scores);
        }
        let words = &self.sample.words;
        relatives::adjust(MODEL.network, words, &mut scores);
        let class = best(&scores);
        let (taken, score) = (MODEL.codes[class], scores[class]);
        let code = languages::identified_by_letters(taken, words, self.sample.letters);
        softmax(&mut scores);
        let same = |(_, own): &(&f32, &&str)| **own == taken;
        let classes = scores.iter().zip(&MODEL.codes);
        Evidence {
            code,
            probability: classes.filter(same).map(|(p, _)| p).sum(),
            score,
            letters: self.sample.letters,
            foreign: match is_refuted {
                true => self.sample.letters,
                false if code != taken => 0,
                false => self.foreign(class),
            },
        }
    }

    fn scores(&self) -> [f32; CLASSES] {
        let (network, sample) = (MODEL.network, &self.sample);
        network.scores(&ngrams::vector(network, &sample.words, sample.script))
    }

    fn lacks_vietnamese_letters(&self) -> bool {
        let own = self
            .sample
            .words
            .chars()
            .filter(|&c| languages::is_vietnamese(c));
        own.count() * VIETNAMESE_SHARE < self.sample.letters
    }

    /// How many letters the language of a class does not have.
    fn foreign(&self, class: usize) -> usize {
        let words = &self.sample.words;
        let Some(letters) = MODEL.letters[class].filter(|_| !words.is_ascii()) else {
            return 0;
        };
        let is_foreign = |&c: &char| !languages::is_common(c) && !letters.contains(c);
        words.chars().filter(is_foreign).count()
    }
}
