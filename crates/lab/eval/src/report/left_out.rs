//! Lists the parts of the gold that the figures do not cover.

use crate::run::Evaluation;

/// A kind of problem: its description, and one line for each case.
pub type Kind = (&'static str, Vec<String>);

/// Pages that count as empty, records that were not measured, and damaged inputs. Empty if there are
/// no problems.
pub fn left_out(evaluation: &Evaluation) -> Vec<Kind> {
    let missing =
        (evaluation.missing.iter()).map(|(id, place)| format!("{place}: no page has the id {id}"));
    let skipped = evaluation.pages.iter().filter_map(|page| {
        let fault = page.scores.iter().find_map(|s| s.fault.as_ref())?;
        let place = page.place.as_ref()?;
        let (input, offset) = (&place.input, place.offset);
        Some(format!("{input}: offset {offset}: {}: {fault}", page.id))
    });
    let doubles =
        (evaluation.doubles.iter()).map(|p| format!("{}: offset {}: {}", p.input, p.offset, p.id));
    let damage = (evaluation.faults.iter())
        .map(|(input, fault)| format!("{input}: offset {}: {}", fault.offset, fault.message));
    [
        (
            "pages of the gold that were not met; they count as empty",
            missing.collect::<Vec<_>>(),
        ),
        (
            "pages that were skipped; they count as empty",
            skipped.collect(),
        ),
        (
            "records whose id was met before; they are not measured",
            doubles.collect(),
        ),
        ("damage in the inputs", damage.collect()),
    ]
    .into_iter()
    .filter(|(_, lines)| !lines.is_empty())
    .collect()
}
