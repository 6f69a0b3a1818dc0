//! YAML before the text of a page: facts about the page, and its metadata.

use serde_json::json;
use warcsieve_extract::{MetadataField, PageView};
use warcsieve_tables::{PageFacts, yaml};

/// What is written before the text of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrontMatter {
    None,
    /// Facts about the page, such as its address.
    Facts,
    /// Facts, and what the page says about itself.
    Metadata,
}

/// Facts about a page.
pub fn facts(view: &PageView<'_>) -> PageFacts {
    PageFacts {
        id: view.page.id.clone(),
        url: view.page.url.clone(),
        title: view.doc.title.clone(),
        date: view.page.date,
        language: view.language().map_or("", |l| l.code).to_owned(),
    }
}

impl FrontMatter {
    /// Lines between `---`. Strings are written as in JSON, which is valid YAML.
    pub fn of(self, view: &PageView<'_>) -> String {
        let text = match self {
            Self::None => return String::new(),
            Self::Facts => facts(view).yaml(),
            Self::Metadata => facts(view).yaml() + &said(view),
        };
        format!("---\n{text}---\n\n")
    }
}

fn said(view: &PageView<'_>) -> String {
    let metadata = view.metadata();
    let mut text = String::new();
    for field in MetadataField::ALL {
        let value = metadata.get(field).filter(|value| !value.is_empty());
        text.extend(value.map(|value| format!("{}: {}\n", field.as_str(), yaml(&json!(value)))));
    }
    if !metadata.tags().is_empty() {
        let tags = yaml(&json!(metadata.tags()));
        text += &format!("{}: {tags}\n", MetadataField::Tags.as_str());
    }
    text
}
