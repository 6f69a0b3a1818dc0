//! `warcsieve index`: builds an inverted index of shards.

use super::stem::Stem;
use crate::exit::Exit;
use crate::figures::Figures;
use crate::inputs::shell_word;
use crate::interrupt::Left;
use crate::log::Format;
use crate::outputs::out_path;
use crate::{shards, size, threads};
use std::path::PathBuf;
use warcsieve_common::Result;
use warcsieve_corpus::sha256;
use warcsieve_retrieval::index::writer::MIN_HEAP;
use warcsieve_retrieval::index::{
    Bands, IndexSettings, IndexSummary, IndexedText, Indexing, Sliding, WriterOptions, index_shards,
};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Output folders of `clean`.
    #[arg(required = true, value_name = "SHARDS")]
    shards: Vec<PathBuf>,
    /// Folder of the index; an incomplete index in it is continued.
    #[arg(long, value_name = "DIR", value_parser = out_path)]
    out: PathBuf,
    /// Which text of a page is indexed: its content blocks, or all its blocks.
    #[arg(
        long,
        value_name = "TEXT",
        value_enum,
        default_value = "clean",
        default_value_if("bands", clap::builder::ArgPredicate::IsPresent, "raw")
    )]
    field: Text,
    /// Leave out blocks of fewer words.
    #[arg(long, value_name = "N", default_value = "0")]
    min_words: u32,
    /// Leave out blocks of smaller text density.
    #[arg(long, value_name = "D", default_value = "0", value_parser = density)]
    min_density: f32,
    /// Let searches choose thresholds: 1 to 100 words, and a density of 1 to 20. Takes four times
    /// as long, and up to 400 MB more.
    #[arg(long)]
    sliding: bool,
    /// The words that searches may choose as threshold, ascending.
    #[arg(long, value_name = "N,…", value_delimiter = ',')]
    sliding_words: Vec<u32>,
    /// The text densities that searches may choose as threshold, ascending.
    #[arg(long, value_name = "D,…", value_delimiter = ',')]
    sliding_density: Vec<f32>,
    /// Let searches weigh blocks by score: the lower bounds of the bands, ascending from 0; without
    /// a value 0,0.1,0.5,0.9. All blocks are indexed then, as with --field raw.
    #[arg(long, value_name = "BOUND,…", value_delimiter = ',', num_args = 0.., conflicts_with_all = ["min_words", "min_density"])]
    bands: Option<Vec<f32>>,
    /// Index the texts of the links to each page, from the table that `anchors` wrote for these
    /// shards.
    #[arg(long, value_name = "FILE")]
    anchors: Option<PathBuf>,
    /// Leave the title out of what is searched.
    #[arg(long)]
    no_title: bool,
    /// The terms: English stems, or unchanged words.
    #[arg(long, value_name = "WHICH", value_enum, default_value = "english")]
    stem: Stem,
    /// Do not keep the text: no excerpts and no feedback, but a much smaller index.
    #[arg(long)]
    no_store: bool,
    /// Memory for terms that are not yet on disk, such as 256M or 4G; at least 15M per thread.
    #[arg(long, value_name = "SIZE", default_value = "512M", value_parser = heap)]
    heap: usize,
    /// Threads that build postings; default: as many as there are cores.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=8))]
    threads: Option<u16>,
    /// No progress and no table: warnings and errors only.
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Text {
    Clean,
    Raw,
}

fn heap(text: &str) -> Result<usize, String> {
    size::parse(text, MIN_HEAP)
}

fn density(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(density) if density.is_finite() && density >= 0.0 => Ok(density),
        _ => Err("expected a number, 0 or more".to_owned()),
    }
}

impl Arguments {
    fn settings(&self) -> Result<IndexSettings> {
        let published = if self.sliding {
            Sliding::published()
        } else {
            Sliding::default()
        };
        let or = |given: bool| !given && self.sliding;
        Ok(IndexSettings {
            text: match self.field {
                Text::Clean => IndexedText::Clean,
                Text::Raw => IndexedText::Raw,
            },
            min_words: self.min_words,
            min_density: self.min_density,
            title: !self.no_title,
            stemming: self.stem.stemming(),
            store: !self.no_store,
            sliding: Sliding {
                words: match or(!self.sliding_words.is_empty()) {
                    true => published.words,
                    false => self.sliding_words.clone(),
                },
                density: match or(!self.sliding_density.is_empty()) {
                    true => published.density,
                    false => self.sliding_density.clone(),
                },
            },
            bands: match &self.bands {
                None => Bands::default(),
                Some(bounds) if bounds.is_empty() => Bands::usual(),
                Some(bounds) => Bands(bounds.clone()),
            },
            anchors: self.anchors.as_deref().map(sha256).transpose()?,
            ..IndexSettings::default()
        })
    }
}

pub fn run(arguments: &Arguments, format: Format) -> Result<Exit> {
    let shards = shards::list(&arguments.shards)?;
    let options = WriterOptions {
        heap: arguments.heap,
        threads: threads::count(arguments.threads),
    };
    let settings = arguments.settings()?;
    let quiet = arguments.quiet;
    let indexing = Indexing {
        settings: &settings,
        options,
        edit: None,
        anchors: arguments.anchors.as_deref(),
    };
    let summary = shards::run(&shards, Left::Done("shards"), quiet, format, |progress| {
        index_shards(&shards, &arguments.out, &indexing, progress)
    })?;
    if quiet {
        return Ok(Exit::Done);
    }
    let next = format!(
        "next: warcsieve search {} -q WORDS\n",
        shell_word(&arguments.out)
    );
    Ok(figures(&summary).print(format, &next, Exit::Done))
}

fn figures(summary: &IndexSummary) -> Figures {
    let mut figures = Figures::default();
    figures.count("shards added", "shards_added", summary.added);
    figures.count("shards that were in", "shards_kept", summary.kept);
    figures.count("pages in the index", "pages", summary.pages);
    figures.bytes("text added", "text_bytes_added", summary.text_bytes);
    figures
}
