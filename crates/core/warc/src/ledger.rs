//! The ledger of one input. It counts every byte and every record that was read in exactly one
//! column of each sum. The sums must be equal to the totals.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Where the bytes and records of an input went. Filled by the reader.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReadLedger {
    /// Bytes of the file as read.
    pub compressed_bytes: u64,
    /// Bytes of members that were decoded (of the whole file if it is not compressed).
    pub member_bytes: u64,
    /// Bytes of the file between members, or of members that were lost.
    pub damaged_bytes: u64,
    /// Members decoded; 0 if the file is not compressed.
    pub members: u64,
    /// Members that hold more than one record. The standard advises against this, because an index
    /// cannot point at each record of such a member. Members that were joined because records run
    /// over their ends count as one.
    #[serde(default)]
    pub shared_members: u64,
    /// Decoded bytes that were framed into records and garbage.
    pub decoded_bytes: u64,
    /// Decoded bytes that belong to records, headers and closing line ends included.
    pub record_bytes: u64,
    /// Decoded bytes that belong to no record.
    pub garbage_bytes: u64,
    /// Records framed.
    pub records: u64,
    /// Records by `WARC-Type`, lower case; at most 64 types, the rest under `other`.
    pub records_by_type: BTreeMap<String, u64>,
    /// Number of faults, including those not listed.
    pub fault_count: u64,
    /// The first [`MAX_FAULTS`] faults, in file order.
    pub faults: Vec<Fault>,
}

/// How many faults a ledger lists; further ones are only counted.
pub const MAX_FAULTS: usize = 1000;

/// Damage found while reading, with its position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Fault {
    /// What kind of damage.
    pub kind: FaultKind,
    /// Byte offset in the file: of the damaged span, or of the member that holds the record.
    pub offset: u64,
    /// Number of bytes affected: bytes of the file for damaged spans, decoded bytes for garbage; 0
    /// where a record is flagged and nothing is lost.
    pub length: u64,
    /// Byte offset in the decoded member, for faults in decoded data.
    pub offset_in_member: Option<u64>,
    /// Id of the affected record, if its header could be read.
    pub record_id: Option<String>,
    /// One line for people: what is wrong, and what was done about it.
    pub message: String,
}

/// Kinds of damage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FaultKind {
    /// Bytes of the file that no member could be decoded from.
    DamagedMember,
    /// A member of several records whose checksum does not match: kept, flagged.
    SuspectMember,
    /// Decoded bytes that belong to no record.
    Garbage,
    /// `Content-Length` was absent or wrong, or bytes of the record are missing; it ends at the
    /// next boundary.
    WrongLength,
    /// The input ends inside a member or record.
    CutOff,
    /// The file is neither WARC nor ARC. In a file named as JSON lines: no line holds a text.
    NotWarc,
}

impl ReadLedger {
    /// Counts a fault, and lists it if the list has room.
    pub fn fault(&mut self, fault: Fault) {
        self.fault_count += 1;
        if self.faults.len() < MAX_FAULTS {
            self.faults.push(fault);
        }
    }

    /// The fault that says that the input is no crawl, if no record was found in it.
    pub fn no_crawl(&self) -> Option<&Fault> {
        let not_warc = |fault: &&Fault| fault.kind == FaultKind::NotWarc;
        self.faults
            .iter()
            .find(not_warc)
            .filter(|_| self.records == 0)
    }

    /// Counts a record of a type.
    pub fn count_record(&mut self, record_type: &str) {
        self.count_records(record_type, 1);
    }

    fn count_records(&mut self, record_type: &str, more: u64) {
        self.records += more;
        if let Some(n) = self.records_by_type.get_mut(record_type) {
            *n += more;
        } else if self.records_by_type.len() < 64 {
            self.records_by_type.insert(record_type.to_owned(), more);
        } else {
            *self.records_by_type.entry("other".to_owned()).or_default() += more;
        }
    }

    /// Adds the ledger of the part that was read next.
    pub fn add(&mut self, later: Self) {
        self.compressed_bytes += later.compressed_bytes;
        self.member_bytes += later.member_bytes;
        self.damaged_bytes += later.damaged_bytes;
        self.members += later.members;
        self.shared_members += later.shared_members;
        self.decoded_bytes += later.decoded_bytes;
        self.record_bytes += later.record_bytes;
        self.garbage_bytes += later.garbage_bytes;
        for (record_type, records) in later.records_by_type {
            self.count_records(&record_type, records);
        }
        let listed = later.faults.len() as u64;
        for fault in later.faults {
            self.fault(fault);
        }
        self.fault_count += later.fault_count - listed;
    }

    /// The sums that are not equal to their totals, one line each; empty if all are.
    pub fn imbalances(&self) -> Vec<String> {
        unequal(&[
            (
                "file bytes",
                self.compressed_bytes,
                "members + damaged",
                total([&self.member_bytes, &self.damaged_bytes]),
            ),
            (
                "decoded bytes",
                self.decoded_bytes,
                "records + garbage",
                total([&self.record_bytes, &self.garbage_bytes]),
            ),
            (
                "records",
                self.records,
                "sum over types",
                total(self.records_by_type.values()),
            ),
        ])
    }
}

/// The sum of counts. The counts may come from a file that warcsieve did not write, so the result
/// has room for any values.
pub fn total<'n>(counts: impl IntoIterator<Item = &'n u64>) -> u128 {
    counts.into_iter().map(|&n| u128::from(n)).sum()
}

/// The counts that are not equal to a [`total`], one line each.
pub fn unequal(sums: &[(&str, u64, &str, u128)]) -> Vec<String> {
    sums.iter()
        .filter(|(_, a, _, b)| u128::from(*a) != *b)
        .map(|(x, a, y, b)| format!("{x} {a} but {y} {b}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(offset: u64) -> Fault {
        Fault {
            kind: FaultKind::Garbage,
            offset,
            length: 1,
            offset_in_member: None,
            record_id: None,
            message: String::new(),
        }
    }

    #[test]
    fn faults_beyond_the_list_are_still_counted() {
        let mut ledger = ReadLedger::default();
        for offset in 0..1500 {
            ledger.fault(fault(offset));
        }
        assert_eq!(
            (ledger.fault_count, ledger.faults.len()),
            (1500, MAX_FAULTS)
        );
        assert_eq!(ledger.faults[MAX_FAULTS - 1].offset, 999);
    }

    #[test]
    fn types_beyond_the_table_are_counted_together() {
        let mut ledger = ReadLedger::default();
        for i in 0..100 {
            ledger.count_record(&format!("type-{i:03}"));
        }
        ledger.count_record("type-003");
        assert_eq!(ledger.records_by_type.len(), 65);
        assert_eq!(ledger.records_by_type["other"], 36);
        assert_eq!(ledger.records_by_type["type-003"], 2);
        assert!(ledger.imbalances().is_empty());
    }

    #[test]
    fn every_sum_is_checked() {
        let ledger = ReadLedger {
            compressed_bytes: 3,
            member_bytes: 1,
            damaged_bytes: 1,
            decoded_bytes: 5,
            record_bytes: 4,
            records: 1,
            ..ReadLedger::default()
        };
        let lines = ledger.imbalances();
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0], "file bytes 3 but members + damaged 2");
    }

    #[test]
    fn no_sum_overflows_or_balances_because_it_is_too_large() {
        let ledger = ReadLedger {
            compressed_bytes: u64::MAX,
            member_bytes: u64::MAX,
            damaged_bytes: 1,
            decoded_bytes: 4,
            record_bytes: u64::MAX,
            garbage_bytes: 5,
            records: 1,
            records_by_type: [("a".to_owned(), u64::MAX), ("b".to_owned(), 2)].into(),
            ..ReadLedger::default()
        };
        let lines = ledger.imbalances();
        assert_eq!(lines.len(), 3, "{lines:?}");
        assert!(lines[0].ends_with("members + damaged 18446744073709551616"));
    }
}
