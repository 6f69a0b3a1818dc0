//! The scores of one pipeline on one page.

use super::align::align;
use super::bag::Bag;
use super::blocks::BlockMeasures;
use super::lcs::{self, Matched};
use super::pages::GoldenPage;
use super::score::Scores;
use super::structure::StructureScores;
use super::words::Vocabulary;
use warcsieve_classify::Label;
use warcsieve_extract::PageView;
use warcsieve_html::document::Block;
use warcsieve_render::{Renderer, TextFormat};

/// The maximum length in bytes of Markdown that is compared. Longer Markdown counts as missing.
const MAX_MARKDOWN_BYTES: usize = 64 << 20;

/// The measures of a page's text, and the counts of its blocks for the measures over all pages.
#[derive(Clone, Debug, Default)]
pub struct PageScore {
    /// Number of words in the gold text, split by [`words`](super::words).
    pub gold_words: usize,
    /// Number of words in the extracted text.
    pub predicted_words: usize,
    /// Precision, recall and F1 of the two bags of words.
    pub bag: Scores,
    /// Cosine of the two bags of words.
    pub cosine: f64,
    /// Measures of the longest common subsequence; `None` if the texts are too long.
    pub lcs: Option<Matched>,
    /// Similarities of code, formulas and tables in its Markdown; empty if the gold has no
    /// Markdown.
    pub structure: StructureScores,
    /// Labels of the blocks compared with their gold classes, weighted by words.
    pub blocks: BlockMeasures,
    /// Number of blocks on the page.
    pub n_blocks: usize,
    /// Number of blocks labelled as content.
    pub n_content_blocks: usize,
    /// Why nothing was extracted: the page was not found, or it was skipped.
    pub fault: Option<String>,
}

/// A measure of a page, as shown in columns and tables.
pub struct Measure {
    /// Name of its column.
    pub name: &'static str,
    /// A description in one line.
    pub about: &'static str,
    /// Its value on a page.
    pub of: fn(&PageScore) -> Option<f64>,
}

/// Every measure of a page. Tables, files and significance tests use this list.
pub static MEASURES: &[Measure] = &[
    Measure {
        name: "f1",
        about: "F1 of the bags of words",
        of: |s| Some(s.bag.f1),
    },
    Measure {
        name: "precision",
        about: "share of the cleaned text's words that are in the gold",
        of: |s| Some(s.bag.precision),
    },
    Measure {
        name: "recall",
        about: "share of the gold's words that are in the cleaned text",
        of: |s| Some(s.bag.recall),
    },
    Measure {
        name: "cosine",
        about: "cosine of the bags of words",
        of: |s| Some(s.cosine),
    },
    Measure {
        name: "lcs_f1",
        about: "F1 of the longest common subsequence of words",
        of: |s| s.lcs.map(|l| l.scores.f1),
    },
    Measure {
        name: "lcs_precision",
        about: "longest common subsequence by words of the cleaned text",
        of: |s| s.lcs.map(|l| l.scores.precision),
    },
    Measure {
        name: "lcs_recall",
        about: "longest common subsequence by words of the gold",
        of: |s| s.lcs.map(|l| l.scores.recall),
    },
    Measure {
        name: "score",
        about: "CleanEval score: common subsequence by words of the alignment",
        of: |s| s.lcs.map(|l| l.clean_eval),
    },
    Measure {
        name: "code_edit",
        about: "edit similarity of the code in Markdown, where the gold has Markdown",
        of: |s| s.structure.code,
    },
    Measure {
        name: "formula_edit",
        about: "edit similarity of the formulas in Markdown",
        of: |s| s.structure.formula,
    },
    Measure {
        name: "table_edit",
        about: "edit similarity of the tables in Markdown",
        of: |s| s.structure.table,
    },
    Measure {
        name: "teds",
        about: "similarity of the tables in Markdown as trees",
        of: |s| s.structure.teds,
    },
];

/// Scores texts against a gold text, for one gold text after another.
#[derive(Default)]
pub(super) struct Scorer {
    vocabulary: Vocabulary,
    gold: Vec<u32>,
    bag: Bag,
}

impl Scorer {
    /// Sets the gold text with which the next texts are compared.
    pub fn gold(&mut self, text: &str) {
        self.vocabulary.clear();
        self.gold = self.vocabulary.ids(text);
        self.bag = Bag::new(&self.gold);
    }

    /// Measures the result of a pipeline for a page.
    pub fn page(&mut self, page: &GoldenPage<'_>, view: &PageView<'_>) -> PageScore {
        let mut blocks = BlockMeasures::default();
        let labelled = view.doc.blocks.iter().zip(view.labels);
        let mut add = |gold: bool, block: &Block, label: &Label| {
            let (gold, predicted) = (u8::from(gold), u8::from(label.content));
            blocks.add(gold, predicted, &[label.score], block.words);
        };
        if std::ptr::eq(view.doc, page.doc) {
            let classes = page.classes.iter().map(|class| class.is_content());
            for ((block, label), gold) in labelled.zip(classes) {
                add(gold, block, label);
            }
        } else if !page.classes.is_empty() {
            // Another pipeline labelled the page, with other blocks.
            let gold = align(view.doc, page.gold);
            for ((block, label), gold) in labelled.zip(gold) {
                add(gold.content, block, label);
            }
        }
        let structure = page.markdown.map(|gold| {
            let mut markdown = String::new();
            let mut renderer =
                Renderer::new(TextFormat::Markdown, view.segmentation, MAX_MARKDOWN_BYTES);
            match renderer.render(view.doc, view.labels, &mut markdown) {
                Ok(()) => StructureScores::of(&markdown, gold),
                Err(_) => StructureScores::of("", gold),
            }
        });
        PageScore {
            blocks,
            structure: structure.unwrap_or_default(),
            n_blocks: view.labels.len(),
            n_content_blocks: view.content_blocks(),
            ..self.text(view.text)
        }
    }

    /// The score of a page from which nothing was extracted; `markdown` is its gold.
    pub fn nothing(&mut self, fault: String, markdown: Option<&str>) -> PageScore {
        let structure = markdown.map(|gold| StructureScores::of("", gold));
        PageScore {
            fault: Some(fault),
            structure: structure.unwrap_or_default(),
            ..self.text("")
        }
    }

    fn text(&mut self, text: &str) -> PageScore {
        let words = self.vocabulary.ids(text);
        let bag = Bag::new(&words);
        PageScore {
            gold_words: self.gold.len(),
            predicted_words: words.len(),
            bag: bag.scores(&self.bag),
            cosine: bag.cosine(&self.bag),
            lcs: lcs::matched(&words, &self.gold),
            ..PageScore::default()
        }
    }
}
