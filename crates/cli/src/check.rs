//! `warcsieve check`: the structure of WARC files, and every fault in them.

use super::exit::{self, Exit};
use super::inputs::pages;
use super::interrupt::{self, Left};
use super::log::Format;
use super::missing::refuse_all_missing;
use super::progress::Watch;
use super::table::{self, Table};
use super::{escape, log, print, stderr};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use warcsieve_common::{Result, counted};
use warcsieve_engine::{Input, Progress};
use warcsieve_run::explain;
use warcsieve_warc::ledger::{Fault, MAX_FAULTS, ReadLedger};
use warcsieve_warc::{DigestCheck, Digests, Limits, Record, Source};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// WARC or ARC files, pages (HTML), folders, quoted patterns or @LIST files.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<String>,
    /// Print the contents of each input and every fault with its offset, instead of one line.
    #[arg(long)]
    long: bool,
    /// Print one JSON line per input, with everything, and a last one with their sums.
    #[arg(long, conflicts_with = "long")]
    json: bool,
}

/// What was found in one input.
#[derive(Default)]
struct Report {
    ledger: ReadLedger,
    /// For each fault in the ledger, the address of its record, if it is known.
    addresses: Vec<Option<String>>,
    /// Digests by result. Each record adds two.
    digests: BTreeMap<DigestCheck, u64>,
    /// The first wrong digests, one line each.
    digest_faults: Vec<String>,
    /// Number of records that are in the same member as the record before them.
    shared: u64,
    /// Offset of the first such member.
    first_shared: u64,
}

impl Report {
    fn digests(&self, result: DigestCheck) -> u64 {
        self.digests.get(&result).copied().unwrap_or(0)
    }

    fn digest_fault_count(&self) -> u64 {
        let all = DigestCheck::ALL.into_iter();
        all.filter(|r| r.is_fault()).map(|r| self.digests(r)).sum()
    }

    /// Number of faults of all kinds. All records that share a member count as one fault.
    fn faults(&self) -> u64 {
        self.ledger.fault_count + self.digest_fault_count() + self.shared_faults()
    }

    fn shared_faults(&self) -> u64 {
        u64::from(self.shared > 0)
    }

    /// Finds the addresses of the records with new faults.
    fn address_faults(&mut self, faults: &[Fault], records: &[&Named]) {
        for fault in &faults[self.addresses.len()..] {
            let is_of = |record: &&&Named| fault.record_id.as_deref() == Some(&record.id);
            let record = records.iter().find(is_of);
            self.addresses.push(record.map(|r| r.address.clone()));
        }
    }

    fn is_faulty(&self) -> bool {
        self.faults() > 0
    }

    fn verdict(&self) -> &'static str {
        let uncompared =
            self.digests(DigestCheck::Unsupported) + self.digests(DigestCheck::Incomplete);
        if self.ledger.records == 0 {
            "unusable: no record in it"
        } else if self.ledger.fault_count > 0 {
            "faulty; everything else can be read"
        } else if self.digests(DigestCheck::Mismatch) > 0 {
            "sound framing, but bytes that differ from their digests"
        } else if self.digests(DigestCheck::Undecodable) > 0 {
            "sound framing, but digests that cannot be decoded"
        } else if self.shared > 0 {
            "readable from its beginning only: records share a member"
        } else if uncompared > 0 {
            "sound, but for digests that could not be compared"
        } else {
            "sound"
        }
    }
}

/// Sums over all inputs.
#[derive(Default)]
struct Sums {
    /// Inputs with at least one record.
    usable: u64,
    /// Inputs without a fault.
    sound: u64,
    /// Inputs that could not be read.
    unread: u64,
    records: u64,
    bytes: u64,
    faults: u64,
}

impl Sums {
    fn add(&mut self, report: &Report) {
        self.usable += u64::from(report.ledger.records > 0);
        self.sound += u64::from(!report.is_faulty() && report.ledger.records > 0);
        self.records += report.ledger.records;
        self.bytes += report.ledger.compressed_bytes;
        self.faults += report.faults();
    }

    fn json(&self, inputs: usize, exit: Exit) -> String {
        let result = serde_json::json!({
            "inputs": inputs,
            "inputs_sound": self.sound,
            "inputs_not_read": self.unread,
            "records": self.records,
            "bytes_read": self.bytes,
            "faults": self.faults,
        });
        print::result("check", exit, result)
    }

    fn render(&self, inputs: usize, long: bool) -> String {
        let unread = match self.unread {
            0 => String::new(),
            n => format!(", {} not readable", table::count(n)),
        };
        let hint = match self.faults > 0 && !long {
            true => "; --long lists them",
            false => "",
        };
        format!(
            "{}: {} sound{unread}; {}, {} read, {}{hint}\n",
            counted(inputs, "file", "files"),
            table::count(self.sound),
            records(self.records),
            table::bytes(self.bytes),
            faults(self.faults),
        )
    }
}

fn records(n: u64) -> String {
    table::counted(n, "record", "records")
}

fn faults(n: u64) -> String {
    table::counted(n, "fault", "faults")
}

pub fn run(arguments: &Arguments, format: Format) -> Result<Exit> {
    let inputs = pages(&arguments.inputs)?;
    refuse_all_missing(&inputs, false)?;
    let progress = interrupt::run(Left::Nothing);
    let watch = Watch::records(&progress, &inputs, format);
    let (mut sums, mut is_to_retry) = (Sums::default(), false);
    for input in &inputs {
        let checked = check(input, &progress);
        progress.inputs_done.fetch_add(1, Relaxed);
        let report = match checked {
            Ok(report) => report,
            Err(error) => {
                // It may be that the run was asked to stop.
                progress.go_on()?;
                is_to_retry |= exit::of(&error) == Exit::Temporary;
                log::error(format, &error);
                sums.unread += 1;
                continue;
            }
        };
        sums.add(&report);
        let text = match (arguments.json, arguments.long) {
            (true, _) => json(input, &report),
            (_, true) => render(input, &report),
            _ => line(input, &report),
        };
        stderr::above(|| print::text(&text))?;
    }
    drop(watch);
    let exit = match sums.usable {
        _ if is_to_retry => Exit::Temporary,
        0 => Exit::Unusable,
        _ if sums.sound < inputs.len() as u64 => Exit::Faulty,
        _ => Exit::Done,
    };
    let end = match arguments.json {
        true => sums.json(inputs.len(), exit),
        false => sums.render(inputs.len(), arguments.long),
    };
    print::text(&end)?;
    Ok(exit)
}

fn check(input: &Input, progress: &Arc<Progress>) -> Result<Report> {
    let mut reader = input.watched_reader(Limits::default(), progress)?;
    let mut record = Record::default();
    let mut report = Report::default();
    let mut member = None;
    let mut read = 0;
    let mut last = Named::default();
    while reader.read_record(&mut record)? {
        let current = Named::of(&record);
        report.address_faults(&reader.ledger().faults, &[&current, &last]);
        last = current;
        progress.go_on()?;
        progress.pages.fetch_add(1, Relaxed);
        let at = record.location.offset.max(read);
        progress.bytes_read.fetch_add(at - read, Relaxed);
        read = at;
        let digests = Digests::check(&record);
        for (what, result) in [("block", digests.block), ("payload", digests.payload)] {
            *report.digests.entry(result).or_default() += 1;
            if result.is_fault() && report.digest_faults.len() < MAX_FAULTS {
                report
                    .digest_faults
                    .push(digest_fault(&record, what, result));
            }
        }
        let place = &record.location;
        if place.offset_in_member > 0 && member == Some(place.offset) {
            if report.shared == 0 {
                report.first_shared = place.offset;
            }
            report.shared += 1;
        }
        member = Some(place.offset);
    }
    report.ledger = reader.ledger().clone();
    report.address_faults(&reader.ledger().faults, &[&last]);
    if report.ledger.records == 0 {
        explain(input, &mut report.ledger);
    }
    let rest = report.ledger.compressed_bytes.saturating_sub(read);
    progress.bytes_read.fetch_add(rest, Relaxed);
    Ok(report)
}

/// A record's id and address.
#[derive(Default)]
struct Named {
    id: String,
    address: String,
}

impl Named {
    fn of(record: &Record) -> Self {
        let address = record.header("WARC-Target-URI").unwrap_or_default();
        Self {
            id: record.record_id(),
            address: String::from_utf8_lossy(address).into_owned(),
        }
    }
}

/// An id with the address, if it is known.
fn with_address(id: &str, address: &str) -> String {
    match address {
        "" => id.to_owned(),
        address => format!("{id} of {address}"),
    }
}

fn digest_fault(record: &Record, what: &str, result: DigestCheck) -> String {
    let why = match result {
        DigestCheck::Undecodable => "cannot be decoded: it is no digest of the algorithm it names",
        _ => "does not match the bytes",
    };
    let named = Named::of(record);
    format!(
        "offset {}+{}: record {}: the {what} digest {why}",
        record.location.offset,
        record.location.offset_in_member,
        with_address(&named.id, &named.address)
    )
}

/// One line: the verdict, what was read, and the faults.
fn line(input: &Input, report: &Report) -> String {
    let ledger = &report.ledger;
    let faults = match report.faults() {
        0 => String::new(),
        n => format!(", {}", faults(n)),
    };
    let why = ledger.no_crawl().map_or_else(String::new, |fault| {
        format!(": {}", escape::line(&fault.message))
    });
    format!(
        "{}: {}{why}; {}, {}{faults}\n",
        escape::line(&input.origin()),
        report.verdict(),
        records(ledger.records),
        table::bytes(ledger.compressed_bytes),
    )
}

fn render(input: &Input, report: &Report) -> String {
    let l = &report.ledger;
    let mut t = Table::default();
    t.count("file bytes", l.compressed_bytes);
    t.count("  in members", l.member_bytes);
    t.count("  damaged", l.damaged_bytes);
    t.count("members", l.members);
    t.count("decoded bytes", l.decoded_bytes);
    t.count("  in records", l.record_bytes);
    t.count("  garbage", l.garbage_bytes);
    t.count("records", l.records);
    for (record_type, n) in &l.records_by_type {
        t.row(format!("  {}", escape::line(record_type)), table::count(*n));
    }
    t.count("  that share a member", report.shared);
    for (label, result) in [
        ("digests that match", DigestCheck::Match),
        ("  that do not", DigestCheck::Mismatch),
        ("  that cannot be decoded", DigestCheck::Undecodable),
        ("  of unknown kind", DigestCheck::Unsupported),
        ("  of bytes not all here", DigestCheck::Incomplete),
    ] {
        t.count(label, report.digests(result));
    }
    t.count("faults", report.faults());
    t.count("  of the structure", l.fault_count);
    t.count("  of digests", report.digest_fault_count());
    t.count("  of shared members", report.shared_faults());
    let origin = escape::line(&input.origin());
    let mut text = format!("{origin}: {}\n{}", report.verdict(), t.render());
    for (fault, address) in l.faults.iter().zip(&report.addresses) {
        let id = fault.record_id.as_deref().unwrap_or("-");
        let id = with_address(id, address.as_deref().unwrap_or_default());
        let inner = fault
            .offset_in_member
            .map(|o| format!("+{o}"))
            .unwrap_or_default();
        text += &format!(
            "offset {}{inner}: record {}: {}\n",
            fault.offset,
            escape::line(&id),
            escape::line(&fault.message)
        );
    }
    for line in &report.digest_faults {
        text += &escape::line(line);
        text.push('\n');
    }
    if report.shared > 0 {
        text += &format!(
            "offset {}: first of {} in the same member as another record; an index cannot point to \
             them; compress each record by itself (WARC 1.1, annex D)\n",
            report.first_shared,
            counted(report.shared, "record", "records")
        );
    }
    let listed = (l.faults.len() + report.digest_faults.len()) as u64;
    let total = l.fault_count + report.digest_fault_count();
    if total > listed {
        text += &format!(
            "{} not listed\n",
            counted(total - listed, "more fault is", "more faults are")
        );
    }
    text
}

fn json(input: &Input, report: &Report) -> String {
    let digests: BTreeMap<_, _> = DigestCheck::ALL
        .map(|result| (result.as_str(), report.digests(result)))
        .into();
    let line = serde_json::json!({
        "input": input.origin(),
        "verdict": report.verdict(),
        "read": report.ledger,
        "shared_member": report.shared,
        "digests": digests,
        "digest_faults": report.digest_faults,
        "fault_addresses": report.addresses,
    });
    print::json_line(line)
}
