//! `warcsieve check`: the structure of WARC files, and every fault in them.

use super::exit::Exit;
use super::print;
use super::table::{self, Table};
use warcsieve_base::Result;
use warcsieve_crawl::pipeline::Input;
use warcsieve_warc::ledger::{MAX_FAULTS, ReadLedger};
use warcsieve_warc::{DigestCheck, Digests, Limits, Record, Source, WarcReader};

#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// WARC or ARC files, folders, quoted patterns or @LIST files.
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<String>,
    /// Print one JSON line per input.
    #[arg(long)]
    json: bool,
}

/// What was found in one input.
#[derive(Default)]
struct Report {
    ledger: ReadLedger,
    digests_matching: u64,
    digests_absent: u64,
    digests_unsupported: u64,
    mismatches: Vec<String>,
    mismatch_count: u64,
}

impl Report {
    fn is_faulty(&self) -> bool {
        self.ledger.fault_count > 0 || self.mismatch_count > 0
    }

    fn verdict(&self) -> &'static str {
        if self.ledger.records == 0 {
            "unusable: no record in it"
        } else if self.ledger.fault_count > 0 {
            "faulty: see below; everything else can be read"
        } else if self.mismatch_count > 0 {
            "sound framing, but bytes that differ from their digests"
        } else {
            "sound"
        }
    }
}

pub fn run(arguments: &Arguments) -> Result<Exit> {
    let inputs = super::pages(&arguments.inputs)?;
    let mut exit = Exit::Done;
    let mut usable = false;
    for input in &inputs {
        let report = match check(input) {
            Ok(report) => report,
            Err(error) => {
                super::log::error(super::log::Format::Text, &error);
                exit = Exit::Faulty;
                continue;
            }
        };
        usable |= report.ledger.records > 0;
        if report.is_faulty() {
            exit = Exit::Faulty;
        }
        let text = match arguments.json {
            true => json(input, &report),
            false => render(input, &report),
        };
        print::text(&text)?;
    }
    Ok(if usable { exit } else { Exit::Unusable })
}

fn check(input: &Input) -> Result<Report> {
    let (_, bytes) = input.open()?;
    let mut reader = WarcReader::new(&input.origin(), bytes, Limits::default());
    let mut record = Record::default();
    let mut report = Report::default();
    while reader.read_record(&mut record)? {
        let digests = Digests::check(&record);
        for (what, result) in [("block", digests.block), ("payload", digests.payload)] {
            match result {
                DigestCheck::Match => report.digests_matching += 1,
                DigestCheck::Absent => report.digests_absent += 1,
                DigestCheck::Unsupported => report.digests_unsupported += 1,
                DigestCheck::Mismatch => {
                    report.mismatch_count += 1;
                    if report.mismatches.len() < MAX_FAULTS {
                        report.mismatches.push(mismatch(&record, what));
                    }
                }
            }
        }
    }
    report.ledger = reader.ledger().clone();
    Ok(report)
}

fn mismatch(record: &Record, what: &str) -> String {
    format!(
        "offset {}+{}: record {}: the {what} digest does not match the bytes",
        record.location.offset,
        record.location.offset_in_member,
        record.record_id()
    )
}

fn render(input: &Input, report: &Report) -> String {
    let l = &report.ledger;
    let mut t = Table::default();
    t.row("file bytes", table::count(l.compressed_bytes));
    t.row("  in members", table::count(l.member_bytes));
    t.row("  damaged", table::count(l.damaged_bytes));
    t.row("members", table::count(l.members));
    t.row("decoded bytes", table::count(l.decoded_bytes));
    t.row("  in records", table::count(l.record_bytes));
    t.row("  garbage", table::count(l.garbage_bytes));
    t.row("records", table::count(l.records));
    for (record_type, n) in &l.records_by_type {
        t.row(format!("  {record_type}"), table::count(*n));
    }
    t.row("digests that match", table::count(report.digests_matching));
    t.row("  that do not", table::count(report.mismatch_count));
    t.row(
        "  of unknown kind",
        table::count(report.digests_unsupported),
    );
    t.row("faults", table::count(l.fault_count));
    let mut text = format!("{}: {}\n{}", input.origin(), report.verdict(), t.render());
    for fault in &l.faults {
        let id = fault.record_id.as_deref().unwrap_or("-");
        let inner = fault
            .offset_in_member
            .map(|o| format!("+{o}"))
            .unwrap_or_default();
        text += &format!(
            "offset {}{inner}: record {id}: {}\n",
            fault.offset, fault.message
        );
    }
    for line in &report.mismatches {
        text += line;
        text.push('\n');
    }
    let listed = (l.faults.len() + report.mismatches.len()) as u64;
    let total = l.fault_count + report.mismatch_count;
    if total > listed {
        text += &format!("{} more faults are not listed\n", total - listed);
    }
    text
}

fn json(input: &Input, report: &Report) -> String {
    let line = serde_json::json!({
        "input": input.origin(),
        "verdict": report.verdict(),
        "read": report.ledger,
        "digests": {
            "match": report.digests_matching,
            "mismatch": report.mismatch_count,
            "absent": report.digests_absent,
            "unsupported": report.digests_unsupported,
        },
        "mismatches": report.mismatches,
    });
    format!("{line}\n")
}
