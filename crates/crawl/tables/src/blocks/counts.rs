//! The `core` features: the counts of a block, and two densities.

use super::run::Column;
use crate::builders::to_i32;
use arrow_schema::{DataType, Field};
use warcsieve_html::document::Block;

/// The count of a block that a column holds.
pub type Count = fn(&mut Block) -> &mut u32;

/// An entry of [`COUNTS`] and a column for each count.
macro_rules! counts {
    ($($name:ident: $doc:literal,)*) => {
        /// The counts of [`Block`], by the names of their columns.
        pub const COUNTS: &[(&str, Count)] = &[$((stringify!($name), |b| &mut b.$name)),*];

        fn counts() -> Vec<Column> {
            vec![$(int(stringify!($name), $doc, |block| to_i32(block.$name as usize))),*]
        }
    };
}

counts! {
    words: "[words](#tokens-and-words) of the block: tokens with a letter or digit",
    linked_words: "words inside `<a>`",
    tokens: "[tokens](#tokens-and-words) of the block",
    linked_tokens: "tokens inside `<a>`",
    chars: "characters",
    linked_chars: "characters inside `<a>`",
    lines: "lines of 80 columns",
    wrapped_tokens: "tokens on all lines but the last, or all tokens if there is one line",
    tags_before: "tags since the previous block",
    tags_inside: "tags inside the block",
}

/// The columns of the counts, and of the two densities of Kohlschütter et al. 2010, §3.3 and §3.4.
pub fn columns() -> Vec<Column> {
    let mut columns = counts();
    columns.extend([
        float(
            "link_density",
            "linked tokens / tokens (Kohlschütter et al. 2010, §3.3)",
            Block::link_density,
        ),
        float(
            "text_density",
            "tokens per line (§3.4, Eq. 1)",
            Block::text_density,
        ),
    ]);
    columns
}

/// A number of each block.
pub fn int(name: &str, doc: &'static str, read: impl Fn(&Block) -> i32 + Send + 'static) -> Column {
    let field = Field::new(name, DataType::Int32, false);
    Column::new(field, doc, Vec::new(), move |run, numbers| {
        numbers.extend(run.blocks().iter().map(&read));
        size_of::<i32>() * run.blocks().len()
    })
}

fn float(name: &str, doc: &'static str, read: fn(&Block) -> f32) -> Column {
    let field = Field::new(name, DataType::Float32, false);
    Column::new(field, doc, Vec::new(), move |run, numbers| {
        numbers.extend(run.blocks().iter().map(read));
        size_of::<f32>() * run.blocks().len()
    })
}
