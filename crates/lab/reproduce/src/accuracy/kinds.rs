//! The kind of a block, derived from its features.

use crate::{Result, data, number};
use warcsieve_features::structure::Comment;
use warcsieve_train::forest::{PageRows, Pages};

/// The kind of comments, which have no feature, and the kind of blocks that no rule fits.
const COMMENTS: &str = "readers' comments";
const REST: &str = "other text";

/// Finds the kinds of blocks.
pub struct Kinds<'p> {
    /// The kinds of blocks with the names on the page. A block has the first kind that fits.
    pub names: Vec<&'static str>,
    /// For each rule its kind, its column, and the minimum and maximum of the value. A distance of at most 5 is to an
    /// element whose name says what a block is. The tag of an element counts at any distance.
    rules: Vec<(usize, &'p [f32], f32, f32)>,
}

impl<'p> Kinds<'p> {
    /// # Errors
    /// The pages lack a feature.
    pub fn new(pages: &'p Pages) -> Result<Self> {
        let data = &pages.dataset;
        let (mut names, mut rules) = (vec![COMMENTS], Vec::new());
        for [kind, feature, least, most] in data!("accuracy/kinds.tsv")?.rows()? {
            if !names.contains(&kind) {
                names.push(kind);
            }
            let column = data.names.iter().position(|known| known == feature);
            let column = column.ok_or_else(|| format!("no feature `{feature}`"))?;
            let column = data.columns[column].as_slice();
            let (least, most) = (number(least)? as f32, number(most)? as f32);
            rules.push((names.len() - 1, column, least, most));
        }
        names.push(REST);
        Ok(Self { names, rules })
    }

    /// The kind of a block of a page, as an index into the names.
    pub fn of(&self, page: &PageRows, block: usize) -> usize {
        if matches!(page.comments[block], Comment::Text | Comment::Rest) {
            return 0;
        }
        let row = page.rows.start + block;
        let fits = |(_, column, least, most): &&(usize, &[f32], f32, f32)| {
            (*least..=*most).contains(&column[row])
        };
        let found = self.rules.iter().find(fits);
        found.map_or(self.names.len() - 1, |(kind, ..)| *kind)
    }
}
