//! `warcsieve status`: which inputs of an output folder are done.

use super::exit::Exit;
use super::inputs::InputOptions;
use super::print;
use super::stores;
use super::table::{self, Table};
use super::todo;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::io::Read;
use warcsieve_base::{Error, Result};
use warcsieve_crawl::pipeline::{Input, InputKind, ManifestRow, OutputFolder, Recipe};
use warcsieve_crawl::sink::OutputFile;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The output folder of `clean`, a path or an address.
    out: String,
    /// The inputs that should be done, as given to `clean`; default: those that have a row.
    #[arg(long, value_name = "INPUT", num_args = 1..)]
    inputs: Vec<String>,
    #[command(flatten)]
    options: InputOptions,
    /// Write _SUCCESS if every input has a row and every row balances; exit code 75 if not.
    #[arg(long)]
    seal: bool,
    /// Read every output again and compare its sha256.
    #[arg(long)]
    verify: bool,
    /// Print every row as a JSON line.
    #[arg(long)]
    json: bool,
    /// Print the inputs that `clean` would clean, one path per line: those not done, changed or
    /// lost.
    #[arg(long, conflicts_with_all = ["seal", "verify"])]
    todo: bool,
    /// With --todo: the pipeline they should be cleaned with, as given to `clean`.
    #[arg(
        long,
        value_name = "FILE",
        default_value = "default",
        requires = "todo"
    )]
    pipeline: String,
}

impl Arguments {
    fn names_inputs(&self) -> bool {
        !self.inputs.is_empty() || self.options.selects()
    }
}

pub fn run(arguments: &Arguments) -> Result<Exit> {
    let stores = stores::of_environment();
    let out = super::output_folder(&arguments.out, &stores)?;
    let (inputs, selection) = if arguments.names_inputs() {
        arguments.options.list(&arguments.inputs, None, &stores)?
    } else if arguments.seal || arguments.todo {
        let why = "--seal and --todo need --inputs or --select: what should be done";
        return Err(Error::Usage(why.to_owned()));
    } else if out.exists() {
        (inputs_with_rows(&out)?, None)
    } else {
        let place = out.path().display();
        return Err(Error::Usage(format!("{place}: there is no such folder")));
    };
    if arguments.todo {
        let pipeline = super::pipeline(Some(&arguments.pipeline))?;
        let recipe = Recipe::of(&pipeline).selecting(selection);
        return todo::print(&inputs, &out, &recipe, arguments.json);
    }
    let mut rows = Vec::new();
    let mut missing = Vec::new();
    let mut troubles = Vec::new();
    for inputs in inputs.chunks(ROWS_AT_ONCE) {
        let looked = out.look(inputs, |input| look(&out, input, arguments));
        let mut text = String::new();
        for (input, looked) in inputs.iter().zip(looked) {
            match looked {
                Ok(Some((row, lines))) => {
                    if arguments.json {
                        text += &serde_json::to_string(&row)
                            .expect("a manifest row has only string keys");
                        text.push('\n');
                    }
                    rows.push(without_lists(row));
                    troubles.extend(lines);
                }
                Ok(None) => missing.push(&input.name),
                Err(error @ Error::Integrity { .. }) => troubles.push(format!("{error}\n")),
                Err(error) => return Err(error),
            }
        }
        print::text(&text)?;
    }
    let sealed = if arguments.seal {
        out.seal(&inputs)?
    } else {
        out.is_sealed()?
    };
    if !arguments.json {
        let mut text = report(&rows, &missing, sealed);
        text.extend(troubles.iter().map(String::as_str));
        print::text(&text)?;
    }
    let whole = missing.is_empty()
        && troubles.is_empty()
        && rows
            .iter()
            .all(|r| r.imbalances().is_empty() && !r.is_faulty());
    Ok(match (whole, arguments.seal && !sealed) {
        // Some inputs are not done.
        (_, true) => Exit::Temporary,
        (true, false) => Exit::Done,
        (false, false) => Exit::Faulty,
    })
}

/// Most rows that are in memory at once; those of a large crawl list millions of skips.
const ROWS_AT_ONCE: usize = 256;

/// A row as far as it is counted.
fn without_lists(mut row: ManifestRow) -> ManifestRow {
    row.read.faults = Vec::new();
    row.pages.skipped = Vec::new();
    row
}

/// The row of an input, and what is wrong with it, one line each; `None` if there is no row.
fn look(
    out: &OutputFolder,
    input: &Input,
    arguments: &Arguments,
) -> Result<Option<(ManifestRow, Vec<String>)>> {
    let Some(row) = out.row(&input.name)? else {
        return Ok(None);
    };
    let mut lines = Vec::new();
    let names_inputs = arguments.names_inputs();
    if let Some(what) = row.changed_input(input).filter(|_| names_inputs) {
        lines.push(format!("{}: {what}\n", row.input));
    }
    let lost = out.lost_outputs(&row)?;
    let gone = |f: &&OutputFile| format!("{}: gone, or not of {} bytes\n", f.path, f.bytes);
    lines.extend(lost.iter().map(gone));
    if arguments.verify && lost.is_empty() {
        lines.extend(altered_outputs(out, &row)?);
    }
    Ok(Some((row, lines)))
}

/// Outputs whose bytes are not those that were written, one line each.
fn altered_outputs(out: &OutputFolder, row: &ManifestRow) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    for file in &row.outputs {
        let path = out.folder().file(&file.path);
        let mut reader = out.folder().open(&file.path)?;
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

/// The inputs that have a row in the manifest, by the rows' file names.
fn inputs_with_rows(out: &OutputFolder) -> Result<Vec<Input>> {
    let input = |name: String| Input {
        kind: InputKind::File(out.manifest_path(&name)),
        name,
        selected: None,
    };
    Ok(out.done_inputs()?.into_iter().map(input).collect())
}
