//! `warcsieve relabel`: writes the outputs of another pipeline, without the crawl.

use super::exit::{self, Exit};
use super::figures::Figures;
use super::interrupt::{self, Left};
use super::log::Format;
use super::outputs::{folder_to_write, output_folder};
use super::pipelines::{PipelineName, pipeline};
use super::set::Set;
use super::{stores, threads};
use warcsieve_common::Result;
use warcsieve_run::{NotSealed, RelabelOptions, Relabelled, Unsealed, relabel};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// An output folder of `clean` on this machine, with the tables documents/ and blocks/.
    from: String,
    /// Pipeline file, or the name of one that ships (see `methods`).
    #[arg(long, value_name = "FILE", hide_possible_values = true, value_parser = PipelineName)]
    pipeline: String,
    #[command(flatten)]
    set: Set,
    /// Folder for the output, a path or an address; outside of the folder that is read.
    #[arg(long, value_name = "DIR")]
    out: String,
    /// Threads to use, each for one input; default: as many as there are cores.
    #[arg(long, value_name = "N", value_parser = crate::threads::parse)]
    threads: Option<u16>,
    /// Label inputs again that were written with another pipeline or from other outputs.
    #[arg(long)]
    redo: bool,
    /// No table: warnings and errors only.
    #[arg(long, short)]
    pub quiet: bool,
}

pub fn run(arguments: &Arguments, format: Format) -> Result<Exit> {
    let mut pipeline = pipeline(&arguments.pipeline)?;
    arguments.set.apply(&mut pipeline, false)?;
    let stores = stores::of_environment();
    let from = output_folder(&arguments.from, &stores)?;
    let out = folder_to_write(&arguments.out, &stores)?;
    let options = RelabelOptions {
        threads: threads::count(arguments.threads),
        redo: arguments.redo,
    };
    let progress = interrupt::run(Left::Done("inputs"));
    let result = relabel(&from, &pipeline, &out, &options, &progress)?;
    match &result.unsealed {
        Some(why @ NotSealed::Refused(Unsealed::Refused(_))) => {
            tracing::error!("not sealed: {why}");
        }
        Some(why) => tracing::warn!("not sealed: {why}"),
        None => {}
    }
    if result.faulty {
        let out = from.path().display();
        tracing::warn!(
            "inputs have faults, as `clean` said of them: `warcsieve status {out}` lists them"
        );
    }
    let exit = code(&result);
    if arguments.quiet {
        return Ok(exit);
    }
    Ok(figures(&result).print(format, "", exit))
}

fn code(result: &Relabelled) -> Exit {
    let mut failed = result.failed.iter().map(|f| exit::of(&f.error));
    if failed.any(|code| code == Exit::Temporary) {
        return Exit::Temporary;
    }
    if !result.failed.is_empty() {
        return Exit::Integrity;
    }
    match &result.unsealed {
        // Inputs of another source were refused before, so another process is writing to this
        // folder now.
        Some(NotSealed::Refused(Unsealed::Others(_))) => Exit::Temporary,
        Some(NotSealed::Refused(why)) => exit::of_unsealed(why),
        // Some inputs may not be done.
        Some(_) => Exit::Temporary,
        None if result.faulty => Exit::Faulty,
        None => Exit::Done,
    }
}

fn figures(r: &Relabelled) -> Figures {
    let mut figures = Figures::default();
    figures.count("inputs labelled again", "inputs_relabelled", r.done);
    figures.some("inputs done before", "inputs_done_before", r.kept);
    figures.failed(&r.failed);
    figures.count("documents", "documents", r.documents);
    let title = "  of them without content";
    figures.count(title, "documents_without_content", r.empty_documents);
    figures.text(r.raw_text_bytes, r.text_bytes);
    figures.bytes("bytes written", "bytes_written", r.bytes_written);
    figures.sealed(r.sealed);
    figures.set("not_sealed", r.unsealed.as_ref().map(ToString::to_string));
    figures
}
