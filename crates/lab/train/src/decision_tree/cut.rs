//! The best cut of a node's rows by one column.

use super::params::{Floor, Params};
use crate::entropy::{total_entropy, xlog2x};
use libm::log2;

/// Values closer than this are not separated, as in C4.5.
const CLOSE: f64 = 1e-5;
/// A gain must be above this to count, because rounding alone can produce this much.
pub const NO_GAIN: f64 = 1e-6;

/// A gain counts as greater than another only if it is greater by this much, because equal ones may differ by their
/// rounding.
const TIE: f64 = 1e-12;

/// A cut between two values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    /// Information gain in bits, reduced by the cost of encoding the cut.
    pub gain: f64,
    /// The gain ratio: the gain divided by the information of the cut itself.
    pub ratio: f64,
    /// The last value below the cut.
    pub below: f32,
    /// The first value above the cut.
    pub above: f32,
}

/// Weight and class of a row.
pub type Row = (u32, u8);

/// The weight that both sides need. `None` if `rows` rows with these class weights cannot be cut at all.
pub fn floor(weights: &[u64], rows: usize, params: &Params) -> Option<u64> {
    let total: u64 = weights.iter().sum();
    let min = params.min_leaf.max(1);
    let pure = weights.iter().filter(|w| **w > 0).count() < 2;
    if pure || total < min.saturating_mul(2) {
        return None;
    }
    match params.floor {
        Floor::Weight => Some(min),
        Floor::J48 | Floor::J48Copies => {
            let tenth = total as f64 / 10.0 / weights.len() as f64;
            let floor = match tenth {
                t if t <= min as f64 => min as f64,
                t => t.min(25.0),
            };
            let rows = match params.floor {
                Floor::J48 => rows as f64,
                _ => total as f64,
            };
            // Weights are integers, so a side that needs 7.2 needs 8.
            (rows >= 2.0 * floor).then_some(floor.ceil() as u64)
        }
    }
}

/// The cut with the greatest gain; of equal ones the first. `None` if no cut has a gain. `order` are the node's rows
/// sorted by the value in `column`, `weights` those of its classes.
pub fn best(
    column: &[f32],
    order: &[u32],
    rows: &[Row],
    weights: &[u64],
    floor: u64,
) -> Option<Cut> {
    let total: u64 = weights.iter().sum();
    let mut left = vec![0; weights.len()];
    let mut left_total = 0;
    let mut cuts = 0u64;
    // The lowest entropy within the sides, and the position of that cut.
    let mut least: Option<(f64, usize, u64)> = None;
    for i in 1..order.len() {
        let (weight, class) = rows[order[i - 1] as usize];
        left[usize::from(class)] += u64::from(weight);
        left_total += u64::from(weight);
        if left_total < floor {
            continue;
        }
        let right_total = total - left_total;
        if right_total < floor {
            break;
        }
        let (below, above) = (column[order[i - 1] as usize], column[order[i] as usize]);
        if f64::from(below) + CLOSE >= f64::from(above) {
            continue;
        }
        cuts += 1;
        let mut within = xlog2x(left_total) + xlog2x(right_total);
        for (left, all) in left.iter().zip(weights) {
            within -= xlog2x(*left) + xlog2x(all - left);
        }
        if least.is_none_or(|l| within < l.0 - TIE * total as f64) {
            least = Some((within, i, left_total));
        }
    }
    let (within, i, left_total) = least?;
    let total_f = total as f64;
    let gain = (total_entropy(weights) - within - log2(cuts as f64)) / total_f;
    if gain <= NO_GAIN {
        return None;
    }
    let information = total_entropy(&[left_total, total - left_total]) / total_f;
    Some(Cut {
        gain,
        ratio: gain / information,
        below: column[order[i - 1] as usize],
        above: column[order[i] as usize],
    })
}
