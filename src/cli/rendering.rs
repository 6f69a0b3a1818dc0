//! Arguments that say how links, images and tables come out; each overrides the pipeline's key.

use clap::ValueEnum;
use warcsieve_base::{Error, Result};
use warcsieve_clean::Settings;
use warcsieve_render::{Links, Output, TableForm};

#[derive(Debug, clap::Args)]
pub struct Rendering {
    /// Addresses of links and images: as the page has them, or completed by its own.
    #[arg(long, value_enum, value_name = "HOW")]
    links: Option<LinkForm>,
    /// Show in Markdown the images between two pieces of content.
    #[arg(long)]
    images: bool,
    /// Tables in Markdown: with pipes, or as HTML with colspan and rowspan.
    #[arg(long, value_enum, value_name = "HOW")]
    tables: Option<Tables>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LinkForm {
    Page,
    Absolute,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Tables {
    Pipes,
    Html,
}

impl Rendering {
    /// Sets what was given; returns, in words, what is not as the settings were, if anything.
    ///
    /// # Errors
    /// The output of the settings has nothing of the kind.
    pub fn set(&self, settings: &mut Settings) -> Result<Option<String>> {
        let output = settings.output;
        let arguments = [
            (
                "--links",
                self.links.is_some() && output == Output::Text,
                "Markdown and HTML",
            ),
            (
                "--images",
                self.images && output != Output::Markdown,
                "Markdown",
            ),
            (
                "--tables",
                self.tables.is_some() && output != Output::Markdown,
                "Markdown",
            ),
        ];
        if let Some((argument, _, of)) = arguments.iter().find(|(_, is_void, _)| *is_void) {
            return Err(Error::Usage(format!(
                "{argument} is about {of}, and the content comes out as {}; see --to",
                output.as_str()
            )));
        }
        let mut changed = Vec::new();
        let mut note = |is_changed: bool, words| {
            if is_changed {
                changed.push(words);
            }
        };
        if let Some(form) = self.links {
            let (links, words) = match form {
                LinkForm::Page => (Links::Page, "links as the page has them"),
                LinkForm::Absolute => (Links::Absolute, "absolute links"),
            };
            note(settings.links != links, words);
            settings.links = links;
        }
        note(self.images && !settings.images, "images");
        settings.images |= self.images;
        if let Some(form) = self.tables {
            let (tables, words) = match form {
                Tables::Pipes => (TableForm::Pipes, "tables with pipes"),
                Tables::Html => (TableForm::Html, "tables as HTML"),
            };
            note(settings.tables != tables, words);
            settings.tables = tables;
        }
        Ok((!changed.is_empty()).then(|| changed.join(", ")))
    }
}
