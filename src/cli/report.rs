//! `warcsieve report`: what a run did, as a page to look at.

use super::exit::Exit;
use super::{print, threads};
use std::path::{Path, PathBuf};
use warcsieve_base::{Error, Result};
use warcsieve_look::report::{Finding, Level, Run, read_run, report_html};
use warcsieve_store::{is_address, write_atomically};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The output folder of `clean`; a folder of this machine, not an address of a store.
    #[arg(value_name = "OUT")]
    folder: String,
    /// Put another run beside it: its output folder, on this machine, too.
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
    for folder in std::iter::once(&arguments.folder).chain(&arguments.compare) {
        refuse_own(&arguments.out, Path::new(folder))?;
    }
    let pool = threads::pool(arguments.threads)?;
    let read = |folder: &str| -> Result<Run> {
        if is_address(folder) {
            let why = "a report reads folders of this machine only: copy _manifest, _inputs, documents and blocks here \
                       with the store's own tool, and name that folder";
            return Err(Error::Usage(format!("{folder}: {why}")));
        }
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
    let mut findings = std::iter::once(&run)
        .chain(&other)
        .flat_map(|run| &run.findings);
    let has_losses = findings.any(|f| f.level == Level::Lost);
    Ok(if has_losses { Exit::Faulty } else { Exit::Done })
}

/// A finding on the terminal; `run` is before it if there are two.
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

/// What is in an output folder of the run's own.
const OWN: [&str; 6] = [
    "_manifest",
    "_inputs",
    "_recipe.json",
    "_SUCCESS",
    "documents",
    "blocks",
];

/// Refuses a report in the place of a run's own files.
fn refuse_own(out: &Path, folder: &Path) -> Result<()> {
    let Ok(folder) = folder.canonicalize() else {
        return Ok(());
    };
    // The file need not exist; the nearest folder above it that does is where links are followed.
    let real = out.ancestors().find_map(|above| {
        let above_here = match above.as_os_str().is_empty() {
            true => Path::new("."),
            false => above,
        };
        let rest = out.strip_prefix(above).ok()?;
        Some(above_here.canonicalize().ok()?.join(rest))
    });
    let inside = real.as_ref().and_then(|out| out.strip_prefix(&folder).ok());
    let first = inside.and_then(|inside| inside.components().next());
    match first {
        Some(first) if OWN.iter().any(|own| first.as_os_str() == *own) => {
            let why = "it is one of the run's own files; name another place";
            Err(Error::Usage(format!("--out {}: {why}", out.display())))
        }
        _ => Ok(()),
    }
}
