//! Reports on a model that was learned.

use crate::exit::Exit;
use crate::print;
use std::path::Path;
use warcsieve_common::Result;
use warcsieve_eval::blocks::Measured;

/// The name of a file without its folder, which does not change the model.
pub fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// The name of a file as a TOML string. JSON strings are valid TOML.
pub fn quoted(path: &Path) -> String {
    serde_json::Value::String(file_name(path)).to_string()
}

/// How a pipeline file beside the model takes it.
pub fn step(method: &str, out: &Path) -> String {
    format!(
        "\nA pipeline file beside {} takes it by\n\n[[step]]\nmethod = \"{method}\"\nmodel = {}\n",
        out.display(),
        quoted(out)
    )
}

/// Warns of pages that were left out.
pub fn warn_of(faults: &[String]) {
    for fault in faults {
        tracing::warn!("{fault}");
    }
}

/// Prints what was learned. The exit code says whether some data could not be used.
pub fn finish(text: &str, faults: &[String]) -> Result<Exit> {
    let exit = if faults.is_empty() {
        Exit::Done
    } else {
        Exit::Faulty
    };
    Ok(print::table(text, exit))
}

/// The figures of a genre model, for the terminal and its file.
pub fn genre_figures(
    [articles, lists]: [usize; 2],
    folds: usize,
    measured: Option<&Measured>,
) -> String {
    let text = format!("{articles} articles, {lists} list views; ");
    let Some(measured) = measured else {
        return text + "not cross-validated, because one genre has too few domains";
    };
    text + &format!(
        "{folds} folds by domain: accuracy {:.4}, balanced accuracy {:.4}, majority {:.4}",
        measured.accuracy,
        measured.balanced_accuracy(),
        articles.max(lists) as f64 / (articles + lists) as f64
    )
}
