//! Table 1: the distribution of the text over the classes.

use super::blocks::{Distribution, sum};
use crate::{Result, data, percent, row, table};
use warcsieve_eval::annotated::TextClass;

/// Our figures next to those of the paper, as printed.
pub fn table_1(paper: &Distribution, inline: &Distribution) -> Result<String> {
    let mut rows = Vec::new();
    for [name, classes, printed @ ..] in data!("shallow/table1.tsv")?.rows::<5>()? {
        let ours = |d: &Distribution| -> [String; 3] {
            let own = TextClass::ALL.iter();
            let own = own.filter(|class| classes.split(' ').any(|name| name == class.as_str()));
            let part = sum(own.map(|class| &d.amounts[*class as usize]));
            let all = sum(&d.amounts);
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
