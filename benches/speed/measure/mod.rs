//! What the job costs: each stage of it, and the whole against inflating the same file. The
//! benchmark `speed` prints it, and `cargo xtask reproduce performance` writes it down.

pub mod clock;
pub mod input;
pub mod jobs;
pub mod memory;
pub mod stages;

use warcsieve_extract::Pipeline;

pub type Result<T = ()> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Figures: a name a row, a number a column.
pub struct Table {
    pub head: Vec<&'static str>,
    pub rows: Vec<Vec<String>>,
}

/// A built-in pipeline with settings put before it.
pub fn pipeline(settings: &str, name: &str) -> Result<Pipeline> {
    let found = warcsieve_papers::METHODS
        .shipped()
        .find(|pipeline| pipeline.name == name);
    let text = found.map(|pipeline| pipeline.text);
    let text = text.ok_or_else(|| format!("no pipeline {name} ships"))?;
    Ok(Pipeline::parse(
        &warcsieve_papers::METHODS,
        name,
        &format!("{settings}{text}"),
    )?)
}

/// A figure as a table has it; a dash where it could not be measured.
pub fn cell(value: f64, decimals: usize) -> String {
    match value.is_finite() {
        true => format!("{value:.decimals$}"),
        false => "–".to_owned(),
    }
}

/// The median; of an even number the higher of both. Not a number if there is none.
pub fn median(values: impl IntoIterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
