//! What became of bytes, records and pages of some inputs.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::collections::VecDeque;
use warcsieve::{PageTally, ReadLedger};

/// Faults that are listed one by one.
const MOST_FAULTS: usize = 1000;

/// Sums over inputs.
#[derive(Clone, Default)]
pub struct Counts {
    inputs: u64,
    read: ReadLedger,
    pages: PageTally,
    faults: VecDeque<Fault>,
    /// The input that is being read.
    current: Option<(String, ReadLedger, PageTally)>,
}

#[derive(Clone)]
struct Fault {
    input: String,
    kind: String,
    offset: u64,
    record_id: Option<String>,
    message: String,
}

impl Counts {
    /// Sets what is read by now of the current input.
    pub fn now(&mut self, name: &str, read: &ReadLedger, pages: &PageTally) {
        self.current = Some((name.to_owned(), read.clone(), pages.clone()));
    }

    /// The current input is read.
    pub fn end_input(&mut self) {
        if let Some((name, read, pages)) = self.current.take() {
            self.add(&name, read, pages);
        }
    }

    /// Adds an input.
    pub fn add(&mut self, name: &str, read: ReadLedger, pages: PageTally) {
        let damage = read.faults.iter().map(|fault| Fault {
            input: name.to_owned(),
            kind: serde_json::to_value(fault.kind)
                .ok()
                .and_then(|kind| Some(kind.as_str()?.to_owned()))
                .unwrap_or_default(),
            offset: fault.offset,
            record_id: fault.record_id.clone(),
            message: fault.message.clone(),
        });
        let faulty = pages
            .skipped
            .iter()
            .filter(|skipped| skipped.reason.is_fault());
        let faulty = faulty.map(|skipped| Fault {
            input: name.to_owned(),
            kind: skipped.reason.as_str().to_owned(),
            offset: skipped.offset,
            record_id: Some(skipped.record_id.clone()),
            message: skipped.detail.clone(),
        });
        let mut both: Vec<_> = damage.chain(faulty).collect();
        both.sort_by_key(|fault| fault.offset);
        let room = MOST_FAULTS - self.faults.len().min(MOST_FAULTS);
        self.faults.extend(both.into_iter().take(room));
        self.inputs += 1;
        self.read.add(read);
        self.read.faults.clear();
        self.pages.add(pages);
        self.pages.skipped.clear();
    }

    /// With the current input.
    fn whole(&self) -> Self {
        let mut whole = self.clone();
        whole.end_input();
        whole
    }

    /// The numbers.
    pub fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = self.whole();
        let skips = PyDict::new(py);
        for (reason, number) in &all.pages.skips {
            skips.set_item(reason.as_str(), number)?;
        }
        let counts = PyDict::new(py);
        let numbers = [
            ("inputs", all.inputs),
            ("bytes_read", all.read.compressed_bytes),
            ("records", all.read.records),
            ("other_records", all.pages.other_records),
            ("pages", all.pages.pages),
            ("documents", all.pages.documents),
            ("empty_documents", all.pages.empty_documents),
            ("damaged_bytes", all.read.damaged_bytes),
            (
                "faults",
                all.read.fault_count.saturating_add(all.pages.faulty()),
            ),
        ];
        for (name, number) in numbers {
            counts.set_item(name, number)?;
        }
        for (name, numbers) in [
            ("removed", &all.pages.removed),
            ("labelled_by", &all.pages.labelled_by),
        ] {
            let found = PyDict::new(py);
            for (of, number) in numbers {
                found.set_item(of, number)?;
            }
            counts.set_item(name, found)?;
        }
        counts.set_item("skips", skips)?;
        Ok(counts)
    }

    /// The list of faults, as dicts.
    pub fn faults<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let faults = PyList::empty(py);
        for fault in self.whole().faults {
            let item = PyDict::new(py);
            item.set_item("input", fault.input)?;
            item.set_item("kind", fault.kind)?;
            item.set_item("offset", fault.offset)?;
            item.set_item("record_id", fault.record_id)?;
            item.set_item("message", fault.message)?;
            faults.append(item)?;
        }
        Ok(faults)
    }
}
