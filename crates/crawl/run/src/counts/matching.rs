//! Finds the input that each statement is about.

use super::statements::{Group, Matched, Statement};
use std::collections::{BTreeMap, HashMap};
use warcsieve_engine::cdx::{Found, Names};

/// Matches statements with inputs by name. An ambiguous name matches no input, with a note.
pub(super) fn matched(
    statements: impl IntoIterator<Item = Statement>,
    names: &Names<'_>,
    notes: &mut Vec<String>,
) -> Vec<Matched> {
    let find = |statement: Statement| {
        let input = match names.find(&statement.name) {
            Found::One(at) => Some(at),
            Found::None => None,
            Found::Several(..) => {
                notes.push(format!(
                    "{}: {} matches several inputs, so it was ignored; set --base so that inputs have \
                     the same names as there",
                    statement.place, statement.name
                ));
                None
            }
        };
        Matched { statement, input }
    };
    statements.into_iter().map(find).collect()
}

/// Undoes matches where statements about different files fit the same input. Only a statement with
/// the input's exact name keeps its match. `called` has the file name of each statement, in the
/// same order.
pub(super) fn refuse_several(group: &mut Group, called: &[String], names: &[&str]) {
    let mut first: HashMap<usize, &str> = HashMap::new();
    let mut several: BTreeMap<usize, &str> = BTreeMap::new();
    for (matched, called) in group.statements.iter().zip(called) {
        let Some(at) = matched.input else { continue };
        let first = *first.entry(at).or_insert(called);
        if first != called {
            several.entry(at).or_insert(called);
        }
    }
    for (matched, called) in group.statements.iter_mut().zip(called) {
        let is_several = matched.input.filter(|at| several.contains_key(at));
        if is_several.is_some_and(|at| called != names[at]) {
            matched.input = None;
        }
    }
    let example = several
        .iter()
        .find(|(at, _)| !called.iter().any(|called| called == names[**at]));
    if let Some((at, other)) = example {
        group.notes.push(format!(
            "{} matches both {} and {other}, so both were ignored; set --base so that inputs have \
             the same names as there",
            names[*at], first[at]
        ));
    }
}
