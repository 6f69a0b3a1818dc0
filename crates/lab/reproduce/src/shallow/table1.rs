//! Table 1: the distribution of the text over the classes.

use super::blocks::{Amounts, Distribution};
use crate::{Result, data, percent, row, table};
use warcsieve_eval::annotated::TextClass;

/// Our figures beside the paper's, whose rows of comments and related content are swapped; here they are in the
/// order of the data.
pub fn table_1(paper: &Distribution, inline: &Distribution) -> Result<String> {
    let mut rows = Vec::new();
    for [name, printed @ ..] in data!("shallow/table1.tsv")?.rows::<4>()? {
        let ours = |d: &Distribution| -> [String; 3] {
            let (part, all) = (of_class(d, name), d.total());
            std::array::from_fn(|at| match name {
                "total" => all[at].to_string(),
                _ => percent(part[at], all[at]),
            })
        };
        let both = row(row(name, ours(paper)), printed);
        rows.push(row(both, &ours(inline)[..2]));
    }
    let head = "class | blocks | words | tokens | paper: blocks | words | tokens | `inline`: blocks | words";
    Ok(table(head, rows))
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
    let amounts = classes
        .iter()
        .map(|class| &distribution.amounts[*class as usize]);
    super::blocks::sum(amounts)
}
