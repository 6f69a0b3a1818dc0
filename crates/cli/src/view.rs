//! `warcsieve view`: writes HTML pages that show a page's blocks and labels.

use super::exit::Exit;
use super::gold::{GoldReading, of_other_pages};
use super::inputs::pages;
use super::missing::refuse_all_missing;
use super::outputs::out_path;
use super::pipelines::{pipelines, warn_of_lacking_tables};
use super::{found, open, page_out, print, threads};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use warcsieve_common::{Error, Result, counted};
use warcsieve_engine::Input;
use warcsieve_eval::gold::GoldSet;
use warcsieve_eval::pages::Gold;
use warcsieve_extract::Pipeline;
use warcsieve_look::document::refuse_foreign;
use warcsieve_look::view::{
    Found, FoundPages, IndexOrder, Viewer, Wanted, Which, worst_pages, write_folder, write_page,
};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// WARC or ARC files, pages, folders, quoted patterns, @LIST files.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<String>,
    /// Show the page with this id; may be given several times, and together with --url.
    #[arg(long, conflicts_with = "which")]
    id: Vec<String>,
    /// Show the page with this URL; may be given several times.
    #[arg(long, conflicts_with = "which")]
    url: Vec<String>,
    /// Show the first page at or after this byte offset of the file.
    #[arg(long, value_name = "BYTE", group = "which")]
    offset: Option<u64>,
    /// Show the N pages with the lowest word F1; needs --gold.
    #[arg(long, value_name = "N", group = "which", requires = "gold")]
    worst: Option<NonZeroUsize>,
    /// Show N pages drawn at random, the same ones each time.
    #[arg(long, value_name = "N", group = "which")]
    sample: Option<NonZeroUsize>,
    /// Show the first N pages; default: 100.
    #[arg(long, value_name = "N", group = "which")]
    first: Option<NonZeroUsize>,
    /// Pipeline file, or the name of one that ships; with several, the first is shown, and the
    /// others are compared with it.
    #[arg(long = "pipeline", value_name = "FILE", default_value = "default")]
    pipelines: Vec<String>,
    /// JSON Lines of gold texts (may be .gz) to compare with; may be given several times.
    /// Annotations in pages have no text.
    #[arg(long, value_name = "FILE")]
    gold: Vec<PathBuf>,
    #[command(flatten)]
    reading: GoldReading,
    /// The page to write: NAME.html for one page, else a folder with an index; default: view.html
    /// for one page, else the folder view.
    #[arg(long, value_name = "FILE|DIR", value_parser = out_path)]
    out: Option<PathBuf>,
    /// Open the page in the browser.
    #[arg(long)]
    open: bool,
    /// Threads to look for the worst pages; default: as many as there are cores.
    #[arg(long, value_name = "N", value_parser = crate::threads::parse)]
    threads: Option<u16>,
}

/// Number of pages that are shown by default.
const FIRST: usize = 100;

pub fn run(arguments: &Arguments) -> Result<Exit> {
    let pipelines = pipelines(&arguments.pipelines)?;
    warn_of_lacking_tables(&pipelines);
    let inputs = pages(&arguments.inputs)?;
    refuse_all_missing(&inputs, true)?;
    let read = page_out::read(&inputs, &arguments.gold, &arguments.pipelines);
    if let Some(out) = &arguments.out {
        check(out, &read)?;
    }
    let gold = match arguments.gold.as_slice() {
        [] => None,
        files => match arguments.reading.read(files)? {
            Gold::Texts(set) => Some(set),
            Gold::Annotations => {
                let why = "--gold annotations: pages that carry their gold as classes have no text to compare \
                           with; `eval --gold annotations --worst N` lists the worst, and `view` without --gold \
                           shows pages";
                return Err(Error::Invalid(why.to_owned()));
            }
        },
    };
    let (found, order) = find(arguments, &inputs, &pipelines, gold.as_ref())?;
    let (shown, troubles) = found::count(&found)?;
    let found = found.pages;
    let out = match &arguments.out {
        Some(out) => out,
        None => {
            let out = Path::new(if found.len() == 1 { PAGE } else { PAGES });
            check(out, &read)?;
            out
        }
    };
    if is_file(out) {
        write_file(out, &found)?;
    } else {
        let title = arguments.inputs.join(" ");
        write_folder(out, &title, &pipelines[0].name, order, &found)?;
    }
    for line in &troubles {
        tracing::warn!("{line}");
    }
    let place = match is_file(out) {
        true => out.to_owned(),
        false => out.join("index.html"),
    };
    let is_chosen = arguments.first.is_some() || arguments.sample.is_some();
    let is_chosen = is_chosen || arguments.offset.is_some() || arguments.worst.is_some();
    let is_default = !is_chosen && arguments.id.is_empty() && arguments.url.is_empty();
    let others = match is_default && shown == FIRST {
        true => "; --first N, --sample N or --id show others",
        false => "",
    };
    print::text(&format!(
        "{} in {}{others}\n",
        counted(shown, "page", "pages"),
        place.display()
    ))?;
    if arguments.open {
        open::in_browser(&place);
    }
    Ok(match troubles.is_empty() {
        true => Exit::Done,
        false => Exit::Faulty,
    })
}

/// The file that shows one page, and the folder that shows several, if none is named.
const PAGE: &str = "view.html";
const PAGES: &str = "view";

/// Refuses a place where views cannot be.
fn check(out: &Path, read: &[&Path]) -> Result<()> {
    let kind = match is_file(out) {
        true => page_out::Kind::File,
        false => page_out::Kind::Folder,
    };
    page_out::check("--out", out, kind, read)?;
    match kind {
        page_out::Kind::File => refuse_foreign(out, "view"),
        page_out::Kind::Folder => Ok(()),
    }
}

/// Whether the output is a single file.
fn is_file(out: &Path) -> bool {
    let ending = out.extension().and_then(|e| e.to_str());
    ending.is_some_and(|e| e.eq_ignore_ascii_case("html") || e.eq_ignore_ascii_case("htm"))
}

fn write_file(out: &Path, found: &[Found]) -> Result<()> {
    match found {
        [Found::Page(page)] => write_page(out, page),
        found => Err(Error::Invalid(format!(
            "--out {}: one file shows one page, and these are {}; name a folder, or a page by --id",
            out.display(),
            found.len()
        ))),
    }
}

fn find(
    arguments: &Arguments,
    inputs: &[Input],
    pipelines: &[Pipeline],
    gold: Option<&GoldSet>,
) -> Result<(FoundPages, IndexOrder)> {
    let named = |ids: Vec<String>, urls| Which::Named(Wanted { ids, urls });
    let mut viewer = Viewer::new(pipelines, gold);
    if let (Some(n), Some(set)) = (arguments.worst, gold) {
        let gold = Gold::Texts(set.clone());
        let worst = threads::pool(arguments.threads)?
            .install(|| worst_pages(inputs, &gold, &pipelines[0], n.get()))?;
        if worst.pages.is_empty() {
            return Err(of_other_pages());
        }
        let ids: Vec<String> = worst.pages.into_iter().map(|page| page.id).collect();
        let mut found = viewer.find(inputs, &named(ids.clone(), Vec::new()))?;
        if let Some(first) = worst.missing.first() {
            let n = worst.missing.len();
            found.troubles.push(format!(
                "{} not in the inputs, such as {first}",
                counted(n, "page of the gold is", "pages of the gold are")
            ));
        }
        let rank = |id: &str| ids.iter().position(|known| known == id);
        found.pages.sort_by_key(|found| match found {
            Found::Page(page) => rank(&page.facts.id),
            Found::Skipped { id, .. } => rank(id),
        });
        return Ok((found, IndexOrder::Loss));
    }
    let which = match (arguments.offset, arguments.sample, arguments.first) {
        _ if !arguments.id.is_empty() || !arguments.url.is_empty() => {
            named(arguments.id.clone(), arguments.url.clone())
        }
        (Some(offset), ..) => Which::From(offset),
        (_, Some(n), _) => Which::Sample(n.get()),
        (.., n) if arguments.out.as_deref().is_some_and(is_file) => {
            Which::First(n.map_or(1, NonZeroUsize::get))
        }
        (.., n) => Which::First(n.map_or(FIRST, NonZeroUsize::get)),
    };
    Ok((viewer.find(inputs, &which)?, IndexOrder::Found))
}
