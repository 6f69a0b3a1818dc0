//! Which pages are forgotten.

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;
use warcsieve_common::{Error, Result, host};
use warcsieve_filters::filter::List;

/// What the lines of a list are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Addresses of pages, as in the column `url`.
    Urls,
    /// Hosts of pages. A host also stands for its subdomains.
    Hosts,
    /// Ids of pages, as in the column `id`.
    Ids,
    /// Licences, as in the column `licence`.
    Licences,
}

impl Kind {
    /// The column of `documents` that it is about.
    pub fn column(self) -> &'static str {
        match self {
            Self::Urls | Self::Hosts => "url",
            Self::Ids => "id",
            Self::Licences => "licence",
        }
    }
}

/// Lists of pages. A page that is in one of them is forgotten.
#[derive(Debug, Default)]
pub struct Criteria(Vec<Criterion>);

#[derive(Debug)]
struct Criterion {
    of: ListOf,
    list: List,
}

/// What is recorded of a list: not the pages that it names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListOf {
    /// What its lines are.
    pub kind: Kind,
    /// sha256 of the file in hex.
    pub sha256: String,
}

impl Criteria {
    /// Adds the list in a file: one text per line; empty lines and lines that begin with `#` are skipped.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Invalid`] with the number of a line that is too long or not UTF-8.
    pub fn add(&mut self, kind: Kind, file: &Path) -> Result<()> {
        let mut hashed = Hashed {
            file: File::open(file).map_err(|e| Error::io(file, e))?,
            hash: Sha256::new(),
            failed: None,
        };
        let list = List::texts(BufReader::new(&mut hashed), kind == Kind::Hosts);
        if let Some(error) = hashed.failed {
            return Err(Error::io(file, error));
        }
        let list = list.map_err(|what| Error::Invalid(format!("{}: {what}", file.display())))?;
        let sha256 = HEXLOWER.encode(&hashed.hash.finalize());
        let of = ListOf { kind, sha256 };
        self.0.push(Criterion { of, list });
        Ok(())
    }

    /// What the log says of the lists.
    pub(super) fn recorded(&self) -> Vec<ListOf> {
        self.0
            .iter()
            .map(|criterion| criterion.of.clone())
            .collect()
    }

    /// The columns that the lists are about.
    pub(super) fn columns(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().map(|criterion| criterion.of.kind.column())
    }

    /// Whether a page is forgotten. `value` returns its value in a column, if it has one.
    pub(super) fn meets<'v>(&self, value: impl Fn(&str) -> Option<&'v str>) -> bool {
        self.0.iter().any(|Criterion { of, list }| {
            let value = value(of.kind.column());
            value.is_some_and(|value| match of.kind {
                Kind::Hosts => list.has(&host(value)),
                Kind::Urls | Kind::Ids | Kind::Licences => list.has(value),
            })
        })
    }
}

/// A file that is hashed while it is read.
struct Hashed {
    file: File,
    hash: Sha256,
    /// Why the system could not read it.
    failed: Option<io::Error>,
}

impl Read for Hashed {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.file.read(buffer) {
            Ok(n) => {
                self.hash.update(&buffer[..n]);
                Ok(n)
            }
            Err(error) => {
                let kind = error.kind();
                self.failed = (kind != io::ErrorKind::Interrupted).then_some(error);
                Err(kind.into())
            }
        }
    }
}
