//! Rows of manifests, which are sent back by runs on other machines, and lists of inputs, which are
//! sent to these machines.
//!
//! A row can be read back, its sums are compared without overflow, and errors name its file. The
//! inputs of a list have different names that do not lead out of the folder.
//!
//! The first byte selects row or list.

use super::cdx::in_file;
use crate::Target;
use crate::digest::choice;
use std::collections::HashSet;
use std::path::{Component, Path};
use warcsieve_engine::{Input, Naming, list_inputs, shard};
use warcsieve_run::{ManifestRow, PageTally, Totals};
use warcsieve_store::Stores;
use warcsieve_warc::ledger::ReadLedger;

/// The target.
pub const TARGET: Target = Target {
    name: "manifest",
    check,
    seeds,
    max_len: 4096,
    fair: 2000.0,
};

fn check(input: &[u8]) {
    match choice(input) {
        (kind, row) if kind & 1 == 0 => check_row(row),
        (_, list) => check_list(list),
    }
}

fn check_row(bytes: &[u8]) {
    match ManifestRow::parse(Path::new("a/row.json"), bytes) {
        Ok(row) => {
            let json = row.to_json();
            assert_eq!(ManifestRow::parse(Path::new("again"), &json).unwrap(), row);
            row.imbalances();
            row.is_faulty();
            let mut totals = Totals::of(&row);
            totals.add(totals.clone());
            assert_eq!(row.recipe.difference(&row.recipe), None);
        }
        Err(error) => assert!(error.to_string().starts_with("a/row.json: ")),
    }
}

fn check_list(bytes: &[u8]) {
    in_file(bytes, |path| {
        let argument = [format!("@{}", path.display())];
        let naming = Naming {
            root: Some(Path::new("/nowhere")),
            ..Naming::default()
        };
        let Ok(inputs) = list_inputs(&argument, &naming, &Stores::default()) else {
            return;
        };
        assert_names(&inputs);
        let shares = (1..=3).map(|part| shard(&inputs, part, 3).len());
        assert_eq!(shares.sum::<usize>(), inputs.len());
    });
}

/// Names are different, and do not lead out of the folder.
pub(super) fn assert_names(inputs: &[Input]) {
    let mut names = HashSet::new();
    for Input { name, .. } in inputs {
        let mut parts = Path::new(name).components();
        assert!(
            parts.all(|part| matches!(part, Component::Normal(_))),
            "{name}"
        );
        assert!(names.insert(name), "{name}");
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let read = serde_json::to_string(&ReadLedger::default()).unwrap();
    let faults = r#""fault_count":1,"faults":[{"kind":"garbage","offset":1,"length":1,
        "offset_in_member":null,"record_id":"x","message":"m"}]"#;
    let read = read.replace(r#""fault_count":0,"faults":[]"#, faults);
    let pages = serde_json::to_string(&PageTally::default()).unwrap();
    let row = format!(
        r#"{{"input":"a/00.warc.gz","stamp":{{"size":12,"mtime_ns":5}},"recipe":{{"version":"0.1.0",
        "pipeline_sha256":"ab","model_sha256":null,"method":"forest"}},"read":{read},
        "pages":{pages},"outputs":[{{"path":"documents/a.parquet","bytes":4,"rows":0,
        "sha256":"ab"}}]}}"#
    );
    let lists = [
        "a/00.warc.gz\nb/01.warc.gz\n",
        "\u{feff}# note\n/nowhere/a.warc\r\n  c d.warc.gz  \n",
        "s3://bucket/a.warc.gz\nhttps://host.example/b%20c.warc.gz\n",
        "../x.warc\n./y/../z.arc.gz\n",
    ];
    let mut seeds = vec![[b"\0", row.as_bytes()].concat()];
    seeds.extend(lists.map(|list| [b"\x01", list.as_bytes()].concat()));
    seeds
}

#[test]
fn a_seed_is_a_row() {
    let row = &seeds()[0][1..];
    assert!(
        ManifestRow::parse(Path::new("row"), row)
            .unwrap()
            .is_faulty()
    );
}
