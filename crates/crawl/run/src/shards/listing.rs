//! Lists the shards of a folder.

use crate::manifest::ManifestRow;
use crate::output::OutputFolder;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use warcsieve_common::{Error, Result};
use warcsieve_store::refuse_address;
use warcsieve_tables::OutputFile;

/// The shards of an output folder of `clean`.
#[derive(Clone, Debug)]
pub struct Listing {
    /// Inputs with a manifest row, sorted by name.
    pub shards: Vec<Shard>,
    /// Files of `documents` without a manifest row, sorted. Their inputs are not finished, so they
    /// are not shards.
    pub unfinished: Vec<PathBuf>,
    /// Whether `_SUCCESS` exists. Without it, inputs may be missing; `warcsieve status` tells
    /// which.
    pub sealed: bool,
}

/// The output of `clean` for one input.
#[derive(Clone, Debug)]
pub struct Shard {
    /// Name of the input, such as `en0000/00.warc.gz`.
    pub name: String,
    /// The output folder.
    pub folder: PathBuf,
    /// Its file of documents.
    pub documents: OutputFile,
    /// Its file of blocks, if that table was written.
    pub blocks: Option<OutputFile>,
    /// Its file of links, if that table was written.
    pub links: Option<OutputFile>,
    sha256: String,
}

/// Lists the shards of an output folder of `clean`.
///
/// # Errors
/// [`Error::Invalid`] if it is not such a folder. [`Error::Io`]. [`Error::Integrity`] if a manifest
/// row cannot be read.
pub fn list_shards(folder: &Path) -> Result<Listing> {
    refuse_address(folder)?;
    let out = OutputFolder::new(folder);
    out.must_have_manifest()?;
    out.refuse_half_forgotten()?;
    let mut shards = Vec::new();
    for name in out.done_inputs()? {
        let path = out.manifest_path(&name);
        if let Some(row) = out.row(&name)? {
            shards.push(
                Shard::of(folder, name, &row).ok_or_else(|| Error::Integrity {
                    path,
                    message: "names no file of documents; remove it and run `clean` again"
                        .to_owned(),
                })?,
            );
        }
    }
    let is_shard = |name: &str| {
        shards
            .binary_search_by(|s| s.name.as_str().cmp(name))
            .is_ok()
    };
    let mut unfinished = out.documents()?;
    unfinished.retain(|name| !is_shard(name));
    Ok(Listing {
        unfinished: unfinished.iter().map(|n| out.documents_path(n)).collect(),
        sealed: out.is_sealed()?,
        shards,
    })
}

impl Shard {
    fn of(folder: &Path, name: String, row: &ManifestRow) -> Option<Self> {
        let output = |table: &str| {
            let path = format!("{table}/{name}.parquet");
            row.outputs.iter().find(|file| file.path == path).cloned()
        };
        let (documents, blocks) = (output("documents")?, output("blocks"));
        let links = output("links");
        let mut hash = Sha256::new();
        for file in [Some(&documents), blocks.as_ref()].into_iter().flatten() {
            hash.update(format!("{}\n", file.sha256));
        }
        Some(Self {
            folder: folder.to_owned(),
            documents,
            blocks,
            links,
            sha256: HEXLOWER.encode(&hash.finalize()),
            name,
        })
    }

    /// A hash over the hashes of its files, in hex. It shows whether the shard has changed. It
    /// comes from the manifest row; `warcsieve status --verify` compares the files with the row.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }

    /// Number of pages.
    pub fn pages(&self) -> u64 {
        self.documents.rows
    }

    /// Size of the file of documents in bytes.
    pub fn bytes(&self) -> u64 {
        self.documents.bytes
    }
}
