//! The filters by name, with their parameters and reasons.

use super::part::{Part, Parts, mark};
use super::{ending, fusion, largest, rules, surroundings};
use serde::Deserialize;
use serde::de::{Deserializer, Error, MapAccess, Visitor};
use std::fmt;
use warcsieve_html::document::Document;

/// A filter with its parameters; its class in boilerpipe is in parentheses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Filter {
    /// Marks where readers' comments and similar text begin (`TerminatingBlocksFinder`).
    TerminatingBlocks,
    /// Marks the block that repeats the title (`DocumentTitleMatchClassifier`).
    TitleMatch,
    /// Algorithm 2 of the paper (`NumWordsRulesClassifier`).
    NumWordsRules,
    /// Algorithm 1 of the paper (`DensityRulesClassifier`).
    DensityRules,
    /// Drops the end of the article and everything below it (`IgnoreBlocksAfterContentFilter`).
    IgnoreAfterContent(ending::IgnoreAfterContent),
    /// Drops headings below all content (`TrailingHeadlineToBoilerplateFilter`).
    TrailingHeadline,
    /// Fuses neighbours of equal text density (`SimpleBlockFusionProcessor`).
    SimpleFusion,
    /// Fuses content with blocks shortly above it (`BlockProximityFusion`).
    ProximityFusion(fusion::ProximityFusion),
    /// Removes boilerplate from the list (`BoilerplateBlockFilter`).
    BoilerplateBlock(BoilerplateBlock),
    /// Keeps the part with the most words (`KeepLargestBlockFilter`).
    KeepLargest(largest::KeepLargest),
    /// Keeps everything between title and content (`ExpandTitleToContentFilter`).
    ExpandTitle,
    /// Keeps other large parts at the largest part's level
    /// (`LargeBlockSameTagLevelToContentFilter`).
    LargeBlockSameTagLevel,
    /// Keeps list items directly after the largest part (`ListAtEndFilter`).
    ListAtEnd,
}

use Filter::*;

/// Every filter by its name in pipeline files, with boilerpipe's own parameters.
const FILTERS: [(&str, Filter); 13] = [
    ("terminating-blocks", TerminatingBlocks),
    ("title-match", TitleMatch),
    ("num-words-rules", NumWordsRules),
    ("density-rules", DensityRules),
    ("ignore-after-content", IgnoreAfterContent(ending::DEFAULT)),
    ("trailing-headline", TrailingHeadline),
    ("simple-fusion", SimpleFusion),
    ("proximity-fusion", ProximityFusion(fusion::DEFAULT)),
    ("boilerplate-block", BoilerplateBlock(KEEP_NOTHING)),
    ("keep-largest", KeepLargest(largest::DEFAULT)),
    ("expand-title", ExpandTitle),
    ("large-block-same-tag-level", LargeBlockSameTagLevel),
    ("list-at-end", ListAtEnd),
];

/// Parameters of `boilerplate-block`.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoilerplateBlock {
    /// Whether the part that repeats the title stays in the list.
    #[serde(default)]
    keep_title: bool,
}

const KEEP_NOTHING: BoilerplateBlock = BoilerplateBlock { keep_title: false };

impl BoilerplateBlock {
    fn removes(self, part: &Part) -> bool {
        let stays = part.content || self.keep_title && part.has(mark::TITLE);
        !stays
    }
}

impl Filter {
    /// The texts of its reasons, in the order that [`Filter::run`] expects.
    pub fn reasons(&self) -> Vec<String> {
        match self {
            TerminatingBlocks | TitleMatch | BoilerplateBlock(_) => Vec::new(),
            NumWordsRules => rules::reasons(&rules::NUM_WORDS, "num-words-rules"),
            DensityRules => rules::reasons(&rules::DENSITY, "density-rules"),
            IgnoreAfterContent(p) => vec![p.reason()],
            TrailingHeadline => vec!["trailing-headline: heading below all content".into()],
            SimpleFusion => vec!["simple-fusion: text density of the content beside it".into()],
            ProximityFusion(p) => vec![p.reason()],
            KeepLargest(p) => p.reasons(),
            ExpandTitle => vec!["expand-title: between title and content".into()],
            LargeBlockSameTagLevel => vec![largest::same_tag_level_reason()],
            ListAtEnd => vec!["list-at-end: list item behind the largest part".into()],
        }
    }

    /// Runs it; `reasons` are the registered indices of [`Filter::reasons`].
    pub fn run(&self, doc: &Document, parts: &mut Parts, reasons: &[u32]) {
        let reason = reasons.first().copied().unwrap_or(0);
        match self {
            TerminatingBlocks => ending::mark_ends(doc, parts),
            TitleMatch => surroundings::mark_title(doc, parts),
            NumWordsRules => rules::classify(&rules::NUM_WORDS, parts, reasons),
            DensityRules => rules::classify(&rules::DENSITY, parts, reasons),
            IgnoreAfterContent(p) => p.run(parts, reason),
            TrailingHeadline => surroundings::trailing_headline(parts, reason),
            SimpleFusion => parts.fuse(reason, Part::has_text_density_of),
            ProximityFusion(p) => parts.fuse(reason, |prev, next| p.fuses(prev, next)),
            BoilerplateBlock(p) => parts.remove(|part| p.removes(part)),
            KeepLargest(p) => p.run(parts, reasons),
            ExpandTitle => surroundings::expand_title(parts, reason),
            LargeBlockSameTagLevel => largest::same_tag_level(parts, reason),
            ListAtEnd => surroundings::list_at_end(parts, reason),
        }
    }

    fn named<E: Error>(name: &str) -> Result<Self, E> {
        FILTERS
            .iter()
            .find(|(n, _)| *n == name)
            .map(|(_, filter)| *filter)
            .ok_or_else(|| {
                let known: Vec<_> = FILTERS.iter().map(|(n, _)| *n).collect();
                E::custom(format!(
                    "unknown filter `{name}`; there are {}",
                    known.join(", ")
                ))
            })
    }
}

impl<'de> Deserialize<'de> for Filter {
    /// A name, or a table with one name and its parameters.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(FilterVisitor)
    }
}

struct FilterVisitor;

impl<'de> Visitor<'de> for FilterVisitor {
    type Value = Filter;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a filter, or { name = { parameters } }")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Filter, E> {
        Filter::named(name)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Filter, A::Error> {
        let Some(name) = map.next_key::<String>()? else {
            return Err(A::Error::custom("a filter needs a name"));
        };
        let filter = match Filter::named(&name)? {
            IgnoreAfterContent(_) => IgnoreAfterContent(map.next_value()?),
            ProximityFusion(_) => ProximityFusion(map.next_value()?),
            BoilerplateBlock(_) => BoilerplateBlock(map.next_value()?),
            KeepLargest(_) => KeepLargest(map.next_value()?),
            _ => {
                return Err(A::Error::custom(format!(
                    "filter `{name}` has no parameters; write \"{name}\""
                )));
            }
        };
        match map.next_key::<String>()? {
            None => Ok(filter),
            Some(other) => Err(A::Error::custom(format!(
                "`{other}` is not a parameter; parameters go in {{ {name} = {{ … }} }}"
            ))),
        }
    }
}

/// The filters of an extractor, which must include a classifier.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(try_from = "Vec<Filter>")]
pub struct Filters(Vec<Filter>);

impl TryFrom<Vec<Filter>> for Filters {
    type Error = String;

    fn try_from(filters: Vec<Filter>) -> Result<Self, String> {
        if filters
            .iter()
            .any(|f| matches!(f, NumWordsRules | DensityRules))
        {
            Ok(Self(filters))
        } else {
            Err("filters needs num-words-rules or density-rules: without them nothing would be content".into())
        }
    }
}

impl Default for Filters {
    /// ArticleExtractor.
    fn default() -> Self {
        let same_level = fusion::ProximityFusion {
            content_only: true,
            same_tag_level: true,
            ..fusion::DEFAULT
        };
        Self(vec![
            TerminatingBlocks,
            TitleMatch,
            NumWordsRules,
            IgnoreAfterContent(ending::DEFAULT),
            TrailingHeadline,
            ProximityFusion(fusion::DEFAULT),
            BoilerplateBlock(self::BoilerplateBlock { keep_title: true }),
            ProximityFusion(same_level),
            KeepLargest(largest::KeepLargest {
                same_tag_level: true,
                min_words: 150,
            }),
            ExpandTitle,
            LargeBlockSameTagLevel,
            ListAtEnd,
        ])
    }
}

impl IntoIterator for Filters {
    type Item = Filter;
    type IntoIter = std::vec::IntoIter<Filter>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}
