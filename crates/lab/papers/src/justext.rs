//! jusText: uses stop words, length and links of a block, then the classes around it.
//!
//! Jan Pomikálek: Removing Boilerplate and Duplicate Content from Web Corpora,
//! Masaryk University 2011; also stage one of Pan Ei San, Nilar Aye: Noise Block
//! Cleaning and Main Content Block Extraction, §4.1. Defaults are jusText's,
//! comparisons as in jusText 3.
//!
//! The class of a label is that of the first stage, before the context was used.
//!
//! With `count = "tokens"` the first stage is Algorithm 1 of Pan Ei San and Nilar Aye as printed: lengths and link
//! density count tokens. A density of stop words must be above its threshold, while in jusText it must reach it. The
//! paper states no thresholds.
//!
//! # Deviations
//! The stop list is chosen for each page, by the language of the first 2 KB of text whose label depends on stop words.
//! The stop-word tests are off for a page if its language is not clear, is not written with spaces or has no list. Then
//! both thresholds count as reached, which is jusText's own language-free setting. The lists are Stopwords ISO, not
//! jusText's.

mod context;

use self::context::{Class, Outcome};
use serde::Deserialize;
use warcsieve_classify::params::{Share, StepParams};
use warcsieve_classify::{Built, Classifier, Label, Method, Names, shipped, step_params};
use warcsieve_common::{emptied, prefix};
use warcsieve_features::enclosing::inherit;
use warcsieve_features::stop_words::{self, StopList};
use warcsieve_html::document::{Block, Document};
use warcsieve_html::{Segmentation, Tag};
use warcsieve_language::Identifier;

/// The method as pipeline files and the command line know it.
pub const METHOD: Method = Method {
    name: "justext",
    summary: "stop words, length and links of a block, then the classes around it",
    family: "Pomikálek 2011; Pan Ei San, Nilar Aye: stop words and noise blocks",
    paper: "Pomikálek 2011 (jusText); Pan Ei San, Nilar Aye 2014, §4.1",
    segmentation: Segmentation::Justext,
    pipelines: &[shipped!(
        "justext",
        "It classifies paragraphs by stop words, length and links, then by the classes of the paragraphs around them. It was made for text corpora in linguistics: full sentences in \
        the language of the page, few fragments. It is not suitable for lists, products, or languages without a stop list."
    )],
    build,
    ..Method::PLAIN
};

step_params! {
    count: Count = Count::Characters,
    /// A block with a lower length is short.
    length_low: Option<u32> = None,
    /// A block with a greater length can be good by itself.
    length_high: Option<u32> = None,
    stopwords_low: Share = Share::of(0.30),
    stopwords_high: Share = Share::of(0.32),
    /// Linked characters (tokens) / characters (tokens). A block with more is bad.
    max_link_density: Share = Share::of(0.2),
    /// The maximum number of characters between a heading and the good block it may belong to.
    max_heading_distance: u32 = 200,
    no_headings: bool = false,
    language: Language = Language::Auto,
}

/// The unit of lengths and link density.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Count {
    /// As jusText.
    Characters,
    /// As Algorithm 1 of Pan Ei San and Nilar Aye.
    Tokens,
}

impl Count {
    /// The defaults of `length_low` and `length_high`. Those for tokens are jusText's characters divided by six, the
    /// characters per token.
    fn lengths(self) -> (u32, u32) {
        match self {
            Self::Characters => (70, 200),
            Self::Tokens => (12, 33),
        }
    }

    /// The length of a block, and how much of it is linked.
    fn of(self, block: &Block) -> (u32, u32) {
        match self {
            Self::Characters => (block.chars, block.linked_chars),
            Self::Tokens => (block.tokens, block.linked_tokens),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Characters => "chars",
            Self::Tokens => "tokens",
        }
    }

    /// Whether a density is as high as a threshold requires.
    fn reaches(self, density: f64, threshold: Share) -> bool {
        match self {
            Self::Characters => density >= threshold.get(),
            Self::Tokens => density > threshold.get(),
        }
    }
}

impl Params {
    /// `length_low` and `length_high`.
    fn lengths(&self) -> (u32, u32) {
        let (low, high) = self.count.lengths();
        (
            self.length_low.unwrap_or(low),
            self.length_high.unwrap_or(high),
        )
    }

    /// Checks that low thresholds are not above their high ones. The error contains the keys.
    fn check(&self) -> Result<(), (&'static [&'static str], String)> {
        let (low, high) = self.lengths();
        if low > high {
            return Err((
                &["length_low", "length_high"],
                format!("length_low = {low} is above length_high = {high}"),
            ));
        }
        let (low, high) = (self.stopwords_low.get(), self.stopwords_high.get());
        if low > high {
            return Err((
                &["stopwords_low", "stopwords_high"],
                format!("stopwords_low = {low} is above stopwords_high = {high}"),
            ));
        }
        Ok(())
    }
}

/// The language whose stop words are used.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
enum Language {
    Auto,
    None,
    Given(&'static StopList),
}

impl TryFrom<String> for Language {
    type Error = String;

    fn try_from(code: String) -> Result<Self, String> {
        match code.as_str() {
            "auto" => Ok(Self::Auto),
            "none" => Ok(Self::None),
            code => stop_words::list(code).map(Self::Given).ok_or_else(|| {
                let known: Vec<_> = stop_words::languages().collect();
                format!(
                    "no stop list for language `{code}`; there are auto, none, {}",
                    known.join(", ")
                )
            }),
        }
    }
}

/// The result of the first stage, which determines the class.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Finding {
    ManyLinks,
    Copyright,
    Select,
    ShortLinked,
    Short,
    FewStops,
    SomeStops,
    Medium,
    Long,
}

const FINDINGS: usize = Finding::Long as usize + 1;

impl Finding {
    const ALL: [Self; FINDINGS] = [
        Self::ManyLinks,
        Self::Copyright,
        Self::Select,
        Self::ShortLinked,
        Self::Short,
        Self::FewStops,
        Self::SomeStops,
        Self::Medium,
        Self::Long,
    ];

    fn class(self) -> Class {
        match self {
            Self::ManyLinks
            | Self::Copyright
            | Self::Select
            | Self::ShortLinked
            | Self::FewStops => Class::Bad,
            Self::Short => Class::Short,
            Self::SomeStops | Self::Medium => Class::NearGood,
            Self::Long => Class::Good,
        }
    }

    fn text(self, p: &Params) -> String {
        let (low, high) = p.lengths();
        let (few, many) = (p.stopwords_low.get(), p.stopwords_high.get());
        let unit = p.count.name();
        let (below, from) = match p.count {
            Count::Characters => ("<", ">="),
            Count::Tokens => ("<=", ">"),
        };
        match self {
            Self::ManyLinks => format!("linked {unit} > {} of {unit}", p.max_link_density.get()),
            Self::Copyright => "copyright sign".to_owned(),
            Self::Select => "inside select".to_owned(),
            Self::ShortLinked => format!("{unit} < {low}, some linked"),
            Self::Short => format!("{unit} < {low}, none linked"),
            Self::FewStops => format!("{unit} >= {low}, stop words {below} {few}"),
            Self::SomeStops => {
                format!("{unit} >= {low}, stop words {from} {few} and {below} {many}")
            }
            Self::Medium => format!("{unit} {low} to {high}, stop words {from} {many}"),
            Self::Long => format!("{unit} > {high}, stop words {from} {many}"),
        }
    }
}

struct Justext {
    params: Params,
    /// Names of the classes, by [`Class`].
    classes: [u8; context::CLASSES],
    /// Reasons by [`Finding`] and [`Outcome`].
    reasons: [[u32; context::OUTCOMES]; FINDINGS],
    scratch: Scratch,
    /// By element of the page: bits for what it is or is inside of.
    around: Vec<u8>,
    findings: Vec<Finding>,
    context: context::Context,
}

/// The buffers and detectors for finding the language.
#[derive(Default)]
struct Scratch {
    sample: String,
    identifier: Identifier,
}

pub(super) fn build(params: StepParams<'_>, names: &mut Names) -> Built {
    let params = params.read_checked(Params::check)?;
    let reasons = Finding::ALL.map(|finding| {
        let finding_text = finding.text(&params);
        Outcome::ALL.map(|outcome| match (finding.class(), outcome) {
            (Class::Good | Class::Bad, Outcome::Own) => names.reason(&finding_text),
            (Class::Short | Class::NearGood, outcome) if outcome != Outcome::Own => {
                names.reason(&format!("{finding_text}; {}", outcome.text()))
            }
            _ => 0,
        })
    });
    Ok(Box::new(Justext {
        classes: Class::ALL.map(|class| names.class(class.name())),
        reasons,
        scratch: Scratch::default(),
        around: Vec::new(),
        findings: Vec::new(),
        context: context::Context::new(params.max_heading_distance),
        params,
    }))
}

/// A heading.
const HEADING: u8 = 1;
/// A drop-down list.
const SELECT: u8 = 2;

impl Justext {
    /// Whether the block is inside an element with this bit.
    fn is_around(&self, block: &Block, bit: u8) -> bool {
        let around = self.around.get(block.element as usize);
        around.is_some_and(|around| around & bit != 0)
    }

    /// The part of the first stage that needs no stop words.
    fn find(&self, doc: &Document, block: &Block) -> Option<Finding> {
        let p = &self.params;
        let text = doc.block_text(block);
        let (length, linked) = p.count.of(block);
        if share(linked, length) > p.max_link_density.get() {
            Some(Finding::ManyLinks)
        } else if text.contains('©') || text.contains("&copy") {
            Some(Finding::Copyright)
        } else if self.is_around(block, SELECT) {
            Some(Finding::Select)
        } else if length < p.lengths().0 {
            Some(match linked {
                0 => Finding::Short,
                _ => Finding::ShortLinked,
            })
        } else {
            None
        }
    }

    fn find_by_stops(&self, text: &str, block: &Block, list: Option<&StopList>) -> Finding {
        let p = &self.params;
        let density = list.map(|list| {
            let (stops, tokens) = list.count(text);
            share(stops, tokens)
        });
        let reaches = |threshold| density.is_none_or(|density| p.count.reaches(density, threshold));
        if reaches(p.stopwords_high) {
            if p.count.of(block).0 > p.lengths().1 {
                Finding::Long
            } else {
                Finding::Medium
            }
        } else if reaches(p.stopwords_low) {
            Finding::SomeStops
        } else {
            Finding::FewStops
        }
    }

    /// The page's stop list.
    fn stop_list(&self, doc: &Document, scratch: &mut Scratch) -> Option<&'static StopList> {
        match self.params.language {
            Language::None => None,
            Language::Given(list) => Some(list),
            Language::Auto => {
                let Scratch { sample, identifier } = scratch;
                sample.clear();
                for block in &doc.blocks {
                    let room = SAMPLE_BYTES.saturating_sub(sample.len() + 1);
                    if room == 0 {
                        break;
                    }
                    if self.find(doc, block).is_none() {
                        sample.push_str(prefix(doc.block_text(block), room));
                        sample.push('\n');
                    }
                }
                let language = identifier.identify(sample)?;
                stop_words::list(language.code)
            }
        }
    }
}

/// Bytes of the undecided blocks of a page that its language is detected from.
const SAMPLE_BYTES: usize = 2048;

/// A quotient; 0 if both counts are 0.
fn share(part: u32, whole: u32) -> f64 {
    f64::from(part) / f64::from(whole.max(1))
}

impl Classifier for Justext {
    fn classify(&mut self, doc: &Document, labels: &mut [Label]) {
        let elements = &doc.tree.elements;
        inherit(elements, &mut self.around, |_, element, above| {
            let own = match element.tag {
                Tag::Select => SELECT,
                tag if tag.is_heading() => HEADING,
                _ => 0,
            };
            above.unwrap_or(0) | own
        });
        let mut scratch = std::mem::take(&mut self.scratch);
        let list = self.stop_list(doc, &mut scratch);
        self.scratch = scratch;

        let mut findings = std::mem::take(&mut self.findings);
        emptied(&mut findings).extend(doc.blocks.iter().map(|block| {
            self.find(doc, block)
                .unwrap_or_else(|| self.find_by_stops(doc.block_text(block), block, list))
        }));
        self.findings = findings;

        self.context.clear();
        for (finding, block) in self.findings.iter().zip(&doc.blocks) {
            let class = finding.class();
            let heading = !self.params.no_headings
                && matches!(class, Class::Short | Class::NearGood)
                && self.is_around(block, HEADING);
            self.context.push(class, heading, block.chars);
        }
        self.context.resolve();

        for (i, label) in labels.iter_mut().enumerate() {
            let (finding, resolved) = (self.findings[i], self.context.resolved(i));
            *label = Label {
                class: self.classes[finding.class() as usize],
                ..Label::plain(
                    resolved.class == Class::Good,
                    self.reasons[finding as usize][resolved.outcome as usize],
                )
            };
        }
    }

    fn explain(&self, doc: &Document, _: &[Label], block: usize) -> String {
        let list = self.stop_list(doc, &mut Scratch::default());
        let block = &doc.blocks[block];
        let text = doc.block_text(block);
        let finding = self
            .find(doc, block)
            .unwrap_or_else(|| self.find_by_stops(text, block, list));
        let stops = list.map_or("stop-word tests off".to_owned(), |list| {
            let (stops, tokens) = list.count(text);
            format!(
                "{stops} of {tokens} tokens on the stop list `{}`",
                list.language
            )
        });
        let (length, linked) = self.params.count.of(block);
        format!(
            "justext: {} by itself, {length} {}, {linked} of them linked, {stops}",
            finding.class().name(),
            self.params.count.name(),
        )
    }
}

#[cfg(test)]
mod tests;
