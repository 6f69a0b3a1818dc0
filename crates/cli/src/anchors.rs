//! `warcsieve anchors`: gathers the links to each page.

use super::exit::Exit;
use super::interrupt::Left;
use super::log::Format;
use super::outputs::{check_output, out_path};
use super::table::Table;
use super::{print, shards, size};
use std::path::PathBuf;
use warcsieve_common::Result;
use warcsieve_corpus::{AnchorOptions, AnchorSummary, gather};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Output folders of `clean` with link_table = true in the pipeline.
    #[arg(value_name = "OUT", required = true)]
    shards: Vec<PathBuf>,
    /// The table: one row per page with links to it, with the texts and numbers of these links.
    #[arg(long, value_name = "FILE", value_parser = out_path)]
    out: PathBuf,
    /// Only links from other hosts.
    #[arg(long)]
    other_hosts: bool,
    /// Only links of content blocks.
    #[arg(long)]
    content: bool,
    /// Memory for sorting, such as 256M or 4G.
    #[arg(long, value_name = "SIZE", default_value = "512M", value_parser = size::memory)]
    memory: usize,
    /// No progress and no table: warnings and errors only.
    #[arg(long, short)]
    pub quiet: bool,
}

pub fn run(arguments: &Arguments, format: Format) -> Result<Exit> {
    let shards = shards::list(&arguments.shards)?;
    check_output(&arguments.out, &[], &[])?;
    let options = AnchorOptions {
        content: arguments.content,
        other_hosts: arguments.other_hosts,
        memory: arguments.memory,
        ..AnchorOptions::default()
    };
    let quiet = arguments.quiet;
    let summary = shards::run(&shards, Left::Nothing, quiet, format, |progress| {
        gather(&shards, &options, &arguments.out, progress)
    })?;
    if quiet {
        return Ok(Exit::Done);
    }
    let text = match format {
        Format::Text => end_table(&summary).render(),
        Format::Json => print::json_line(serde_json::json!(summary)),
    };
    Ok(print::table(&text, Exit::Done))
}

fn end_table(summary: &AnchorSummary) -> Table {
    let mut table = Table::default();
    let mut row = |name: &str, n: u64| table.count(name, n);
    row("pages", summary.pages);
    row("  linked to", summary.pages_linked_to);
    row("links", summary.links);
    row("  left out", summary.links_left_out);
    row("  elsewhere", summary.links_elsewhere);
    row("  to these pages", summary.links_to_pages);
    table
}
