//! `warcsieve eval`: measures methods against gold texts.

use super::exit::Exit;
use super::gold::{GoldReading, of_other_pages};
use super::inputs::pages;
use super::interrupt::{self, Left};
use super::log::Format;
use super::outputs::out_path;
use super::pipelines::{PipelineName, pipelines, warn_of_lacking_tables};
use super::progress::Watch;
use super::{page_out, print, threads};
use std::path::{Path, PathBuf};
use warcsieve_common::files::make_folder;
use warcsieve_common::{Error, Result, counted};
use warcsieve_engine::Input;
use warcsieve_eval::choice::{GOCE_ALGORITHMS, add_oracle_genre};
use warcsieve_eval::pages::Gold;
use warcsieve_eval::report::{self, Options, left_out};
use warcsieve_eval::run::{Evaluation, evaluate_watched};
use warcsieve_eval::summary::{Summary, summarize};
use warcsieve_extract::Pipeline;
use warcsieve_look::evaluation::{Views, evaluation_html, link, listed};
use warcsieve_look::view::{IndexOrder, Viewer, Wanted, Which, write_folder};
use warcsieve_store::write_atomically;
use warcsieve_warc::ledger::{Fault, FaultKind};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// WARC or ARC files, folders, quoted patterns, @LIST files.
    #[arg(required = true, value_name = "PAGES")]
    inputs: Vec<String>,
    /// JSON Lines of gold texts (may be .gz), or `annotations`: classes written into the pages.
    /// With several files, each is also a set with its own figures.
    #[arg(long, value_name = "FILE", required = true)]
    gold: Vec<PathBuf>,
    #[command(flatten)]
    reading: GoldReading,
    /// Pipeline file, or the name of one that ships; may be given several times.
    #[arg(long = "pipeline", value_name = "FILE", default_value = "default", hide_possible_values = true, value_parser = PipelineName)]
    pipelines: Vec<String>,
    /// Also measure what `goce` would reach if it knew each page's genre from the gold's
    /// `page_type`; brings in goce-article and goce-list.
    #[arg(long)]
    oracle_genre: bool,
    /// Folder for report.md, summary.csv and pages.parquet.
    #[arg(long, value_name = "DIR", value_parser = out_path)]
    out: Option<PathBuf>,
    /// HTML page to write: figures, plots, and the worst pages, with views of them in a folder next
    /// to it.
    #[arg(long, value_name = "FILE", value_parser = out_path)]
    html: Option<PathBuf>,
    /// Print JSON instead of tables.
    #[arg(long)]
    json: bool,
    /// List the N worst pages of each pipeline, with the command that shows each; default: 10 in
    /// the report, none on the terminal.
    #[arg(long, value_name = "N")]
    worst: Option<usize>,
    /// Threads to use; default: as many as there are cores.
    #[arg(long, value_name = "N", value_parser = crate::threads::parse)]
    threads: Option<u16>,
}

fn has_page_types(gold: &Gold) -> bool {
    match gold {
        Gold::Texts(set) => set.pages.iter().any(|p| !p.page_type.is_empty()),
        Gold::Annotations => false,
    }
}

pub fn run(arguments: &Arguments, format: Format) -> Result<Exit> {
    let mut names = arguments.pipelines.clone();
    if arguments.oracle_genre {
        let others = GOCE_ALGORITHMS.iter().map(|name| (*name).to_owned());
        names.extend(others.filter(|name| !arguments.pipelines.contains(name)));
    }
    let pipelines = pipelines(&names)?;
    warn_of_lacking_tables(&pipelines);
    let gold = arguments.reading.read(&arguments.gold)?;
    let files = arguments.gold.iter().map(|file| file.display().to_string());
    let gold_name = files.collect::<Vec<_>>().join(", ");
    if arguments.oracle_genre && !has_page_types(&gold) {
        let why = "--oracle-genre needs gold that has the page_type";
        return Err(Error::Invalid(why.to_owned()));
    }
    let inputs = pages(&arguments.inputs)?;
    let read = page_out::read(&inputs, &arguments.gold, &arguments.pipelines);
    if let Some(html) = &arguments.html {
        page_out::check("--html", html, page_out::Kind::File, &read)?;
        let views = views_beside(html);
        if views == *html {
            let why =
                "the folder of its views would have that name; name a file, such as eval.html";
            return Err(Error::Invalid(format!("--html {}: {why}", html.display())));
        }
        page_out::check("--html, the views:", &views, page_out::Kind::Folder, &read)?;
    }
    if let Some(out) = &arguments.out {
        page_out::check("--out", out, page_out::Kind::Folder, &read)?;
        make_folder(out)?;
    }
    let progress = interrupt::run(Left::Nothing);
    let watch = Watch::inputs(&progress, &inputs, format);
    let evaluated = threads::pool(arguments.threads)?
        .install(|| evaluate_watched(&inputs, &gold, &pipelines, &progress));
    drop(watch);
    let mut evaluation = evaluated?;
    if arguments.oracle_genre {
        add_oracle_genre(&mut evaluation);
    }
    // If inputs have faults, these may be the reason, and they are reported.
    let is_sound = evaluation.faults.is_empty();
    if matches!(gold, Gold::Texts(_)) && is_sound && !found_page(&evaluation) {
        return Err(of_other_pages());
    }
    let exit = complain(&evaluation);
    if evaluation.pages.is_empty() {
        let hint = "no page of the inputs has gold; `warcsieve check` says what records they hold";
        return Err(Error::Invalid(hint.to_owned()));
    }
    let summaries = summarize(&evaluation);
    let options = |worst: usize| Options {
        gold: gold_name.clone(),
        worst: arguments.worst.unwrap_or(worst),
    };
    if let Some(out) = &arguments.out {
        report::write(out, &evaluation, &summaries, &options(10))?;
    }
    if let Some(html) = &arguments.html {
        write_html(
            html,
            &inputs,
            &gold,
            &pipelines,
            &evaluation,
            &summaries,
            &options(10),
        )?;
        tracing::info!("the page is {}", html.display());
    }
    let options = options(0);
    let text = if arguments.json {
        print::json_line(report::json(&evaluation, &summaries, &options))
    } else {
        let tables = report::table(&evaluation, &summaries);
        tables + &report::worst_pages(&evaluation, options.worst)
    };
    print::text(&text)?;
    Ok(exit)
}

/// The folder for views of the worst pages.
fn views_beside(html: &Path) -> PathBuf {
    html.with_extension("pages")
}

/// Writes the page of an evaluation, and views of its worst pages into a folder with the same name.
fn write_html(
    html: &Path,
    inputs: &[Input],
    gold: &Gold,
    pipelines: &[Pipeline],
    evaluation: &Evaluation,
    summaries: &[Summary],
    options: &Options,
) -> Result<()> {
    let folder = views_beside(html);
    let mut views = Views::new();
    if let Gold::Texts(set) = gold {
        let listed = listed(evaluation, options.worst);
        for (p, pipeline) in pipelines.iter().enumerate() {
            let ids = listed.iter().filter(|(of, _)| *of == p);
            let ids: Vec<String> = ids.map(|(_, id)| id.clone()).collect();
            let urls = Vec::new();
            let pipeline = std::slice::from_ref(pipeline);
            let wanted = Which::Named(Wanted { ids, urls });
            let found = Viewer::new(pipeline, Some(set)).find(inputs, &wanted)?;
            let own = format!("{}", p + 1);
            let written = write_folder(
                &folder.join(&own),
                &options.gold,
                &pipeline[0].name,
                IndexOrder::Loss,
                &found.pages,
            )?;
            let base = link(folder.file_name().unwrap_or_default());
            for page in written {
                if let Some(file) = page.file {
                    views.insert((p, page.id), format!("{base}/{own}/{file}"));
                }
            }
        }
    }
    let page = evaluation_html(evaluation, summaries, options, &views);
    write_atomically(html, page.as_bytes())
}

/// Whether any page of the gold was found.
fn found_page(evaluation: &Evaluation) -> bool {
    evaluation.pages.iter().any(|page| page.place.is_some())
}

/// Maximum number of faults of a kind that are listed. The rest is counted.
const SHOWN: usize = 5;

/// Warns about gold that is not in the figures.
fn complain(evaluation: &Evaluation) -> Exit {
    let kinds = left_out(evaluation);
    for (what, lines) in &kinds {
        tracing::warn!("{what}: {}", lines.len());
        for line in lines.iter().take(SHOWN) {
            tracing::warn!("{line}");
        }
        if lines.len() > SHOWN {
            tracing::warn!("… and {} more", lines.len() - SHOWN);
        }
    }
    if evaluation.without_gold > 0 {
        tracing::info!(
            "{} no gold, so what is in them is not measured",
            counted(evaluation.without_gold, "record has", "records have")
        );
    }
    let not_warc = |f: &(String, Fault)| f.1.kind == FaultKind::NotWarc;
    match () {
        () if !found_page(evaluation) && evaluation.faults.iter().any(not_warc) => Exit::Unusable,
        () if kinds.is_empty() => Exit::Done,
        () => Exit::Faulty,
    }
}
