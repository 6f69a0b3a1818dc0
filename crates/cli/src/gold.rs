//! How gold texts are read, as arguments.

use super::found::IDS;
use std::path::{Path, PathBuf};
use warcsieve_common::{Error, Result};
use warcsieve_eval::gold::{self, GoldOptions, Markup, Variant};
use warcsieve_eval::pages::Gold;

/// How gold texts are read.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct GoldReading {
    /// Which of the gold's texts counts: the content, without what is only related to it, or with
    /// the comments.
    #[arg(long, value_name = "WHICH", value_enum, default_value = "content")]
    pub gold_variant: GoldVariant,
    /// Whether gold texts hold CleanEval's <p>, <h>, <l> markers; default: detected by how they
    /// begin.
    #[arg(long, value_name = "KIND", value_enum, default_value = "auto")]
    pub gold_markup: GoldMarkup,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum GoldVariant {
    Content,
    Main,
    Both,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum GoldMarkup {
    Auto,
    Plain,
    Cleaneval,
}

/// The error that the gold is of other pages than the inputs.
pub fn of_other_pages() -> Error {
    Error::Invalid(format!(
        "no page of the inputs has an id of the gold; {IDS}"
    ))
}

impl GoldReading {
    /// Reads gold files as one.
    pub fn read(self, files: &[PathBuf]) -> Result<Gold> {
        if files.iter().any(|file| file == Path::new("annotations")) {
            if files.len() > 1 {
                let why =
                    "--gold annotations stands alone: pages that carry their gold have no other";
                return Err(Error::Invalid(why.to_owned()));
            }
            let (GoldVariant::Content, GoldMarkup::Auto) = (self.gold_variant, self.gold_markup)
            else {
                let why =
                    "--gold-variant and --gold-markup are for gold texts, not for annotations";
                return Err(Error::Invalid(why.to_owned()));
            };
            return Ok(Gold::Annotations);
        }
        let options = GoldOptions {
            variant: match self.gold_variant {
                GoldVariant::Content => Variant::Gold,
                GoldVariant::Main => Variant::Main,
                GoldVariant::Both => Variant::Both,
            },
            markup: match self.gold_markup {
                GoldMarkup::Auto => Markup::Auto,
                GoldMarkup::Plain => Markup::Plain,
                GoldMarkup::Cleaneval => Markup::CleanEval,
            },
        };
        gold::read_all(files, options).map(Gold::Texts)
    }
}
