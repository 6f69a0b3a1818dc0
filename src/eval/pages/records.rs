//! The records of several inputs, one after the other.

use crate::error::Result;
use crate::ledger::Fault;
use crate::page::page_id;
use crate::pipeline::Input;
use crate::store::Stamp;
use crate::warc::{Limits, Record, Source, WarcReader};
use std::collections::HashMap;
use std::sync::Arc;

/// A record and where it was met.
pub(super) struct Met {
    /// Running number over all inputs, from 0.
    pub number: usize,
    /// The input it stands in.
    pub input: Arc<Input>,
    pub record: Record,
    /// Of a `conversion` record the id of the page that its `WARC-Refers-To` names if that stands
    /// before it, else what it refers to. Only where asked for.
    pub converted_from: Option<String>,
}

/// Iterates over the records of `inputs`, in order. Damage is passed over and handed to `fault`.
///
/// Memory: that of a [`WarcReader`], and the records that are in use; where conversions are resolved, about
/// 200 bytes more for each record with an id of its own beside `WARC-Record-ID`.
pub(super) struct Records<F> {
    inputs: std::vec::IntoIter<Input>,
    limits: Limits,
    current: Option<Open>,
    number: usize,
    /// Ids of pages by `WARC-Record-ID`, where they differ; `None` where conversions are not resolved.
    ids: Option<HashMap<Vec<u8>, String>>,
    fault: F,
}

struct Open {
    input: Arc<Input>,
    stamp: Option<Stamp>,
    reader: WarcReader,
}

impl<F: FnMut(&Input, &Fault)> Records<F> {
    /// `resolve` says whether [`Met::converted_from`] is wanted.
    pub fn new(inputs: Vec<Input>, limits: Limits, resolve: bool, fault: F) -> Self {
        Self {
            inputs: inputs.into_iter(),
            limits,
            current: None,
            number: 0,
            ids: resolve.then(HashMap::new),
            fault,
        }
    }

    fn advance(&mut self) -> Result<Option<Met>> {
        loop {
            if let Some(Open {
                input,
                stamp,
                reader,
            }) = &mut self.current
            {
                let mut record = Record::default();
                if reader.read_record(&mut record)? {
                    let number = self.number;
                    self.number += 1;
                    return Ok(Some(Met {
                        number,
                        input: input.clone(),
                        converted_from: self.ids.as_mut().and_then(|ids| resolve(ids, &record)),
                        record,
                    }));
                }
                input.check_whole(stamp.as_ref(), reader.ledger())?;
                for fault in &reader.ledger().faults {
                    (self.fault)(input, fault);
                }
            }
            let Some(input) = self.inputs.next() else {
                self.current = None;
                return Ok(None);
            };
            let (stamp, bytes) = input.open()?;
            self.current = Some(Open {
                stamp,
                reader: WarcReader::new(&input.origin(), bytes, self.limits),
                input: Arc::new(input),
            });
        }
    }
}

/// Remembers the record's id, and looks up the one it refers to.
fn resolve(ids: &mut HashMap<Vec<u8>, String>, record: &Record) -> Option<String> {
    let own = record.header("WARC-Record-ID");
    if let Some(own) = own.filter(|_| record.header("WARC-TREC-ID").is_some()) {
        ids.insert(own.to_owned(), page_id(record));
    }
    let refers = record.header("WARC-Refers-To")?;
    Some(match ids.get(refers) {
        Some(page) => page.clone(),
        None => bare(refers),
    })
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
