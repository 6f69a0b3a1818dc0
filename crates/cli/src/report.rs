//! `warcsieve report`: writes a page about what a run did.

use super::exit::Exit;
use super::outputs::out_path;
use super::{open, page_out, print, threads};
use std::path::{Path, PathBuf};
use warcsieve_common::Result;
use warcsieve_look::document::refuse_foreign;
use warcsieve_look::report::{Finding, Level, Run, read_run, report_html};
use warcsieve_store::{refuse_address, write_atomically};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The output folder of `clean`; a local folder, not an address of a store.
    #[arg(value_name = "OUT")]
    folder: String,
    /// Compare with another run: its output folder, also a local one.
    #[arg(long, value_name = "OUT")]
    compare: Option<String>,
    /// The page to write.
    #[arg(long, value_name = "FILE", value_parser = out_path, default_value = "report.html")]
    out: PathBuf,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
    /// Threads to use; default: as many as there are cores.
    #[arg(long, value_name = "N", value_parser = crate::threads::parse)]
    threads: Option<u16>,
}

pub fn run(arguments: &Arguments) -> Result<Exit> {
    page_out::check("--out", &arguments.out, page_out::Kind::File, &[])?;
    refuse_foreign(&arguments.out, "report")?;
    let pool = threads::pool(arguments.threads)?;
    let read = |folder: &str| -> Result<Run> {
        refuse_address(Path::new(folder))?;
        pool.install(|| read_run(Path::new(folder)))
    };
    let run = read(&arguments.folder)?;
    let other = arguments.compare.as_deref().map(read).transpose()?;
    let page = report_html(&run, other.as_ref());
    write_atomically(&arguments.out, page.as_bytes())?;
    let mut text = String::new();
    match &other {
        None => run.findings.iter().for_each(|f| text += &lines(f, "")),
        Some(other) => {
            run.findings.iter().for_each(|f| text += &lines(f, "A  "));
            other.findings.iter().for_each(|f| text += &lines(f, "B  "));
        }
    }
    text += &format!("the report is {}\n", arguments.out.display());
    print::text(&text)?;
    if arguments.open {
        open::in_browser(&arguments.out);
    }
    let mut findings = std::iter::once(&run)
        .chain(&other)
        .flat_map(|run| &run.findings);
    let has_losses = findings.any(|f| f.level == Level::Lost);
    Ok(if has_losses { Exit::Faulty } else { Exit::Done })
}

/// A finding for the terminal. If there are two runs, `run` is printed before it.
fn lines(finding: &Finding, run: &str) -> String {
    let level = match finding.level {
        Level::Lost => "lost",
        Level::Look => "look",
        Level::Know => "know",
    };
    let detail = match finding.detail.as_str() {
        "" => String::new(),
        detail => format!("{:1$}      {detail}\n", "", run.len()),
    };
    format!("{run}{level}  {}\n{detail}", finding.what)
}
