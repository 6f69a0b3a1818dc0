//! `warcsieve label`: writes a page on which a person labels pages in a browser.

use super::exit::Exit;
use super::inputs::pages;
use super::missing::refuse_all_missing;
use super::outputs::out_path;
use super::pipelines::pipeline;
use super::{found, page_out, print};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use warcsieve_common::files::make_folder;
use warcsieve_common::{Result, counted};
use warcsieve_look::label::label_html;
use warcsieve_look::view::{Viewer, Wanted, Which};
use warcsieve_store::write_atomically;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// WARC or ARC files, pages, folders, quoted patterns, @LIST files.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<String>,
    /// Label N pages drawn at random, the same ones each time.
    #[arg(long, value_name = "N", default_value = "50", conflicts_with = "id")]
    sample: NonZeroUsize,
    /// Label the page with this id; may be given several times.
    #[arg(long)]
    id: Vec<String>,
    /// Pipeline file, or the name of one that ships; its labels are the initial ones.
    #[arg(long, value_name = "FILE", default_value = "default")]
    pipeline: String,
    /// The folder to write label.html to.
    #[arg(long, value_name = "DIR", value_parser = out_path)]
    out: PathBuf,
}

pub fn run(arguments: &Arguments) -> Result<Exit> {
    let pipelines = [pipeline(&arguments.pipeline)?];
    let inputs = pages(&arguments.inputs)?;
    refuse_all_missing(&inputs, true)?;
    let read = page_out::read(&inputs, &[], std::slice::from_ref(&arguments.pipeline));
    let path = arguments.out.join("label.html");
    page_out::check("--out", &arguments.out, page_out::Kind::Folder, &[])?;
    page_out::check("--out", &path, page_out::Kind::File, &read)?;
    let which = match arguments.id.is_empty() {
        true => Which::Sample(arguments.sample.get()),
        false => Which::Named(Wanted {
            ids: arguments.id.clone(),
            urls: Vec::new(),
        }),
    };
    let found = Viewer::new(&pipelines, None)
        .without_reasons()
        .find(&inputs, &which)?;
    let (pages, troubles) = found::count(&found)?;
    let title = arguments.inputs.join(" ");
    let page = label_html(&title, &pipelines[0].name, &found.pages);
    make_folder(&arguments.out)?;
    write_atomically(&path, page.as_bytes())?;
    for line in &troubles {
        tracing::warn!("{line}");
    }
    let fewer = match arguments.id.is_empty() && pages < arguments.sample.get() {
        true => format!(", all that the inputs have of {}", arguments.sample),
        false => String::new(),
    };
    print::text(&format!(
        "{} to label in {}{fewer}\nopen it in a browser; Save gives gold.jsonl, for eval --gold and train --gold\n",
        counted(pages, "page", "pages"),
        path.display()
    ))?;
    Ok(match troubles.is_empty() {
        true => Exit::Done,
        false => Exit::Faulty,
    })
}
