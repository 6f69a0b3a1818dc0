//! `warcsieve status`: shows which inputs of an output folder are done.

use super::cleaned::others;
use super::exit::{self, Exit};
use super::figures::Figures;
use super::inputs::InputOptions;
use super::outputs::output_folder;
use super::pipelines::{PipelineName, pipeline_anywhere};
use super::{escape, print, stores, todo};
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::io::Read;
use warcsieve_common::{Error, Result, counted};
use warcsieve_engine::{Input, list_line};
use warcsieve_run::forget::Log;
use warcsieve_run::{Compare, ManifestRow, OutputFolder, Recipe, Totals, Unsealed};
use warcsieve_tables::OutputFile;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The output folder of `clean`, a path or an address.
    #[arg(value_name = "OUT")]
    folder: String,
    /// The inputs that should be done, as given to `clean`; default: all that `clean` was given.
    #[arg(long, value_name = "INPUT", num_args = 1..)]
    inputs: Vec<String>,
    #[command(flatten)]
    options: InputOptions,
    /// Write _SUCCESS if every input has a row and all counts add up; exit code 75 if inputs are
    /// not done, 11 if only inputs of other runs of `clean` are not done.
    #[arg(long)]
    seal: bool,
    /// With --seal: even if no input holds a record.
    #[arg(long, requires = "seal")]
    allow_empty: bool,
    /// With --seal: forget inputs of other runs of `clean` that are not done and not among
    /// --inputs.
    #[arg(long, requires = "seal")]
    forget: bool,
    /// Read every output again and compare its sha256.
    #[arg(long)]
    verify: bool,
    /// Print every row as a JSON line, and a last one with their sums.
    #[arg(long)]
    json: bool,
    /// Print the inputs that `clean` would clean, as an @LIST: those not done, changed or lost.
    #[arg(long, conflicts_with_all = ["seal", "verify"])]
    todo: bool,
    /// With --todo: the pipeline they should be cleaned with, as given to `clean`; default: that of
    /// the folder.
    #[arg(
        long,
        value_name = "FILE",
        requires = "todo",
        hide_possible_values = true,
        value_parser = PipelineName
    )]
    pipeline: Option<String>,
}

impl Arguments {
    fn names_inputs(&self) -> bool {
        !self.inputs.is_empty() || self.options.selects()
    }
}

pub fn run(arguments: &Arguments) -> Result<Exit> {
    let stores = stores::of_environment();
    let out = output_folder(&arguments.folder, &stores)?;
    let is_output = out.is_output()?;
    let (inputs, selection) = if arguments.names_inputs() {
        arguments.options.list(&arguments.inputs, None, &stores)?
    } else if arguments.seal || arguments.todo {
        let why = "--seal and --todo need the inputs that should be done: --inputs or --select";
        return Err(Error::Invalid(why.to_owned()));
    } else if is_output {
        let names = out.known_inputs()?.into_iter();
        (names.map(|name| out.stand_in(name)).collect(), None)
    } else {
        let place = out.path().display();
        let why =
            format!("{place}: not an output folder of `clean`: it does not exist, or is empty");
        return Err(Error::Invalid(why));
    };
    if arguments.todo {
        let recipe = recipe(arguments.pipeline.as_deref(), &out, selection)?;
        return todo::print(&inputs, &out, &recipe, arguments.json);
    }
    let mut found = Found::default();
    found.look_for_unfinished(&out)?;
    let log = match arguments.verify {
        true => found.read_log(&out)?,
        false => None,
    };
    let how = (arguments.names_inputs(), arguments.verify, log.as_ref());
    for inputs in inputs.chunks(ROWS_AT_ONCE) {
        let examined = out.map_inputs(inputs, |input| examine(&out, input, how));
        let mut text = String::new();
        for (input, examined) in inputs.iter().zip(examined) {
            let row = found.add(&input.name, examined?);
            if let Some(row) = row.filter(|_| arguments.json) {
                let json =
                    serde_json::to_string(&row).expect("a manifest row has only string keys");
                text += &print::json_line(json);
            }
        }
        print::text(&text)?;
    }
    // A check of some inputs must not cost a listing of all.
    if is_output && !arguments.names_inputs() {
        let strays = out.strays(&found.lacking)?.into_iter();
        found
            .troubles
            .extend(strays.map(|file| format!("{file}: no row of _manifest lists it")));
    }
    let unsealed = match arguments.seal {
        true => {
            if arguments.forget {
                out.forget_others(&inputs)?;
            }
            out.seal(&inputs, arguments.allow_empty)?
        }
        false => None,
    };
    match &unsealed {
        Some(why @ Unsealed::Others(_)) => {
            let typed = arguments.options.typed(&arguments.inputs);
            tracing::warn!("{}", others(why, &out, &typed));
        }
        Some(why) => tracing::error!("not sealed: {why}"),
        None => {}
    }
    let exit = match inputs.is_empty() {
        true => Exit::Temporary,
        false => found.exit(unsealed.as_ref()),
    };
    // A folder that cannot be listed, or whose lists are gone, does not say what it was given.
    let is_known = arguments.names_inputs() || !out.listed_inputs()?.is_empty();
    let sealed = out.is_sealed()?;
    let figures = found.figures(is_known, sealed);
    if arguments.json {
        for line in found.lines() {
            tracing::warn!("{line}");
        }
        print::text(&figures.result("status", exit))?;
    } else {
        let lines = found.lines().map(|line| escape::line(&line) + "\n");
        print::text(&(figures.table.render() + &lines.collect::<String>()))?;
    }
    if inputs.is_empty() {
        tracing::warn!("no input is known: a run was refused, or is about to begin");
    }
    Ok(exit)
}

/// The recipe that outputs should have: that of the given pipeline, or else that of the folder.
fn recipe(pipeline: Option<&str>, out: &OutputFolder, selection: Option<String>) -> Result<Recipe> {
    let recipe = match (pipeline, out.recipe()?) {
        (None, Some(own)) => own,
        (pipeline, _) => Recipe::of(&pipeline_anywhere(pipeline.unwrap_or("default"))?),
    };
    Ok(match selection {
        None => recipe,
        selection => recipe.selecting(selection),
    })
}

/// Maximum rows in memory at once. Rows of a large crawl list millions of skips.
const ROWS_AT_ONCE: usize = 256;

/// What was found in the folder.
#[derive(Default)]
struct Found {
    totals: Totals,
    /// Inputs without a row.
    missing: Vec<String>,
    /// Files of tables that inputs with rows do not have.
    lacking: BTreeSet<String>,
    /// Files and counts that disagree, one line each.
    broken: Vec<String>,
    /// Other problems, one line each.
    troubles: Vec<String>,
}

impl Found {
    /// A run that forgets pages may have been interrupted.
    fn look_for_unfinished(&mut self, out: &OutputFolder) -> Result<()> {
        match out.refuse_half_forgotten() {
            Err(Error::Invalid(why)) => self.broken.push(why),
            checked => checked?,
        }
        Ok(())
    }

    /// Reads the log of what was forgotten; `None` if it is not as it was written.
    fn read_log(&mut self, out: &OutputFolder) -> Result<Option<Log>> {
        match Log::read(out) {
            Err(error @ Error::Integrity { .. }) => {
                self.broken.push(error.to_string());
                Ok(None)
            }
            log => log.map(Some),
        }
    }

    /// Counts an input. Returns its row.
    fn add(&mut self, name: &str, examined: Examined) -> Option<ManifestRow> {
        self.broken.extend(examined.broken);
        self.troubles.extend(examined.troubles);
        let Some(row) = examined.row else {
            if !examined.is_unreadable {
                self.missing.push(name.to_owned());
            }
            return None;
        };
        if row.is_faulty() {
            self.troubles.push(format!(
                "{}: {}, {} not processed{}{}",
                list_line(name),
                counted(row.read.fault_count, "fault", "faults"),
                counted(row.pages.faulty(), "page", "pages"),
                match row.pages.digest_faults() {
                    0 => String::new(),
                    faults => format!(", {faults} unlike their digests"),
                },
                if row.read.records == 0 {
                    ", no record"
                } else {
                    ""
                }
            ));
        }
        self.lacking.extend(row.lacking());
        self.totals.add(Totals::of(&row));
        Some(row)
    }

    /// All problems, one line each.
    fn lines(&self) -> impl Iterator<Item = String> {
        let missing = self.missing.iter();
        let missing = missing.map(|name| format!("{}: not done", list_line(name)));
        let others = self.broken.iter().chain(&self.troubles).cloned();
        others.chain(missing)
    }

    fn figures(&self, is_known: bool, sealed: bool) -> Figures {
        let Totals { pages, .. } = &self.totals;
        let mut figures = Figures::default();
        figures.count("inputs done", "inputs_done", self.totals.inputs);
        match is_known {
            true => figures.count("inputs not done", "inputs_not_done", self.missing.len()),
            false => {
                let unknown = "not known without --inputs";
                figures.table.row("inputs not done", unknown);
                figures.set("inputs_not_done", None::<u64>);
            }
        }
        figures.count("records", "records", self.totals.records);
        figures.count("pages", "pages", pages.pages);
        figures.count("documents", "documents", pages.documents);
        figures.labelled_by("  labelled by", pages);
        if !pages.removed.is_empty() {
            figures.table.count("removed", pages.removals());
        }
        figures.counts("  failed", "removed", &pages.removed);
        if pages.forgotten > 0 {
            figures.count("forgotten", "forgotten", pages.forgotten);
        }
        figures.edits(pages);
        let skips = pages.skips.values();
        let skips = skips.fold(0, |sum: u64, n| sum.saturating_add(*n));
        figures.table.count("skips", skips);
        figures.set("skips", &pages.skips);
        figures.count("faults", "faults", self.totals.faults);
        let title = "files and counts disagree";
        figures.count(title, "disagreements", self.broken.len());
        figures.sealed(sealed);
        figures
    }

    fn exit(&self, unsealed: Option<&Unsealed>) -> Exit {
        match unsealed {
            _ if !self.broken.is_empty() => Exit::Integrity,
            Some(why) => exit::of_unsealed(why),
            None if !self.missing.is_empty() => Exit::Temporary,
            None if !self.troubles.is_empty() => Exit::Faulty,
            None => Exit::Done,
        }
    }
}

/// What is known about one input.
#[derive(Default)]
struct Examined {
    row: Option<ManifestRow>,
    is_unreadable: bool,
    broken: Vec<String>,
    troubles: Vec<String>,
}

/// Reads the row of an input and finds its problems.
fn examine(
    out: &OutputFolder,
    input: &Input,
    (names_inputs, verify, log): (bool, bool, Option<&Log>),
) -> Result<Examined> {
    let mut examined = Examined::default();
    let row = match out.row(&input.name) {
        Err(error @ Error::Integrity { .. }) => {
            examined.is_unreadable = true;
            examined.broken.push(error.to_string());
            return Ok(examined);
        }
        row => row?,
    };
    let Some(row) = row else {
        return Ok(examined);
    };
    let imbalances = row.imbalances().into_iter();
    let name = list_line(&input.name);
    examined.broken = imbalances.map(|line| format!("{name}: {line}")).collect();
    let what = log.and_then(|log| log.disagreement(&row));
    examined
        .broken
        .extend(what.map(|what| format!("{name}: {what}")));
    if names_inputs && let Some(what) = row.changed_input(input) {
        examined.troubles.push(format!("{name}: {what}"));
    }
    let lost = out.lost_outputs(&row)?;
    let gone = |f: &&OutputFile| {
        let bytes = counted(f.bytes, "byte", "bytes");
        format!("{}: gone, or not of {bytes}", f.path)
    };
    let mut lost: Vec<_> = lost.iter().map(gone).collect();
    if lost.is_empty() {
        let compare = match verify {
            true => Compare::Bytes,
            false => Compare::Size,
        };
        lost = out.lost_page_files(&row, compare)?;
    }
    match verify {
        true if lost.is_empty() => examined.broken.extend(altered_outputs(out, &row)?),
        true => examined.broken.extend(lost),
        false => examined.troubles.extend(lost),
    }
    examined.row = Some(row);
    Ok(examined)
}

/// A line for everything that has changed in an output folder that should be whole. Faults of inputs do not count.
pub fn not_as_written(out: &OutputFolder) -> Result<Vec<String>> {
    let mut found = Found::default();
    let mut lines = Vec::new();
    let inputs: Vec<Input> = out
        .known_inputs()?
        .into_iter()
        .map(|name| out.stand_in(name))
        .collect();
    found.look_for_unfinished(out)?;
    let log = found.read_log(out)?;
    for inputs in inputs.chunks(ROWS_AT_ONCE) {
        let how = (false, true, log.as_ref());
        let examined = out.map_inputs(inputs, |input| examine(out, input, how));
        for (input, examined) in inputs.iter().zip(examined) {
            let mut examined = examined?;
            lines.append(&mut examined.troubles);
            found.add(&input.name, examined);
        }
    }
    // They are about faults of inputs.
    found.troubles.clear();
    lines.extend(found.lines());
    let strays = out.strays(&found.lacking)?.into_iter();
    lines.extend(strays.map(|file| format!("{file}: no row of _manifest lists it")));
    match out.recipe() {
        Ok(Some(_)) => {}
        Ok(None) => lines.push("_recipe.json: gone".to_owned()),
        Err(Error::Invalid(why)) => lines.push(why),
        Err(error) => return Err(error),
    }
    if !out.is_sealed()? {
        lines.push("_SUCCESS: gone".to_owned());
    }
    Ok(lines)
}

/// Outputs that have changed since they were written, one line each.
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
                "{}: its bytes are not those that were written; remove the file and run `clean` again",
                file.path
            ));
        }
    }
    Ok(lines)
}
