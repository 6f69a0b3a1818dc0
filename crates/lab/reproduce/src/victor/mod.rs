//! Victor: a conditional random field on features of its own.
//!
//! Spousta, Marek, Pecina: Victor: the Web-Page Cleaning Tool, WaC4 2008; the CRF of Vogels et al. 2018, Table 2, and a
//! method of Kohlschütter et al. 2010, Figure 2. The names of the features, their steps and the blocks of which each is
//! read are those of the published program, as it is configured for CleanEval.
//!
//! # Deviations
//! * The field is ours (`warcsieve_train::crf`): it has two labels, content and boilerplate, and weights for pairs of
//!   labels. Victor has five labels, which people gave to its blocks, and CRF++ learns it.
//! * The blocks are the leaves of the tree. Victor cleans the markup with `tidy`, reads the texts of images, and drops
//!   some elements.
//! * The factor of the squares of the weights is chosen in folds of the training pages. That of Victor is not known.
//! * Dates, times and addresses are recognised by rules that accept about the same.

mod elements;
mod features;
mod text;
mod values;

use crate::Result;
use crate::corpora::{Corpora, each_page};
use features::{WINDOWS, of_page};
use std::collections::HashMap;
use warcsieve_extract::Pipeline;
use warcsieve_model::Crf;
use warcsieve_train::crf;
use warcsieve_train::sequences::{Sequence, Sequences};

/// The name of the row.
pub const VICTOR: &str = "CRF, Victor's features";

/// The factors of the squares of the weights from which the best is chosen, by F1 of content in folds of the training
/// pages. There are far more weights than in the field on our features.
const REGULARISATIONS: [f64; 4] = [1.0, 10.0, 100.0, 1000.0];
const FOLDS: usize = 5;

/// The value of one feature of the block at a distance, or the end of the page beyond its blocks.
type Attribute = (usize, isize, Option<u16>);

/// The features of the blocks of pages, by id.
type Pages = HashMap<String, Vec<[u16; WINDOWS.len()]>>;

/// For each page of CleanEval's test set and each of its leaves, whether it is content, by a field that is learned from
/// the training set.
pub fn labels(
    corpora: &Corpora,
    leaves: &Pipeline,
    training: &Sequences,
    test: &Sequences,
) -> Result<Vec<Vec<bool>>> {
    let read = |corpus: &str| -> Result<Pages> {
        let (inputs, gold) = corpora.several(&[corpus])?;
        let pages = each_page(&inputs, &gold, leaves, |page| of_page(page.doc))?;
        Ok(pages.into_iter().collect())
    };
    let field = Field::learn(training, &read("cleaneval-train")?)?;
    let pages = read("cleaneval-test")?;
    let all = test
        .pages
        .iter()
        .map(|page| field.label(test, page, &pages));
    Ok(all.collect())
}

struct Field {
    attributes: Vec<Attribute>,
    model: Crf,
}

impl Field {
    fn learn(data: &Sequences, pages: &Pages) -> Result<Self> {
        let mut places: HashMap<Attribute, usize> = HashMap::new();
        let mut attributes = Vec::new();
        for page in &data.pages {
            for attribute in of_blocks(&pages[&page.text.id]).flatten() {
                places.entry(attribute).or_insert_with(|| {
                    attributes.push(attribute);
                    attributes.len() - 1
                });
            }
        }
        let own = sequences(&attributes, data, &data.pages, pages);
        let mut best: Option<(f64, Crf)> = None;
        for l2 in REGULARISATIONS {
            let params = crf::Params {
                l2,
                ..crf::Params::default()
            };
            let learned = crf::learn(&own, &params, FOLDS)?;
            let measured = learned.blocks.ok_or("no page has a block")?;
            let f1 = measured.classes.get(1).map_or(0.0, |content| content.f1);
            if best.as_ref().is_none_or(|(most, _)| f1 > *most) {
                best = Some((f1, learned.model));
            }
        }
        let (_, model) = best.ok_or("no field was learned")?;
        Ok(Self { attributes, model })
    }

    fn label(&self, data: &Sequences, page: &Sequence, pages: &Pages) -> Vec<bool> {
        let own = sequences(&self.attributes, data, std::slice::from_ref(page), pages);
        crf::decode(&self.model, &own, 0)
    }
}

/// The attributes of each block of a page.
fn of_blocks(
    blocks: &[[u16; WINDOWS.len()]],
) -> impl Iterator<Item = impl Iterator<Item = Attribute>> {
    (0..blocks.len()).map(move |at| {
        WINDOWS
            .iter()
            .enumerate()
            .flat_map(move |(feature, (_, window))| {
                window.clone().map(move |distance| {
                    let block = at
                        .checked_add_signed(distance)
                        .and_then(|at| blocks.get(at));
                    (feature, distance, block.map(|block| block[feature]))
                })
            })
    })
}

/// Some pages with a column of zeros and ones for each attribute.
fn sequences(
    attributes: &[Attribute],
    data: &Sequences,
    chosen: &[Sequence],
    pages: &Pages,
) -> Sequences {
    let places: HashMap<Attribute, usize> = attributes
        .iter()
        .enumerate()
        .map(|(at, own)| (*own, at))
        .collect();
    let name = |(feature, distance, value): &Attribute| {
        let value = value.map_or("none".to_owned(), |value| value.to_string());
        format!("{}[{distance}]={value}", WINDOWS[*feature].0)
    };
    let mut own = Sequences {
        names: attributes.iter().map(name).collect(),
        ..Sequences::default()
    };
    for page in chosen {
        let start = own.labels.len();
        own.labels.extend(&data.labels[page.rows.clone()]);
        for block in of_blocks(&pages[&page.text.id]) {
            let row = own.values.len();
            own.values.resize(row + attributes.len(), 0.0);
            for place in block.filter_map(|attribute| places.get(&attribute)) {
                own.values[row + place] = 1.0;
            }
        }
        own.pages.push(Sequence {
            rows: start..own.labels.len(),
            ..page.clone()
        });
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_those_of_the_blocks_around() {
        let blocks = [[1; WINDOWS.len()], [2; WINDOWS.len()]];
        let of: Vec<Vec<Attribute>> = of_blocks(&blocks).map(Iterator::collect).collect();
        assert_eq!(of[0].len(), of[1].len());
        let of_first: Vec<_> = of[1].iter().filter(|(feature, ..)| *feature == 0).collect();
        let values: Vec<Option<u16>> = of_first.iter().map(|(.., value)| *value).collect();
        assert_eq!(values, [None, None, Some(1), Some(2), None, None, None]);
    }
}
