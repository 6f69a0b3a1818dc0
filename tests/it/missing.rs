//! Inputs that are not there: a mistake in a command spoils no folder, and one that was spoiled heals.

use crate::common::{contents, warcsieve};
use std::fs;
use std::path::{Path, PathBuf};

const SOUND: &str = "testdata/crawl/en0000/00.warc.gz";

struct Place(tempfile::TempDir);

impl Place {
    /// A folder `crawl` with two inputs.
    fn new() -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        fs::create_dir(place.path("crawl")).unwrap();
        for name in ["00.warc.gz", "01.warc.gz"] {
            let sound = Path::new(env!("CARGO_MANIFEST_DIR")).join(SOUND);
            fs::copy(sound, place.path("crawl").join(name)).unwrap();
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The command with `{}` for the folder; its exit code, output and log.
    fn run(&self, command: &str) -> (i32, String, String) {
        let words = command.replace("{}", self.0.path().to_str().unwrap());
        warcsieve(&words.split(' ').collect::<Vec<_>>())
    }

    fn is_sealed(&self, folder: &str) -> bool {
        self.path(folder).join("_SUCCESS").exists()
    }
}

#[test]
fn a_misspelt_input_writes_nothing_and_the_right_one_is_sealed() {
    let place = Place::new();
    for wrong in ["{}/crwal/", "{}/crwal/00.warc.gz", "{}/crawl {}/crwal"] {
        let (code, _, log) = place.run(&["clean ", wrong, " --out {}/out -q"].concat());
        assert_eq!((code, log.lines().count()), (2, 1), "{log}");
        assert!(log.contains("did you mean `crawl`?"), "{log}");
        assert!(!place.path("out").exists());
    }
    let (code, _, log) = place.run("clean {}/crawl/ --out {}/out -q --pipeline numwords");
    assert_eq!(code, 0, "{log}");
    assert!(place.is_sealed("out"));
    // A run that is refused changes nothing; what is done may be gone.
    let before = contents(&place.path("out"));
    let list = place.path("list");
    fs::write(&list, "crawl/00.warc.gz\ncrawl/02.warc.gz\n").unwrap();
    let again = "clean @{}/list --root {} --base {}/crawl --out {}/out --pipeline numwords";
    assert_eq!(place.run(again).0, 2);
    assert_eq!(contents(&place.path("out")), before);
    fs::remove_file(place.path("crawl/01.warc.gz")).unwrap();
    fs::write(&list, "crawl/00.warc.gz\ncrawl/01.warc.gz\n").unwrap();
    let (code, _, log) = place.run(again);
    assert_eq!(code, 0, "{log}");
    assert_eq!(contents(&place.path("out")), before);
}

#[test]
fn a_share_needs_the_files_of_its_own_alone() {
    let place = Place::new();
    let list = place.path("list");
    let clean = |share: &str| {
        let command = "clean @{}/list --root {} --out {}/out -q --pipeline numwords --shard ";
        place.run(&(command.to_owned() + share))
    };
    fs::write(&list, "crawl/00.warc.gz\ncrawl/02.warc.gz\n").unwrap();
    let (code, _, log) = clean("2/2");
    assert_eq!((code, log.lines().count()), (2, 1), "{log}");
    assert!(!place.path("out").exists());
    // Another machine may have it.
    let (code, _, log) = clean("1/2");
    assert_eq!((code, &*log), (0, ""));
    assert!(!place.is_sealed("out"));
}

#[test]
fn a_folder_that_lists_what_no_run_will_do_says_what_to_type() {
    let place = Place::new();
    // As a run of other inputs that was stopped.
    let (code, _, log) = place.run("clean {}/crawl --out {}/out --shard 1/2 --pipeline numwords");
    assert_eq!(code, 0, "{log}");
    let (code, table, log) =
        place.run("clean {}/crawl/00.warc.gz --out {}/out --pipeline numwords");
    assert_eq!(code, 11, "{log}");
    assert!(table.contains("_SUCCESS") && !place.is_sealed("out"));
    let line = log.lines().find(|line| line.contains("--forget")).unwrap();
    assert!(line.contains("01.warc.gz"), "{line}");
    let command = line.split('`').nth(1).unwrap();
    let typed = command.strip_prefix("warcsieve ").unwrap();
    let (code, _, log) = place.run(typed);
    assert_eq!(code, 0, "{typed}: {log}");
    assert!(place.is_sealed("out"));
    assert!(place.run("--help").1.contains("\n  11  "));
    // What another share of the same inputs has to do is not such an input.
    let (code, _, log) = place.run("clean {}/crawl --out {}/out --shard 1/2 --pipeline numwords");
    assert_eq!(code, 0, "{log}");
}

#[test]
fn a_run_that_found_none_of_its_inputs_leaves_none_on_the_lists() {
    // Another pipeline may be right, too.
    for pipeline in ["numwords", "keep-all"] {
        let place = Place::new();
        // A part of a job is not refused, as another machine may have the file.
        let wrong = "clean {}/crwal --out {}/out --no-seal --pipeline numwords";
        let (code, _, log) = place.run(wrong);
        assert_eq!(code, 42, "{log}");
        let right = format!("clean {{}}/crawl --out {{}}/out --pipeline {pipeline}");
        let (code, _, log) = place.run(&right);
        assert_eq!(code, 0, "{log}");
        assert!(place.is_sealed("out"));
    }
}

#[test]
fn a_corpus_of_a_misspelt_input_is_not_begun_and_one_that_was_begun_heals() {
    let place = Place::new();
    let file = |input: &str| {
        let text = format!(
            "[[step]]\nmethod = 'numwords'\n[corpus]\ninputs = ['{input}']\nout = 'corpus'\n"
        );
        fs::write(place.path("corpus.toml"), text).unwrap();
    };
    file("crwal");
    let (code, _, log) = place.run("corpus {}/corpus.toml");
    assert_eq!((code, log.lines().count()), (2, 1), "{log}");
    assert!(!place.path("corpus").exists());
    file("crawl");
    fs::create_dir_all(place.path("corpus/cleaned")).unwrap();
    let (code, _, log) = place.run("corpus {}/corpus.toml");
    assert_eq!(code, 0, "{log}");
    // As versions before listed it.
    let spoiled = place.path("corpus/cleaned/_inputs/crwal.json");
    fs::write(&spoiled, "{\"inputs\": [\"crwal\"]}\n").unwrap();
    fs::remove_file(place.path("corpus/cleaned/_SUCCESS")).unwrap();
    let (code, _, log) = place.run("corpus {}/corpus.toml");
    assert_eq!(code, 0, "{log}");
    assert!(place.is_sealed("corpus") && !spoiled.exists());
}

/// Files in which no record is found.
const UNUSABLE: [(&str, &str); 2] = [("a.pdf", "%PDF-1.7"), ("empty.warc.gz", "")];

#[test]
fn unusable_inputs_alone_do_not_hold_back_the_right_ones() {
    for (name, bytes) in UNUSABLE {
        let place = Place::new();
        fs::write(place.path(name), bytes).unwrap();
        let clean = "clean {}/crawl --out {}/expected -q --pipeline numwords";
        assert_eq!(place.run(clean).0, 0);
        for pipeline in ["numwords", "keep-all"] {
            let wrong = format!("clean {{}}/{name} --out {{}}/{pipeline} --pipeline {pipeline}");
            let (code, _, log) = place.run(&wrong);
            assert_eq!(code, 42, "{log}");
            let (code, _, log) = place.run(&wrong);
            assert_eq!(code, 42, "{log}");
            let right = format!("clean {{}}/crawl --out {{}}/{pipeline} -q --pipeline numwords");
            let (code, _, log) = place.run(&right);
            assert_eq!(code, 0, "{log}");
            assert!(place.is_sealed(pipeline));
            let [expected, found] = ["expected", pipeline].map(|out| contents(&place.path(out)));
            assert_eq!(
                found.keys().collect::<Vec<_>>(),
                expected.keys().collect::<Vec<_>>()
            );
        }
    }
}

#[test]
fn a_damaged_crawl_without_records_never_leaves_the_books() {
    let damages: [fn(&mut Vec<u8>); 4] = [
        |_| {},
        |bytes| bytes[20..60].fill(0xff),
        |bytes| bytes[..16].fill(0),
        |bytes| bytes.fill(0),
    ];
    for damage in damages {
        let place = Place::new();
        let mut damaged = fs::read(place.path("crawl/00.warc.gz")).unwrap();
        damaged.truncate(100);
        damage(&mut damaged);
        fs::write(place.path("bad.warc.gz"), damaged).unwrap();
        let bad = "clean {}/bad.warc.gz --out {}/out --pipeline numwords";
        let (code, _, log) = place.run(bad);
        assert!(code == 10 || code == 42, "{code} {log}");
        let row = place.path("out/_manifest/bad.warc.gz.json");
        let books = fs::read(&row).unwrap();
        let (code, _, log) = place.run("clean {}/crawl --out {}/out --pipeline keep-all");
        assert_eq!(code, 2, "{log}");
        let (code, _, log) = place.run("clean {}/crawl --out {}/out --pipeline numwords");
        assert_eq!(code, 0, "{log}");
        assert_eq!(fs::read(&row).unwrap(), books);
    }
}

#[test]
fn what_is_forgotten_is_said_and_takes_its_list_of_pages_along() {
    let place = Place::new();
    let files = [
        ("archive/a.warc", b"%PDF-1.7".to_vec()),
        (
            "pages/pages.jsonl",
            b"{\"url\": \"http://a.example/\"}\n".to_vec(),
        ),
    ];
    fs::write(place.path("c.wacz"), crate::wacz::zip(&files)).unwrap();
    let (code, _, log) = place.run("clean {}/c.wacz --out {}/out --pipeline numwords");
    assert_eq!(code, 42, "{log}");
    let list = place.path("out/_pages/c.wacz/pages/pages.jsonl");
    assert!(list.exists());
    let (code, _, log) = place.run("clean {}/crawl --out {}/out --pipeline numwords");
    assert_eq!(code, 0, "{log}");
    assert!(
        log.contains("c.wacz/archive/a.warc is removed from the lists of the folder"),
        "{log}"
    );
    assert!(!list.exists() && place.is_sealed("out"));
}

#[test]
fn a_run_that_is_refused_forgets_nothing() {
    let place = Place::new();
    fs::write(place.path("crawl/00.warc.gz"), "").unwrap();
    let clean = "clean {}/crawl/00.warc.gz --out {}/out --pipeline numwords";
    assert_eq!(place.run(clean).0, 42);
    let before = contents(&place.path("out"));
    let (code, _, log) = place.run("clean {} --out {}/out --pipeline numwords");
    assert_eq!(code, 2, "{log}");
    assert!(log.contains("--base"), "{log}");
    assert_eq!(contents(&place.path("out")), before);
}

#[test]
fn an_unusable_input_that_is_downloaded_again_is_cleaned() {
    let place = Place::new();
    let file = place.path("crawl/00.warc.gz");
    let sound = fs::read(&file).unwrap();
    fs::write(&file, "").unwrap();
    let clean = "clean {}/crawl/00.warc.gz --out {}/out --pipeline numwords";
    assert_eq!(place.run(clean).0, 42);
    fs::write(&file, sound).unwrap();
    let (code, _, log) = place.run(clean);
    assert_eq!(code, 0, "{log}");
    assert!(place.is_sealed("out"));
}

#[test]
fn an_unusable_input_beside_sound_ones_stays_in_the_books() {
    let place = Place::new();
    fs::write(place.path("crawl/02.warc.gz"), "").unwrap();
    let row = place.path("out/_manifest/02.warc.gz.json");
    assert_eq!(
        place
            .run("clean {}/crawl --out {}/out --pipeline numwords")
            .0,
        10
    );
    let one = "clean {}/crawl/00.warc.gz --out {}/out --pipeline numwords";
    assert_eq!(place.run(one).0, 0);
    assert!(row.exists() && place.is_sealed("out"));
}

#[test]
fn a_corpus_of_an_unusable_input_heals() {
    let place = Place::new();
    fs::write(place.path("a.pdf"), "%PDF-1.7").unwrap();
    for (input, method, expected) in [
        ("a.pdf", "numwords", 42),
        ("a.pdf", "numwords", 42),
        ("crawl", "keep-all", 0),
    ] {
        let text = format!(
            "[[step]]\nmethod = '{method}'\n[corpus]\ninputs = ['{input}']\nout = 'corpus'\n"
        );
        fs::write(place.path("corpus.toml"), text).unwrap();
        let (code, _, log) = place.run("corpus {}/corpus.toml");
        assert_eq!(code, expected, "{log}");
    }
    assert!(place.is_sealed("corpus"));
    let books = fs::read_to_string(place.path("corpus/books.json")).unwrap();
    assert!(!books.contains("a.pdf"), "{books}");
    assert!(!place.path("corpus/cleaned/_manifest/a.pdf.json").exists());
    // A corpus that is whole stays as it is when its file asks for what is refused.
    let whole = contents(&place.path("corpus"));
    let file = fs::read_to_string(place.path("corpus.toml")).unwrap();
    fs::write(
        place.path("corpus.toml"),
        file.replace("keep-all", "numwords"),
    )
    .unwrap();
    assert_eq!(place.run("corpus {}/corpus.toml").0, 2);
    assert_eq!(contents(&place.path("corpus")), whole);
}

#[test]
fn every_command_says_what_a_misspelt_input_may_be() {
    let place = Place::new();
    let plain = "{}/crawl/00.wrac.gz";
    for (command, writes) in [
        ("extract", false),
        ("check", false),
        ("plan", false),
        ("cdx --out -", false),
        ("cdx --out {}/cdx", true),
        ("freq --out {}/freq", true),
        ("extract --out {}/pages", true),
    ] {
        let (code, text, log) = place.run(&format!("{command} {plain}"));
        assert_eq!(
            (code, &*text, log.lines().count()),
            (2, "", 1),
            "{command}: {log}"
        );
        assert!(
            log.contains("did you mean `00.warc.gz`?"),
            "{command}: {log}"
        );
        let is_said = log.contains("nothing is written");
        assert_eq!(is_said, writes, "{command}: {log}");
    }
    assert!(!place.path("cdx").exists() && !place.path("freq").exists());
    // One of several is passed over.
    let (code, _, log) = place.run(&format!("check {{}}/crawl/00.warc.gz {plain}"));
    assert_eq!(code, 10, "{log}");
}
