//! `warcsieve report`: what a run did, as a page to look at.

use super::exit::Exit;
use super::{print, threads};
use std::path::{Path, PathBuf};
use warcsieve_base::{Error, Result};
use warcsieve_look::report::{Level, Run, read_run, report_html};
use warcsieve_store::{is_address, write_atomically};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The output folder of `clean`, on this machine.
    #[arg(value_name = "OUT")]
    folder: String,
    /// Put another run beside it.
    #[arg(long, value_name = "OUT")]
    compare: Option<String>,
    /// The page to write.
    #[arg(long, value_name = "FILE", value_parser = super::out_path)]
    out: PathBuf,
    /// Threads to use; default: as many as there are cores.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

pub fn run(arguments: &Arguments) -> Result<Exit> {
    super::check_output(&arguments.out, &[], &[])?;
    let pool = threads::pool(arguments.threads)?;
    let read = |folder: &str| -> Result<Run> {
        if is_address(folder) {
            let why = "a report reads folders on this machine only; copy it here";
            return Err(Error::Usage(format!("{folder}: {why}")));
        }
        pool.install(|| read_run(Path::new(folder)))
    };
    let run = read(&arguments.folder)?;
    let other = arguments.compare.as_deref().map(read).transpose()?;
    let page = report_html(&run, other.as_ref());
    write_atomically(&arguments.out, page.as_bytes())?;
    let mut text = String::new();
    for finding in &run.findings {
        let level = match finding.level {
            Level::Lost => "lost",
            Level::Look => "look",
            Level::Know => "know",
        };
        text += &format!("{level}  {}\n", finding.what);
        if !finding.detail.is_empty() {
            text += &format!("      {}\n", finding.detail);
        }
    }
    text += &format!("the report is {}\n", arguments.out.display());
    print::text(&text)?;
    let has_losses = run.findings.iter().any(|f| f.level == Level::Lost);
    Ok(if has_losses { Exit::Faulty } else { Exit::Done })
}
