//! `warcsieve plan`: estimates the cost of cleaning from a sample.

use super::exit::{self, Exit};
use super::inputs::NamingOptions;
use super::interrupt::{self, Left};
use super::log::Format;
use super::missing::refuse_all_missing;
use super::pipelines::{PipelineName, pipeline};
use super::progress::Watch;
use super::table::{self, Columns, Table};
use super::{print, size, stores, threads};
use warcsieve_common::{Error, Result, counted};
use warcsieve_engine::{is_named_page, is_named_texts};
use warcsieve_plan::{Estimate, Forecast, ForecastOptions, SampleSize, forecast, process_cpu};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// WARC or ARC files, folders, quoted patterns or @LIST files.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<String>,
    #[command(flatten)]
    naming: NamingOptions,
    /// How much to measure: a share of all bytes, such as 1%, or a size, such as 500M. At least 30
    /// pieces of 256K are measured.
    #[arg(long, value_name = "SHARE", default_value = "1%", value_parser = size::sample)]
    sample: SampleSize,
    /// Pipeline file, or the name of one that ships (see `methods`).
    #[arg(long, value_name = "FILE", default_value = "default", hide_possible_values = true, value_parser = PipelineName)]
    pipeline: String,
    /// Threads of the run; default: as many as there are cores. The same number measures the
    /// sample, but no more than there are cores.
    #[arg(long, value_name = "N", value_parser = crate::threads::parse)]
    threads: Option<u16>,
    /// Seed of the sample: equal seeds measure the same pieces.
    #[arg(long, value_name = "N", default_value = "0")]
    seed: u64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// No progress: warnings, errors and the forecast only.
    #[arg(long, short)]
    pub quiet: bool,
}

pub fn run(arguments: &Arguments, format: Format) -> Result<Exit> {
    let pipeline = pipeline(&arguments.pipeline)?;
    pipeline.check_forms()?;
    let start_up = process_cpu();
    let stdin = arguments.inputs.iter().any(|i| i == "-");
    let stores = stores::of_environment();
    let name = stdin.then_some("standard-input");
    let inputs = arguments.naming.list(&arguments.inputs, name, &stores)?;
    refuse_all_missing(&inputs, false)?;
    for input in &inputs {
        let what = match &input.name {
            name if is_named_page(name) => {
                "it is a page; costs are measured on crawls (`clean` takes pages, a few milliseconds each)"
            }
            name if is_named_texts(name) => "it is a file of texts; costs are measured on crawls",
            _ => continue,
        };
        return Err(Error::Invalid(format!("{}: {what}", input.origin())));
    }
    if pipeline.lacks_table().is_some() {
        tracing::warn!(
            "the first pass, which counts texts, is not in the forecast: it reads the crawl once more"
        );
    }
    let threads = threads::count(arguments.threads);
    let options = ForecastOptions {
        sample: arguments.sample,
        seed: arguments.seed,
        measuring: threads.min(threads::count(None)),
        threads,
        start_up,
    };
    let scratch = tempfile::tempdir().map_err(|e| Error::io(std::env::temp_dir(), e))?;
    let progress = interrupt::run(Left::Nothing);
    let watch = (!arguments.quiet).then(|| Watch::sample(&progress, &inputs, format));
    let result = forecast(&inputs, &pipeline, &options, scratch.path(), &progress);
    drop(watch);
    let forecast = result?;
    for failed in &forecast.failed {
        tracing::error!("{}: {}", failed.name, failed.error);
    }
    if forecast.sample.faults > 0 {
        tracing::warn!(
            "{} in the sample; `warcsieve check --long` lists those of a file",
            counted(forecast.sample.faults, "fault", "faults")
        );
    }
    if forecast.sample.units == 0 {
        // Nothing could be measured, so there is no forecast.
        return Ok(exit::of_inputs(std::iter::empty(), &forecast.failed));
    }
    print::text(&match arguments.json || format == Format::Json {
        true => print::json_line(serde_json::json!(forecast)),
        false => text(&forecast),
    })?;
    let read = std::iter::once((&forecast.read, &forecast.tally));
    Ok(exit::of_inputs(read, &forecast.failed))
}

fn text(forecast: &Forecast) -> String {
    let (sample, time) = (&forecast.sample, &forecast.time);
    let mut table = Table::default();
    table.count("inputs", forecast.inputs);
    table.row("  bytes", table::bytes(forecast.input_bytes));
    table.count("  opened", sample.inputs);
    table.count("pieces drawn", sample.drawn);
    table.count("  of", sample.pieces);
    table.row("  bytes read", table::bytes(sample.bytes));
    table.count("  pages", sample.pages);
    table.row("  CPU", table::seconds(sample.cpu_seconds));
    let start = table::seconds(forecast.fixed.a_process);
    table.row("start of a process, CPU", start);
    let memory = table::bytes(forecast.memory_bound);
    table.row("memory, the most there can be", memory);
    if let Some(input) = &time.bound_by {
        table.row("time bound by", input);
    }
    let assumed = format!("assumed\n  {}\n", forecast.assumptions.join("\n  "));
    [table.render(), estimates(forecast), assumed].join("\n")
}

fn estimates(forecast: &Forecast) -> String {
    let count = |value: f64| table::count(value.round() as u64);
    let bytes = |value: f64| table::bytes(value.round() as u64);
    let mut columns = Columns::new(&["all inputs", "about", "from", "to"]);
    let mut row = |name: &str, of: Estimate, show: &dyn Fn(f64) -> String| {
        let known = |end: Option<f64>| end.map_or("?".to_owned(), show);
        columns.row([
            name.to_owned(),
            show(of.value),
            known(of.low),
            known(of.high),
        ]);
    };
    let (totals, time) = (&forecast.totals, &forecast.time);
    let by = format!("time by {}", counted(time.threads, "thread", "threads"));
    row("CPU", totals.cpu_seconds, &table::seconds);
    row(
        "core-hours",
        totals.cpu_seconds.times(1.0 / 3600.0),
        &table::hours,
    );
    row(&by, time.seconds, &table::seconds);
    row("pages", totals.pages, &count);
    row("  documents", totals.documents, &count);
    for (reason, estimate) in &totals.skips {
        row(&format!("  skipped: {reason}"), *estimate, &count);
    }
    row("blocks", totals.blocks, &count);
    row("faults in the data", totals.faults, &count);
    row("bytes decoded", totals.decoded_bytes, &bytes);
    row("HTML", totals.html_bytes, &bytes);
    row("text kept", totals.text_bytes, &bytes);
    row("bytes written", totals.output_bytes, &bytes);
    row("  documents", totals.document_bytes, &bytes);
    row("  blocks", totals.block_bytes, &bytes);
    columns.render()
}
