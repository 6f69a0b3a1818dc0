//! `warcsieve export`: converts outputs to the formats of other programs.

use super::omit::OmitArguments;
use super::stem::Stem;
use crate::exit::Exit;
use crate::figures::Figures;
use crate::interrupt::Left;
use crate::log::Format as LogFormat;
use crate::outputs::{check_output, out_path};
use crate::{shards, threads};
use clap::ValueEnum;
use std::ffi::OsStr;
use std::path::PathBuf;
use warcsieve_common::{Error, Result};
use warcsieve_engine::Progress;
use warcsieve_retrieval::export::{
    CiffSettings, Compression, ExportSettings, ExportSummary, Format, Texts, export, export_ciff,
};
use warcsieve_retrieval::index::IndexedText;
use warcsieve_retrieval::shards::Shard;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Output folders of `clean`.
    #[arg(required = true, value_name = "SHARDS")]
    shards: Vec<PathBuf>,
    /// The format to write.
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: To,
    /// Folder for the files, one per shard; for ciff the one file, compressed as its ending says:
    /// .gz, .zst.
    #[arg(long, value_name = "DIR|FILE", value_parser = out_path)]
    out: PathBuf,
    /// Which text of a page: its content, all its blocks, or both in separate folders.
    #[arg(long, value_enum, default_value = "clean")]
    text: TextArgument,
    /// How files are compressed; default: gz.
    #[arg(long, value_enum)]
    compress: Option<Compress>,
    /// Leave titles out of trec, trecweb, anserini and ciff.
    #[arg(long)]
    no_title: bool,
    /// The terms of ciff: English stems (the default), or unchanged words.
    #[arg(long, value_name = "WHICH", value_enum)]
    stem: Option<Stem>,
    #[command(flatten)]
    omit: OmitArguments,
    /// Threads to use; default: as many as there are cores. For ciff always two.
    #[arg(long, value_name = "N", value_parser = crate::threads::parse)]
    threads: Option<u16>,
    /// Replace another export in the folder.
    #[arg(long)]
    force: bool,
    /// No progress and no table: warnings and errors only.
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum To {
    /// Documents as in TREC's news collections.
    Trec,
    /// Documents as in TREC's web collections.
    Trecweb,
    /// JSON lines of id and contents.
    Anserini,
    /// JSON lines of all columns of documents.
    Jsonl,
    /// WARC records of type conversion, as Common Crawl's WET files.
    Wet,
    /// Dolma's documents, and where content or boilerplate is in them.
    Dolma,
    /// One inverted index in the Common Index File Format.
    Ciff,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum TextArgument {
    Clean,
    Raw,
    Both,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Compress {
    Gz,
    Zst,
    None,
}

impl Arguments {
    fn texts(&self) -> Texts {
        match self.text {
            TextArgument::Clean => Texts::Clean,
            TextArgument::Raw => Texts::Raw,
            TextArgument::Both => Texts::Both,
        }
    }

    /// The settings of a format with one file per shard.
    fn settings(&self, format: Format) -> Result<ExportSettings> {
        if self.stem.is_some() {
            return Err(Error::Invalid("--stem is for --to ciff".to_owned()));
        }
        if self.no_title && matches!(format, Format::Jsonl | Format::Dolma | Format::Wet) {
            let why = "--no-title does not work with jsonl and dolma, which have a separate field for titles, nor with wet, which has no titles";
            return Err(Error::Invalid(why.to_owned()));
        }
        Ok(ExportSettings {
            format,
            texts: self.texts(),
            compression: match self.compress {
                None | Some(Compress::Gz) => Compression::Gz,
                Some(Compress::Zst) => Compression::Zst,
                Some(Compress::None) => Compression::None,
            },
            titles: !self.no_title,
        })
    }

    fn ciff_settings(&self) -> Result<CiffSettings> {
        if self.compress.is_some() {
            let why = "--compress does not work with --to ciff: the ending of --out decides";
            return Err(Error::Invalid(why.to_owned()));
        }
        Ok(CiffSettings {
            text: match self.text {
                TextArgument::Clean => IndexedText::Clean,
                TextArgument::Raw => IndexedText::Raw,
                TextArgument::Both => {
                    let why = "an index has either clean or raw text; export them separately";
                    return Err(Error::Invalid(why.to_owned()));
                }
            },
            compression: match self.out.extension().and_then(OsStr::to_str) {
                Some("gz") => Compression::Gz,
                Some("zst") => Compression::Zst,
                _ => Compression::None,
            },
            titles: !self.no_title,
            stemming: self.stem.map(Stem::stemming).unwrap_or_default(),
        })
    }

    fn export(&self, shards: &[Shard], progress: &Progress) -> Result<ExportSummary> {
        let omit = self.omit.read()?;
        let format = match self.to {
            To::Trec => Format::Trec,
            To::Trecweb => Format::Trecweb,
            To::Anserini => Format::Anserini,
            To::Jsonl => Format::Jsonl,
            To::Dolma => Format::Dolma,
            To::Wet => Format::Wet,
            To::Ciff => {
                let settings = self.ciff_settings()?;
                check_output(&self.out, &[], &[])?;
                return export_ciff(shards, settings, &omit, &self.out, self.force, progress);
            }
        };
        let settings = self.settings(format)?;
        threads::pool(self.threads)?
            .install(|| export(shards, settings, &omit, &self.out, self.force, progress))
    }
}

pub fn run(arguments: &Arguments, format: LogFormat) -> Result<Exit> {
    let shards = shards::list(&arguments.shards)?;
    let quiet = arguments.quiet;
    let summary = shards::run(&shards, Left::Done("shards"), quiet, format, |progress| {
        arguments.export(&shards, progress)
    })?;
    if quiet {
        return Ok(Exit::Done);
    }
    Ok(figures(&summary).print(format, "", Exit::Done))
}

fn figures(summary: &ExportSummary) -> Figures {
    let mut figures = Figures::default();
    figures.count("shards exported", "shards_exported", summary.shards);
    let title = "shards exported before";
    figures.some(title, "shards_exported_before", summary.kept);
    figures.count("pages", "pages", summary.pages);
    figures.count("files written", "files_written", summary.files);
    figures.bytes("bytes written", "bytes_written", summary.bytes);
    figures
}
