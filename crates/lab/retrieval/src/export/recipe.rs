//! The recipe of an export; a run can only continue an export with the same recipe.

use super::corpora::Columns;
use super::{Compression, ExportSettings, Format, Texts};
use crate::omit::Omit;
use crate::shards::Shard;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use warcsieve_common::files::{is_folder, is_there};
use warcsieve_common::{Error, Result};
use warcsieve_run::VERSION;
use warcsieve_store::{refuse_filled, remove_if_there, write_atomically};

/// Everything the files of an export depend on. It is stored in the export's folder as `_RECIPE`,
/// in JSON. The name has no `.json`, because readers of JSON lines would take the file for data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// Version of the program.
    pub version: String,
    /// Format, texts and so on.
    pub settings: ExportSettings,
    /// The columns of a published corpus, and what their values depend on. Without them this key is not written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<String>,
    /// The files by which pages are left out. By default there are none, and then this key is not
    /// written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub omit: Option<String>,
    /// Hash of each shard, by shard name.
    pub shards: BTreeMap<String, String>,
}

/// A file of documents, and its file of attributes.
#[derive(Clone, Debug)]
pub(super) struct Target {
    pub raw: bool,
    pub documents: PathBuf,
    /// Only in Dolma's format.
    pub attributes: Option<PathBuf>,
}

impl Target {
    pub fn files(&self) -> impl Iterator<Item = &PathBuf> {
        std::iter::once(&self.documents).chain(&self.attributes)
    }
}

impl Recipe {
    /// The recipe of an export of these shards.
    pub fn of(
        shards: &[Shard],
        settings: ExportSettings,
        columns: Option<&Columns>,
        omit: &Omit,
    ) -> Self {
        let hash = |s: &Shard| (s.name.clone(), s.sha256().to_owned());
        Self {
            version: VERSION.to_owned(),
            settings,
            columns: columns.map(|columns| columns.recipe().to_owned()),
            omit: omit.recipe().map(str::to_owned),
            shards: shards.iter().map(hash).collect(),
        }
    }

    /// The files of a shard, relative to the folder of the export.
    pub(super) fn targets(&self, shard: &str) -> Vec<Target> {
        let ExportSettings {
            format,
            texts,
            compression,
            ..
        } = self.settings;
        let collections: &[(&str, bool)] = match texts {
            Texts::Clean => &[("", false)],
            Texts::Raw => &[("", true)],
            Texts::Both => &[("clean", false), ("raw", true)],
        };
        let packed = match compression {
            _ if format == Format::Parquet => "",
            Compression::Gz => ".gz",
            Compression::Zst => ".zst",
            Compression::None => "",
        };
        let name = format!("{shard}.{}{packed}", format.ending());
        let target = |(folder, raw): &(&str, bool)| {
            let folder = Path::new(folder);
            let dolma = format == Format::Dolma;
            Target {
                raw: *raw,
                documents: folder
                    .join(if dolma { "documents" } else { "" })
                    .join(&name),
                attributes: dolma.then(|| folder.join("attributes/warcsieve").join(&name)),
            }
        };
        collections.iter().map(target).collect()
    }

    fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.shards.keys().flat_map(|shard| {
            let targets = self.targets(shard);
            let files: Vec<_> = targets.iter().flat_map(Target::files).cloned().collect();
            std::iter::once(written(shard)).chain(files)
        })
    }

    /// Makes `out` the folder of this export: starts the export, or continues one with the same
    /// recipe. With `force` it replaces another export, whose files are removed.
    ///
    /// # Errors
    /// [`Error::Invalid`] if the folder contains something else; [`Error::Io`].
    pub(super) fn claim(&self, out: &Path, force: bool) -> Result<()> {
        if is_folder(&out.join("_manifest"))? {
            return Err(Error::Invalid(format!(
                "{} is an output folder of `clean`; export into another",
                out.display()
            )));
        }
        let path = out.join("_RECIPE");
        let before = match fs::read(&path) {
            Ok(json) => serde_json::from_slice::<Self>(&json).ok(),
            Err(e) if e.kind() == ErrorKind::NotFound => None,
            Err(e) => return Err(Error::io(&path, e)),
        };
        if !force {
            if before.as_ref() == Some(self) {
                return Ok(());
            }
            if is_there(&path)? {
                return Err(Error::Invalid(format!(
                    "{} holds another export: {}; use another --out, or --force to replace it",
                    out.display(),
                    before.map_or("its recipe cannot be read", |b| b.difference(self)),
                )));
            }
            for file in self.files().map(|file| out.join(file)) {
                if is_there(&file)? {
                    return Err(Error::Invalid(format!(
                        "{} is there already; use another --out, or --force to write it again",
                        file.display()
                    )));
                }
            }
            refuse_filled(out, "an export")?;
        }
        remove_if_there(&success(out))?;
        for file in before.iter().flat_map(Self::files).chain(self.files()) {
            remove_if_there(&out.join(file))?;
        }
        let mut json = serde_json::to_vec_pretty(self).expect("a recipe has string keys");
        json.push(b'\n');
        write_atomically(&path, &json)
    }

    /// How this recipe differs from `now`.
    fn difference(&self, now: &Self) -> &'static str {
        if self.version != now.version {
            "it is of another version"
        } else if self.settings != now.settings {
            "it is of other settings"
        } else if self.columns != now.columns {
            "it has other columns, or another tokenizer"
        } else if self.omit != now.omit {
            "it leaves out other pages"
        } else {
            "it is of other shards, or they have changed"
        }
    }
}

/// The file, relative to the folder of the export, that lists the written files of a shard. It is
/// written last, under a name that no reader takes for data.
pub(super) fn written(shard: &str) -> PathBuf {
    Path::new("_FILES").join(format!("{shard}.written"))
}

/// The file whose presence shows that an export is complete.
pub(super) fn success(out: &Path) -> PathBuf {
    out.join("_SUCCESS")
}
