//! Columns of signals.

use super::columns::{Collector, Column, Table};
use arrow_array::RecordBatch;
use arrow_schema::SchemaRef;
use warcsieve_filters::signals::{self, Measurer, Signal};

/// A column for each of the signals with these numbers, in the order of all signals. Null if a
/// signal is not defined for a text. `measured` is the measurer that measured the text of the row.
pub(super) fn columns<T: Table>(
    numbers: &[usize],
    measured: impl for<'r> Fn(&'r T::Row<'_>) -> &'r Measurer + Copy + Send + 'static,
) -> Vec<Column<T>> {
    let named = signals::signals().enumerate();
    let chosen = named.filter(|(number, _)| numbers.contains(number));
    let column = |(number, (signal, ..)): (usize, (&'static Signal, _, _))| {
        let value = move |row: &T::Row<'_>| measured(row).value(number);
        Column::number(signal.name, signal.what, value).sized()
    };
    chosen.map(column).collect()
}

/// A table of signals: a row for each text, with its id.
struct Signals;

impl Table for Signals {
    type Row<'a> = (&'a str, &'a Measurer);
}

/// Collects rows of signals.
pub struct SignalRows(Collector<Signals>);

impl SignalRows {
    /// For the signals with these numbers.
    pub fn new(numbers: &[usize]) -> Self {
        let id = Column::text("id", "the page", |row: &(&str, &Measurer)| row.0);
        let mut all = vec![id];
        all.extend(columns(numbers, |row: &(&str, &Measurer)| row.1));
        Self(Collector::new(all))
    }

    /// The columns: `id`, and one for each signal.
    pub fn schema(&self) -> &SchemaRef {
        self.0.schema()
    }

    /// Adds a text.
    pub fn push(&mut self, id: &str, measured: &Measurer) {
        self.0.push(&(id, measured));
    }

    /// The rows since the last call.
    pub fn finish(&mut self) -> RecordBatch {
        self.0.finish()
    }
}
