//! `warcsieve extract`: prints the content of pages, or writes one file per page.

mod files;
mod front_matter;
mod json;
mod source;

use super::exit::{self, Exit};
use super::faults::NO_PAGE;
use super::interrupt::{self, Left};
use super::log::Format;
use super::missing::{refuse_all_missing, refuse_missing};
use super::outputs::out_path;
use super::page_file_options::PageFileOptions;
use super::pipelines::{PipelineName, pipeline, warn_of_lacking_tables};
use super::progress::Watch;
use super::set::Set;
use super::{print, stdout};
use clap::ValueEnum;
use files::{CrawlFiles, Files, file_ending, for_several};
use front_matter::FrontMatter;
use rayon::prelude::*;
pub use source::STDIN;
use source::{Found, Source};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicUsize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tracing::{error, warn};
use warcsieve_common::files::{is_folder, is_there};
use warcsieve_common::{Error, Result, counted, panics};
use warcsieve_engine::{Input, Progress};
use warcsieve_extract::{Engine, MetadataField, PageView, Pipeline};
use warcsieve_page::{Skip, SkipReason};
use warcsieve_render::{TeiHeader, TextFormat, tei};
use warcsieve_run::explain;
use warcsieve_store::{check_place, is_address};
use warcsieve_tables::PageLayout;
use warcsieve_warc::{Limits, Record, Source as _};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  warcsieve extract page.html
  curl -s https://a.example/ | warcsieve extract --url https://a.example/ --to md
  warcsieve extract pages/ --to md --out notes/")]
pub struct Arguments {
    /// Pages: files, folders, patterns, @LISTs, one http(s) address, or `-` for standard input,
    /// which is the default. Crawls are allowed, too: every page in them is extracted.
    #[arg(value_name = "PAGE")]
    pages: Vec<String>,
    /// Form of the content; default: that of the ending of --out, else txt.
    #[arg(long, value_enum, value_name = "FORM")]
    to: Option<Form>,
    /// Folder for one file per page, or a file for a single page, with the ending of its form
    /// (`page.md`); without --out the content is printed.
    #[arg(long, value_name = "DIR", value_parser = out_path)]
    out: Option<PathBuf>,
    /// Pipeline file, or the name of one that ships (see `methods`).
    #[arg(long, value_name = "FILE", default_value = "default", hide_possible_values = true, value_parser = PipelineName)]
    pipeline: String,
    #[command(flatten)]
    set: Set,
    #[command(flatten)]
    files: PageFileOptions,
    /// Address of the page, if it is not known otherwise.
    #[arg(long)]
    url: Option<String>,
    /// Also follow redirects into private networks.
    #[arg(long)]
    private_redirects: bool,
}

/// A form of the content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Plain text.
    Txt,
    /// Markdown.
    Md,
    /// Cleaned HTML.
    Html,
    /// One line of JSON per page: id, address, title, text, language, counts, charset, warnings,
    /// and metadata.
    Json,
    /// TEI, like the TEI of trafilatura.
    Xml,
}

impl Form {
    fn output(self) -> TextFormat {
        match self {
            Self::Txt | Self::Json => TextFormat::Text,
            Self::Md => TextFormat::Markdown,
            Self::Html | Self::Xml => TextFormat::Html,
        }
    }

    fn ending(self) -> &'static str {
        match self {
            Self::Txt => "txt",
            Self::Md => "md",
            Self::Html => "html",
            Self::Json => "json",
            Self::Xml => "xml",
        }
    }

    /// The content of a page in this form. It ends with a line end.
    fn of(self, view: &PageView<'_>, before: FrontMatter) -> String {
        let mut text = match self {
            Self::Txt | Self::Md => before.of(view) + view.output,
            Self::Html => view.output.to_owned(),
            Self::Json => json::line(view),
            Self::Xml => tei(view.output, &header(view)),
        };
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text
    }
}

/// What the TEI header says about a page.
fn header<'a>(view: &'a PageView<'_>) -> TeiHeader<'a> {
    let said = |field| view.metadata().get(field).unwrap_or_default();
    TeiHeader {
        title: &view.doc.title,
        url: &view.page.url,
        author: said(MetadataField::Author),
        published: said(MetadataField::Published),
        sitename: said(MetadataField::Sitename),
        description: said(MetadataField::Description),
        tags: view.metadata().tags(),
    }
}

pub fn run(arguments: &Arguments, format: Format) -> Result<Exit> {
    let to = arguments.form()?;
    check(arguments, to)?;
    let mut pipeline = pipeline(&arguments.pipeline)?;
    warn_of_lacking_tables([&pipeline]);
    pipeline.refuse_edits()?;
    pipeline.settings.output = to.output();
    // JSON can hold any form of text.
    arguments.set.apply(&mut pipeline, to != Form::Json)?;
    let limits = pipeline.settings.limits();
    let fetching = (arguments.url.as_deref(), arguments.private_redirects);
    let source = match Source::of(&arguments.pages, fetching, &pipeline) {
        // The server would refuse again, but the command line is correct: the page is unusable.
        Err(error @ Error::Io { .. }) if exit::of(&error) == Exit::Usage => {
            error!("{error}");
            return Ok(Exit::Unusable);
        }
        source => source?,
    };
    let is_many = source.inputs().len() > 1;
    if is_many && arguments.out.is_none() && to != Form::Json {
        return Err(several(source.inputs().len()));
    }
    let files = match &arguments.out {
        Some(out) => {
            refuse_missing(source.inputs(), None)?;
            let names = (to.ending(), arguments.files.names());
            Some(Files::new(out, names, source.inputs())?)
        }
        None => {
            refuse_all_missing(source.inputs(), false)?;
            None
        }
    };
    match source {
        Source::Page(record, name) => {
            let mut engine = Engine::new(&pipeline);
            let before = arguments.front_matter(to, false);
            let found = match content((to, before), &mut engine, &name, &record) {
                Ok(found) => found,
                Err(skip) => {
                    error!("{name}: {}", words(&skip));
                    return Ok(Exit::Unusable);
                }
            };
            found.warn(&name, true);
            match &files {
                Some(files) => files.write_fetched(&name, found.text.as_bytes())?,
                None => deliver(None, &name, &found)?,
            }
            Ok(Exit::Done)
        }
        Source::Inputs(inputs) => {
            let job = Job {
                to,
                front_matter: [false, true].map(|is_crawl| arguments.front_matter(to, is_crawl)),
                url: arguments.url.as_deref(),
                pipeline: &pipeline,
                limits,
                files: files.as_ref(),
                progress: interrupt::run(match files {
                    Some(_) => Left::Pages,
                    None => Left::Nothing,
                }),
                is_one: !is_many,
                faults: AtomicUsize::new(0),
                is_to_retry: AtomicBool::new(false),
                alone: Mutex::default(),
            };
            job.run(&inputs, format)
        }
    }
}

impl Arguments {
    /// The requested form, or that of the file to write.
    ///
    /// # Errors
    /// The file has another form, or is for the pages of a folder.
    fn form(&self) -> Result<Form> {
        let file = self
            .out
            .as_deref()
            .and_then(|out| Some((out, file_ending(out)?)));
        let Some((out, ending)) = file else {
            return Ok(self.to.unwrap_or(Form::Txt));
        };
        if let Some(to) = self.to.filter(|to| to.ending() != ending) {
            let (out, to) = (out.display(), to.ending());
            return Err(Error::Invalid(format!(
                "--out {out} ends like {ending}, and --to is {to}; name a file that ends with .{to}, or a folder: {out}/"
            )));
        }
        for page in &self.pages {
            if is_folder(Path::new(page))? {
                return Err(for_several(out));
            }
        }
        let mut forms = Form::value_variants().iter().copied();
        Ok(forms
            .find(|form| form.ending() == ending)
            .unwrap_or(Form::Txt))
    }

    /// What is written before the text of a page. Pages of a crawl may get more.
    fn front_matter(&self, to: Form, is_crawl: bool) -> FrontMatter {
        let is_file = is_crawl && self.out.is_some();
        let is_usual = || PageLayout::of_form(to.output()).front_matter;
        match (to, self.files.with_metadata) {
            (Form::Txt | Form::Md, Some(true)) => FrontMatter::Metadata,
            (Form::Txt | Form::Md, None) if is_file && is_usual() => FrontMatter::Facts,
            _ => FrontMatter::None,
        }
    }
}

/// Refuses options that would have no effect.
fn check(arguments: &Arguments, to: Form) -> Result<()> {
    let wrong = |why: &str| Err(Error::Invalid(why.to_owned()));
    let is_folder = |out: &PathBuf| file_ending(out).is_none();
    let lacks = (!arguments.out.as_ref().is_some_and(is_folder)).then_some("--out DIR");
    let form = match to {
        // These forms always contain the metadata.
        Form::Json | Form::Xml => TextFormat::Text,
        to => to.output(),
    };
    arguments.files.check(lacks, &[form])?;
    if let Some(url) = &arguments.url {
        if !url.contains("://") {
            return wrong(&format!(
                "--url {url}: it has no scheme; write it like https://a.example/"
            ));
        }
        if url.contains(char::is_control) {
            return wrong("--url: it has a control character");
        }
        if is_address(url) {
            check_place(url)?;
        }
    }
    for page in &arguments.pages {
        if page.is_empty() {
            return wrong("an argument is empty; give a file, a folder or an address");
        }
        let is_file = is_there(Path::new(page))?;
        if page.starts_with("www.") && !is_file {
            return wrong(&format!(
                "{page}: no such file; an address begins with https://"
            ));
        }
        let is_other = page == "-" || page.starts_with('@') || page.contains("://");
        let is_pattern = page.contains(['*', '?', '[']);
        if arguments.pages.len() > 1
            && arguments.out.is_none()
            && !(is_file || is_other || is_pattern)
        {
            return wrong(&format!(
                "{page}: no such file; --out DIR says where pages go"
            ));
        }
    }
    Ok(())
}

/// Extracts the pages of several inputs.
struct Job<'a> {
    to: Form,
    /// What is written before the text: for a page that is an input, and for a page in a crawl.
    front_matter: [FrontMatter; 2],
    url: Option<&'a str>,
    pipeline: &'a Pipeline,
    limits: Limits,
    files: Option<&'a Files>,
    /// Its number of pages is the number of extracted pages.
    progress: Arc<Progress>,
    /// Whether exactly one page was given.
    is_one: bool,
    /// Number of pages and inputs that failed.
    faults: AtomicUsize,
    /// Whether one of these may succeed when it is tried again.
    is_to_retry: AtomicBool,
    /// The first page to print. It waits until it is known to be the only one.
    alone: Mutex<Option<Found>>,
}

impl Job<'_> {
    fn run(&self, inputs: &[Input], format: Format) -> Result<Exit> {
        if self.files.is_some() {
            // Show progress only here: printed content would mix with the progress line.
            let _watch = Watch::inputs(&self.progress, inputs, format);
            let engine = || Engine::new(self.pipeline);
            inputs
                .par_iter()
                .try_for_each_init(engine, |engine, input| self.input(engine, input))?;
        } else {
            let mut engine = Engine::new(self.pipeline);
            for input in inputs {
                if !print::is_read() {
                    break;
                }
                self.input(&mut engine, input)?;
            }
        }
        let pages = self.progress.pages.load(Relaxed);
        let faults = self.faults.load(Relaxed);
        if let Some(found) = self.alone().take() {
            deliver(None, "", &found)?;
        }
        if let Some(files) = self.files {
            let pages = counted(pages as usize, "page", "pages");
            print::text(&format!("{pages} in {}\n", files.folder().display()))?;
        }
        if pages == 0 && faults == 0 {
            warn!("{NO_PAGE}");
        }
        Ok(match (pages, faults) {
            _ if self.is_to_retry.load(Relaxed) => Exit::Temporary,
            (0, _) => Exit::Unusable,
            (_, 0) => Exit::Done,
            _ => Exit::Faulty,
        })
    }

    fn alone(&self) -> MutexGuard<'_, Option<Found>> {
        self.alone.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes the pages of an input. Faults of the input are reported and do not stop other inputs.
    fn input(&self, engine: &mut Engine, input: &Input) -> Result<()> {
        self.pages_of(engine, input)?;
        self.progress.inputs_done.fetch_add(1, Relaxed);
        Ok(())
    }

    fn pages_of(&self, engine: &mut Engine, input: &Input) -> Result<()> {
        let name = input.origin();
        let mut reader = match input.watched_reader(self.limits, &self.progress) {
            Ok(reader) => reader,
            Err(error) => return self.lost(error),
        };
        let mut record = Record::default();
        let mut crawl = None;
        let mut seen = 0;
        loop {
            self.progress.go_on()?;
            if self.files.is_none() && !print::is_read() {
                return Ok(());
            }
            match reader.read_record(&mut record) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => return self.lost(error),
            }
            let at = record.location.offset.max(seen);
            self.progress.bytes_read.fetch_add(at - seen, Relaxed);
            seen = at;
            if !engine.selects(&record) {
                if !reader.is_crawl() {
                    self.faults.fetch_add(1, Relaxed);
                    warn!("{name}: the pipeline's `records` takes no pages of type `resource`");
                }
                continue;
            }
            if let Some(url) = self.url
                && (!reader.is_crawl() || record.header("WARC-Target-URI").is_none())
            {
                record = source::with_address(&record, url);
            }
            let form = (self.to, self.front_matter[usize::from(reader.is_crawl())]);
            let done = panics::catch(|| content(form, engine, &input.name, &record));
            let done = done.unwrap_or_else(|_| {
                *engine = Engine::new(self.pipeline);
                Err(Skip {
                    reason: SkipReason::Panicked,
                    detail: "a defect in this program, please report it".to_owned(),
                })
            });
            match done {
                Ok(found) => {
                    let is_alone = self.files.is_none() && self.to != Form::Json;
                    let before = self.progress.pages.load(Relaxed);
                    if before > 0 && is_alone {
                        return Err(several(before as usize + 1));
                    }
                    match reader.is_crawl() {
                        true => found.warn(&format!("{name}: {}", found.facts.id), false),
                        false => found.warn(&name, self.is_one),
                    }
                    if is_alone {
                        *self.alone() = Some(found);
                        self.progress.pages.fetch_add(1, Relaxed);
                        continue;
                    }
                    if crawl.is_none() && reader.is_crawl() {
                        let of = |files| CrawlFiles::new(files, &input.name);
                        crawl = self.files.map(of).transpose()?;
                    }
                    let written = match &mut crawl {
                        Some(crawl) => crawl.write(&found.facts, found.text.as_bytes()),
                        None => deliver(self.files, &input.name, &found),
                    };
                    match (written, self.files) {
                        (Err(error), Some(_)) => self.not_written(error)?,
                        (written, _) => {
                            written?;
                            self.progress.pages.fetch_add(1, Relaxed);
                        }
                    }
                }
                Err(skip) => {
                    // Records of a crawl that are not pages are not faults.
                    if !reader.is_crawl() || skip.reason.is_fault() {
                        self.faults.fetch_add(1, Relaxed);
                        let offset = record.location.offset;
                        warn!("{name}: offset {offset}: {}", words(&skip));
                    }
                }
            }
        }
        if let Some(Err(error)) = crawl.map(CrawlFiles::finish) {
            self.not_written(error)?;
        }
        let mut read = reader.ledger().clone();
        let rest = read.compressed_bytes.saturating_sub(seen);
        self.progress.bytes_read.fetch_add(rest, Relaxed);
        if read.records == 0 {
            explain(input, &mut read);
        }
        // Of what is no crawl, that it is none says all.
        match read.no_crawl() {
            Some(fault) => error!("{name}: {}", fault.message),
            None => {
                for fault in &read.faults {
                    warn!("{name}: offset {}: {}", fault.offset, fault.message);
                }
            }
        }
        self.faults
            .fetch_add(reader.ledger().fault_count as usize, Relaxed);
        Ok(())
    }

    /// Reports a page that cannot be written. Ends the run if no other page can be written there.
    fn not_written(&self, error: Error) -> Result<()> {
        let ends = [
            ErrorKind::StorageFull,
            ErrorKind::QuotaExceeded,
            ErrorKind::PermissionDenied,
            ErrorKind::ReadOnlyFilesystem,
        ];
        match &error {
            Error::Io { source, .. } if ends.contains(&source.kind()) => Err(error),
            _ => self.lost(error),
        }
    }

    /// Reports a page that is lost.
    fn lost(&self, error: Error) -> Result<()> {
        // It may be that the run was asked to stop.
        self.progress.go_on()?;
        self.faults.fetch_add(1, Relaxed);
        if exit::of(&error) == Exit::Temporary {
            self.is_to_retry.store(true, Relaxed);
        }
        error!("{error}");
        Ok(())
    }
}

/// The error if several pages would be printed as one text.
fn several(pages: usize) -> Error {
    Error::Invalid(format!(
        "{pages} pages or more: --out DIR writes a file each, --to json prints a line each"
    ))
}

/// The content of the page in a record, or the reason why there is none.
fn content(
    (to, before): (Form, FrontMatter),
    engine: &mut Engine,
    name: &str,
    record: &Record,
) -> std::result::Result<Found, Skip> {
    let view = engine.record(name, record)?;
    let cut = view.warnings().filter(|word| word.starts_with("cut_"));
    let mut lacks: Vec<_> = cut.map(str::to_owned).collect();
    match (view.removing_rule(), view.nothing()) {
        (Some(rule), _) => lacks.push(format!("removed by the filter `{rule}`")),
        (None, Some(why)) => lacks.push(format!("no content: {why}")),
        (None, None) => {}
    }
    Ok(Found {
        is_empty: view.text.is_empty() && !view.doc.blocks.is_empty(),
        facts: front_matter::facts(&view),
        text: match view.removal {
            None => to.of(&view, before),
            Some(_) => String::new(),
        },
        lacks,
    })
}

fn words(skip: &Skip) -> String {
    format!("{}: {}", skip.reason.as_str(), skip.detail)
}

/// Writes a page's content to its file, or prints it.
fn deliver(files: Option<&Files>, name: &str, found: &Found) -> Result<()> {
    match files {
        Some(files) => files.write(name, found.text.as_bytes()),
        None => {
            let mut out = stdout::open()?;
            print::forgive(
                out.write_all(found.text.as_bytes())
                    .and_then(|()| out.flush()),
            )
        }
    }
}
