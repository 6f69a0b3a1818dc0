//! Noise block cleaning and main content block extraction: the steps that are new in the paper. Its
//! first two stages are those of [`justext`](super::justext).
//!
//! Pan Ei San, Nilar Aye: Noise Block Cleaning and Main Content Block Extraction
//! from Dynamic Web Page, §4.1. One file per step: the tree that follows the two stages (§4.1.2.2),
//! duplicate blocks (§4.1.3.1), and the main block (§4.1.3.2, §4.1.3.3).
//!
//! The paper does not define keywords. Here a keyword is a word of at least four characters, in
//! lower case and without punctuation around it. This leaves out most function words without
//! knowing the language.

mod bags;
mod candidates;
pub(super) mod duplicates;
mod keywords;
pub(super) mod main_block;
pub(super) mod tree;
