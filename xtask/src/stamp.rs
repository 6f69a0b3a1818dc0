//! Pages of measured figures say of which default they are: by a paragraph after the one that says
//! which command wrote them.

use sha2::{Digest, Sha256};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// What says that a command wrote a page, or a part of one. Its name follows.
const WRITTEN: &str = "Written by `cargo xtask reproduce ";
/// What begins the paragraph that says which default was measured.
const DEFAULT: &str = "The default here is the model `";
/// The paragraph of pages for which the default does not matter.
const NONE: &str = "No figure here depends on the model or the pipeline of the default.";
/// Digits of a hash that are written.
const DIGITS: usize = 12;

/// The model and the pipeline of the default, by the first digits of their hashes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hashes {
    /// Of the model's file.
    pub model: String,
    /// Of the pipeline's file without comments and empty lines.
    pub pipeline: String,
}

/// Which default the figures of a page are of; `None` where it does not matter.
pub type Stamp = Option<Hashes>;

/// A part of a page that a command wrote.
#[derive(Debug, PartialEq, Eq)]
pub struct Part {
    /// What `cargo xtask reproduce` calls it.
    pub name: String,
    /// Of which default it says that it is, if it does.
    pub stamp: Option<Stamp>,
}

impl Hashes {
    /// The default that ships.
    pub fn that_ships(root: &Path) -> io::Result<Self> {
        let model = fs::read(root.join("models/default.forest"))?;
        let pipeline = fs::read_to_string(root.join("pipelines/default.toml"))?;
        let lines = pipeline.lines().map(|line| line.split('#').next());
        let lines = lines
            .flatten()
            .map(str::trim)
            .filter(|line| !line.is_empty());
        let keys: Vec<&str> = lines.collect();
        Ok(Self {
            model: hash(&model),
            pipeline: hash(keys.join("\n").as_bytes()),
        })
    }
}

/// The pages of the documentation.
pub fn pages(root: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut pages, mut folders) = (Vec::new(), vec![root.join("docs")]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    Ok(pages)
}

/// The parts of a page that commands wrote, and which default each says that it is of.
pub fn parts(page: &str) -> Vec<Part> {
    let paragraphs: Vec<&str> = page.split("\n\n").collect();
    let part = |(at, name): (usize, &str)| Part {
        name: name.to_owned(),
        stamp: paragraphs.get(at + 1).and_then(|text| read(text)),
    };
    let named = paragraphs.iter().enumerate();
    named
        .filter_map(|(at, text)| Some(part((at, name(text)?))))
        .collect()
}

/// The page, in which each part that the command of this name wrote says of which default it is.
pub fn stamped(page: &str, of: &str, stamp: &Stamp) -> String {
    let whole = page.trim_end();
    let end = &page[whole.len()..];
    let mut texts: Vec<String> = Vec::new();
    let mut is_due = false;
    for text in whole.split("\n\n") {
        if !(std::mem::take(&mut is_due) && read(text).is_some()) {
            texts.push(text.to_owned());
        }
        if name(text) == Some(of) {
            texts.push(paragraph(stamp));
            is_due = true;
        }
    }
    texts.join("\n\n") + end
}

/// The command that wrote what this paragraph begins.
fn name(paragraph: &str) -> Option<&str> {
    let (_, rest) = paragraph.split_once(WRITTEN)?;
    rest.split(['`', ' ']).next()
}

fn paragraph(stamp: &Stamp) -> String {
    match stamp {
        None => NONE.to_owned(),
        Some(Hashes { model, pipeline }) => format!(
            "{DEFAULT}{model}` with the pipeline `{pipeline}`. These are the first digits of the SHA-256 of \
             `models/default.forest`, and of `pipelines/default.toml` without comments."
        ),
    }
}

/// What a paragraph says; `None` if it is another paragraph.
fn read(paragraph: &str) -> Option<Stamp> {
    if paragraph.trim() == NONE {
        return Some(None);
    }
    let mut quoted = paragraph.strip_prefix(DEFAULT)?.split('`');
    Some(Some(Hashes {
        model: quoted.next()?.to_owned(),
        pipeline: quoted.nth(1)?.to_owned(),
    }))
}

fn hash(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let hex: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    hex[..DIGITS].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "# A\n\nWritten by `cargo xtask reproduce a`: run it.\nIt is long.\n\n| table |\n\nWritten by `cargo xtask reproduce b`.\n";

    fn default(model: &str) -> Stamp {
        Some(Hashes {
            model: model.to_owned(),
            pipeline: "p".to_owned(),
        })
    }

    #[test]
    fn a_part_is_stamped_once_and_with_the_last_stamp() {
        let none = |name: &str| Part {
            name: name.to_owned(),
            stamp: None,
        };
        assert_eq!(parts(PAGE), [none("a"), none("b")]);
        let mut page = stamped(PAGE, "a", &default("m"));
        page = stamped(&page, "a", &default("n"));
        page = stamped(&page, "b", &None);
        let stamps: Vec<_> = parts(&page).into_iter().map(|part| part.stamp).collect();
        assert_eq!(stamps, [Some(default("n")), Some(None)]);
        assert_eq!(page.matches(DEFAULT).count(), 1);
        assert!(page.contains("It is long.\n\nThe default here"));
        assert_eq!(stamped(&page, "c", &None), page);
        assert_eq!(stamped(&page, "b", &None), page);
    }

    #[test]
    fn comments_of_the_pipeline_do_not_count() {
        let folder = std::env::temp_dir().join(format!("xtask-stamp-{}", std::process::id()));
        let of = |pipeline: &str| {
            for part in ["models", "pipelines"] {
                fs::create_dir_all(folder.join(part)).unwrap();
            }
            fs::write(folder.join("models/default.forest"), "model").unwrap();
            fs::write(folder.join("pipelines/default.toml"), pipeline).unwrap();
            Hashes::that_ships(&folder).unwrap()
        };
        let plain = of("a = 1\nb = 2\n");
        assert_eq!(of("# about\na = 1   # one\n\nb = 2"), plain);
        assert_ne!(of("a = 1\nb = 3\n").pipeline, plain.pipeline);
        fs::remove_dir_all(&folder).unwrap();
        assert_eq!(plain.model.len(), DIGITS);
    }
}
