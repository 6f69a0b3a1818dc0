//! Where a page's time goes: the stages of the job, one after the other on one thread, as
//! `clean` does them, with a look at the clock between two.

use super::input::{gunzip, open};
use super::{Result, Table, cell, median, pipeline};
use lol_html::html_content::TextChunk;
use lol_html::{DocumentContentHandlers, HtmlRewriter, Settings as LolSettings};
use std::path::Path;
use std::time::Instant;
use warcsieve_classify::{Classifier, Label};
use warcsieve_extract::{Engine, Labeller, Pipeline, segment};
use warcsieve_features::structure::Structure;
use warcsieve_html::Segmenter;
use warcsieve_html::document::Document;
use warcsieve_page::PageReader;
use warcsieve_store::Folder;
use warcsieve_tables::{ParquetSink, RowBuilder, RowCounts, RunIdentity};
use warcsieve_warc::{Limits, Record, Source, WarcReader};

const STAGES: [&str; 9] = [
    "reading records, inflating them included",
    "page: HTTP body, media type, charset",
    "segmentation, tokenizing included",
    "labels: features, trees, choice",
    "plain text",
    "language",
    "metadata",
    "rows",
    "Parquet",
];

/// Places in [`STAGES`].
#[derive(Clone, Copy)]
enum Stage {
    Read,
    Page,
    Segment,
    Label,
    Text,
    Language,
    Metadata,
    Rows,
    Parquet,
}

type Tokenizer = (&'static str, fn(&str));

/// What can be called alone: the least that a tokenizer does, and another tokenizer.
const TOKENIZERS: &[Tokenizer] = &[
    ("searching `<` alone: memchr", tags),
    ("tokenizing alone: lol_html", lol_html),
];

/// Segmentation alone, with settings of the pipeline that bear on it.
const SEGMENTERS: &[(&str, &str)] = &[("segmentation alone", "")];

/// Bytes of records after which `clean` hands on rows.
const BATCH_BYTES: usize = 1 << 20;

/// What the stages of a file take; `rounds` times, each stage's median.
pub struct Stages {
    /// A sentence on the file.
    pub note: String,
    /// Stages in order, their sum, then what is measured alone.
    pub table: Table,
}

pub fn measure(file: &Path, scratch: &Path, rounds: usize) -> Result<Stages> {
    let pipeline = pipeline("", "default")?;
    let names = alone_names();
    let (mut base, mut decoded, mut pages) = (Vec::new(), 0, 0);
    let mut spent = vec![Vec::new(); STAGES.len()];
    let mut alone = vec![Vec::new(); names.len()];
    for _ in 0..rounds {
        let inflated = gunzip(file)?;
        base.push(inflated.0.wall);
        decoded = inflated.1;
        let out = tempfile::tempdir_in(scratch)?;
        let (stages, n) = in_turn(file, out.path(), &pipeline)?;
        pages = n;
        push(&mut spent, &stages);
        push(&mut alone, &each_alone(file, &pipeline)?);
    }
    let sums = (0..rounds).map(|round| spent.iter().map(|s| s[round]).sum());
    let whole = median(sums);
    let row = |name: &str, seconds: f64| {
        vec![
            name.to_owned(),
            cell(1e6 * seconds / pages as f64, 0),
            cell(decoded as f64 / 1e6 / seconds, 0),
            format!("{} %", cell(100.0 * seconds / whole, 1)),
        ]
    };
    let mut rows = Vec::new();
    for (name, seconds) in STAGES.iter().zip(spent) {
        rows.push(row(name, median(seconds)));
    }
    rows.push(row("all of it", whole));
    rows.push(row("gunzip alone: flate2, zlib-rs", median(base)));
    for (name, seconds) in names.iter().zip(alone) {
        rows.push(row(name, median(seconds)));
    }
    let head = vec!["", "µs per page", "MB/s", "of the job"];
    let mb = decoded as f64 / 1e6;
    Ok(Stages {
        note: format!("{pages} pages, {mb:.0} MB inflated, {rounds} rounds."),
        table: Table { head, rows },
    })
}

/// Seconds that came to be spent on each of some things.
struct Watch {
    last: Instant,
    spent: Vec<f64>,
}

impl Watch {
    fn new(things: usize) -> Self {
        Self {
            last: Instant::now(),
            spent: vec![0.0; things],
        }
    }

    fn start(&mut self) {
        self.last = Instant::now();
    }

    /// The time since the last look was spent on that thing.
    fn lap(&mut self, thing: usize) {
        let now = Instant::now();
        self.spent[thing] += (now - self.last).as_secs_f64();
        self.last = now;
    }
}

fn push(all: &mut [Vec<f64>], seconds: &[f64]) {
    for (all, seconds) in all.iter_mut().zip(seconds) {
        all.push(*seconds);
    }
}

/// Seconds a stage, and the number of pages.
fn in_turn(file: &Path, out: &Path, pipeline: &Pipeline) -> Result<(Vec<f64>, usize)> {
    const NAME: &str = "speed";
    let settings = &pipeline.settings;
    let options = settings.page_options();
    let run = RunIdentity::of(pipeline, "speed");
    let input = Box::new(open(file)?);
    let mut watch = Watch::new(STAGES.len());
    let mut source = WarcReader::new(NAME, input, Limits::for_pages(settings.max_page_bytes));
    let (mut record, mut reader) = (Record::default(), PageReader::default());
    let (mut segmenter, mut doc) = (pipeline.segmenter(), Document::default());
    let mut labeller = Labeller::new(pipeline);
    let mut builder = RowBuilder::new(pipeline);
    builder.begin(NAME);
    // Labels once more for the rows, which is not counted.
    let mut engine = Engine::new(pipeline);
    let mut sink = ParquetSink::create(&Folder::Local(out.into()), NAME, pipeline, &run)?;
    let (mut counts, mut batch) = (RowCounts::default(), 0);
    while source.read_record(&mut record)? {
        watch.lap(Stage::Read as usize);
        batch += record.body().len();
        if options.selects(&record.record_type()) {
            let page = reader.read(&record, &options);
            watch.lap(Stage::Page as usize);
            let Ok(page) = page else { continue };
            let segmented = segment(&mut segmenter, &page, &mut doc);
            watch.lap(Stage::Segment as usize);
            if segmented.is_err() {
                continue;
            }
            label(&mut labeller, &doc);
            watch.lap(Stage::Label as usize);
            labeller.text.write(&doc, &labeller.labels);
            watch.lap(Stage::Text as usize);
            counts.documents += 1;
            counts.blocks += doc.blocks.len() as u64;
            let Ok(view) = engine.document(page, &doc) else {
                continue;
            };
            watch.start();
            view.language();
            watch.lap(Stage::Language as usize);
            view.metadata();
            watch.lap(Stage::Metadata as usize);
            view.complete();
            builder.push(&view, &record.location, &mut |rows| sink.write(&rows))?;
            watch.lap(Stage::Rows as usize);
        }
        if batch >= BATCH_BYTES {
            batch = 0;
            let rows = builder.finish();
            watch.lap(Stage::Rows as usize);
            sink.write(&rows)?;
            watch.lap(Stage::Parquet as usize);
        }
    }
    watch.lap(Stage::Read as usize);
    sink.write(&builder.finish())?;
    sink.finish(counts, 1)?;
    watch.lap(Stage::Parquet as usize);
    Ok((watch.spent, counts.documents as usize))
}

fn label(labeller: &mut Labeller, doc: &Document) {
    labeller.labels.clear();
    labeller.labels.resize(doc.blocks.len(), Label::default());
    labeller.chain.classify(doc, &mut labeller.labels);
}

fn alone_names() -> Vec<&'static str> {
    let tokenizers = TOKENIZERS.iter().map(|(name, _)| *name);
    let segmenters = SEGMENTERS.iter().map(|(name, _)| *name);
    let features = ["features alone: the pass over the page"];
    tokenizers.chain(segmenters).chain(features).collect()
}

/// Seconds of what [`alone_names`] names, page by page, with nothing else of the job around.
fn each_alone(file: &Path, default: &Pipeline) -> Result<Vec<f64>> {
    let settings = &default.settings;
    let options = settings.page_options();
    let mut segmenters: Vec<Segmenter> = Vec::new();
    for (_, settings) in SEGMENTERS {
        segmenters.push(pipeline(settings, "default")?.segmenter());
    }
    let input = Box::new(open(file)?);
    let mut source = WarcReader::new("speed", input, Limits::for_pages(settings.max_page_bytes));
    let (mut record, mut reader) = (Record::default(), PageReader::default());
    let (mut doc, mut structure) = (Document::default(), Structure::default());
    let mut watch = Watch::new(alone_names().len());
    while source.read_record(&mut record)? {
        if !options.selects(&record.record_type()) {
            continue;
        }
        let Ok(page) = reader.read(&record, &options) else {
            continue;
        };
        watch.start();
        let mut thing = 0;
        for (_, tokenize) in TOKENIZERS {
            tokenize(page.payload);
            watch.lap(thing);
            thing += 1;
        }
        for segmenter in &mut segmenters {
            let segmented = segment(segmenter, &page, &mut doc);
            watch.lap(thing);
            thing += 1;
            if segmented.is_err() {
                doc.clear();
            }
        }
        watch.start();
        structure.read(&doc);
        watch.lap(thing);
    }
    Ok(watch.spent)
}

/// Counts the `<` of a page.
fn tags(html: &str) {
    std::hint::black_box(memchr::memchr_iter(b'<', html.as_bytes()).count());
}

/// With one handler of text that does nothing.
pub fn lol_html(html: &str) {
    let text = DocumentContentHandlers::default().text(|_: &mut TextChunk<'_>| Ok(()));
    let settings = LolSettings::new()
        .with_strict(false)
        .append_document_content_handler(text);
    let mut rewriter = HtmlRewriter::new(settings, |_: &[u8]| {});
    // Where it gives up on a page, what it took until then counts.
    let _ = rewriter
        .write(html.as_bytes())
        .and_then(|()| rewriter.end());
}
