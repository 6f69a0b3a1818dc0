//! Table 1: the distribution of the text over the classes.

use super::blocks::{Amounts, Distribution};
use crate::old::{percent, table};
use warcsieve_eval::annotated::TextClass;

/// The paper's shares of blocks, words and tokens in percent. Its rows of comments and related
/// content are swapped; here they are in the order of the data.
const PAPER: [(&str, [&str; 3]); 7] = [
    ("boilerplate", ["79", "35", "46"]),
    ("any content", ["21", "65", "54"]),
    ("headline", ["1", "1", "1"]),
    ("article full text", ["12", "51", "42"]),
    ("supplemental", ["3", "3", "2"]),
    ("related content", ["1", "1", "1"]),
    ("user comments", ["4", "9", "8"]),
];

pub fn section(paper: &Distribution, inline: &Distribution) -> String {
    let head = [
        "class",
        "blocks",
        "words",
        "tokens",
        "paper: blocks",
        "words",
        "tokens",
        "`inline`: blocks",
        "words",
    ];
    let total = |a: Amounts| [a.blocks, a.words, a.tokens].map(|n| n.to_string());
    let sums = (total(paper.total()), total(inline.total()));
    let mut rows = vec![
        [
            vec!["total".to_owned()],
            sums.0.to_vec(),
            ["72662", "520483", "644021"].map(str::to_owned).to_vec(),
            sums.1[..2].to_vec(),
        ]
        .concat(),
    ];
    for (name, shares) in PAPER {
        let ours = |d: &Distribution| {
            let (part, all) = (of_class(d, name), d.total());
            [
                percent(part.blocks, all.blocks),
                percent(part.words, all.words),
                percent(part.tokens, all.tokens),
            ]
        };
        rows.push(
            [
                vec![name.to_owned()],
                ours(paper).to_vec(),
                shares.map(|s| format!("{s} %")).to_vec(),
                ours(inline)[..2].to_vec(),
            ]
            .concat(),
        );
    }
    format!(
        "## Table 1: classes\n\nThe table counts the annotated records, next to the paper's figures. The segmentation is `paper`, in which every tag except `a` \
         separates blocks; the last two columns are for `inline`.\n\n{}",
        table(&head, &rows)
    )
}

fn of_class(distribution: &Distribution, name: &str) -> Amounts {
    let classes: &[TextClass] = match name {
        "boilerplate" => &[TextClass::Boilerplate],
        "headline" => &[TextClass::Headline],
        "article full text" => &[TextClass::FullText],
        "supplemental" => &[TextClass::Supplemental],
        "related content" => &[TextClass::Related],
        "user comments" => &[TextClass::Comments],
        _ => &TextClass::ALL[1..],
    };
    classes.iter().fold(Amounts::default(), |sum, &class| {
        let a = distribution.amounts[class as usize];
        Amounts {
            blocks: sum.blocks + a.blocks,
            words: sum.words + a.words,
            tokens: sum.tokens + a.tokens,
        }
    })
}
