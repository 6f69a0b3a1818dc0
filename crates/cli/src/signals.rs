//! `warcsieve signals`: measures the quality signals of texts.

use super::exit::Exit;
use super::figures::Figures;
use super::interrupt::Left;
use super::log::Format;
use super::outputs::out_path;
use super::{page_out, print, shards, threads};
use std::path::PathBuf;
use warcsieve_common::{Error, Result};
use warcsieve_corpus::measure_shards;
use warcsieve_filters::filter::PRESETS;
use warcsieve_filters::signals::{chosen, signals};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Output folders of `clean` whose texts are plain.
    #[arg(value_name = "OUT", required_unless_present_any = ["list", "presets"])]
    shards: Vec<PathBuf>,
    /// Folder for signals/NAME.parquet: `id` and a column for each signal, in the order of
    /// documents.
    #[arg(long, value_name = "DIR", required_unless_present_any = ["list", "presets"], value_parser = out_path)]
    out: Option<PathBuf>,
    /// Signals, by name or by family (see --list); default: all.
    #[arg(long, value_name = "SIGNAL", value_delimiter = ',')]
    only: Vec<String>,
    /// List the signals: name, unit, the bound in its source, and the source.
    #[arg(long, conflicts_with_all = ["shards", "out"])]
    list: bool,
    /// List the presets of [[filter]]: where their rules come from, and the rules.
    #[arg(long, conflicts_with_all = ["shards", "out", "list"])]
    presets: bool,
    /// Threads to use; default: as many as there are cores.
    #[arg(long, value_name = "N", value_parser = crate::threads::parse)]
    threads: Option<u16>,
    /// Print the result as a line of JSON.
    #[arg(long)]
    json: bool,
    /// No progress and no table: warnings and errors only.
    #[arg(long, short)]
    pub quiet: bool,
}

pub fn run(arguments: &Arguments, format: Format) -> Result<Exit> {
    if arguments.presets {
        print::text(&presets())?;
        return Ok(Exit::Done);
    }
    let Some(out) = arguments.out.as_ref().filter(|_| !arguments.list) else {
        print::text(&list(format.of_result(arguments.json)))?;
        return Ok(Exit::Done);
    };
    let numbers = match arguments.only.is_empty() {
        true => (0..signals().count()).collect(),
        false => chosen(arguments.only.iter().map(String::as_str)).map_err(Error::Invalid)?,
    };
    page_out::check("--out", out, page_out::Kind::Folder, &[])?;
    let shards = shards::list(&arguments.shards)?;
    let (threads, quiet) = (threads::count(arguments.threads), arguments.quiet);
    let summary = shards::run(&shards, Left::Done("shards"), quiet, format, |progress| {
        measure_shards(&shards, &numbers, out, threads, progress)
    })?;
    if quiet && !arguments.json {
        return Ok(Exit::Done);
    }
    let mut figures = Figures::default();
    figures.count("shards", "shards", summary.shards);
    figures.count("pages", "pages", summary.pages);
    figures.count("signals", "signals", numbers.len());
    let format = format.of_result(arguments.json);
    Ok(figures.print_result(format, "signals", Exit::Done))
}

fn presets() -> String {
    let mut text = String::new();
    for preset in &PRESETS {
        text += &format!("{}: {}\n", preset.name, preset.what);
        let rules = preset.rules();
        text.extend(rules.iter().map(|rule| format!("  {rule}\n")));
    }
    text
}

fn list(format: Format) -> String {
    if format == Format::Json {
        let lines = signals().map(|(signal, family, source)| {
            print::json_line(serde_json::json!({
                "name": signal.name,
                "what": signal.what,
                "bound": signal.bound,
                "family": family,
                "source": source,
            }))
        });
        return lines.collect();
    }
    let (mut text, mut last) = (String::new(), "");
    for (signal, family, source) in signals() {
        if family != last {
            text += &format!("{family}: {source}\n");
            last = family;
        }
        text += &format!(
            "  {:<40} {}; kept {}\n",
            signal.name, signal.what, signal.bound
        );
    }
    text
}
