//! Arguments for reading gold texts.

use super::found::IDS;
use std::path::{Path, PathBuf};
use warcsieve_common::{Error, Result};
use warcsieve_eval::gold::{self, GoldOptions, Markup, Variant};
use warcsieve_eval::pages::Gold;

/// How gold texts are read.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct GoldReading {
    /// Which gold text counts: the content, the content without related parts, or the content with
    /// the comments.
    #[arg(long, value_name = "WHICH", value_enum, default_value = "content")]
    pub gold_variant: GoldVariant,
    /// Whether gold texts have CleanEval's <p>, <h>, <l> markers; default: detected from their
    /// beginning.
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

/// The error if the gold is about other pages than the inputs.
pub fn of_other_pages() -> Error {
    Error::Invalid(format!(
        "no page of the inputs has an id of the gold; {IDS}"
    ))
}

impl GoldReading {
    /// Reads several gold files as one.
    pub fn read(self, files: &[PathBuf]) -> Result<Gold> {
        if files.iter().any(|file| file == Path::new("annotations")) {
            if files.len() > 1 {
                let why = "--gold annotations cannot be combined with other gold files";
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
