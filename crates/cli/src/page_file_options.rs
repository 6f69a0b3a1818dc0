//! Options for page files.

use clap::ValueEnum;
use warcsieve_common::{Error, Result};
use warcsieve_render::TextFormat;
use warcsieve_tables::{PageLayout, PageNames};

#[derive(Debug, clap::Args)]
pub struct PageFileOptions {
    /// How the files of a crawl's pages are named; default: url.
    #[arg(long, value_enum, value_name = "NAMES")]
    names: Option<Names>,
    /// Put address, title, date and language before the text, as YAML; `=false` leaves them out.
    /// Default: for Markdown of crawls.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL")]
    pub with_metadata: Option<bool>,
}

/// How page files are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Names {
    /// By address: `a.example_path_page.md`.
    Url,
    /// By id.
    Id,
    /// By the number of the page in its crawl.
    Number,
}

impl PageFileOptions {
    /// How page files are named.
    pub fn names(&self) -> PageNames {
        match self.names {
            None | Some(Names::Url) => PageNames::Url,
            Some(Names::Id) => PageNames::Id,
            Some(Names::Number) => PageNames::Number,
        }
    }

    /// Refuses options that would have no effect. `lacks` is the option that would write page
    /// files, if it is not given. `form` is the requested form of text.
    ///
    /// # Errors
    /// [`Error::Invalid`].
    pub fn check(&self, lacks: Option<&str>, form: Option<TextFormat>) -> Result<()> {
        if let (Some(_), Some(lacks)) = (self.names, lacks) {
            return Err(Error::Invalid(format!(
                "--names is about files of pages; add {lacks}"
            )));
        }
        match (self.with_metadata, form) {
            (Some(_), None) => {
                let why = "--with-metadata is about files of pages; add --to md or --to txt";
                Err(Error::Invalid(why.to_owned()))
            }
            (Some(true), Some(TextFormat::Html)) => {
                let why = "--with-metadata is for txt and md";
                Err(Error::Invalid(why.to_owned()))
            }
            _ => Ok(()),
        }
    }

    /// The layout of a run's page files; `None` if it writes none.
    ///
    /// # Errors
    /// Those of [`Self::check`].
    pub fn layout(&self, form: Option<TextFormat>) -> Result<Option<PageLayout>> {
        self.check(form.is_none().then_some("--to FORM"), form)?;
        Ok(form.map(PageLayout::of_form).map(|usual| PageLayout {
            names: self.names(),
            front_matter: self.with_metadata.unwrap_or(usual.front_matter),
            ..usual
        }))
    }
}
