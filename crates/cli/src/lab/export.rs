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
use clap::builder::{NonEmptyStringValueParser, PossibleValuesParser};
use std::ffi::OsStr;
use std::path::PathBuf;
use warcsieve_common::{Error, Result};
use warcsieve_engine::Progress;
use warcsieve_retrieval::export::{
    CiffSettings, Columns, Compression, ExportSettings, ExportSummary, Format, PRESETS, Preset,
    Texts, export, export_ciff,
};
use warcsieve_retrieval::index::IndexedText;
use warcsieve_retrieval::shards::Shard;

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Output folders of `clean`.
    #[arg(required = true, value_name = "SHARDS")]
    shards: Vec<PathBuf>,
    /// The format to write; with --columns that of the published corpus, unless jsonl or parquet is given.
    #[arg(
        long,
        value_enum,
        value_name = "FORMAT",
        required_unless_present = "columns"
    )]
    to: Option<To>,
    /// Write the columns of a published corpus: names, types and order. For Dolma use --to dolma.
    #[arg(long, value_name = "CORPUS", value_parser = PossibleValuesParser::new(PRESETS.iter().map(|p| p.name)))]
    columns: Option<String>,
    /// Name of the crawl, for inputs whose path does not say it as crawl-data/CC-MAIN-2024-10/… does.
    #[arg(long, value_name = "NAME", requires = "columns", value_parser = NonEmptyStringValueParser::new())]
    crawl: Option<String>,
    /// Count tokens with this tokenizer.json of Hugging Face (`token_count`).
    #[arg(long, value_name = "FILE", requires = "columns")]
    tokenizer: Option<PathBuf>,
    /// Folder for the files, one per shard; for ciff the one file, compressed as its ending says:
    /// .gz, .zst.
    #[arg(long, value_name = "DIR|FILE", value_parser = out_path)]
    out: PathBuf,
    /// Which text of a page: its content, all its blocks, or both in separate folders.
    #[arg(long, value_enum, default_value = "clean")]
    text: TextArgument,
    /// How files are compressed; default: gz, with --columns as the published files.
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
    /// Parquet, with --columns.
    Parquet,
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
    fn settings(&self, format: Format, usual: Compression) -> Result<ExportSettings> {
        let refuse = |is_given: bool, why: &str| match is_given {
            true => Err(Error::Invalid(why.to_owned())),
            false => Ok(()),
        };
        refuse(self.stem.is_some(), "--stem is for --to ciff")?;
        let has_no_titles = matches!(format, Format::Jsonl | Format::Dolma | Format::Wet);
        refuse(
            self.no_title && (has_no_titles || format == Format::Parquet),
            "--no-title does not work with jsonl and dolma, which have a separate field for titles, nor with wet and --columns, which have no titles",
        )?;
        refuse(
            self.compress.is_some() && format == Format::Parquet,
            "--compress does not work with parquet, whose columns are compressed",
        )?;
        Ok(ExportSettings {
            format,
            texts: self.texts(),
            compression: match self.compress {
                None => usual,
                Some(Compress::Gz) => Compression::Gz,
                Some(Compress::Zst) => Compression::Zst,
                Some(Compress::None) => Compression::None,
            },
            titles: !self.no_title,
        })
    }

    fn columns(&self) -> Result<Option<(&'static Preset, Columns)>> {
        let Some(preset) = self.columns.as_deref().and_then(Preset::find) else {
            return Ok(None);
        };
        let tokenizer = self.tokenizer.as_deref();
        let columns = Columns::new(preset, self.crawl.clone(), tokenizer)?;
        Ok(Some((preset, columns)))
    }

    fn warn_of_nulls(&self) {
        let preset = self.columns.as_deref().and_then(Preset::find);
        let column = preset.and_then(Preset::token_column);
        if let (Some(column), None) = (column, &self.tokenizer) {
            tracing::warn!("`{column}` is null in all rows; --tokenizer FILE counts tokens");
        }
    }

    fn ciff_settings(&self) -> Result<CiffSettings> {
        if self.columns.is_some() {
            return Err(Error::Invalid(
                "--columns works with --to jsonl and parquet".to_owned(),
            ));
        }
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
        let columns = self.columns()?;
        let preset = columns.as_ref().map(|(preset, _)| preset);
        let format = match self.to {
            Some(To::Trec) => Format::Trec,
            Some(To::Trecweb) => Format::Trecweb,
            Some(To::Anserini) => Format::Anserini,
            Some(To::Jsonl) => Format::Jsonl,
            Some(To::Parquet) => Format::Parquet,
            Some(To::Dolma) => Format::Dolma,
            Some(To::Wet) => Format::Wet,
            Some(To::Ciff) => {
                let settings = self.ciff_settings()?;
                check_output(&self.out, &[], &[])?;
                return export_ciff(shards, settings, &omit, &self.out, self.force, progress);
            }
            None => preset.map_or(Format::Jsonl, |preset| preset.format),
        };
        let usual = preset.map_or(Compression::Gz, |preset| preset.compression);
        let settings = self.settings(format, usual)?;
        let columns = columns.as_ref().map(|(_, columns)| columns);
        let (out, force) = (&self.out, self.force);
        threads::pool(self.threads)?
            .install(|| export(shards, settings, columns, &omit, out, force, progress))
    }
}

pub fn run(arguments: &Arguments, format: LogFormat) -> Result<Exit> {
    let shards = shards::list(&arguments.shards)?;
    let quiet = arguments.quiet;
    let summary = shards::run(&shards, Left::Done("shards"), quiet, format, |progress| {
        arguments.export(&shards, progress)
    })?;
    arguments.warn_of_nulls();
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
    figures.some("pages left out", "pages_left_out", summary.left_out);
    figures.some("tokens", "tokens", summary.tokens);
    figures.count("files written", "files_written", summary.files);
    figures.bytes("bytes written", "bytes_written", summary.bytes);
    figures
}
