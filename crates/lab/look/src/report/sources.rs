//! Where the documents of a corpus come from: registered domains, and licences if the table has them.

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{Array, RecordBatch, StringArray};
use parquet::arrow::arrow_reader::ArrowReaderOptions;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::fs::File;
use std::path::Path;
use warcsieve_common::{Error, Result, host};
use warcsieve_eval::domain::registered_domain;
use warcsieve_tables::OutputFile;
use warcsieve_tables::read::{TableFile, Unreadable};

/// Rows in memory at a time.
const ROWS: usize = 8_192;

/// Documents and the bytes of their texts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Amount {
    /// How many.
    pub documents: u64,
    /// Bytes of their texts.
    pub text_bytes: u64,
}

/// Names with their amounts.
type Amounts = HashMap<String, Amount>;

/// What the documents of a corpus come from. Memory: about 100 bytes for each domain and licence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sources {
    /// Registered domains, those with the most text first. The name is empty for documents without an address.
    pub domains: Vec<(String, Amount)>,
    /// Licences, those with the most text first; empty for documents that name none. `None` if the table has no such
    /// column.
    pub licences: Option<Vec<(String, Amount)>>,
}

/// Counts the documents of these files below a folder, on the threads of the current rayon pool.
///
/// # Errors
/// [`Error::Integrity`] if a file cannot be decoded; [`Error::Io`].
pub fn read_sources(folder: &Path, files: &[OutputFile]) -> Result<Sources> {
    let counted = files.par_iter().map(|file| {
        let path = folder.join(&file.path);
        Counts::read(&path).map_err(|why| {
            why.at(&path, |what| Error::Integrity {
                path: path.clone(),
                message: what.to_owned(),
            })
        })
    });
    let all = counted.try_reduce(Counts::default, |all, more| Ok(all.merged(more)))?;
    Ok(Sources {
        domains: ordered(all.domains),
        licences: all.licences.map(ordered),
    })
}

#[derive(Default)]
struct Counts {
    domains: Amounts,
    licences: Option<Amounts>,
}

impl Counts {
    fn read(path: &Path) -> Result<Self, Unreadable> {
        let table = TableFile::open(File::open(path)?, ArrowReaderOptions::new())?;
        let mut columns = vec!["url", "text_bytes"];
        if table.schema().field_with_name("licence").is_ok() {
            columns.push("licence");
        }
        let mut batches = table.read(&columns, ROWS)?;
        let mut counts = Self::default();
        while let Some(batch) = batches.next_batch()? {
            counts.add(&batch)?;
        }
        Ok(counts)
    }

    fn add(&mut self, batch: &RecordBatch) -> Result<(), String> {
        let texts = |name: &str| -> Result<Option<&StringArray>, String> {
            let Some(column) = batch.column_by_name(name) else {
                return Ok(None);
            };
            let texts = column.as_string_opt();
            texts
                .map(Some)
                .ok_or_else(|| format!("the column {name} has another type"))
        };
        let lacks = |name: &str| format!("has no column {name}");
        let urls = texts("url")?.ok_or_else(|| lacks("url"))?;
        let sizes = batch.column_by_name("text_bytes");
        let sizes = sizes.and_then(|column| column.as_primitive_opt::<Int32Type>());
        let sizes = sizes.ok_or_else(|| lacks("text_bytes"))?;
        let licences = texts("licence")?;
        for row in 0..batch.num_rows() {
            let one = Amount {
                documents: 1,
                text_bytes: u64::try_from(sizes.value(row)).unwrap_or(0),
            };
            let url = urls.value(row);
            // Other addresses, such as `urn:isbn:1`, have no host.
            let domain = match host(url).is_empty() {
                true => String::new(),
                false => registered_domain(url),
            };
            add(&mut self.domains, domain, one);
            if let Some(licences) = licences {
                let licence = licences.is_valid(row).then(|| licences.value(row));
                let all = self.licences.get_or_insert_default();
                add(all, licence.unwrap_or_default().to_owned(), one);
            }
        }
        Ok(())
    }

    fn merged(mut self, other: Self) -> Self {
        for (name, amount) in other.domains {
            add(&mut self.domains, name, amount);
        }
        for (name, amount) in other.licences.into_iter().flatten() {
            add(self.licences.get_or_insert_default(), name, amount);
        }
        self
    }
}

fn add(amounts: &mut Amounts, name: String, more: Amount) {
    let amount = amounts.entry(name).or_default();
    amount.documents += more.documents;
    amount.text_bytes += more.text_bytes;
}

/// Those with the most text first, and of equal ones by name.
fn ordered(amounts: Amounts) -> Vec<(String, Amount)> {
    let mut ordered: Vec<_> = amounts.into_iter().collect();
    ordered.sort_unstable_by(|(a, x), (b, y)| {
        (Reverse(x.text_bytes), a).cmp(&(Reverse(y.text_bytes), b))
    });
    ordered
}
