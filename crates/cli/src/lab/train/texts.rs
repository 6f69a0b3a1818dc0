//! Arguments of learners that use gold texts.

use super::learned::file_name;
use crate::inputs::{pages, shell_word};
use crate::outputs::{check_output, out_path};
use std::path::{Path, PathBuf};
use warcsieve_common::{Error, Result};
use warcsieve_engine::Input;
use warcsieve_eval::gold::{self, GoldOptions};
use warcsieve_eval::pages::Gold;
use warcsieve_html::Segmentation;
use warcsieve_train::provenance::Provenance;

#[derive(Debug, clap::Args)]
pub struct Texts {
    /// WARC or ARC files, folders, quoted patterns, @LIST files.
    #[arg(required = true, value_name = "PAGES")]
    inputs: Vec<String>,
    /// JSON Lines of gold texts (may be .gz); may be given several times.
    #[arg(long, value_name = "FILE", required = true)]
    gold: Vec<PathBuf>,
    /// File for the model; its card is written next to it, with the ending `.md`.
    #[arg(long, value_name = "FILE", value_parser = out_path)]
    pub out: PathBuf,
    /// The licence of the pages and of the gold, for the model's card.
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub licence: String,
}

impl Texts {
    /// Opens the pages and the gold. Also returns the file of the card.
    pub fn open(&self, pipeline: &str) -> Result<(Vec<Input>, Gold, PathBuf)> {
        let inputs = pages(&self.inputs)?;
        let golds: Vec<String> = self.gold.iter().map(|g| g.display().to_string()).collect();
        let mut others: Vec<&str> = golds.iter().map(String::as_str).collect();
        others.push(pipeline);
        let card = self.out.with_extension("md");
        if card == self.out {
            let why = "the model's card is written beside it as .md; give the model another ending";
            return Err(Error::Invalid(why.to_owned()));
        }
        for output in [&self.out, &card] {
            check_output(output, &inputs, &others)?;
        }
        let gold = gold::read_all(&self.gold, GoldOptions::default())?;
        Ok((inputs, Gold::Texts(gold), card))
    }

    /// Names of the files without their folders, which do not change the model.
    pub fn data(&self) -> Vec<String> {
        let inputs = self.inputs.iter().map(Path::new);
        let golds = self.gold.iter().map(PathBuf::as_path);
        inputs.chain(golds).map(file_name).collect()
    }

    /// Pages and gold as words of a command line, with file names without folders.
    pub fn words(&self) -> String {
        let name = |file: &Path| shell_word(file_name(file));
        let inputs = self.inputs.iter().map(|input| name(Path::new(input)));
        let golds = self
            .gold
            .iter()
            .map(|gold| format!("--gold {}", name(gold)));
        inputs.chain(golds).collect::<Vec<_>>().join(" ")
    }

    /// The provenance of the model that `command` learns from them.
    pub fn provenance(&self, command: String, segmentation: Segmentation) -> Provenance {
        Provenance {
            name: file_name(&self.out),
            command,
            data: self.data(),
            licence: self.licence.clone(),
            segmentation,
        }
    }

    /// The option `--pipeline` for a command line, with a space before it. Empty for the default.
    pub fn pipeline(pipeline: &str, default: &str) -> String {
        if pipeline == default {
            return String::new();
        }
        format!(" --pipeline {}", shell_word(file_name(Path::new(pipeline))))
    }

    /// The options for licence and model file for a command line, with a space before each.
    pub fn ending(&self) -> String {
        let licence = match self.licence.as_str() {
            "" => String::new(),
            licence => format!(" --licence {}", shell_word(licence)),
        };
        format!("{licence} --out {}", shell_word(file_name(&self.out)))
    }
}
