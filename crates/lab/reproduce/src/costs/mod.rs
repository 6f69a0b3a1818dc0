//! Costs of known crawls: a section of `scale/costs.md`, computed from the costs of the labelled
//! corpora per page and per byte.

mod collections;
mod start;
mod text;

use crate::Result;
use crate::job::Job;
use crate::line::{CORPORA, Line};
use crate::page::table;
use crate::performance::machine;
use crate::performance::measure::{median, memory};
use collections::{COLLECTIONS, Collection};
use warcsieve_engine::Progress;
use warcsieve_extract::Pipeline;
use warcsieve_plan::{Forecast, ForecastOptions, SampleSize, forecast};

/// The page, and the marks around the section in it.
const PAGE: &str = "scale/costs.md";
const MARKS: [&str; 2] = ["<!-- costs -->\n", "<!-- /costs -->\n"];

/// Number of rounds; the median of their CPU times is used.
const ROUNDS: usize = 3;

/// The corpus of pages of today.
const TODAY: &str = "wcxb-dev";

/// Numbers of cores.
const CORES: [f64; 3] = [2.0, 64.0, 1_000.0];

/// Bytes of a part: a larger output file is uploaded in parts of this size.
const PART: u64 = 8 << 20;

/// The measurements of a corpus.
struct Corpus {
    name: &'static str,
    pages: f64,
    html: f64,
    compressed: f64,
    cpu: f64,
    documents: f64,
    blocks: f64,
}

/// Costs per page and per byte.
struct Lines {
    cpu: Line,
    documents: Line,
    blocks: Line,
    /// HTML bytes per compressed byte, for pages of today.
    ratio: f64,
    /// CPU seconds to start a process.
    start_up: f64,
}

pub fn write(job: &Job) -> Result {
    let price = match job.more.first().filter(|p| !p.is_empty()) {
        Some(price) => Some(price.parse::<f64>()?),
        None => None,
    };
    let scratch = job.scratch("costs")?;
    let corpora = measure(job)?;
    job.say("corpora");
    let out = tempfile::tempdir_in(&scratch)?;
    let peak = memory::peak(&job.corpora.file(TODAY)?, out.path(), 2)?;
    job.say("memory");
    let line = |of: fn(&Corpus) -> f64| {
        let points: Vec<_> = corpora.iter().map(|c| [c.pages, c.html, of(c)]).collect();
        let line = Line::through(&points);
        (line, line.error(&points))
    };
    let [cpu, documents, blocks] = [line(|c| c.cpu), line(|c| c.documents), line(|c| c.blocks)];
    let today = corpora
        .iter()
        .find(|c| c.name == TODAY)
        .ok_or("no pages of today")?;
    let lines = Lines {
        cpu: cpu.0,
        documents: documents.0,
        blocks: blocks.0,
        ratio: today.html / today.compressed,
        start_up: start::start_up(job)?,
    };
    let section = [
        text::HEAD.to_owned(),
        machine(),
        format!("\n{}\n", text::CORPORA),
        measured(&corpora),
        format!(
            "\nLines were fitted through these points by least squares of relative errors. The last column is the error for the worst corpus:\n\n\
             | | per page | per byte of HTML | error up to |\n| --- | ---: | ---: | ---: |\n\
             | CPU time | {:.0} µs | {:.2} ns | {:.0} % |\n\
             | documents | {:.0} B | {:.4} B | {:.0} % |\n\
             | blocks | {:.0} B | {:.4} B | {:.0} % |\n",
            1e6 * cpu.0.a_page,
            1e9 * cpu.0.a_byte,
            1e2 * cpu.1,
            documents.0.a_page,
            documents.0.a_byte,
            1e2 * documents.1,
            blocks.0.a_page,
            blocks.0.a_byte,
            1e2 * blocks.1,
        ),
        format!("\n{}\n", text::COLLECTIONS.replace("RATIO", &format!("{:.1}", lines.ratio))),
        inputs(lines.ratio),
        format!("\n{}\n", text::COSTS),
        costs(&lines, price),
        format!(
            "\nMemory: {:.0} MiB for a worker with two threads. This is the highest anonymous memory of `warcsieve clean --threads 2` on {TODAY}. \
             For a worker with eight threads it is about {:.1} GiB, in proportion to the threads.\n",
            peak / f64::from(1 << 20),
            4.0 * peak / f64::from(1 << 30),
        ),
        format!(
            "\n{}\n",
            text::ASSUMPTIONS.replace("START", &format!("{:.0}", 1e3 * lines.start_up))
        ),
        price.map_or(String::new(), |price| {
            format!("* A core-hour costs ${price}. This figure was given to `cargo xtask reproduce costs` and is not a quote.\n")
        }),
    ];
    job.section(PAGE, MARKS, &section.concat())
}

/// Cleans each whole corpus, like `plan --sample 100%`.
fn measure(job: &Job) -> Result<Vec<Corpus>> {
    let pipeline = Pipeline::built_in("default")?;
    let options = ForecastOptions {
        sample: SampleSize::Share(1.0),
        seed: 0,
        measuring: 1,
        threads: 1,
        start_up: 0.0,
    };
    let mut done: [Vec<Forecast>; CORPORA.len()] = Default::default();
    for _ in 0..ROUNDS {
        for (corpus, done) in CORPORA.iter().zip(&mut done) {
            let inputs = job.corpora.inputs(corpus)?;
            let scratch = tempfile::tempdir_in(job.scratch("costs")?)?;
            let progress = Progress::default();
            done.push(forecast(
                &inputs,
                &pipeline,
                &options,
                scratch.path(),
                &progress,
            )?);
        }
    }
    let corpora = CORPORA.iter().zip(&done).filter_map(|(name, done)| {
        let totals = &done.first()?.totals;
        Some(Corpus {
            name,
            pages: totals.documents.value,
            html: totals.html_bytes.value,
            compressed: done.first()?.input_bytes as f64,
            cpu: median(done.iter().map(|d| d.totals.cpu_seconds.value)),
            documents: totals.document_bytes.value,
            blocks: totals.block_bytes.value,
        })
    });
    Ok(corpora.collect())
}

fn measured(corpora: &[Corpus]) -> String {
    let head = [
        "corpus",
        "pages",
        "KB per page",
        "HTML / compressed",
        "µs per page",
        "documents, B per page",
        "blocks, B per page",
    ];
    let row = |c: &Corpus| {
        vec![
            c.name.to_owned(),
            number(c.pages),
            format!("{:.1}", c.html / c.pages / 1e3),
            format!("{:.1}", c.html / c.compressed),
            number(1e6 * c.cpu / c.pages),
            number(c.documents / c.pages),
            number(c.blocks / c.pages),
        ]
    };
    table(&head, &corpora.iter().map(row).collect::<Vec<_>>())
}

fn inputs(ratio: f64) -> String {
    let head = [
        "crawl",
        "million pages",
        "KB per page",
        "files",
        "TB compressed",
        "TB inflated",
    ];
    let row = |c: &Collection| {
        vec![
            c.name.to_owned(),
            number(c.pages / 1e6),
            format!("{:.0}", c.page / 1e3),
            number(c.files(ratio)),
            figures(c.compressed(ratio) / 1e12),
            figures(c.inflated() / 1e12),
        ]
    };
    table(&head, &COLLECTIONS.iter().map(row).collect::<Vec<_>>())
}

fn costs(lines: &Lines, price: Option<f64>) -> String {
    let mut head = vec![
        "crawl",
        "core-hours",
        "on 2 cores",
        "on 64",
        "on 1,000",
        "documents, TB",
        "blocks, TB",
        "million requests",
    ];
    head.extend(price.map(|_| "US dollars"));
    let row = |c: &Collection| {
        let cpu = lines.cpu.of(c.pages, c.page);
        let [documents, blocks] = [lines.documents, lines.blocks].map(|l| l.of(c.pages, c.page));
        let files = c.files(lines.ratio);
        let requests = files * requests([documents, blocks].map(|bytes| bytes / files));
        let mut row = vec![c.name.to_owned(), number(cpu / 3600.0)];
        row.extend(CORES.map(|cores| duration(cpu / cores)));
        row.extend([
            figures(documents / 1e12),
            figures(blocks / 1e12),
            figures(requests / 1e6),
        ]);
        row.extend(price.map(|price| number(price * cpu / 3600.0)));
        row
    };
    table(&head, &COLLECTIONS.iter().map(row).collect::<Vec<_>>())
}

/// Requests for a file whose output files have these sizes: a HEAD and a GET of the file; of its manifest
/// row a PUT and two GETs; a PUT of an output file, or one of each part and two to begin and complete it.
fn requests(outputs: [f64; 2]) -> f64 {
    let puts = outputs.map(|bytes| match (bytes as u64).div_ceil(PART) {
        0 | 1 => 1,
        parts => parts + 2,
    });
    (5 + puts.iter().sum::<u64>()) as f64
}

/// Formats a number with a comma every three digits.
fn number(value: f64) -> String {
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

/// Formats a number with two or three significant figures.
fn figures(value: f64) -> String {
    match value {
        v if v < 1.0 => format!("{v:.2}"),
        v if v < 10.0 => format!("{v:.1}"),
        v => number(v),
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
