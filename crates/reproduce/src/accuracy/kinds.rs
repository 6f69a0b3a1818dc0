//! What a block is, by its features.

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

/// Steps up to an element that still says what a block is by its name.
const NEAR: f32 = 5.0;
/// The same of elements by their tag, which mean what they say at any distance.
const ANYWHERE: f32 = 39.0;

/// Finds the kinds of blocks.
pub struct Kinds<'p> {
    pages: &'p Pages,
}

impl<'p> Kinds<'p> {
    pub fn new(pages: &'p Pages) -> Self {
        Self { pages }
    }

    /// The kind of a block of a page, as an index into [`KINDS`].
    pub fn of(&self, page: &PageRows, block: usize) -> usize {
        let row = page.rows.start + block;
        let is = |name: &str, least: f32, most: f32| {
            let value = self.value(name, row);
            least <= value && value <= most
        };
        let near = |names: &[&str]| {
            let mut names = names.iter();
            names.any(|name| is(&format!("to_named_{name}"), 0.0, NEAR))
        };
        let inside = |tag: &str| is(&format!("to_{tag}"), 0.0, ANYWHERE);
        let fits = [
            page.comments[block],
            is("from_h1", 0.0, 0.0),
            inside("footer") || near(&["footer"]),
            inside("nav") || near(&["nav", "paging"]),
            inside("aside") || near(&["side"]),
            near(&["related"]),
            near(&["meta"]),
            is("kind", 8.0, 8.0) || near(&["caption"]),
            inside("form") || inside("control") || near(&["promo", "share", "form", "modal"]),
            is("kind", 4.0, 7.0),
            is("link_density", 0.5, 1.0),
        ];
        fits.iter()
            .position(|fits| *fits)
            .unwrap_or(KINDS.len() - 1)
    }

    /// The value of a feature; -1, which fits nothing, of one that does not exist.
    fn value(&self, name: &str, row: usize) -> f32 {
        let data = &self.pages.dataset;
        let column = data.names.iter().position(|known| known == name);
        column.map_or(-1.0, |column| data.columns[column][row])
    }
}
