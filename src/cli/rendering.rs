//! Arguments that say how links, images and tables come out; each overrides the pipeline's key.

use clap::ValueEnum;
use warcsieve_clean::Settings;
use warcsieve_render::{Links, TableForm};

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
    /// Sets what was given.
    pub fn set(&self, settings: &mut Settings) {
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
    }
}
