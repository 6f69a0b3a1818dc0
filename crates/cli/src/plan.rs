//! `warcsieve plan`: what cleaning will cost, from a sample.

use super::exit::{self, Exit};
use super::inputs::NamingOptions;
use super::interrupt::{self, Left};
use super::log::Format;
use super::progress::Watch;
use super::table::{self, Columns, Table};
use super::{print, size, stores, threads};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use warcsieve_common::{Error, Result, counted};
use warcsieve_engine::{is_named_page, is_named_texts};
use warcsieve_plan::{
    Dispatch, Estimate, Forecast, ForecastOptions, SampleSize, Workers, forecast, process_cpu,
};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// WARC or ARC files, folders, quoted patterns or @LIST files.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<String>,
    #[command(flatten)]
    naming: NamingOptions,
    /// How much to measure: a share of all bytes, such as 1%, or a size, such as 500M. At least 30
    /// pieces of 256K are measured.
    #[arg(long, value_name = "SHARE", default_value = "1%", value_parser = sample)]
    sample: SampleSize,
    /// Pipeline file, or the name of one that ships (see `methods`).
    #[arg(long, value_name = "FILE", default_value = "default", hide_possible_values = true, value_parser = crate::PipelineName)]
    pipeline: String,
    /// Threads of a worker; default: as many as there are cores. The same number measures the
    /// sample, but no more than there are cores.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Numbers of workers to estimate the time for.
    #[arg(long, value_name = "N,…", value_delimiter = ',', default_value = "1,10,1000", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    workers: Vec<u32>,
    /// How inputs are assigned to workers.
    #[arg(long, value_name = "WHICH", default_value = "shards", value_parser = dispatch())]
    dispatch: Dispatch,
    /// What a worker can read, in million bytes per second; default: reading never slows a worker
    /// down.
    #[arg(long, value_name = "MB/S", value_parser = bandwidth)]
    bandwidth: Option<f64>,
    /// Seed of the draw: equal seeds measure the same pieces.
    #[arg(long, value_name = "N", default_value = "0")]
    seed: u64,
    /// Print one JSON object.
    #[arg(long)]
    json: bool,
    /// No progress: warnings, errors and the forecast only.
    #[arg(long, short)]
    pub quiet: bool,
}

fn dispatch() -> impl TypedValueParser<Value = Dispatch> {
    let values = Dispatch::ALL.map(|dispatch| {
        let help = match dispatch {
            Dispatch::Shards => "Worker I of N takes every N-th input, as with --shard I/N",
            Dispatch::Queue => {
                "A process an input, begun by whichever worker is free, as Spark does"
            }
        };
        PossibleValue::new(dispatch.as_str()).help(help)
    });
    PossibleValuesParser::new(values).try_map(|name| {
        let named = Dispatch::ALL.into_iter().find(|d| d.as_str() == name);
        named.ok_or("expected one of the values above")
    })
}

fn sample(text: &str) -> Result<SampleSize, String> {
    if let Some(percent) = text.strip_suffix('%') {
        return match percent.trim().parse::<f64>() {
            Ok(percent) if percent > 0.0 && percent <= 100.0 => {
                Ok(SampleSize::Share(percent / 100.0))
            }
            _ => Err("expected more than 0% and at most 100%".to_owned()),
        };
    }
    match size::parse(text, 1) {
        Ok(bytes) => Ok(SampleSize::Bytes(bytes as u64)),
        Err(_) => Err("expected a share such as 1%, or a size such as 500M".to_owned()),
    }
}

fn bandwidth(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(speed) if speed.is_finite() && speed > 0.0 => Ok(speed * 1e6),
        _ => Err("expected a number above 0".to_owned()),
    }
}

pub fn run(arguments: &Arguments, format: Format) -> Result<Exit> {
    let pipeline = super::pipeline(Some(&arguments.pipeline))?;
    let start_up = process_cpu();
    let stdin = arguments.inputs.iter().any(|i| i == "-");
    let stores = stores::of_environment();
    let name = stdin.then_some("standard-input");
    let inputs = arguments.naming.list(&arguments.inputs, name, &stores)?;
    if let Some(page) = inputs.iter().find(|input| is_named_page(&input.name)) {
        return Err(Error::Usage(format!(
            "{}: it is a page; costs are measured on crawls (`clean` takes pages, a few milliseconds each)",
            page.origin()
        )));
    }
    if let Some(texts) = inputs.iter().find(|input| is_named_texts(&input.name)) {
        return Err(Error::Usage(format!(
            "{}: it is a file of texts; costs are measured on crawls",
            texts.origin()
        )));
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
        workers: arguments.workers.iter().map(|n| *n as usize).collect(),
        dispatch: arguments.dispatch,
        bandwidth: arguments.bandwidth,
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
        true => json(&forecast)?,
        false => text(&forecast),
    })?;
    let read = std::iter::once((&forecast.read, &forecast.tally));
    Ok(exit::of_inputs(read, &forecast.failed))
}

fn json(forecast: &Forecast) -> Result<String> {
    serde_json::to_string(forecast)
        .map(print::json_line)
        .map_err(|e| Error::io("standard output", e.into()))
}

fn text(forecast: &Forecast) -> String {
    let parts = [
        measured(forecast).render(),
        totals(forecast).render(),
        times(forecast).render(),
        needs(forecast).render(),
        format!("assumed\n  {}\n", forecast.assumptions.join("\n  ")),
    ];
    parts.join("\n")
}

fn measured(forecast: &Forecast) -> Table {
    let sample = &forecast.sample;
    let mut table = Table::default();
    table.row("inputs", table::count(forecast.inputs));
    table.row("  bytes", table::bytes(forecast.input_bytes));
    table.row("  opened", table::count(sample.inputs));
    if !forecast.failed.is_empty() {
        table.row("  failed", table::count(forecast.failed.len() as u64));
    }
    table.row(
        "pieces drawn",
        format!(
            "{} of {}",
            table::count(sample.drawn),
            table::count(sample.pieces)
        ),
    );
    table.row("  bytes read", table::bytes(sample.bytes));
    table.row(
        "  share of all",
        table::share(sample.bytes, forecast.input_bytes),
    );
    table.row("  pages", table::count(sample.pages));
    table.row("  faults in the data", table::count(sample.faults));
    table.row("  CPU", table::seconds(sample.cpu_seconds));
    table.row("measured in", table::seconds(sample.seconds));
    table
}

fn totals(forecast: &Forecast) -> Columns {
    let totals = &forecast.totals;
    let mut columns = Columns::new(&["all inputs", "about", "from", "to"]);
    let count = |value: f64| table::count(value.round() as u64);
    let bytes = |value: f64| table::bytes(value.round() as u64);
    let mut row = |name: &str, of: Estimate, show: &dyn Fn(f64) -> String| {
        columns.row([
            name.to_owned(),
            show(of.value),
            of.low.map_or("?".to_owned(), show),
            of.high.map_or("?".to_owned(), show),
        ]);
    };
    row("CPU", totals.cpu_seconds, &table::seconds);
    row("core-hours", totals.cpu_seconds.times(1.0 / 3600.0), &|h| {
        hours(h)
    });
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
    columns
}

/// Hours with about three significant digits.
fn hours(hours: f64) -> String {
    match hours {
        h if h < 0.1 => format!("{h:.4}"),
        h if h < 10.0 => format!("{h:.2}"),
        h if h < 100.0 => format!("{h:.1}"),
        h => table::count(h.round() as u64),
    }
}

fn times(forecast: &Forecast) -> Columns {
    let head = format!(
        "workers of {}",
        counted(forecast.threads, "thread", "threads")
    );
    let mut columns = Columns::new(&[&head, "wall", "from", "to", "cores busy", "bound by"]);
    for Workers {
        workers,
        seconds,
        busy,
        bound,
        ..
    } in &forecast.workers
    {
        columns.row([
            table::count(*workers as u64),
            table::seconds(seconds.value),
            seconds.low.map_or("?".to_owned(), table::seconds),
            seconds.high.map_or("?".to_owned(), table::seconds),
            format!("{:.1} %", 100.0 * busy),
            bound.as_str().to_owned(),
        ]);
    }
    columns
}

fn needs(forecast: &Forecast) -> Table {
    let (memory, requests) = (&forecast.memory, &forecast.requests);
    let known = |bytes: Option<u64>| bytes.map_or("?".to_owned(), table::bytes);
    let mut table = Table::default();
    table.row("memory of a worker, expected", known(memory.expected));
    table.row("  the most this sample took", known(memory.measured));
    table.row("  the most there can be", table::bytes(memory.bound));
    table.row(
        "start of a worker, CPU",
        table::seconds(forecast.fixed.a_worker),
    );
    table.row(
        "requests, if in an object store",
        table::count(requests.all()),
    );
    table.row("  HEAD, inputs", table::count(requests.head));
    table.row("  GET, inputs", table::count(requests.get));
    table.row("  PUT, outputs and manifest", table::count(requests.put));
    table.row("  GET, manifest", table::count(requests.manifest_get));
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_are_shares_or_sizes() {
        assert_eq!(sample("1%"), Ok(SampleSize::Share(0.01)));
        assert_eq!(sample("0.05 %"), Ok(SampleSize::Share(0.0005)));
        assert_eq!(sample("2M"), Ok(SampleSize::Bytes(2 << 20)));
        for text in ["", "%", "0%", "-1%", "101%", "NaN%", "x", "0"] {
            assert!(sample(text).is_err(), "{text}");
        }
        assert_eq!(bandwidth("2.5"), Ok(2.5e6));
        assert!(
            ["0", "-1", "inf", "NaN", ""]
                .iter()
                .all(|t| bandwidth(t).is_err())
        );
    }

    #[test]
    fn hours_have_about_three_significant_digits() {
        assert_eq!(
            [0.01234, 1.234, 12.34, 1234.0].map(hours),
            ["0.0123", "1.23", "12.3", "1,234"]
        );
    }
}
