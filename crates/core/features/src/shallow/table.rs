//! The features of Kohlschütter, Fankhauser and Nejdl 2010 as a table.
//!
//! | columns | ours | the paper's Table 2 |
//! |---|---|---|
//! | of the block itself | 23 | 23 |
//! | and the two quotients | 25 | 25 |
//! | and those of the previous and next block, their positions left out | 67 | 64 |
//! | and the three frequencies | 70 | 67 |
//!
//! The paper does not list its 64 columns. Our 67 include everything that §3 describes. The
//! position of a neighbour follows from the block's own position and is left out.

/// A feature: a column of numbers, one for each block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Feature {
    /// Its name in models, pipelines and tables.
    pub name: &'static str,
    /// The section of the paper.
    pub source: &'static str,
    /// Formula and unit in words.
    pub about: &'static str,
}

impl Feature {
    /// Whether it is a frequency, which needs a table of frequencies.
    pub fn needs_frequencies(&self) -> bool {
        self.name.rsplit('.').next() == Some("frequency")
    }
}

/// Expands the table: features of the block, of its neighbours, and of pairs of blocks.
macro_rules! table {
    (
        both { $($name:literal, $source:literal, $about:literal;)* }
        own { $($own:literal, $own_source:literal, $own_about:literal;)* }
        inside { $($tag:literal, $tag_source:literal, $tag_about:literal;)* }
        more { $($more:literal, $more_source:literal, $more_about:literal;)* }
    ) => {
        &[
            $(Feature { name: $name, source: $source, about: $about },)*
            $(Feature { name: $own, source: $own_source, about: $own_about },)*
            $(Feature { name: $tag, source: $tag_source, about: $tag_about },)*
            $(Feature { name: concat!("prev.", $name), source: $source, about: concat!("of the block before: ", $about) },)*
            $(Feature { name: concat!("prev.", $tag), source: $tag_source, about: concat!("of the block before: ", $tag_about) },)*
            $(Feature { name: concat!("next.", $name), source: $source, about: concat!("of the block after: ", $about) },)*
            $(Feature { name: concat!("next.", $tag), source: $tag_source, about: concat!("of the block after: ", $tag_about) },)*
            $(Feature { name: $more, source: $more_source, about: $more_about },)*
        ]
    };
}

/// All features. Every quotient with denominator 0 is 0, and so is every feature of a missing
/// neighbour. [`TextShape`](super::TextShape) defines words, sentences, capitals and dates.
pub const SHALLOW: &[Feature] = table! {
    both {
        "words", "§3.3", "tokens with a letter or digit";
        "link_density", "§3.3", "tokens that begin inside a link / tokens";
        "text_density", "§3.4, Eq. 1", "tokens per line of 80 columns; the last line is left out unless it is the only one";
        "avg_word_length", "§3.3", "characters of the words, with punctuation on them / words";
        "avg_sentence_length", "§3.3", "words / sentences";
        "capitalized_words", "§3.3", "words whose first letter or digit is an upper-case letter";
        "all_caps_words", "§3.3", "words of two or more letters that are all upper-case";
        "capitalized_ratio", "§3.3", "capitalized words / words";
        "all_caps_ratio", "§3.3", "all-caps words / words";
        "full_stop_ratio", "§3.3", "tokens that end in a full stop / words";
        "date_tokens", "§3.3", "tokens that are dates or times";
        "vertical_bars", "§3.3", "characters `|`";
    }
    own {
        "absolute_position", "§3.3", "blocks before it";
        "relative_position", "§3.3", "blocks before it / blocks of the page";
    }
    inside {
        "in_h1", "§3.2", "1 if an `h1` holds the whole block, else 0";
        "in_h2", "§3.2", "1 if an `h2` holds the whole block, else 0";
        "in_h3", "§3.2", "1 if an `h3` holds the whole block, else 0";
        "in_h4", "§3.2", "1 if an `h4` holds the whole block, else 0";
        "in_h5", "§3.2", "1 if an `h5` holds the whole block, else 0";
        "in_h6", "§3.2", "1 if an `h6` holds the whole block, else 0";
        "in_p", "§3.2", "1 if a `p` holds the whole block, else 0";
        "in_div", "§3.2", "1 if a `div` holds the whole block, else 0";
        "in_a", "§3.2", "1 if one `a` holds the whole block, else 0; also 0 if several links share the block";
    }
    more {
        "words_quotient", "§4.3.1", "words / words of the block before";
        "text_density_quotient", "§4.3.1", "text density / text density of the block before";
        "frequency", "§3.1, §4.2", "pages of the crawl that hold the block's text / pages";
        "prev.frequency", "§3.1, §4.2", "of the block before: pages of the crawl that hold its text / pages";
        "next.frequency", "§3.1, §4.2", "of the block after: pages of the crawl that hold its text / pages";
    }
};

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn counts_are_as_stated() {
        let local = SHALLOW.iter().filter(|f| {
            !f.name.contains('.') && !f.name.ends_with("quotient") && f.name != "frequency"
        });
        assert_eq!(local.count(), 23);
        for side in ["prev.", "next."] {
            let neighbours = SHALLOW.iter().filter(|f| f.name.starts_with(side));
            assert_eq!(neighbours.count(), 21 + 1);
        }
        assert_eq!(SHALLOW.len(), 70);
        let names: BTreeSet<_> = SHALLOW.iter().map(|f| f.name).collect();
        assert_eq!(names.len(), SHALLOW.len());
    }

    #[test]
    fn the_documentation_lists_every_feature_of_a_block() {
        let docs = include_str!("../../../../../docs/output/blocks.md");
        for f in SHALLOW.iter().filter(|f| !f.name.contains('.')) {
            let row = format!(
                "| `{}` | {} | {} |",
                f.name,
                f.source,
                f.about.replace('|', "\\|")
            );
            assert!(docs.contains(&row), "docs/output/blocks.md lacks: {row}");
        }
    }
}
