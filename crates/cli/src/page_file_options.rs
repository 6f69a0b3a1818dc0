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
    /// Begin files with address, title, date, language; default: only Markdown of crawls.
    #[arg(long, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_name = "BOOL", hide_possible_values = true)]
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
    /// files, if it is not given. `forms` are the requested forms of text.
    ///
    /// # Errors
    /// [`Error::Invalid`].
    pub fn check(&self, lacks: Option<&str>, forms: &[TextFormat]) -> Result<()> {
        let wrong = |why: String| Err(Error::Invalid(why));
        if let (Some(_), Some(lacks)) = (self.names, lacks) {
            return wrong(format!("--names is about files of pages; add {lacks}"));
        }
        if self.with_metadata.is_some() && forms.is_empty() {
            let why = "--with-metadata is about files of pages; add --to md or --to txt";
            return wrong(why.to_owned());
        }
        if self.with_metadata == Some(true) && !forms.iter().copied().any(has_metadata) {
            return wrong("--with-metadata is for txt and md".to_owned());
        }
        Ok(())
    }

    /// The layouts of a run's page files, one for each of these forms.
    ///
    /// # Errors
    /// Those of [`Self::check`].
    pub fn layouts(&self, forms: &[TextFormat]) -> Result<Vec<PageLayout>> {
        self.check(forms.is_empty().then_some("--to FORM"), forms)?;
        let layout = |form| {
            let usual = PageLayout::of_form(form);
            let front_matter = self.with_metadata.unwrap_or(usual.front_matter);
            PageLayout {
                names: self.names(),
                front_matter: front_matter && has_metadata(form),
                ..usual
            }
        };
        let is_asked = |form: &TextFormat| forms.contains(form);
        let once = TextFormat::ALL.into_iter().filter(is_asked);
        Ok(once.map(layout).collect())
    }
}

/// Whether files in this form have a place for metadata before the text.
fn has_metadata(form: TextFormat) -> bool {
    form != TextFormat::Html
}
