//! Plain text.

use crate::classify::Label;
use crate::document::Document;

/// Hands out the texts of the content blocks, joined by line ends.
pub fn content_text(doc: &Document, labels: &[Label], mut push: impl FnMut(&str)) {
    let mut between = "";
    for (block, label) in doc.blocks.iter().zip(labels) {
        if label.content {
            push(between);
            push(doc.block_text(block));
            between = "\n";
        }
    }
}
