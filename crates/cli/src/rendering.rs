//! Arguments that say how links, images and tables come out; each overrides the pipeline's key.

use clap::ValueEnum;
use warcsieve_common::{Error, Result};
use warcsieve_extract::Settings;
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
    /// Sets what was given; returns the keys that are not as they were, if any.
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
        let before = settings.clone();
        if let Some(links) = self.links {
            settings.links = match links {
                LinkForm::Page => Links::Page,
                LinkForm::Absolute => Links::Absolute,
            };
        }
        settings.images |= self.images;
        if let Some(tables) = self.tables {
            settings.tables = match tables {
                Tables::Pipes => TableForm::Pipes,
                Tables::Html => TableForm::Html,
            };
        }
        Ok(changed(&before, settings))
    }
}

/// The keys that differ, with their values, as a pipeline file has them: folders keep this text, so it stays as it is.
fn changed(before: &Settings, now: &Settings) -> Option<String> {
    let links = match now.links {
        Links::Page => "links = \"page\"",
        Links::Absolute => "links = \"absolute\"",
    };
    let tables = match now.tables {
        TableForm::Pipes => "tables = \"pipes\"",
        TableForm::Html => "tables = \"html\"",
    };
    let keys = [
        (before.links != now.links, links),
        (before.images != now.images, "images = true"),
        (before.tables != now.tables, tables),
    ];
    let changed = keys.iter().filter(|(is_changed, _)| *is_changed);
    let changed: Vec<&str> = changed.map(|(_, key)| *key).collect();
    (!changed.is_empty()).then(|| changed.join(", "))
}
