//! `forget`: an output folder afterwards is that of a run which never saw the pages.

use crate::common::{Random, assert_same, contents, warcsieve};
use crate::wacz::zip;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// Pages of a crawl, and its files.
const PAGES: usize = 90;
const FILES: usize = 3;

/// A pipeline with columns of many settings, and counts of all kinds.
const PIPELINE: &str = "features = 'structure'\ntree = 'attributes'\nlink_table = true\nrights = true\n\
    digests = 'verify'\nforms = ['text', 'markdown']\nhttp_headers = ['Server']\n\
    signals = ['gopher-quality@datatrove']\n[[filter]]\nkeep = 'n_blocks > 3'\n\
    [[filter]]\npersonal = 'tag'\n[[step]]\nmethod = 'min-words'\nwords = 5\n";

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn url(page: usize) -> String {
    format!("https://host{}.example/page/{page}", page % 7)
}

fn record(page: usize, size: usize, is_page: bool) -> String {
    let mut random = Random(page as u64 + 1);
    let mut words = |n: usize| {
        let words = (0..n).map(|_| format!("w{} ", random.below(2000)));
        words.collect::<String>()
    };
    // Every tenth page is removed by a filter, because it has few blocks.
    let paragraphs = if page % 10 == 9 { 1 } else { 4 + page % 5 };
    let mut html = format!(
        "<title>Page {page}</title><link rel=license href=/licence/{}>",
        page % 4
    );
    for n in 0..paragraphs {
        let text = words(size / paragraphs / 5);
        html += &format!(
            "<p class=c{n}>{text} mail me{page}@mail.example <a href=/to/{n}>link {n}</a>"
        );
    }
    let body = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nServer: s{}\r\n\r\n{html}",
        page % 3
    );
    // Both names have eight letters, so all other records are at the same places.
    let kind = if is_page { "response" } else { "metadata" };
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Record-ID: <urn:uuid:{page:012}>\r\nWARC-Target-URI: {}\r\n\
         WARC-Date: 2026-01-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\n\
         Content-Length: {}\r\n\r\n{body}\r\n\r\n",
        url(page),
        body.len()
    )
}

/// A folder with a crawl, in which the records of some pages are of another type.
struct Crawl {
    folder: TempDir,
}

impl Crawl {
    fn new(size: usize, not_pages: &BTreeSet<usize>) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("in")).unwrap();
        for file in 0..FILES {
            let pages = (0..PAGES).filter(|page| page % FILES == file);
            let records = pages.map(|page| record(page, size, !not_pages.contains(&page)));
            let path = folder.path().join(format!("in/{file}.warc"));
            fs::write(path, records.collect::<String>()).unwrap();
        }
        fs::write(folder.path().join("pipeline.toml"), PIPELINE).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn clean(&self, more: &[&str]) -> (i32, String) {
        let (input, out, pipeline) = (
            self.path("in"),
            self.path("out"),
            self.path("pipeline.toml"),
        );
        let arguments = [
            "clean",
            "-q",
            text(&input),
            "--out",
            text(&out),
            "--pipeline",
            text(&pipeline),
        ];
        run(&[&arguments[..], &["--to", "md,txt"], more].concat())
    }

    /// A list in a file.
    fn list(&self, name: &str, lines: impl Iterator<Item = String>) -> String {
        let path = self.path(name);
        fs::write(&path, lines.map(|line| line + "\n").collect::<String>()).unwrap();
        text(&path).to_owned()
    }

    fn urls(&self, pages: &BTreeSet<usize>) -> String {
        self.list("urls.txt", pages.iter().map(|page| url(*page)))
    }

    fn forget(&self, more: &[&str]) -> (i32, String) {
        run(&[&["forget", text(&self.path("out")), "--json"], more].concat())
    }

    fn verify(&self) -> (i32, String) {
        run(&["status", text(&self.path("out")), "--verify"])
    }

    fn row(&self, file: usize) -> Value {
        let row = self.path(&format!("out/_manifest/{file}.warc.json"));
        serde_json::from_slice(&fs::read(row).unwrap()).unwrap()
    }

    /// Everything in the output folder except the manifest.
    fn outputs(&self) -> BTreeMap<String, Vec<u8>> {
        let mut files = contents(&self.path("out"));
        files.retain(|name, _| !name.starts_with("_manifest"));
        files
    }
}

/// Runs a command; returns its exit code and what it says.
fn run(arguments: &[&str]) -> (i32, String) {
    let (code, out, err) = warcsieve(arguments);
    (code, out + &err)
}

/// Some pages by chance.
fn some(seed: u64, n: usize) -> BTreeSet<usize> {
    let mut random = Random(seed);
    (0..n).map(|_| random.below(PAGES)).collect()
}

/// The counts of a run that never saw `gone` pages, as they are after these pages were forgotten.
fn expected(mut row: Value, gone: u64) -> Value {
    if gone > 0 {
        let pages = row["pages"].as_object_mut().unwrap();
        pages["pages"] = json!(pages["pages"].as_u64().unwrap() + gone);
        pages["other_records"] = json!(pages["other_records"].as_u64().unwrap() - gone);
        pages.insert("forgotten".to_owned(), json!(gone));
    }
    row
}

fn assert_never_saw(whole: &Crawl, never: &Crawl, gone: &BTreeSet<usize>) {
    assert_same(
        &whole.outputs(),
        &never.outputs(),
        "after pages were forgotten",
    );
    for file in 0..FILES {
        let n = gone.iter().filter(|page| *page % FILES == file).count() as u64;
        let (found, never) = (whole.row(file), expected(never.row(file), n));
        assert_eq!(found["pages"], never["pages"], "{file}");
        assert_eq!(found["outputs"], never["outputs"], "{file}");
    }
    let (code, said) = whole.verify();
    assert_eq!(code, 0, "{said}");
}

#[test]
fn what_remains_is_what_a_run_gives_that_never_saw_the_pages() {
    for (seed, n, threads) in [(1, 7, "1"), (2, 40, "3")] {
        let gone = some(seed, n);
        let (whole, never) = (Crawl::new(2000, &BTreeSet::new()), Crawl::new(2000, &gone));
        assert_eq!(whole.clean(&[]).0, 0);
        assert_eq!(never.clean(&[]).0, 0);
        let urls = whole.urls(&gone);
        let before = contents(&whole.path("out"));
        let (code, said) = whole.forget(&["--urls", &urls, "--dry-run"]);
        assert_eq!(code, 0, "{said}");
        assert!(
            said.contains(&format!("\"pages\":{}", gone.len())),
            "{said}"
        );
        assert_same(&before, &contents(&whole.path("out")), "a dry run");
        let (code, said) = whole.forget(&["--urls", &urls, "--threads", threads]);
        assert_eq!(code, 0, "{said}");
        assert!(
            said.contains(&format!("\"pages\":{}", gone.len())),
            "{said}"
        );
        assert_never_saw(&whole, &never, &gone);
        let log = fs::read_to_string(whole.path("out/_manifest/forgotten.jsonl")).unwrap();
        assert!(!log.contains("example"), "the log names no page: {log}");
        // Once more changes nothing, and `clean` has nothing to do.
        let after = contents(&whole.path("out"));
        assert_eq!(whole.forget(&["--urls", &urls]).0, 0);
        assert_eq!(whole.clean(&[]).0, 0);
        assert_same(
            &after,
            &contents(&whole.path("out")),
            "nothing is left to forget",
        );
    }
}

#[test]
fn lists_of_hosts_ids_and_licences_name_pages_too() {
    let of_host = |page: &usize| page % 7 == 3;
    let of_licence = |page: &usize| page % 4 == 1 && page % 7 == page % 4 && page % 10 != 9;
    let gone: BTreeSet<usize> = (0..PAGES)
        .filter(|p| of_host(p) || *p == 8 || of_licence(p))
        .collect();
    let (whole, never) = (Crawl::new(500, &BTreeSet::new()), Crawl::new(500, &gone));
    assert_eq!((whole.clean(&[]).0, never.clean(&[]).0), (0, 0));
    let hosts = whole.list("hosts", ["HOST3.example.".to_owned()].into_iter());
    let ids = whole.list("ids", ["urn:uuid:000000000008".to_owned()].into_iter());
    let licence = "https://host1.example/licence/1".to_owned();
    let licences = whole.list("licences", [licence].into_iter());
    let (code, said) = whole.forget(&["--hosts", &hosts, "--ids", &ids, "--licences", &licences]);
    assert_eq!(code, 0, "{said}");
    assert_never_saw(&whole, &never, &gone);
}

/// Where rows are many, pages of Parquet and row groups end where the rows that stay say it, whatever
/// was there before.
#[test]
fn the_bytes_of_large_tables_depend_on_the_rows_that_stay() {
    let first = some(3, 9);
    // A page of each file, so that all tables are written again.
    let second = (0..FILES).filter_map(|file| {
        let mut pages = (0..PAGES).filter(|page| page % FILES == file);
        pages.find(|page| !first.contains(page))
    });
    let all: BTreeSet<usize> = first.iter().copied().chain(second).collect();
    let (whole, never) = (
        Crawl::new(60_000, &BTreeSet::new()),
        Crawl::new(60_000, &first),
    );
    assert_eq!((whole.clean(&[]).0, never.clean(&[]).0), (0, 0));
    assert_eq!(whole.forget(&["--urls", &whole.urls(&all)]).0, 0);
    assert_eq!(never.forget(&["--urls", &never.urls(&all)]).0, 0);
    let size = fs::metadata(whole.path("out/documents/0.warc.parquet"))
        .unwrap()
        .len();
    assert!(size > 1 << 19, "{size}");
    assert_same(&whole.outputs(), &never.outputs(), "large tables");
}

#[test]
fn a_run_that_is_killed_anywhere_is_finished_by_the_next() {
    let gone = some(5, 25);
    let (whole, never) = (Crawl::new(2000, &BTreeSet::new()), Crawl::new(2000, &gone));
    assert_eq!((whole.clean(&[]).0, never.clean(&[]).0), (0, 0));
    let (out, urls) = (whole.path("out"), whole.urls(&gone));
    let begun = out.join("_forget/entry.json");
    let (mut interrupted, mut wait) = (0, 0);
    loop {
        let mut forget = Command::new(assert_cmd::cargo::cargo_bin("warcsieve"));
        forget.args(["forget", text(&out), "--urls", &urls, "--threads", "1"]);
        let mut child = forget
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        wait += 7;
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success());
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        if begun.exists() {
            interrupted += 1;
            assert!(!out.join("_SUCCESS").exists());
            let other = whole.list("other", [url(0)].into_iter());
            let (code, said) = whole.forget(&["--urls", &other]);
            assert_eq!(code, 2, "{said}");
            let (code, said) = whole.clean(&[]);
            assert!(
                code == 2 && said.contains("was interrupted"),
                "{code}: {said}"
            );
            assert_eq!(run(&["status", text(&out)]).0, 1);
        }
    }
    assert!(interrupted > 0);
    assert_never_saw(&whole, &never, &gone);
    let log = fs::read_to_string(out.join("_manifest/forgotten.jsonl")).unwrap();
    assert_eq!(log.lines().count(), 1, "{log}");
    let entry: Value = serde_json::from_str(&log).unwrap();
    assert_eq!(entry["pages"], gone.len());
}

#[test]
fn the_log_shows_what_was_altered_or_removed_from_it() {
    let whole = Crawl::new(200, &BTreeSet::new());
    assert_eq!(whole.clean(&[]).0, 0);
    for (page, by) in [(1, "one"), (2, "two"), (4, "three")] {
        let urls = whole.urls(&[page].into());
        let (code, said) =
            whole.forget(&["--urls", &urls, "--by", by, "--reason", "a \"reason\"\n"]);
        assert_eq!(code, 0, "{said}");
    }
    assert_eq!(whole.verify().0, 0);
    let path = whole.path("out/_manifest/forgotten.jsonl");
    let log = fs::read_to_string(&path).unwrap();
    let lines: Vec<&str> = log.lines().collect();
    assert_eq!(lines.len(), 3);
    let without = |n: usize| {
        let rest = lines.iter().enumerate().filter(|(at, _)| *at != n);
        rest.map(|(_, line)| format!("{line}\n"))
            .collect::<String>()
    };
    for (altered, said) in [
        (
            log.replace("\"by\":\"two\"", "\"by\":\"who\""),
            "line 2: this entry was altered",
        ),
        (
            log.replace("\"by\":\"three\"", "\"by\":\"\""),
            "line 3: this entry was altered",
        ),
        (
            without(0),
            "line 1: the entry before this one was altered or removed",
        ),
        (
            without(1),
            "line 2: the entry before this one was altered or removed",
        ),
        (without(2), "an entry was removed from the end"),
        (String::new(), "an entry was removed from the end"),
        (log.replace('{', "["), "line 1: this is no entry of the log"),
    ] {
        fs::write(&path, altered).unwrap();
        let (code, found) = whole.verify();
        assert!(code == 1 && found.contains(said), "{said}: {code} {found}");
    }
    fs::remove_file(&path).unwrap();
    assert_eq!(whole.verify().0, 1);
    fs::write(&path, log).unwrap();
    assert_eq!(whole.verify().0, 0);
}

#[test]
fn pages_do_not_come_back_unnoticed() {
    let gone = some(6, 5);
    let whole = Crawl::new(200, &BTreeSet::new());
    assert_eq!(whole.clean(&[]).0, 0);
    let urls = whole.urls(&gone);
    assert_eq!(whole.forget(&["--urls", &urls]).0, 0);
    let file = gone.first().unwrap() % FILES;
    let forgotten = contents(&whole.path("out"));
    fs::remove_file(whole.path(&format!("out/documents/{file}.warc.parquet"))).unwrap();
    let (code, said) = whole.clean(&[]);
    assert!(
        code == 2 && said.contains("were forgotten"),
        "{code}: {said}"
    );
    assert_eq!(whole.clean(&["--redo"]).0, 0);
    let (code, said) = whole.verify();
    assert!(
        code == 1 && said.contains("it was cleaned again"),
        "{code}: {said}"
    );
    assert_eq!(whole.forget(&["--urls", &urls]).0, 0);
    assert_eq!(whole.verify().0, 0);
    let mut again = contents(&whole.path("out"));
    let log = "_manifest/forgotten.jsonl";
    assert_ne!(again.remove(log), forgotten.get(log).cloned());
    assert!(
        again
            .iter()
            .all(|(name, bytes)| forgotten.get(name) == Some(bytes))
    );
}

#[test]
fn wrong_commands_write_nothing() {
    let whole = Crawl::new(200, &BTreeSet::new());
    assert_eq!(whole.clean(&[]).0, 0);
    let before = contents(&whole.path("out"));
    let long = "x".repeat(5000);
    let urls = whole.urls(&[1].into());
    for (arguments, said) in [
        (&[][..], "--urls"),
        (&["--urls", "gone.txt"], "gone.txt"),
        (
            &["--urls", urls.as_str(), "--reason", long.as_str()],
            "at most 4096 bytes",
        ),
    ] {
        let (code, found) = whole.forget(arguments);
        assert!(code == 2 && found.contains(said), "{said}: {code} {found}");
    }
    // A shard that is damaged stops the run before it changes another one.
    let damaged = whole.path("out/blocks/1.warc.parquet");
    let bytes = fs::read(&damaged).unwrap();
    let mut other = bytes.clone();
    other[100] ^= 1;
    fs::write(&damaged, other).unwrap();
    let (code, said) = whole.forget(&["--urls", &whole.urls(&[0, 1].into())]);
    assert!(
        code == 1 && said.contains("not those that were written"),
        "{code}: {said}"
    );
    fs::write(&damaged, bytes).unwrap();
    assert_same(
        &before,
        &contents(&whole.path("out")),
        "nothing was written",
    );
    let (code, said) = run(&["forget", text(whole.folder.path()), "--urls", &urls]);
    assert!(code == 2 && said.contains("_manifest"), "{code}: {said}");
}

/// A corpus is made again from the pages that stay.
#[test]
fn a_corpus_without_the_pages_is_one_that_never_had_them() {
    let gone = some(7, 12);
    let (whole, never) = (Crawl::new(500, &BTreeSet::new()), Crawl::new(500, &gone));
    for crawl in [&whole, &never] {
        let file = "[corpus]\ninputs = ['in/']\nout = 'out'\n[dedup]\nexact = ['text']\n";
        let steps = "[[filter]]\nlines = 'c4-any-end'\n[[filter]]\npersonal = 'mask'\n\
                     [[step]]\nmethod = 'keep-all'\n";
        fs::write(crawl.path("corpus.toml"), format!("{steps}{file}")).unwrap();
    }
    let corpus = |crawl: &Crawl, more: &[&str]| {
        let file = crawl.path("corpus.toml");
        run(&[&["corpus", text(&file), "-q"], more].concat())
    };
    for crawl in [&whole, &never] {
        let (code, said) = corpus(crawl, &[]);
        assert_eq!(code, 0, "{said}");
    }
    let (cleaned, urls) = (whole.path("out/cleaned"), whole.urls(&gone));
    let (code, said) = run(&["forget", text(&cleaned), "--urls", &urls]);
    assert!(
        code == 0 && said.contains("run `warcsieve corpus` with its file again"),
        "{code}: {said}"
    );
    assert!(!whole.path("out/_SUCCESS").exists());
    assert_ne!(corpus(&whole, &["--verify"]).0, 0);
    let (code, said) = corpus(&whole, &[]);
    assert_eq!(code, 0, "{said}");
    let (code, said) = corpus(&whole, &["--verify"]);
    assert_eq!(code, 0, "{said}");
    let files = |crawl: &Crawl| {
        let mut files = contents(&crawl.path("out"));
        files.retain(|name, _| !name.contains("_manifest/"));
        files
    };
    let (mut found, mut never) = (files(&whole), files(&never));
    // They count all pages that were read, and so say how many were forgotten.
    for counts in ["books.json", "card.md", "report.html", "_steps/about.json"] {
        assert_ne!(found.remove(counts), never.remove(counts), "{counts}");
    }
    assert_same(&found, &never, "a corpus");
}

/// Lists of pages have addresses and titles.
#[test]
fn lists_of_pages_that_name_them_go() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let records: String = (0..3).map(|page| record(page, 100, true)).collect();
    // Page 5 was not crawled.
    let list = |page: &usize| format!("{{\"url\":\"{}\"}}\n", url(*page));
    let list: String = [0, 1, 2, 5].iter().map(list).collect();
    for (name, forgotten, pages) in [("a", 5, 0), ("b", 1, 1), ("c", 7, 0)] {
        let (crawl, out) = (path(&format!("{name}.wacz")), path(name));
        let files = [
            ("archive/0.warc", records.clone().into_bytes()),
            ("pages/pages.jsonl", list.clone().into_bytes()),
        ];
        fs::write(&crawl, zip(&files)).unwrap();
        let clean = [
            "clean",
            text(&crawl),
            "--out",
            text(&out),
            "-q",
            "--pipeline",
            "keep-all",
        ];
        assert_eq!(run(&clean).0, 0);
        let file = out.join(format!("_pages/{name}.wacz/pages/pages.jsonl"));
        assert!(file.exists());
        let urls = path("urls");
        fs::write(&urls, url(forgotten)).unwrap();
        let (code, said) = run(&["forget", text(&out), "--urls", text(&urls), "--json"]);
        assert_eq!(code, 0, "{said}");
        assert!(said.contains(&format!("\"pages\":{pages},")), "{said}");
        assert_eq!(file.exists(), forgotten == 7);
        assert_eq!(run(&["status", text(&out), "--verify"]).0, 0);
    }
}

#[test]
fn a_relabelled_folder_and_a_part_of_the_lists_bring_no_page_back_unnoticed() {
    let pages = some(5, 4);
    let (first, second): (BTreeSet<_>, BTreeSet<_>) =
        pages.iter().partition(|page| **page % 2 == 0);
    let crawl = Crawl::new(200, &BTreeSet::new());
    let pipeline = text(&crawl.path("pipeline.toml")).to_owned();
    fs::write(&pipeline, "[[step]]\nmethod = 'min-words'\nwords = 5\n").unwrap();
    let (input, out) = (crawl.path("in"), crawl.path("out"));
    let clean = |more: &[&str]| {
        let all = [
            "clean",
            text(&input),
            "--out",
            text(&out),
            "--pipeline",
            &pipeline,
            "-q",
        ];
        run(&[&all[..], more].concat())
    };
    let (code, said) = clean(&[]);
    assert_eq!(code, 0, "{said}");
    // What was forgotten in a folder that `relabel` wrote is in the folder that it reads.
    let (from, labelled) = (crawl.path("out"), crawl.path("labelled"));
    let relabel = |more: &[&str]| {
        let all = [
            "relabel",
            text(&from),
            "--pipeline",
            &pipeline,
            "--out",
            text(&labelled),
            "-q",
        ];
        run(&[&all[..], more].concat())
    };
    let (code, said) = relabel(&[]);
    assert_eq!(code, 0, "{said}");
    let one = crawl.list("one.txt", [url(1)].into_iter());
    let (code, said) = run(&["forget", text(&labelled), "--urls", &one, "--json"]);
    assert!(code == 0 && said.contains("\"pages\":1"), "{said}");
    assert_eq!(relabel(&[]).0, 0, "it is done");
    let (code, said) = crawl.forget(&["--urls", &crawl.list("other.txt", [url(4)].into_iter())]);
    assert_eq!(code, 0, "{said}");
    let (code, said) = relabel(&[]);
    assert!(code == 2 && said.contains("are there again"), "{said}");
    assert_eq!(relabel(&["--redo"]).0, 0);

    // Each list names pages; after the shards were cleaned again, one list does not do for both.
    let lists = [("a.txt", &first), ("b.txt", &second)];
    let lists = lists.map(|(name, pages)| crawl.list(name, pages.iter().map(|page| url(*page))));
    for list in &lists {
        assert_eq!(crawl.forget(&["--urls", list]).0, 0);
    }
    assert_eq!(crawl.verify().0, 0);
    fs::remove_dir_all(crawl.path("out/documents")).unwrap();
    assert_eq!(clean(&["--redo"]).0, 0);
    assert_eq!(crawl.forget(&["--urls", &lists[1]]).0, 0);
    let (code, said) = crawl.verify();
    assert!(
        code == 1 && said.contains("with the same lists again"),
        "{said}"
    );
    assert_eq!(crawl.forget(&["--urls", &lists[0]]).0, 0);
    let others = crawl.path("other.txt");
    assert_eq!(crawl.forget(&["--urls", text(&others)]).0, 0);
    let (code, said) = crawl.verify();
    assert_eq!(code, 0, "{said}");
}

#[test]
fn a_folder_that_was_not_sealed_stays_so_and_hosts_are_names() {
    let crawl = Crawl::new(100, &BTreeSet::new());
    assert_eq!(crawl.clean(&["--no-seal"]).0, 0);
    for line in ["https://host1.example/", "host1.example:443"] {
        let hosts = crawl.list("hosts.txt", [line.to_owned()].into_iter());
        let (code, said) = crawl.forget(&["--hosts", &hosts]);
        assert!(code == 2 && said.contains("is no host"), "{said}");
    }
    let hosts = crawl.list("hosts.txt", ["host1.example".to_owned()].into_iter());
    let (code, said) = crawl.forget(&["--hosts", &hosts]);
    assert_eq!(code, 0, "{said}");
    assert!(!crawl.path("out/_SUCCESS").exists());
}

#[test]
fn a_page_with_the_name_of_its_input_leaves_no_file() {
    let crawl = Crawl::new(100, &BTreeSet::new());
    let path = crawl.path("in/0.warc");
    let named = fs::read_to_string(&path).unwrap();
    fs::write(&path, named.replacen("urn:uuid:000000000000", "0.warc", 1)).unwrap();
    assert_eq!(crawl.clean(&[]).0, 0);
    let own = crawl.path("out/md/0.warc.md");
    assert!(own.is_file());
    let ids = crawl.list("ids.txt", ["0.warc".to_owned()].into_iter());
    let (code, said) = crawl.forget(&["--ids", &ids]);
    assert!(code == 0 && said.contains("\"pages\":1"), "{said}");
    assert!(!own.exists());
    assert_eq!(crawl.verify().0, 0);
}

#[test]
fn a_corpus_is_known_by_any_path_to_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("in")).unwrap();
    fs::write(
        path("in/0.warc"),
        record(0, 300, true) + &record(1, 300, true),
    )
    .unwrap();
    let file = "[corpus]\ninputs = ['in/']\nout = 'corpus'\n[[step]]\nmethod = 'keep-all'\n";
    fs::write(path("c.toml"), file).unwrap();
    let (code, said) = run(&["corpus", text(&path("c.toml")), "-q"]);
    assert_eq!(code, 0, "{said}");
    std::os::unix::fs::symlink(path("corpus/cleaned"), path("link")).unwrap();
    fs::write(path("urls.txt"), url(1)).unwrap();
    let (code, said) = run(&[
        "forget",
        text(&path("link")),
        "--urls",
        text(&path("urls.txt")),
    ]);
    assert!(code == 0 && said.contains("still has the pages"), "{said}");
    assert!(!path("corpus/_SUCCESS").exists());
}
