//! `warcsieve clean`: cleans crawls.

use super::cleaned::{Given, last_line, report};
use super::exit::Exit;
use super::inputs::{InputOptions, parse_shard};
use super::interrupt::{self, Left};
use super::log::Format;
use super::missing::refuse_missing_of_run;
use super::outputs::folder_to_write;
use super::page_file_options::PageFileOptions;
use super::pipelines::{PipelineName, pipeline};
use super::progress::Watch;
use super::set::Set;
use super::{build, first_pass, print, size, stores, threads};
use clap::ValueEnum;
use std::time::Instant;
use warcsieve_common::Result;
use warcsieve_engine::shard;
use warcsieve_render::TextFormat;
use warcsieve_run::{RunOptions, clean};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// WARC or ARC files, pages (HTML), folders, quoted patterns, @LIST files, addresses, or - (stdin).
    #[arg(required_unless_present = "select", value_name = "INPUT")]
    inputs: Vec<String>,
    /// Folder for the output, a path or an address.
    #[arg(long, value_name = "DIR")]
    out: String,
    /// Also write one file per page in these forms, such as DIR/md/…; a single form is also that of
    /// `documents.text`.
    #[arg(long, value_enum, value_name = "FORM", value_delimiter = ',')]
    to: Vec<Form>,
    #[command(flatten)]
    files: PageFileOptions,
    #[command(flatten)]
    set: Set,
    /// Pipeline file, or the name of one that ships (see `methods`).
    #[arg(long, value_name = "FILE", default_value = "default", hide_possible_values = true, value_parser = PipelineName)]
    pipeline: String,
    /// Threads; default: as many as there are cores.
    #[arg(long, value_name = "N", value_parser = crate::threads::parse)]
    threads: Option<u16>,
    /// Clean only the I-th of N shares of the inputs, I from 1.
    #[arg(long, value_name = "I/N", value_parser = parse_shard, default_value = "1/1")]
    shard: (usize, usize),
    #[command(flatten)]
    options: InputOptions,
    /// Name of standard input, such as crawl/00.warc.gz.
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Leave _SUCCESS to a later run or `status --seal`.
    #[arg(long)]
    no_seal: bool,
    /// Clean again what another pipeline, version or selection cleaned.
    #[arg(long)]
    redo: bool,
    /// Write _SUCCESS even if no input holds a record.
    #[arg(long, conflicts_with = "no_seal")]
    allow_empty: bool,
    /// After a kill, continue inside gzip inputs of this size or more.
    #[arg(long, value_name = "MIN", default_value = "1G", value_parser = parse_checkpoints)]
    checkpoints_from: u64,
    /// Print the result as a line of JSON.
    #[arg(long)]
    json: bool,
    /// Warnings and errors only.
    #[arg(long, short)]
    pub quiet: bool,
}

/// The form of page files.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Form {
    /// Plain text.
    Txt,
    /// Markdown.
    Md,
    /// Cleaned HTML.
    Html,
}

impl Form {
    fn output(self) -> TextFormat {
        match self {
            Self::Txt => TextFormat::Text,
            Self::Md => TextFormat::Markdown,
            Self::Html => TextFormat::Html,
        }
    }
}

fn parse_checkpoints(text: &str) -> Result<u64, String> {
    size::parse(text, 0).map(|bytes| bytes as u64)
}

pub fn run(arguments: &Arguments, format: Format) -> Result<Exit> {
    let mut pipeline = pipeline(&arguments.pipeline)?;
    let forms: Vec<_> = arguments.to.iter().map(|form| form.output()).collect();
    pipeline.settings.write_forms(&forms);
    let page_files = arguments.files.layouts(&forms)?;
    arguments.set.apply(&mut pipeline, !forms.is_empty())?;
    let stores = stores::of_environment();
    let name = arguments.name.as_deref();
    let (inputs, selection) = arguments.options.list(&arguments.inputs, name, &stores)?;
    let options = RunOptions {
        threads: threads::count(arguments.threads),
        shard: arguments.shard,
        seal: !arguments.no_seal,
        selection,
        redo: arguments.redo,
        allow_empty: arguments.allow_empty,
        checkpoint_bytes: arguments.checkpoints_from,
        page_files,
    };
    let ours = shard(&inputs, options.shard.0, options.shard.1);
    let out = folder_to_write(&arguments.out, &stores)?;
    refuse_missing_of_run(&inputs, &out, &options)?;
    let shown = (arguments.quiet, format);
    first_pass::give(&mut pipeline, &inputs, &out, &options, shown)?;
    let begin = Instant::now();
    let progress = interrupt::run(Left::Done("inputs"));
    let watch = (!arguments.quiet).then(|| Watch::inputs(&progress, &ours, format));
    let result = clean(&inputs, &pipeline, &out, &options, &progress);
    drop(watch);
    let summary = result?;
    let given = Given {
        is_whole: arguments.shard == (1, 1),
        typed: arguments.options.typed(&arguments.inputs),
        rules: pipeline.filters.rules().map(str::to_owned).collect(),
    };
    let format = format.of_result(arguments.json);
    let quiet = arguments.quiet && !arguments.json;
    let exit = report(&summary, &out, &given, quiet, format)?;
    if !arguments.quiet && exit != Exit::Unusable {
        build::warn_if_slow();
    }
    if quiet || format == Format::Json {
        return Ok(exit);
    }
    let line = last_line(&summary, exit, &out, begin.elapsed());
    Ok(print::table(&line, exit))
}
