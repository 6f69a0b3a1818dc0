//! Names that would break a line, or change what a terminal shows: JSON stays one valid line, in
//! which paths are as they are, and other texts have them escaped. Names of inputs have `\xNN`.
use crate::common::warcsieve;
use serde_json::Value;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;

/// Every kind of character that must not be shown.
const ODD: &str = "a\nNOT-A-LINE\r\t\u{1b}[31m\u{7f}\u{85}\u{9b}2J\u{2028}\u{202e}.warc.gz";

/// What it is called in outputs, whose files have this name, too.
const NAMED: &str =
    "a\\x0aNOT-A-LINE\\x0d\\x09\\x1b[31m\\x7f\\xc2\\x85\\xc2\\x9b2J\u{2028}\u{202e}.warc.gz";

fn is_hostile(c: char) -> bool {
    (c.is_control() && c != '\n') || matches!(c, '\u{2028}' | '\u{202e}')
}

struct Place(tempfile::TempDir);

impl Place {
    /// A folder `in` with a crawl of that name, and one whose name is not UTF-8.
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        let repository = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let crawl = repository.join("testdata/crawl/damaged/02.warc.gz");
        let folder = place.0.path().join("in");
        fs::create_dir(&folder).unwrap();
        fs::copy(&crawl, folder.join(ODD)).unwrap();
        fs::copy(&crawl, folder.join(OsStr::from_bytes(b"b\xff.warc.gz"))).unwrap();
        let gold = place.0.path().join("gold\n\u{7f}.jsonl");
        fs::copy(repository.join("testdata/gold.jsonl"), gold).unwrap();
        place
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// What commands print and log about such names; `json` says how.
    fn run(&self, json: bool) -> Vec<(String, String, String)> {
        let place = |name: &str| self.path(name);
        let (crawl, out, cdx) = (place("in"), place("out"), place("cdx"));
        let (file, gold) = (place(&format!("in/{ODD}")), place("gold\n\u{7f}.jsonl"));
        let (freq, other, index) = (
            place("freq"),
            place("other"),
            place(&format!("cdx/{NAMED}.cdxj")),
        );
        let log = ["--log-format", if json { "json" } else { "text" }];
        let flag: &[&str] = if json { &["--json"] } else { &[] };
        let commands: [(&[&str], &[&str]); 12] = [
            (&["check", &crawl], flag),
            (&["clean", &crawl, "--out", &out], &[]),
            (&["status", &out], flag),
            (
                &[
                    "status",
                    &out,
                    "--inputs",
                    &crawl,
                    "--todo",
                    "--pipeline",
                    "density",
                ],
                flag,
            ),
            (
                &["relabel", &out, "--pipeline", "keep-all", "--out", &other],
                &[],
            ),
            (&["cdx", &crawl, "--out", &cdx], &[]),
            (&["freq", &crawl, "--out", &freq], &["--allow-failed"]),
            (&["plan", &crawl], flag),
            (&["verify-counts", &crawl, "--against", &index], flag),
            (&["eval", &file, "--gold", &gold], flag),
            (&["inspect", &file], &[]),
            (&["inspect", &place("in/none\n\u{9b}"), "--id", "x"], &[]),
        ];
        let run = |(arguments, flag): (&[&str], &[&str])| {
            let (_, shown, log) = warcsieve(&[arguments, flag, &log].concat());
            (format!("{arguments:?}"), shown, log)
        };
        commands.into_iter().map(run).collect()
    }
}

#[test]
fn json_is_one_valid_line_that_says_names_as_they_are() {
    let mut named = 0;
    for (command, shown, log) in Place::new().run(true) {
        assert!(!shown.is_empty() || !log.is_empty(), "{command} {log}");
        // `inspect` has no JSON but in its log.
        let shown = if command.contains("inspect") {
            ""
        } else {
            &shown
        };
        for line in shown.lines().chain(log.lines()) {
            let value: Value =
                serde_json::from_str(line).unwrap_or_else(|e| panic!("{command}: {e}: {line}"));
            assert!(!line.contains(is_hostile), "{command}: {line:?}");
            for key in ["input", "path"] {
                let name = value[key]
                    .as_str()
                    .filter(|name| name.contains("NOT-A-LINE"));
                let is_odd = |name: &str| name.ends_with(ODD) || name.ends_with(NAMED);
                assert!(name.is_none_or(is_odd), "{name:?}");
                named += usize::from(name.is_some());
            }
        }
    }
    assert!(named >= 4, "{named}");
}

#[test]
fn texts_have_names_escaped() {
    let mut named = 0;
    for (command, shown, log) in Place::new().run(false) {
        for line in shown.lines().chain(log.lines()) {
            assert!(!line.contains(is_hostile), "{command}: {line:?}");
            assert!(!line.starts_with("NOT-A-LINE"), "{command}: {line:?}");
            let is_odd = ["\\nNOT-A-LINE", "\\x0aNOT-A-LINE"];
            named += usize::from(is_odd.iter().any(|name| line.contains(name)));
        }
    }
    assert!(named >= 5, "{named}");
}
