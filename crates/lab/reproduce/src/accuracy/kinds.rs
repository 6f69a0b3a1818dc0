//! What a block is, by its features.

use crate::Result;
use warcsieve_features::structure::Comment;
use warcsieve_train::forest::{PageRows, Pages};

/// Kinds of blocks, as the page names them; the first that fits is a block's.
pub const KINDS: [&str; 12] = [
    "readers' comments",
    "the headline (`h1`)",
    "in a footer",
    "in navigation",
    "in a sidebar",
    "related pages, teasers",
    "bylines, dates, tags",
    "captions and pictures",
    "promotion, sharing, forms",
    "other headings",
    "other links",
    "other text",
];

/// The index of comments, which have no feature.
const COMMENTS: usize = 0;

/// Steps up to an element that still says what a block is by its name.
const NEAR: f32 = 5.0;
/// The same of elements by their tag, which mean what they say at any distance.
const ANYWHERE: f32 = 39.0;

/// Blocks of which a feature is from one value to another are of a kind, the first that fits; the
/// rest are other text.
const RULES: [(&str, &str, f32, f32); 20] = [
    ("the headline (`h1`)", "from_h1", 0.0, 0.0),
    ("in a footer", "to_footer", 0.0, ANYWHERE),
    ("in a footer", "to_named_footer", 0.0, NEAR),
    ("in navigation", "to_nav", 0.0, ANYWHERE),
    ("in navigation", "to_named_nav", 0.0, NEAR),
    ("in navigation", "to_named_paging", 0.0, NEAR),
    ("in a sidebar", "to_aside", 0.0, ANYWHERE),
    ("in a sidebar", "to_named_side", 0.0, NEAR),
    ("related pages, teasers", "to_named_related", 0.0, NEAR),
    ("bylines, dates, tags", "to_named_meta", 0.0, NEAR),
    ("captions and pictures", "kind", 8.0, 8.0),
    ("captions and pictures", "to_named_caption", 0.0, NEAR),
    ("promotion, sharing, forms", "to_form", 0.0, ANYWHERE),
    ("promotion, sharing, forms", "to_control", 0.0, ANYWHERE),
    ("promotion, sharing, forms", "to_named_promo", 0.0, NEAR),
    ("promotion, sharing, forms", "to_named_share", 0.0, NEAR),
    ("promotion, sharing, forms", "to_named_form", 0.0, NEAR),
    ("promotion, sharing, forms", "to_named_modal", 0.0, NEAR),
    ("other headings", "kind", 4.0, 7.0),
    ("other links", "link_density", 0.5, 1.0),
];

/// Finds the kinds of blocks.
pub struct Kinds<'p> {
    /// The kind, the column, and its least and greatest value, of each rule.
    rules: Vec<(usize, &'p [f32], f32, f32)>,
}

impl<'p> Kinds<'p> {
    /// # Errors
    /// The pages lack a feature.
    pub fn new(pages: &'p Pages) -> Result<Self> {
        let data = &pages.dataset;
        let rule = |(kind, feature, least, most): (&str, &str, f32, f32)| {
            let kind = KINDS.iter().position(|known| *known == kind);
            let column = data.names.iter().position(|known| known == feature);
            let (kind, column) = kind
                .zip(column)
                .ok_or_else(|| format!("no feature `{feature}`"))?;
            Ok((kind, data.columns[column].as_slice(), least, most))
        };
        Ok(Self {
            rules: RULES.into_iter().map(rule).collect::<Result<_>>()?,
        })
    }

    /// The kind of a block of a page, as an index into [`KINDS`].
    pub fn of(&self, page: &PageRows, block: usize) -> usize {
        if matches!(page.comments[block], Comment::Text | Comment::Rest) {
            return COMMENTS;
        }
        let row = page.rows.start + block;
        let fits = |(_, column, least, most): &&(usize, &[f32], f32, f32)| {
            (*least..=*most).contains(&column[row])
        };
        let found = self.rules.iter().find(fits);
        found.map_or(KINDS.len() - 1, |(kind, ..)| *kind)
    }
}
