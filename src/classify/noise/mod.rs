//! Noise block cleaning and main content block extraction, the steps that are the
//! paper's own. Its first two stages are those of [`justext`](super::justext).
//!
//! Pan Ei San, Nilar Aye: Noise Block Cleaning and Main Content Block Extraction
//! from Dynamic Web Page, §4.1. A file a step: the tree that follows the two stages
//! (§4.1.2.2), blocks that repeat others (§4.1.3.1), and the main block (§4.1.3.2,
//! §4.1.3.3).
//!
//! The paper does not say what a keyword is. Here it is a word of at least four
//! characters in lower case, without the signs around it, which leaves out most
//! function words without asking for the language.

mod bags;
pub(super) mod duplicates;
mod keywords;
pub(super) mod main_block;
pub(super) mod tree;
