//! The records of several inputs, one after the other.

use crate::error::{Error, Result};
use crate::ledger::Fault;
use crate::page::page_id;
use crate::pipeline::{Input, InputKind};
use crate::warc::{Limits, Record, Source, WarcReader};
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::sync::Arc;

/// A record and where it was met.
pub(super) struct Met {
    /// Running number over all inputs, from 0.
    pub number: usize,
    /// The input it stands in.
    pub input: Arc<Input>,
    pub record: Record,
    /// Id of the page that the record's `WARC-Refers-To` names if that stands before it, else
    /// what it refers to.
    pub converted_from: Option<String>,
}

/// Iterates over the records of `inputs`, in order. Damage is passed over and handed to `fault`.
///
/// Memory: that of a [`WarcReader`], and the records that are in use; about 200 bytes more for each
/// record with an id of its own beside `WARC-Record-ID`.
pub(super) struct Records<F> {
    inputs: std::vec::IntoIter<Input>,
    limits: Limits,
    current: Option<(Arc<Input>, WarcReader)>,
    number: usize,
    /// Ids of pages by `WARC-Record-ID`, where they differ.
    ids: HashMap<Vec<u8>, String>,
    fault: F,
}

impl<F: FnMut(&Input, &Fault)> Records<F> {
    pub fn new(inputs: Vec<Input>, limits: Limits, fault: F) -> Self {
        Self {
            inputs: inputs.into_iter(),
            limits,
            current: None,
            number: 0,
            ids: HashMap::new(),
            fault,
        }
    }

    fn advance(&mut self) -> Result<Option<Met>> {
        loop {
            if let Some((input, reader)) = &mut self.current {
                let mut record = Record::default();
                if reader.read_record(&mut record)? {
                    let refers = record.header("WARC-Refers-To");
                    let converted_from = refers.map(|id| match self.ids.get(id) {
                        Some(page) => page.clone(),
                        None => bare(id),
                    });
                    let own = record.header("WARC-Record-ID");
                    if let Some(own) = own.filter(|_| record.header("WARC-TREC-ID").is_some()) {
                        self.ids.insert(own.to_owned(), page_id(&record));
                    }
                    self.number += 1;
                    return Ok(Some(Met {
                        number: self.number - 1,
                        input: input.clone(),
                        record,
                        converted_from,
                    }));
                }
                for fault in &reader.ledger().faults {
                    (self.fault)(input, fault);
                }
            }
            let Some(input) = self.inputs.next() else {
                self.current = None;
                return Ok(None);
            };
            let bytes: Box<dyn Read + Send> = match &input.kind {
                InputKind::File(path) => {
                    Box::new(File::open(path).map_err(|e| Error::io(path, e))?)
                }
                InputKind::Stdin => Box::new(std::io::stdin()),
            };
            let reader = WarcReader::new(&input.origin(), bytes, self.limits);
            self.current = Some((Arc::new(input), reader));
        }
    }
}

/// A record id without its angle brackets.
fn bare(id: &[u8]) -> String {
    let id = String::from_utf8_lossy(id);
    id.trim_matches(['<', '>']).to_owned()
}

impl<F: FnMut(&Input, &Fault)> Iterator for Records<F> {
    type Item = Result<Met>;

    /// The next record; after an error there are no more.
    fn next(&mut self) -> Option<Self::Item> {
        let next = self.advance();
        if next.is_err() {
            self.current = None;
            self.inputs = Vec::new().into_iter();
        }
        next.transpose()
    }
}
