//! `warcsieve inspect`: shows the blocks of a page, their labels and the reasons.

use super::exit::Exit;
use super::extract::STDIN;
use super::missing::refuse_all_missing;
use super::pipelines::{PipelineName, pipeline, warn_of_lacking_tables};
use super::set::Set;
use super::{escape, print, stores};
use anstyle::{AnsiColor, Style};
use std::io::{IsTerminal, stdout};
use warcsieve_classify::{Classifier, Names};
use warcsieve_common::{Error, Result, counted};
use warcsieve_engine::{Naming, list_inputs};
use warcsieve_extract::{Engine, PageView, Pipeline};
use warcsieve_page::Page;
use warcsieve_warc::{Record, Source};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The WARC or ARC file, or a page; - is standard input.
    file: String,
    /// Show the page with this id (WARC-TREC-ID, ClueWeb22-ID or record id).
    #[arg(long, group = "which")]
    id: Option<String>,
    /// Show the page with this URL.
    #[arg(long, group = "which")]
    url: Option<String>,
    /// Show the first page at or after this byte offset of the file.
    #[arg(long, group = "which")]
    offset: Option<u64>,
    /// Pipeline file, or the name of one that ships (see `methods`).
    #[arg(long, value_name = "FILE", default_value = "default", hide_possible_values = true, value_parser = PipelineName)]
    pipeline: String,
    #[command(flatten)]
    set: Set,
    /// Show each block's whole text, not its first 100 characters.
    #[arg(long)]
    full: bool,
    /// Show the page's decoded HTML instead of its blocks.
    #[arg(long)]
    html: bool,
}

pub fn run(arguments: &Arguments) -> Result<Exit> {
    let mut pipeline = pipeline(&arguments.pipeline)?;
    arguments.set.apply(&mut pipeline, false)?;
    warn_of_lacking_tables([&pipeline]);
    let limits = pipeline.settings.limits();
    let inputs = list_inputs(
        std::slice::from_ref(&arguments.file),
        &Naming {
            stdin: (arguments.file == "-").then_some(STDIN),
            ..Naming::default()
        },
        &stores::of_environment(),
    )?;
    let [input] = &inputs[..] else {
        let why = format!("one file is inspected, and these are {}", inputs.len());
        return Err(Error::Invalid(format!("{}: {why}", arguments.file)));
    };
    refuse_all_missing(&inputs, false)?;
    let name = input.origin();
    let (_, mut reader) = input.reader(limits)?;
    let mut record = Record::default();
    let mut engine = Engine::new(&pipeline);
    let names = engine.names().clone();
    let is_crawl = reader.is_crawl();
    let mut last_skip = None;
    while reader.read_record(&mut record)? {
        if !engine.selects(&record) || arguments.offset.is_some_and(|o| record.location.offset < o)
        {
            continue;
        }
        match engine.record(&input.name, &record) {
            Ok(view) if is_wanted(arguments, &view.page) => {
                show(arguments, &pipeline, &names, &record, &view)?;
                return Ok(Exit::Done);
            }
            Err(skip) if could_be_wanted(arguments, &record) => {
                last_skip = Some(format!(
                    "the record {} at offset {} was passed over ({}: {})",
                    record.record_id(),
                    record.location.offset,
                    skip.reason.as_str(),
                    skip.detail
                ));
            }
            Ok(_) | Err(_) => {}
        }
    }
    let more = last_skip.map(|s| format!("; {s}")).unwrap_or_default();
    let wanted = match (&arguments.id, &arguments.url, arguments.offset) {
        (Some(id), ..) => format!("no page has the id {id}"),
        (_, Some(url), _) => format!("no page has the address {url}"),
        (.., Some(offset)) => format!("no page begins at byte {offset} or after it"),
        _ => "it has no page".to_owned(),
    };
    let hint = match is_crawl {
        true => "; `warcsieve extract FILE --to json` prints the id and url of each page",
        false => "; it is one page, which `warcsieve inspect` shows without --id",
    };
    Err(Error::Invalid(format!("{name}: {wanted}{more}{hint}")))
}

/// A record's id without the angle brackets around it.
fn bare(id: &str) -> &str {
    id.trim_matches(['<', '>'])
}

fn is_wanted(arguments: &Arguments, page: &Page<'_>) -> bool {
    match (&arguments.id, &arguments.url) {
        (Some(id), _) => page.id == *id || bare(&page.record_id) == bare(id),
        (_, Some(url)) => page.url == *url,
        _ => true,
    }
}

/// Whether a record that is not a page may be the requested one, according to its header.
fn could_be_wanted(arguments: &Arguments, record: &Record) -> bool {
    let is = |name, value: &str| {
        let header = record.header(name).map(String::from_utf8_lossy);
        header.is_some_and(|header| bare(&header) == bare(value))
    };
    match (&arguments.id, &arguments.url) {
        (Some(id), _) => ["WARC-TREC-ID", "ClueWeb22-ID", "WARC-Record-ID"]
            .iter()
            .any(|n| is(n, id)),
        (_, Some(url)) => is("WARC-Target-URI", url),
        _ => true,
    }
}

fn show(
    arguments: &Arguments,
    pipeline: &Pipeline,
    names: &Names,
    record: &Record,
    view: &PageView<'_>,
) -> Result<()> {
    let page = &view.page;
    let text = if arguments.html && stdout().is_terminal() {
        escape::text(page.payload)
    } else if arguments.html {
        page.payload.to_owned()
    } else {
        let mut text = head(pipeline, record, view);
        for i in 0..view.labels.len() {
            text += &block(arguments, view, names, i);
        }
        text
    };
    print::styled(&text)
}

fn head(pipeline: &Pipeline, record: &Record, view: &PageView<'_>) -> String {
    let page = &view.page;
    let status = page.status.map_or("-".to_owned(), |s| s.to_string());
    let warnings: Vec<_> = view.warnings().collect();
    let by = view.labelled_by.map(|by| format!(", labelled by {by}"));
    format!(
        "id        {}\nurl       {}\ntitle     {}\nrecord    {} at offset {}+{}\n\
         page      status {status}, {}, {} ({})\nwarnings  {}\n\
         pipeline  {}{} ({}): {} of {} {} content\n\n",
        escape::line(&page.id),
        escape::line(&page.url),
        escape::line(&view.doc.title),
        escape::line(&page.record_id),
        record.location.offset,
        record.location.offset_in_member,
        escape::line(&page.mime),
        page.charset,
        page.charset_source.as_str(),
        if warnings.is_empty() {
            "none".to_owned()
        } else {
            warnings.join(", ")
        },
        pipeline.name,
        by.unwrap_or_default(),
        view.method,
        view.content_blocks(),
        counted(view.labels.len(), "block", "blocks"),
        if view.content_blocks() == 1 {
            "is"
        } else {
            "are"
        },
    )
}

/// Maximum characters shown of a block's text without --full.
const SHORT: usize = 100;

fn block(arguments: &Arguments, view: &PageView<'_>, names: &Names, i: usize) -> String {
    let (b, label) = (&view.doc.blocks[i], &view.labels[i]);
    let (color, mark) = if label.content {
        (AnsiColor::Green, '+')
    } else {
        (AnsiColor::Red, '-')
    };
    let style = Style::new().fg_color(Some(color.into()));
    let dim = Style::new().dimmed();
    let text = view.doc.block_text(b);
    let head = match text.char_indices().nth(SHORT) {
        Some((end, _)) if !arguments.full => &text[..end],
        _ => text,
    };
    let dots = if head.len() < text.len() { "…" } else { "" };
    let shown = escape::text(head);
    let class = match names.class_of(label) {
        "" => String::new(),
        class => format!("{class}, "),
    };
    let why = match view.chain.explain(view.doc, view.labels, i) {
        why if why.is_empty() => names.reason_of(label).to_owned(),
        why => why,
    };
    let moved = view.chain.moved(view.doc, i);
    let moved: Vec<String> = moved.iter().map(ToString::to_string).collect();
    let moved = match moved.is_empty() {
        true => String::new(),
        false => format!("; moved most by {}", moved.join(", ")),
    };
    let why = escape::line(&format!("{why}{moved}"));
    let mut path = String::new();
    view.doc.tree.path(b.element, &mut path);
    let path = escape::line(&path);
    format!(
        "{style}{i:>4} {mark} {shown}{dots}{style:#}\n\
         {dim}       {class}score {:.3}; {why}\n       \
         words {}, link density {:.3}, text density {:.3}, tokens {}, chars {}, lines {}; \
         bytes {}..{} of {path}{dim:#}\n",
        label.score,
        b.words,
        b.link_density(),
        b.text_density(),
        b.tokens,
        b.chars,
        b.lines,
        b.source.start,
        b.source.end,
    )
}
