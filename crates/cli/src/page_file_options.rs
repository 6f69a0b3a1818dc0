//! Options about files of pages, one a page.

use clap::ValueEnum;
use warcsieve_common::{Error, Result};
use warcsieve_render::TextFormat;
use warcsieve_tables::{PageLayout, PageNames};

#[derive(Debug, clap::Args)]
pub struct PageFileOptions {
    /// What the files of a crawl's pages are named by; default: url.
    #[arg(long, value_enum, value_name = "NAMES")]
    names: Option<Names>,
    /// Begin files with address, title, date, language; default: only Markdown of crawls.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL", hide_possible_values = true)]
    pub with_metadata: Option<bool>,
}

/// What files of pages are named by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Names {
    /// The address: `a.example_path_page.md`.
    Url,
    /// The id.
    Id,
    /// The number of the page in its crawl.
    Number,
}

impl PageFileOptions {
    /// What files of pages are named by.
    pub fn names(&self) -> PageNames {
        match self.names {
            None | Some(Names::Url) => PageNames::Url,
            Some(Names::Id) => PageNames::Id,
            Some(Names::Number) => PageNames::Number,
        }
    }

    /// Refuses options that would do nothing: `lacks` is what would write files of pages, if it is
    /// not given; `form` is the form of text that is asked for.
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

    /// What the files of a run's pages look like, if it writes any.
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
