//! Costs of known crawls: a section of `scale/costs.md`, computed from the costs of the labelled
//! corpora per page and per byte.

mod collections;

use crate::corpora::built_in;
use crate::cost_model::{CostModel, in_rounds};
use crate::machine::machine;
use crate::measure::{median, memory};
use crate::{Job, Result, page, row, table};
use collections::{Collection, collections};
use serde_json::Value;
use std::env::current_exe;
use std::process::Command;
use warcsieve_engine::Progress;
use warcsieve_plan::{Forecast, ForecastOptions, SampleSize, forecast};

/// The page, and the marks around the section in it.
const PAGE: &str = "scale/costs.md";
const MARKS: [&str; 2] = ["<!-- costs -->\n", "<!-- /costs -->\n"];

/// Number of rounds; the median of their CPU times is used.
const ROUNDS: usize = 3;

/// The corpus with current pages.
const TODAY: &str = "wcxb-dev";

/// Numbers of cores.
const CORES: [f64; 3] = [2.0, 64.0, 1_000.0];

/// Bytes of a part: a larger output file is uploaded in parts of this size.
const PART: u64 = 8 << 20;

/// The costs that are computed: the name, the units per page and per byte, how many of these one unit of the
/// measurement is, and the decimals per byte.
const COSTS: [(&str, [&str; 2], [f64; 2], usize); 3] = [
    ("CPU time", ["µs", "ns"], [1e6, 1e9], 2),
    ("documents", ["B", "B"], [1.0, 1.0], 4),
    ("blocks", ["B", "B"], [1.0, 1.0], 4),
];

/// The measurements of a corpus.
struct Corpus {
    name: &'static str,
    pages: f64,
    html: f64,
    compressed: f64,
    /// By [`COSTS`]: seconds and bytes.
    costs: [f64; 3],
}

/// Costs per page and per byte.
struct Costs {
    /// By [`COSTS`].
    models: [CostModel; 3],
    /// HTML bytes per compressed byte, for current pages.
    ratio: f64,
    /// CPU seconds to start a process.
    start_up: f64,
}

pub fn write(job: &Job) -> Result {
    let price = job.more.first().filter(|p| !p.is_empty());
    let price = price.map(|price| price.parse::<f64>()).transpose()?;
    let scratch = job.scratch("costs")?;
    let corpora = measure(job)?;
    job.say("corpora");
    let out = tempfile::tempdir_in(&scratch)?;
    let peak = memory::peak(&job.corpora.file(TODAY)?, out.path(), 2)?;
    job.say("memory");
    let points = [0, 1, 2].map(|at| corpora.iter().map(move |c| [c.pages, c.html, c.costs[at]]));
    let points = points.map(|points| points.collect::<Vec<_>>());
    let models = points.each_ref().map(|points| CostModel::through(points));
    let shown = COSTS.iter().zip(models.iter().zip(&points));
    let shown = shown.map(|((name, units, of_one, decimals), (model, points))| {
        let (page, byte) = (of_one[0] * model.a_page, of_one[1] * model.a_byte);
        let (error, [of_page, of_byte]) = (1e2 * model.error(points), units);
        format!("| {name} | {page:.0} {of_page} | {byte:.decimals$} {of_byte} | {error:.0} % |")
    });
    let shown: Vec<_> = shown.collect();
    let today = corpora.iter().find(|c| c.name == TODAY);
    let today = today.ok_or("no pages of today")?;
    let costs = Costs {
        models,
        ratio: today.html / today.compressed,
        start_up: start_up(job)?,
    };
    let crawls = collections()?;
    let of_eight = 4.0 * peak / f64::from(1 << 30);
    let paid = price.map(|price| {
        format!("* A core-hour costs ${price}. This figure was given to `cargo xtask reproduce costs` and is not a quote.\n")
    });
    let page = page!("costs.md")
        .put("machine", machine())
        .put("corpora", measured(&corpora))
        .put("lines", shown.join("\n"))
        .put("ratio", format!("{:.1}", costs.ratio))
        .put("inputs", inputs(&crawls, costs.ratio))
        .put("costs", costs_of(&crawls, &costs, price))
        .put("memory", format!("{:.0}", peak / f64::from(1 << 20)))
        .put("memory of eight", format!("{of_eight:.1}"))
        .put("start", format!("{:.0}", 1e3 * costs.start_up))
        .put("price", paid.unwrap_or_default());
    job.section(PAGE, MARKS, &page.text()?)
}

/// Cleans each whole corpus, like `plan --sample 100%`.
fn measure(job: &Job) -> Result<Vec<Corpus>> {
    let pipeline = &built_in(["default"])?[0];
    let options = ForecastOptions {
        sample: SampleSize::Share(1.0),
        seed: 0,
        measuring: 1,
        threads: 1,
        start_up: 0.0,
    };
    let scratch = job.scratch("costs")?;
    let done: Vec<(_, Vec<Forecast>)> = in_rounds(ROUNDS, |corpus| {
        let inputs = job.corpora.inputs(corpus)?;
        let out = tempfile::tempdir_in(&scratch)?;
        let progress = Progress::default();
        let done = forecast(&inputs, pipeline, &options, out.path(), &progress);
        Ok(done?)
    })?;
    let corpora = done.iter().filter_map(|(name, done)| {
        let first = done.first()?;
        let totals = &first.totals;
        Some(Corpus {
            name,
            pages: totals.documents.value,
            html: totals.html_bytes.value,
            compressed: first.input_bytes as f64,
            costs: [
                median(done.iter().map(|d| d.totals.cpu_seconds.value)),
                totals.document_bytes.value,
                totals.block_bytes.value,
            ],
        })
    });
    Ok(corpora.collect())
}

/// CPU seconds of `warcsieve` to start, to load the default pipeline and to set up a thread, as
/// measured by `warcsieve plan` in its own process: the median of several processes.
fn start_up(job: &Job) -> Result<f64> {
    let program = current_exe()?.with_file_name("warcsieve");
    if !program.is_file() {
        return Err(format!("no {}: `make build` builds it", program.display()).into());
    }
    let input = job.corpora.file(TODAY)?;
    let mut found = Vec::new();
    for _ in 0..ROUNDS {
        let mut plan = Command::new(&program);
        plan.arg("plan").arg(&input).args(["--sample", "1"]);
        plan.args(["--threads", "1", "--json", "--quiet"]);
        let output = plan.output()?;
        if !matches!(output.status.code(), Some(0 | 10)) {
            return Err(String::from_utf8_lossy(&output.stderr).into());
        }
        let plan: Value = serde_json::from_slice(&output.stdout)?;
        let seconds = plan.pointer("/fixed/a_worker").and_then(Value::as_f64);
        found.push(seconds.ok_or("plan does not say what a worker takes to start")?);
    }
    Ok(median(found))
}

fn measured(corpora: &[Corpus]) -> String {
    let rows = corpora.iter().map(|c| {
        let (kilobytes, ratio) = (c.html / c.pages / 1e3, c.html / c.compressed);
        let (name, pages) = (c.name, whole(c.pages));
        let [cpu, documents, blocks] = c.costs;
        let per_page = [1e6 * cpu, documents, blocks].map(|all| whole(all / c.pages));
        let name = format!("{name} | {pages} | {kilobytes:.1} | {ratio:.1}");
        row(name, per_page)
    });
    let head = "corpus | pages | KB per page | HTML / compressed | µs per page | documents, B per page | blocks, B per page";
    table(head, rows)
}

fn inputs(crawls: &[Collection], ratio: f64) -> String {
    let rows = crawls.iter().map(|c| {
        let (name, pages, kilobytes) = (c.name, whole(c.pages / 1e6), c.page / 1e3);
        let files = whole(c.files(ratio));
        let sizes = [c.compressed(ratio), c.inflated()].map(|bytes| figures(bytes / 1e12));
        let name = format!("{name} | {pages} | {kilobytes:.0} | {files}");
        row(name, sizes)
    });
    let head = "crawl | million pages | KB per page | files | TB compressed | TB inflated";
    table(head, rows)
}

fn costs_of(crawls: &[Collection], costs: &Costs, price: Option<f64>) -> String {
    let rows = crawls.iter().map(|c| {
        let [cpu, documents, blocks] = costs.models.map(|model| model.of(c.pages, c.page));
        let files = c.files(costs.ratio);
        let requests = files * requests([documents, blocks].map(|bytes| bytes / files));
        let times = CORES.map(|cores| duration(cpu / cores));
        let amounts = [documents / 1e12, blocks / 1e12, requests / 1e6].map(figures);
        let name = format!("{} | {}", c.name, whole(cpu / 3600.0));
        let dollars = price.map(|price| whole(price * cpu / 3600.0));
        row(row(row(name, times), amounts), dollars)
    });
    let head = "crawl | core-hours | on 2 cores | on 64 | on 1,000 | documents, TB | blocks, TB | million requests";
    table(&row(head, price.map(|_| "US dollars")), rows)
}

/// The number of requests for a file whose output files have these sizes. They are: a HEAD and a GET of the file; a PUT
/// and two GETs of its manifest row; and for each output file a PUT, or one PUT per part and two more requests to begin
/// and complete it.
fn requests(outputs: [f64; 2]) -> f64 {
    let puts = outputs.map(|bytes| match (bytes as u64).div_ceil(PART) {
        0 | 1 => 1,
        parts => parts + 2,
    });
    (5 + puts.iter().sum::<u64>()) as f64
}

/// A whole number, with a comma every three digits.
fn whole(value: f64) -> String {
    let digits = format!("{:.0}", value.max(0.0));
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with two or three significant figures.
fn figures(value: f64) -> String {
    match value {
        v if v < 1.0 => format!("{v:.2}"),
        v if v < 10.0 => format!("{v:.1}"),
        v => whole(v),
    }
}

fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7_200.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3_600.0),
        s => format!("{:.1} days", s / 86_400.0),
    }
}
