//! The manifest: one row per input that is done.

use crate::VERSION;
use crate::tally::PageTally;
use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::Path;
use warcsieve_classify::CORE;
use warcsieve_common::{Error, Result, counted};
use warcsieve_engine::Input;
use warcsieve_engine::cdx::Ranges;
use warcsieve_extract::Pipeline;
use warcsieve_store::Stamp;
use warcsieve_tables::{OutputFile, PageLayout, paths_of};
use warcsieve_warc::ledger::ReadLedger;

/// What was done with one input, without times or machine names. It is written last, so if it
/// exists, the outputs are complete.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManifestRow {
    /// Path of the input below the base folder.
    pub input: String,
    /// State of the input file when it was read; `None` for standard input.
    pub stamp: Option<Stamp>,
    /// The part of the input that an index selected; `None` means all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selected: Option<SelectedRanges>,
    /// What the outputs depend on in addition to the input.
    pub recipe: Recipe,
    /// Counts of the input's bytes and records.
    pub read: ReadLedger,
    /// Whether the input is certainly no crawl, such as a PDF. Not written if it is not.
    #[serde(default, skip_serializing_if = "is_false")]
    pub no_crawl: bool,
    /// Counts of what happened to the records.
    pub pages: PageTally,
    /// The files that were written.
    pub outputs: Vec<OutputFile>,
}

fn is_false(value: &bool) -> bool {
    !value
}

/// The part of an input that an index selected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelectedRanges {
    /// Number of ranges. A range is one record if each record has its own member.
    pub ranges: u64,
    /// Bytes in the ranges.
    pub bytes: u64,
    /// sha256 of the ranges, see [`Ranges::sha256`].
    pub sha256: String,
}

impl SelectedRanges {
    /// What is selected of an input; `None` means all of it.
    pub fn of(input: &Input) -> Option<Self> {
        let ranges: &Ranges = input.selected.as_ref()?;
        Some(Self {
            ranges: ranges.records(),
            bytes: ranges.bytes(),
            sha256: ranges.sha256(),
        })
    }
}

/// What outputs depend on in addition to the input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recipe {
    /// Version of the program.
    pub version: String,
    /// sha256 of the pipeline file.
    pub pipeline_sha256: String,
    /// sha256 of the files that the pipeline's steps name, such as models.
    pub model_sha256: Option<String>,
    /// The steps' methods, joined by `+`.
    pub method: String,
    /// sha256 of the selection by indexes, see
    /// [`Selection::sha256`](warcsieve_engine::cdx::Selection::sha256); `None` if everything is
    /// read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selection_sha256: Option<String>,
    /// sha256 of the recipe of the outputs that were labelled again, as JSON without white space;
    /// `None` if the crawl itself was read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub relabelled_from: Option<String>,
    /// Layout of the page files that were written next to the tables: form, names, and whether
    /// metadata come before the text. See [`words`](PageLayout::words).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page_files: Option<String>,
    /// Keys that were set in addition to the pipeline file, with their values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<String>,
}

fn sha256(text: &str) -> String {
    HEXLOWER.encode(&Sha256::digest(text.as_bytes()))
}

impl Recipe {
    /// What is between the layouts of page files.
    pub(super) const NEXT_LAYOUT: &str = ", ";

    /// The recipe of a pipeline under this version of the program.
    pub fn of(pipeline: &Pipeline) -> Self {
        Self {
            version: VERSION.to_owned(),
            pipeline_sha256: pipeline.hash.clone(),
            model_sha256: pipeline.model_hash.clone(),
            method: pipeline.method.clone(),
            selection_sha256: None,
            relabelled_from: None,
            page_files: None,
            set: pipeline.set.clone(),
        }
    }

    /// The same recipe for selected records.
    pub fn selecting(self, selection_sha256: Option<String>) -> Self {
        Self {
            selection_sha256,
            ..self
        }
    }

    /// The same recipe with a file per page in each of these layouts.
    pub fn with_page_files(self, layouts: &[PageLayout]) -> Self {
        let words: Vec<_> = layouts.iter().map(|layout| layout.words()).collect();
        Self {
            page_files: (!words.is_empty()).then(|| words.join(Self::NEXT_LAYOUT)),
            ..self
        }
    }

    /// The first difference between this recipe and `now`, in words; `None` if they are equal.
    pub fn difference(&self, now: &Self) -> Option<String> {
        let short = |r: &Self| match CORE.shipped().find(|p| sha256(p.text) == r.pipeline_sha256) {
            Some(pipeline) => format!("`{}`", pipeline.name),
            None => format!("{} ({:.12}…)", r.method, r.pipeline_sha256),
        };
        let or_none = |hash: &Option<String>| hash.clone().unwrap_or_else(|| "none".to_owned());
        let model = |r: &Self| or_none(&r.model_sha256);
        let selection = |r: &Self| or_none(&r.selection_sha256);
        let (what, then, now) = if self.version != now.version {
            (
                "the program's version",
                self.version.clone(),
                now.version.clone(),
            )
        } else if self.pipeline_sha256 != now.pipeline_sha256 {
            ("the pipeline file", short(self), short(now))
        } else if self.model_sha256 != now.model_sha256 {
            ("the model", model(self), model(now))
        } else if self.selection_sha256 != now.selection_sha256 {
            ("the selection", selection(self), selection(now))
        } else if self.relabelled_from != now.relabelled_from {
            let source = |r: &Self| match &r.relabelled_from {
                Some(hash) => format!("outputs ({hash:.12}…)"),
                None => "the crawl".to_owned(),
            };
            ("what was read", source(self), source(now))
        } else if self.page_files != now.page_files {
            let form = |r: &Self| or_none(&r.page_files);
            ("the layout of page files", form(self), form(now))
        } else if self.set != now.set {
            let keys = |r: &Self| match r.set.is_empty() {
                true => "none".to_owned(),
                false => r.set.join(", "),
            };
            ("what `--set` changes", keys(self), keys(now))
        } else {
            return None;
        };
        Some(format!("{what} was {then}, now {now}"))
    }
}

/// The state of an input according to the manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// It has no row, or an output is missing or has another size.
    Open,
    /// Done with this recipe, and not changed since then.
    Done(Box<ManifestRow>),
    /// Done with another recipe or from another state of the input. The text names the difference.
    Differs(String),
}

impl ManifestRow {
    /// The files of tables that this input does not have.
    pub fn lacking(&self) -> impl Iterator<Item = String> {
        let has = |path: &String| self.outputs.iter().any(|file| file.path == *path);
        let all = paths_of(&self.input).all().into_iter();
        all.filter(move |path| !has(path))
    }

    /// Parses a row from the bytes of its file. `path` is used in messages.
    ///
    /// # Errors
    /// [`Error::Integrity`] if the bytes are not a manifest row.
    pub fn parse(path: &Path, bytes: &[u8]) -> Result<Self> {
        serde_json::from_slice(bytes).map_err(|e| Error::Integrity {
            path: path.to_owned(),
            message: format!(
                "not a manifest row of this version ({e}); remove it to redo the input"
            ),
        })
    }

    /// The content of the row's file.
    pub fn to_json(&self) -> Vec<u8> {
        let mut json =
            serde_json::to_vec_pretty(self).expect("a manifest row has only string keys");
        json.push(b'\n');
        json
    }

    /// The counts of the row that do not add up, one line each.
    pub fn imbalances(&self) -> Vec<String> {
        let mut lines = self.read.imbalances();
        lines.extend(self.pages.imbalances(self.read.records));
        let there = match &self.selected {
            Some(selected) => Some(("selected are", selected.bytes)),
            None => self.stamp.as_ref().map(|s| ("the file has", s.size)),
        };
        if let Some((what, bytes)) = there
            && bytes != self.read.compressed_bytes
        {
            lines.push(format!(
                "{what} {bytes} bytes but {} were read",
                self.read.compressed_bytes
            ));
        }
        lines.extend(self.unlike_tables());
        lines
    }

    /// Where the outputs are not the tables of this input, or have other numbers of rows than
    /// counted.
    fn unlike_tables(&self) -> Vec<String> {
        let paths = paths_of(&self.input);
        let mut tables = paths
            .each_ref()
            .all()
            .into_iter()
            .zip(self.pages.rows().all());
        let (mut lines, mut found) = (Vec::new(), 0);
        for file in &self.outputs {
            let Some((_, rows)) = tables.find(|(path, _)| **path == file.path) else {
                break;
            };
            found += 1;
            if file.rows != rows {
                let path = &file.path;
                lines.push(format!(
                    "{path} has {} rows but {rows} were counted",
                    file.rows
                ));
            }
        }
        let has = |path: &str| self.outputs.iter().any(|file| file.path == path);
        let lacks_removed = !self.pages.removed.is_empty() && !has(&paths.removed);
        let lacks_links = self.pages.links > 0 && !has(&paths.links);
        if found < self.outputs.len() || !has(&paths.documents) || lacks_removed || lacks_links {
            let names: Vec<_> = self.outputs.iter().map(|file| file.path.as_str()).collect();
            lines.push(format!(
                "its outputs are [{}]; expected {}",
                names.join(", "),
                paths.each_ref().all().map(String::as_str).join(" and ")
            ));
        }
        lines
    }

    /// What changed in the input since then, in words. An input that no longer exists counts as
    /// unchanged.
    pub fn changed_input(&self, input: &Input) -> Option<String> {
        let selected = SelectedRanges::of(input);
        if self.selected != selected {
            let text = |selected: &Option<SelectedRanges>| match selected {
                Some(s) => {
                    format!(
                        "{} ({:.12}…)",
                        counted(s.ranges, "range", "ranges"),
                        s.sha256
                    )
                }
                None => "all of it".to_owned(),
            };
            let (then, now) = (text(&self.selected), text(&selected));
            return Some(format!("what is read of the input was {then}, now {now}"));
        }
        let now = input.stamp().ok().flatten()?;
        self.stamp.as_ref()?.difference(&now)
    }

    /// Whether the input has a fault: damage, no record at all, a page that could not be processed,
    /// or a wrong digest.
    pub fn is_faulty(&self) -> bool {
        self.read.fault_count > 0
            || self.read.records == 0
            || self.pages.faulty() > 0
            || self.pages.digest_faults() > 0
    }

    /// Sum of the bytes of its outputs.
    pub fn bytes_written(&self) -> u64 {
        let bytes = self.outputs.iter().map(|file| file.bytes);
        bytes.fold(0, u64::saturating_add)
    }
}
