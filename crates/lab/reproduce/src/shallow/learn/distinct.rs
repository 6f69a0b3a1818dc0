//! The distinct values of a feature.

use warcsieve_train::Sample;

/// The distinct values of a column, ascending, and for each the classes of its rows, counted by their weight.
pub fn distinct(
    sample: &Sample<'_>,
    column: usize,
    count: impl Fn(u32) -> u64,
) -> Vec<(f32, Vec<u64>)> {
    let data = sample.data();
    let mut values: Vec<(f32, Vec<u64>)> = Vec::new();
    for row in sample.ordered(column) {
        let row = row as usize;
        let value = data.columns[column][row];
        if values.last().is_none_or(|last| last.0 != value) {
            values.push((value, vec![0; data.classes.len()]));
        }
        if let Some((_, classes)) = values.last_mut() {
            classes[usize::from(data.labels[row])] += count(data.weights[row]);
        }
    }
    values
}
