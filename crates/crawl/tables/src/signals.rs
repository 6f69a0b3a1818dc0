//! Columns of `documents` with signals.

use arrow_array::ArrayRef;
use arrow_array::builder::Float64Builder;
use arrow_schema::{DataType, Field};
use std::sync::Arc;
use warcsieve_filters::signals::{self, Measurer};

/// Columns of signals, by their numbers.
#[derive(Debug)]
pub struct SignalRows(Vec<(usize, Float64Builder)>);

impl SignalRows {
    /// For the signals with these numbers.
    pub fn new(numbers: &[usize]) -> Self {
        let numbers = numbers.iter();
        Self(numbers.map(|n| (*n, Float64Builder::new())).collect())
    }

    /// Their fields: null where a signal is not defined.
    pub fn fields(numbers: &[usize]) -> impl Iterator<Item = Field> {
        let named = signals::signals().enumerate();
        let chosen = named.filter(|(number, _)| numbers.contains(number));
        chosen.map(|(_, (signal, ..))| Field::new(signal.name, DataType::Float64, true))
    }

    /// Adds a page. Returns the size of its values in bytes.
    pub fn push(&mut self, measurer: &Measurer) -> usize {
        for (number, column) in &mut self.0 {
            column.append_option(measurer.value(*number));
        }
        8 * self.0.len()
    }

    /// The values since the last call.
    pub fn finish(&mut self) -> impl Iterator<Item = ArrayRef> {
        let columns = self.0.iter_mut();
        columns.map(|(_, column)| -> ArrayRef { Arc::new(column.finish()) })
    }
}
