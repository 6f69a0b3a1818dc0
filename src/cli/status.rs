//! `warcsieve status`: what of an output folder is done.

use super::exit::Exit;
use super::print;
use super::table::{self, Table};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::fs;
use std::io::Read;
use std::path::PathBuf;
use warcsieve::error::{Error, Result};
use warcsieve::pipeline::{Input, InputKind, ManifestRow, OutputFolder, list_inputs};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The output folder of `clean`.
    out: PathBuf,
    /// The inputs that should be done, as given to `clean`; default: those that have a row.
    #[arg(long, value_name = "INPUT", num_args = 1..)]
    inputs: Vec<String>,
    /// Folder that the names of outputs start from, as given to `clean`.
    #[arg(long, value_name = "DIR")]
    base: Option<PathBuf>,
    /// Write _SUCCESS if every input has a row and every row balances.
    #[arg(long, requires = "inputs")]
    seal: bool,
    /// Read every output again and compare its sha256.
    #[arg(long)]
    verify: bool,
    /// Print every row as a JSON line.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<Exit> {
    let out = OutputFolder::new(&arguments.out);
    let inputs = if arguments.inputs.is_empty() {
        inputs_with_rows(&out)?
    } else {
        list_inputs(&arguments.inputs, arguments.base.as_deref(), None)?
    };
    let mut rows = Vec::new();
    let mut missing = Vec::new();
    let mut troubles = Vec::new();
    for input in &inputs {
        match ManifestRow::load(&out.manifest_path(&input.name)) {
            Ok(Some(row)) => {
                if let Some(what) = row
                    .changed_input(input)
                    .filter(|_| !arguments.inputs.is_empty())
                {
                    troubles.push(format!("{}: {what}\n", row.input));
                }
                let lost = out.lost_outputs(&row);
                troubles.extend(
                    lost.iter()
                        .map(|f| format!("{}: gone, or not of {} bytes\n", f.path, f.bytes)),
                );
                if arguments.verify && lost.is_empty() {
                    troubles.extend(altered_outputs(&out, &row)?);
                }
                rows.push(row);
            }
            Ok(None) => missing.push(&input.name),
            Err(error @ Error::Integrity { .. }) => troubles.push(format!("{error}\n")),
            Err(error) => return Err(error),
        }
    }
    let sealed = if arguments.seal {
        out.seal(&inputs)?
    } else {
        out.success_path().exists()
    };
    let mut text = String::new();
    if arguments.json {
        for row in &rows {
            text += &serde_json::to_string(row).expect("a manifest row has only string keys");
            text.push('\n');
        }
    } else {
        text = report(&rows, &missing, sealed);
        text.extend(troubles.iter().map(String::as_str));
    }
    print::text(&text)?;
    let whole = missing.is_empty()
        && troubles.is_empty()
        && rows
            .iter()
            .all(|r| r.imbalances().is_empty() && !r.is_faulty());
    Ok(if whole { Exit::Done } else { Exit::Faulty })
}

/// Outputs whose bytes are not those that were written, a line each.
fn altered_outputs(out: &OutputFolder, row: &ManifestRow) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for file in &row.outputs {
        let path = out.path().join(&file.path);
        let mut reader = fs::File::open(&path).map_err(|e| Error::io(&path, e))?;
        let mut hash = Sha256::new();
        let mut buffer = vec![0; 1 << 16];
        loop {
            match reader.read(&mut buffer).map_err(|e| Error::io(&path, e))? {
                0 => break,
                n => hash.update(&buffer[..n]),
            }
        }
        if HEXLOWER.encode(&hash.finalize()) != file.sha256 {
            lines.push(format!(
                "{}: its bytes are not those that were written\n",
                file.path
            ));
        }
    }
    Ok(lines)
}

fn report(rows: &[ManifestRow], missing: &[&String], sealed: bool) -> String {
    let sum = |f: fn(&ManifestRow) -> u64| table::count(rows.iter().map(f).sum());
    let mut t = Table::default();
    t.row("inputs done", table::count(rows.len() as u64));
    t.row("inputs not done", table::count(missing.len() as u64));
    t.row("records", sum(|r| r.read.records));
    t.row("pages", sum(|r| r.pages.pages));
    t.row("documents", sum(|r| r.pages.documents));
    t.row("skips", sum(|r| r.pages.skips.values().sum()));
    t.row("faults", sum(|r| r.read.fault_count));
    let unbalanced: Vec<_> = rows.iter().filter(|r| !r.imbalances().is_empty()).collect();
    t.row(
        "rows that do not balance",
        table::count(unbalanced.len() as u64),
    );
    t.row("_SUCCESS", if sealed { "yes" } else { "no" });
    let mut text = t.render();
    for row in unbalanced {
        for line in row.imbalances() {
            text += &format!("{}: {line}\n", row.input);
        }
    }
    for row in rows.iter().filter(|r| r.is_faulty()) {
        text += &format!(
            "{}: {} faults, {} pages not processed\n",
            row.input,
            row.read.fault_count,
            row.pages.faulty()
        );
    }
    for name in missing {
        text += &format!("{name}: not done\n");
    }
    text
}

/// The inputs whose rows stand in the manifest, by the rows' file names.
fn inputs_with_rows(out: &OutputFolder) -> Result<Vec<Input>> {
    let input = |name: String| Input {
        kind: InputKind::File(out.manifest_path(&name)),
        name,
    };
    Ok(out.done_inputs()?.into_iter().map(input).collect())
}
