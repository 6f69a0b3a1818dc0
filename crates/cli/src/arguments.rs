//! The arguments of the program, with those of each subcommand.

#[cfg(feature = "lab")]
use super::lab;
use super::{
    anchors, build, cdx, check, clean, corpus, dedup, eval, extract, forget, freq, generate,
    inspect, label, log, methods, plan, prove, relabel, report, signals, status, verify_counts,
    view,
};
use clap::{Parser, Subcommand};

/// Turns web crawls (WARC, ARC) into clean text and per-block evidence (Parquet).
#[derive(Debug, Parser)]
#[command(name = "warcsieve", version = build::VERSION, max_term_width = 80)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
    /// Format of log lines.
    #[arg(
        long,
        value_enum,
        value_name = "FORM",
        default_value = "text",
        global = true
    )]
    pub log_format: log::Format,
    /// Say more: a line for each input that is done.
    #[arg(long, short, global = true)]
    pub verbose: bool,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Extract the content of pages: printed, or one file per page.
    Extract(extract::Arguments),
    /// Clean crawls: documents and blocks as Parquet, one pair of files per input.
    Clean(clean::Arguments),
    /// Label the pages of an output folder again with another pipeline, without the crawl.
    Relabel(relabel::Arguments),
    /// Estimate what cleaning will cost from a random sample: core-hours, bytes, memory, time.
    Plan(plan::Arguments),
    /// List the methods a pipeline can use, and the pipelines that ship.
    Methods(methods::Arguments),
    /// Measure methods against gold texts: tables by method and kind of page, and the worst pages.
    Eval(eval::Arguments),
    /// Label pages by hand in a browser: gold for eval and train.
    Label(label::Arguments),
    /// Show one page's blocks with their labels, and why.
    Inspect(inspect::Arguments),
    /// Show pages in a browser: their blocks and labels, next to the text, another pipeline or
    /// gold.
    View(view::Arguments),
    /// Report the structure of WARC files, and every fault with its offset.
    Check(check::Arguments),
    /// Index crawl files: which record is at which bytes (CDXJ), verified by reading it again.
    Cdx(cdx::Arguments),
    /// Make a corpus from a crawl with one file: clean, filter, mask, and drop duplicates.
    Corpus(corpus::Arguments),
    /// Take pages out of an output folder, by lists of addresses or hosts, and log it.
    Forget(forget::Arguments),
    /// Measure texts of output folders: the signals that corpora are filtered by.
    Signals(signals::Arguments),
    /// Find exact and near duplicates of pages in output folders.
    Dedup(dedup::Arguments),
    /// Gather the links of output folders by the page that they lead to.
    Anchors(anchors::Arguments),
    /// Count on how many pages of a crawl each block text appears, for frequency features.
    Freq(freq::Arguments),
    #[cfg(feature = "lab")]
    #[command(flatten)]
    Lab(lab::Command),
    /// Show which inputs of an output folder are done, and seal it.
    Status(status::Arguments),
    /// Find blocks of an output folder again in the crawl: a check by chance.
    Prove(prove::Arguments),
    /// Show in a browser what a run did, and what it lost; or two runs side by side.
    Report(report::Arguments),
    /// Compare how many records a crawl has with what its index or ClueWeb states.
    VerifyCounts(verify_counts::Arguments),
    /// Lay out pages for the program that started this one. Requests come on standard input.
    #[cfg(feature = "layout")]
    #[command(hide = true)]
    LayoutEngine,
    /// Print shell completions.
    Completions(generate::CompletionArguments),
    /// Print the manual page, or write one per subcommand into a folder.
    Man(generate::ManArguments),
}
