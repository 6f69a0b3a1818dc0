//! `warcsieve prove`: finds blocks of an output folder again in the crawl.

use super::exit::Exit;
use super::figures::Figures;
use super::inputs::InputOptions;
use super::interrupt::{self, Left};
use super::log::Format;
use super::missing::refuse_missing;
use super::outputs::out_path;
use super::stores;
use std::path::PathBuf;
use warcsieve_common::Result;
use warcsieve_run::OutputFolder;
use warcsieve_run::prove::{Proved, prove};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// An output folder of `clean` on this machine.
    #[arg(value_name = "OUT", value_parser = out_path)]
    folder: PathBuf,
    /// How many content blocks to look for.
    #[arg(value_name = "N")]
    blocks: u64,
    /// The inputs, as given to `clean`.
    #[arg(long, value_name = "INPUT", num_args = 1.., required_unless_present = "select")]
    inputs: Vec<String>,
    #[command(flatten)]
    options: InputOptions,
    /// Seed of the sample: equal seeds pick the same blocks.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Print the result as a line of JSON.
    #[arg(long)]
    json: bool,
    /// No table: warnings and errors only.
    #[arg(long, short)]
    pub quiet: bool,
}

pub fn run(arguments: &Arguments, format: Format) -> Result<Exit> {
    let stores = stores::of_environment();
    let out = OutputFolder::new(&arguments.folder);
    let (inputs, _) = arguments.options.list(&arguments.inputs, None, &stores)?;
    refuse_missing(&inputs, None)?;
    let progress = interrupt::run(Left::Nothing);
    let sample = (arguments.blocks, arguments.seed);
    let proved = prove(&out, &inputs, sample, &progress)?;
    for line in &proved.differences {
        tracing::error!("{line}");
    }
    let exit = match proved.found == proved.blocks {
        true => Exit::Done,
        false => Exit::Integrity,
    };
    if arguments.quiet && !arguments.json {
        return Ok(exit);
    }
    let format = format.of_result(arguments.json);
    Ok(figures(&proved).print_result(format, "prove", exit))
}

fn figures(proved: &Proved) -> Figures {
    let mut figures = Figures::default();
    figures.count("blocks", "blocks", proved.blocks);
    figures.count("found in the crawl", "found", proved.found);
    figures.count("  byte for byte in the page", "verbatim", proved.verbatim);
    figures.some("  with masks, by their place", "masked", proved.masked);
    figures.count("not found", "not_found", proved.blocks - proved.found);
    figures.set("differences", &proved.differences);
    figures
}
