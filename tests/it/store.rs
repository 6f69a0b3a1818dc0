//! Object stores as inputs and outputs: the same bytes as with files, whatever the network does.
use crate::common::store_server::{Faults, Length, Manners, StoreServer, Validator};
use crate::common::{Layout, Random, crawl, lay, warcsieve};
use crate::wacz::zip;
use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use warcsieve_common::{Error, Result};
use warcsieve_engine::cdx::Selection;
use warcsieve_engine::{Input, Naming, Progress, list_inputs, selected_files};
use warcsieve_extract::Pipeline;
use warcsieve_run::{OutputFolder, RunOptions, Summary, clean};
use warcsieve_store::{Folder, RetryPolicy, Stores};

/// All that a bad day brings.
const STORMS: Faults = Faults {
    storms: 8,
    refusals: 6,
    cuts: 20,
    pages: 8,
    drops: 5,
    lost_answers: 4,
};

fn stores(server: &StoreServer) -> Stores {
    let options = server.s3().into_iter();
    Stores::new(
        options.map(|(name, value)| (name.to_ascii_lowercase(), value)),
        RetryPolicy {
            tries: 40,
            first_pause: Duration::from_millis(1),
            longest_pause: Duration::from_millis(4),
            stall: Duration::from_secs(5),
            ..RetryPolicy::default()
        },
    )
}

/// Crawls of several layouts, by name.
fn crawls() -> BTreeMap<String, Vec<u8>> {
    let layouts = [
        ("en0000/00.warc.gz", Layout::Members),
        ("en0000/01.warc.gz", Layout::Single),
        ("en0001/00.warc.zst", Layout::Frames),
        ("en0001/01.warc", Layout::Plain),
    ];
    let crawls = layouts.iter().enumerate().map(|(i, (name, layout))| {
        let drafts = crawl(i as u64, 60, 3000, "WARC/1.0");
        ((*name).to_owned(), lay(&drafts, *layout).bytes)
    });
    crawls.collect()
}

fn serve(server: &StoreServer, crawls: &BTreeMap<String, Vec<u8>>) {
    for (name, bytes) in crawls {
        server.put(&format!("crawl/{name}"), bytes.clone());
    }
}

fn run(inputs: &[&str], naming: &Naming<'_>, out: &str, stores: &Stores) -> Result<Summary> {
    let arguments: Vec<_> = inputs.iter().map(|i| (*i).to_owned()).collect();
    let inputs = list_inputs(&arguments, naming, stores)?;
    run_inputs(&inputs, out, stores)
}

fn run_inputs(inputs: &[Input], out: &str, stores: &Stores) -> Result<Summary> {
    let options = RunOptions {
        threads: 2,
        ..RunOptions::default()
    };
    let pipeline = Pipeline::built_in(&warcsieve_papers::METHODS, "numwords")?;
    let out = OutputFolder::of(Folder::at(out, stores)?);
    clean(
        inputs,
        &pipeline,
        &out,
        &options,
        &Arc::new(Progress::default()),
    )
}

/// Files below a folder, temporary ones included; manifest rows without the inputs' stamps.
fn outputs(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(at) = folders.pop() {
        for entry in fs::read_dir(at).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_str().unwrap();
                files.insert(name.to_owned(), fs::read(&path).unwrap());
            }
        }
    }
    without_stamps(files)
}

fn without_stamps(mut files: BTreeMap<String, Vec<u8>>) -> BTreeMap<String, Vec<u8>> {
    for (_, bytes) in files
        .iter_mut()
        .filter(|(n, _)| n.starts_with("_manifest/"))
    {
        let mut row: serde_json::Value = serde_json::from_slice(bytes).unwrap();
        row["stamp"] = serde_json::Value::Null;
        *bytes = serde_json::to_vec(&row).unwrap();
    }
    files
}

/// What a run over the same crawls in files gives.
fn expected(crawls: &BTreeMap<String, Vec<u8>>) -> BTreeMap<String, Vec<u8>> {
    let folder = tempfile::tempdir().unwrap();
    for (name, bytes) in crawls {
        let path = folder.path().join("crawl").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let summary = run(
        &[&at("crawl")],
        &Naming::default(),
        &at("out"),
        &Stores::default(),
    );
    assert!(summary.unwrap().sealed);
    outputs(&folder.path().join("out"))
}

#[test]
fn a_run_from_store_to_store_gives_the_bytes_of_a_run_on_files() {
    let crawls = crawls();
    let server = StoreServer::start(STORMS);
    serve(&server, &crawls);
    let stores = stores(&server);
    let go = || {
        run(
            &["s3://bucket/crawl/"],
            &Naming::default(),
            "s3://bucket/out",
            &stores,
        )
    };
    let summary = go().unwrap();
    assert!(summary.failed.is_empty(), "{:?}", summary.failed);
    assert_eq!((summary.done.inputs, summary.sealed), (4, true));
    assert_eq!(without_stamps(server.objects("out/")), expected(&crawls));
    assert_eq!(server.open_uploads(), 0);
    let log = server.take_log();
    assert!(log.faults > 20, "{} faults", log.faults);
    let out = OutputFolder::of(Folder::at("s3://bucket/out", &stores).unwrap());
    for name in crawls.keys() {
        let row = out.row(name).unwrap().unwrap();
        assert!(row.stamp.unwrap().etag.is_some());
    }

    server.set_faults(Faults::default());
    let again = go().unwrap();
    assert_eq!((again.done.inputs, again.kept.inputs), (0, 4));
    let log = server.take_log();
    let reads = log
        .requests
        .iter()
        .filter(|r| r.starts_with("GET /bucket/crawl/"));
    assert_eq!(reads.count(), 0, "{:?}", log.requests);

    // An object that changed since is told, and what was lost is made again.
    let documents = "s3://bucket/out/documents/en0000/00.warc.gz.parquet";
    stores.object(documents).unwrap().remove().unwrap();
    assert_eq!(go().unwrap().done.inputs, 1);
    server.put("crawl/en0000/00.warc.gz", crawls["en0001/01.warc"].clone());
    let error = go().unwrap_err().to_string();
    assert!(
        error.contains("en0000/00.warc.gz") && error.contains("size was"),
        "{error}"
    );
}

#[test]
fn of_a_sound_store_every_byte_is_read_once() {
    let crawls = crawls();
    let server = StoreServer::start(Faults::default());
    serve(&server, &crawls);
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let pattern = "s3://bucket/crawl/en0000/*.warc.gz";
    let summary = run(&[pattern], &Naming::default(), out, &stores(&server)).unwrap();
    assert_eq!(summary.done.inputs, 2);
    let log = server.take_log();
    for name in ["en0000/00.warc.gz", "en0000/01.warc.gz"] {
        let path = format!("/bucket/crawl/{name}");
        assert_eq!(log.served.get(&path), Some(&(crawls[name].len() as u64)));
        let asked = log.requests.iter().filter(|r| r.ends_with(&path));
        // To read it, and to see at the seal that it did not change.
        let asked: Vec<_> = asked.collect();
        assert_eq!(asked, [&format!("GET {path}"), &format!("HEAD {path}")]);
    }
    assert!(outputs(folder.path()).contains_key("documents/01.warc.gz.parquet"));
}

#[test]
fn lists_may_be_compressed_and_relative() {
    let crawls = crawls();
    let server = StoreServer::start(Faults::default());
    serve(&server, &crawls);
    let list: String = crawls.keys().map(|n| format!("crawl/{n}\n")).collect();
    server.put("warc.paths.gz", crate::common::gzip(list.as_bytes()));
    let list = format!("@{}", server.http("warc.paths.gz"));
    let root = server.http("");
    let naming = Naming {
        root: Some(Path::new(&root)),
        ..Naming::default()
    };
    let stores = stores(&server);
    let inputs = list_inputs(std::slice::from_ref(&list), &naming, &stores).unwrap();
    let names: Vec<_> = inputs.iter().map(|i| i.name.clone()).collect();
    let expected: Vec<_> = crawls.keys().map(|n| format!("crawl/{n}")).collect();
    assert_eq!(names, expected);

    let (program, folder) = (
        env!("CARGO_BIN_EXE_warcsieve"),
        tempfile::tempdir().unwrap(),
    );
    let out = folder.path().join("out");
    let mut command = std::process::Command::new(program);
    command.args(["clean", &list, "--root", &root, "--quiet", "--out"]);
    let output = command.arg(&out).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    for name in &names {
        assert!(
            out.join(format!("documents/{name}.parquet")).is_file(),
            "{name}"
        );
    }
}

#[test]
fn an_input_that_stays_unreadable_is_named_and_the_others_are_done() {
    let crawls = crawls();
    let server = StoreServer::start(Faults::default());
    serve(&server, &crawls);
    let page = "<!DOCTYPE html><h1>Not today</h1>";
    server.put("crawl/en0000/01.warc.gz", page);
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let missing = "s3://bucket/crawl/en0000/77.warc.gz";
    let inputs = ["s3://bucket/crawl/", missing];
    let summary = run(&inputs, &Naming::default(), out, &stores(&server)).unwrap();
    assert_eq!((summary.done.inputs, summary.failed.len()), (3, 2));
    let error = summary.failed[0].error.to_string();
    assert_eq!(summary.failed[0].name, "en0000/01.warc.gz");
    assert!(
        error.contains("answers 200 OK, but the content begins") && error.contains("Not today"),
        "{error}"
    );
    let Error::Io { path, source } = &summary.failed[1].error else {
        panic!("{:?}", summary.failed[1]);
    };
    assert_eq!(path, Path::new(missing));
    assert_eq!(source.kind(), std::io::ErrorKind::NotFound);
    assert!(!summary.sealed);
}

/// Pages of noise, which hardly compresses, so that records are far apart.
fn scattered() -> Vec<u8> {
    let mut drafts = crawl(9, 1000, 2000, "WARC/1.0");
    let mut random = Random(11);
    for draft in drafts.iter_mut().skip(1) {
        let noise = random.bytes(3000);
        let noise: String = noise.iter().map(|b| char::from(b'0' + b % 64)).collect();
        let page = format!("<p>A page of {} and a few words more: {noise}", draft.id());
        draft.body =
            format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{page}").into_bytes();
        draft.length = Some(draft.body.len() as i64);
        draft
            .headers
            .retain(|(name, _)| *name != "WARC-Block-Digest");
    }
    lay(&drafts, Layout::Members).bytes
}

/// Rows of a documents file: id, offset, length.
fn places(file: &[u8]) -> Vec<(String, i64, i64)> {
    use arrow_array::cast::AsArray;
    use arrow_array::types::Int64Type;
    use parquet::arrow::arrow_reader::ParquetRecordBatchReader;
    let file = bytes::Bytes::copy_from_slice(file);
    let batches = ParquetRecordBatchReader::try_new(file, 1024).unwrap();
    let mut rows = Vec::new();
    for batch in batches.map(|b| b.unwrap()) {
        let column = |name: &str| batch.column_by_name(name).unwrap().clone();
        let (ids, offsets) = (column("id"), column("warc_record_offset"));
        let lengths = column("warc_record_length");
        for i in 0..batch.num_rows() {
            rows.push((
                ids.as_string::<i32>().value(i).to_owned(),
                offsets.as_primitive::<Int64Type>().value(i),
                lengths.as_primitive::<Int64Type>().value(i),
            ));
        }
    }
    rows
}

#[test]
fn of_a_wacz_file_only_headers_are_read_to_list_its_crawls() {
    let server = StoreServer::start(Faults::default());
    let crawls = ["archive/a.warc", "archive/b.warc", "archive/c.warc"];
    let wacz = zip(&crawls.map(|name| (name, vec![b'x'; 4 << 20])));
    server.put("crawl/c.wacz", wacz);
    let stores = stores(&server);
    let arguments = ["s3://bucket/crawl/c.wacz".to_owned()];
    let inputs = list_inputs(&arguments, &Naming::default(), &stores).unwrap();
    assert_eq!(inputs.len(), 3);
    let served = server.take_log().served["/bucket/crawl/c.wacz"];
    assert!(served < 200 << 10, "{served} bytes");
}

#[test]
fn of_selected_records_hardly_more_than_their_bytes_are_read() {
    let bytes = scattered();
    let server = StoreServer::start(Faults::default());
    server.put("crawl/00.warc.gz", bytes.clone());
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let all = run(
        &["s3://bucket/crawl/"],
        &Naming::default(),
        &at("all"),
        &stores(&server),
    );
    assert_eq!(all.unwrap().done.pages.documents, 1000);
    server.take_log();
    let whole = &outputs(&folder.path().join("all"))["documents/00.warc.gz.parquet"];
    let every: Vec<_> = places(whole).into_iter().step_by(100).collect();
    let line = |(id, offset, length): &(String, i64, i64)| {
        let json = serde_json::json!({
            "url": id, "offset": offset.to_string(), "length": length.to_string(),
            "filename": "crawl/00.warc.gz",
        });
        format!("com,example)/ 20240229120000 {json}\n")
    };
    fs::write(at("index.cdxj"), every.iter().map(line).collect::<String>()).unwrap();
    // Under faults, too, nothing is lost or doubled.
    for (faults, out) in [(Faults::default(), "part"), (STORMS, "stormy")] {
        server.set_faults(faults);
        let naming = Naming {
            root: Some(Path::new("s3://bucket")),
            ..Naming::default()
        };
        let selection = Selection::read(&[at("index.cdxj").into()]).unwrap();
        let stores = stores(&server);
        let inputs = selected_files(&selection, &naming, &stores).unwrap();
        let summary = run_inputs(&inputs, &at(out), &stores).unwrap();
        assert!(summary.sealed, "{:?}", summary.failed);
        let outputs = outputs(&folder.path().join(out));
        let documents = &outputs["documents/crawl/00.warc.gz.parquet"];
        assert_eq!(places(documents), every);
        let log = server.take_log();
        let served: u64 = log.served.values().sum();
        if faults.storms == 0 {
            let share = served as f64 / bytes.len() as f64;
            assert!(share < 0.02, "{share} of the bytes were read");
        }
    }
    // Of every fifth record, several are in one request.
    let fifth: Vec<_> = places(whole).into_iter().step_by(5).collect();
    fs::write(at("fifth.cdxj"), fifth.iter().map(line).collect::<String>()).unwrap();
    server.set_faults(Faults::default());
    server.take_log();
    let naming = Naming {
        root: Some(Path::new("s3://bucket")),
        ..Naming::default()
    };
    let selection = Selection::read(&[at("fifth.cdxj").into()]).unwrap();
    let inputs = selected_files(&selection, &naming, &stores(&server)).unwrap();
    run_inputs(&inputs, &at("fifth"), &stores(&server)).unwrap();
    let documents = &outputs(&folder.path().join("fifth"))["documents/crawl/00.warc.gz.parquet"];
    assert_eq!(places(documents), fifth);
    let requests = server.take_log().requests.len();
    assert!(requests <= fifth.len() / 10, "{requests} requests");
    // A selection is part of what was done.
    fs::create_dir(folder.path().join("crawl")).unwrap();
    fs::write(folder.path().join("crawl/00.warc.gz"), &bytes).unwrap();
    let clean = |more: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_warcsieve"));
        command.args([
            "clean",
            "--pipeline",
            "numwords",
            "--quiet",
            "--out",
            "local",
        ]);
        let output = command
            .args(more)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        (output.status.code().unwrap(), error)
    };
    assert_eq!(clean(&["--select", "index.cdxj"]), (0, String::new()));
    let outputs = outputs(&folder.path().join("local"));
    assert_eq!(
        places(&outputs["documents/crawl/00.warc.gz.parquet"]),
        every
    );
    let (code, error) = clean(&["crawl", "--base", "."]);
    assert!(
        code == 2 && error.contains("the selection was"),
        "{code} {error}"
    );
}

#[test]
fn reads_go_on_where_they_broke() {
    let server = StoreServer::start(STORMS);
    let stores = stores(&server);
    let mut random = Random(3);
    for (i, size) in [0, 1, 10, 70_000, 1 << 20, 9 << 20].into_iter().enumerate() {
        let bytes = random.bytes(size);
        let name = format!("o{i}");
        server.put(&name, bytes.clone());
        for address in [format!("s3://bucket/{name}"), server.http(&name)] {
            let object = stores.object(&address).unwrap();
            // Any bytes but those of a page, so that pages are found out.
            let (stamp, mut reader) = object.open(|b| !b.starts_with(b"<!DOC")).unwrap();
            let mut read = Vec::new();
            reader.read_to_end(&mut read).unwrap();
            assert!(read == bytes, "{address}");
            assert_eq!(stamp.size, size as u64);
            let mut part = Vec::new();
            let range = size as u64 / 3..size as u64 / 2;
            let mut reader = object.open_range(range.clone(), &stamp);
            reader.read_to_end(&mut part).unwrap();
            assert!(part == bytes[range.start as usize..range.end as usize]);
        }
    }
    assert!(server.take_log().faults > 20);
}

#[test]
fn an_object_that_changes_while_it_is_read_is_told() {
    let (old, new) = (vec![1; 3 << 20], vec![2; 3 << 20]);
    for (validator, told) in [
        (Validator::Etag, true),
        (Validator::WeakEtag, true),
        // Only the size is left to tell by.
        (Validator::Nothing, false),
    ] {
        let server = StoreServer::start(Faults::default());
        server.set_validator(validator);
        server.put("o", old.clone());
        server.set_faults(Faults {
            cuts: 100,
            ..Faults::default()
        });
        let stores = stores(&server);
        let object = stores.object("s3://bucket/o").unwrap();
        let (_, mut reader) = object.open(|_| true).unwrap();
        let mut first = [0; 1];
        reader.read_exact(&mut first).unwrap();
        server.put("o", new.clone());
        server.set_faults(Faults::default());
        let mut rest = Vec::new();
        let read = reader.read_to_end(&mut rest);
        match told {
            true => {
                let error = read.unwrap_err().to_string();
                assert!(error.contains("changed while it was read"), "{error}");
            }
            false => assert!(rest.ends_with(&[2]), "the second version goes on"),
        }
        let stamp = object.stamp().unwrap().unwrap();
        server.put("o", vec![3; 10]);
        let range = object.open_range(0..10, &stamp).read_to_end(&mut rest);
        let error = range.unwrap_err().to_string();
        assert!(error.contains("changed while it was read"), "{error}");
        let none = stores.object("s3://bucket/none").unwrap();
        assert_eq!(none.stamp().unwrap(), None);
    }
}

#[test]
fn what_cannot_be_told_apart_is_not_selected_from() {
    let server = StoreServer::start(Faults::default());
    server.put("crawl/00.warc.gz", scattered());
    let index = tempfile::tempdir().unwrap();
    let path = index.path().join("i.cdxj");
    let line = r#"a)/ 2024 {"filename": "crawl/00.warc.gz", "offset": 0, "length": 9}"#;
    fs::write(&path, line).unwrap();
    let selection = Selection::read(&[path]).unwrap();
    let naming = Naming {
        root: Some(Path::new("s3://bucket")),
        ..Naming::default()
    };
    let stores = stores(&server);
    let inputs = selected_files(&selection, &naming, &stores).unwrap();
    server.set_validator(Validator::Nothing);
    let out = index.path().join("out");
    let summary = run_inputs(&inputs, out.to_str().unwrap(), &stores).unwrap();
    let error = summary.failed[0].error.to_string();
    assert!(error.contains("neither ETag nor Last-Modified"), "{error}");
    // Time is enough.
    server.set_validator(Validator::Time);
    let summary = run_inputs(&inputs, out.to_str().unwrap(), &stores).unwrap();
    assert!(summary.failed.is_empty(), "{:?}", summary.failed);
    assert_eq!(summary.done.faults, 1, "a range that is cut short");
}

#[test]
fn names_of_objects_are_what_they_are() {
    let crawl = lay(&crawl(1, 2, 500, "WARC/1.0"), Layout::Members).bytes;
    let names = [
        "a b.warc.gz",
        "a%20b.warc.gz",
        "c+d?e#f.warc.gz",
        "ü/é.warc.gz",
    ];
    let server = StoreServer::start(Faults::default());
    for name in names {
        server.put(&format!("crawl/{name}"), crawl.clone());
    }
    server.put("crawl2/other.warc.gz", crawl.clone());
    let stores = stores(&server);
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("list");
    let lines: String = names
        .iter()
        .map(|n| format!("s3://bucket/crawl/{n}\n"))
        .collect();
    fs::write(&list, lines).unwrap();
    for inputs in [
        "s3://bucket/crawl".to_owned(),
        format!("@{}", list.display()),
    ] {
        let summary = run(&[&inputs], &Naming::default(), "s3://bucket/out", &stores).unwrap();
        let done = summary.done.inputs + summary.kept.inputs;
        assert_eq!(done, names.len() as u64, "{:?}", summary.failed);
        let out = OutputFolder::of(Folder::at("s3://bucket/out", &stores).unwrap());
        assert_eq!(out.known_inputs().unwrap(), names);
        assert!(summary.sealed);
    }
    for name in names {
        let documents = format!("documents/{name}.parquet");
        assert!(server.objects("out/").contains_key(&documents), "{name}");
    }
}

#[test]
fn processes_on_one_remote_folder_share_the_work() {
    let crawls = crawls();
    let server = StoreServer::start(Faults::default());
    serve(&server, &crawls);
    let clean = |shard: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_warcsieve"));
        command.args([
            "clean",
            "s3://bucket/crawl",
            "--out",
            "s3://bucket/out",
            "--quiet",
        ]);
        command
            .args(["--pipeline", "numwords", "--shard", shard])
            .envs(server.s3());
        command.spawn().unwrap()
    };
    let children: Vec<_> = ["1/3", "2/3", "3/3", "1/3"].map(clean).into();
    for mut child in children {
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
    assert_eq!(without_stamps(server.objects("out/")), expected(&crawls));
    let run = |arguments: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_warcsieve"));
        let output = command.args(arguments).envs(server.s3()).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        (output.status.code().unwrap(), error)
    };
    let inputs = "s3://bucket/crawl/";
    let status = [
        "status",
        "s3://bucket/out",
        "--inputs",
        inputs,
        "--verify",
        "--seal",
    ];
    assert_eq!(run(&status).0, 0);
    // Another pipeline is refused, and so is a listing of what lists nothing.
    let (code, error) = run(&[
        "clean",
        inputs,
        "--out",
        "s3://bucket/out",
        "--pipeline",
        "bte",
    ]);
    assert!(
        code == 2 && error.contains("was made with another recipe"),
        "{error}"
    );
    let web = server.http("crawl/");
    let (code, error) = run(&["clean", &web, "--out", "s3://bucket/other"]);
    assert!(
        code == 2 && error.contains("list no folders"),
        "{code} {error}"
    );
}

#[test]
fn a_run_on_a_web_folder_that_finds_nothing_ends_with_its_summary() {
    let server = StoreServer::start(Faults::default());
    let stores = stores(&server);
    let missing = [
        server.http("crawl/00.warc.gz"),
        server.http("crawl/01.warc.gz"),
    ];
    let inputs = list_inputs(&missing, &Naming::default(), &stores).unwrap();
    let options = RunOptions {
        seal: false,
        ..RunOptions::default()
    };
    let pipeline = Pipeline::built_in(&warcsieve_papers::METHODS, "numwords").unwrap();
    let out = OutputFolder::of(Folder::at(&server.http("out"), &stores).unwrap());
    let progress = Arc::new(Progress::default());
    let summary = clean(&inputs, &pipeline, &out, &options, &progress).unwrap();
    assert_eq!((summary.failed.len(), summary.done.inputs), (2, 0));
}

#[test]
fn a_server_without_ranges_is_read_until_it_breaks() {
    let server = StoreServer::start(Faults::default());
    server.without_ranges();
    let bytes = Random(1).bytes(300_000);
    server.put("o", bytes.clone());
    let read = || {
        let object = stores(&server).object(&server.http("o")).unwrap();
        let mut read = Vec::new();
        let (_, mut reader) = object.open(|_| true).map_err(|e| e.to_string())?;
        let whole = reader.read_to_end(&mut read).map(|_| read);
        whole.map_err(|e| e.to_string())
    };
    assert!(read().unwrap() == bytes);
    server.set_faults(Faults {
        cuts: 100,
        ..Faults::default()
    });
    let error = read().unwrap_err();
    assert!(error.contains("Range request not supported"), "{error}");
}

/// The bytes at an address, or why there are none, and the object's size.
fn fetch(server: &StoreServer, address: &str) -> Result<(Vec<u8>, u64), String> {
    let object = stores(server).object(address).map_err(|e| e.to_string())?;
    let mut read = Vec::new();
    let is_no_page = |b: &[u8]| !b.starts_with(b"<!DOC");
    let (_, mut reader) = object.open(is_no_page).map_err(|e| e.to_string())?;
    reader.read_to_end(&mut read).map_err(|e| e.to_string())?;
    let stamp = object.stamp().map_err(|e| e.to_string())?;
    Ok((read, stamp.ok_or("it is gone")?.size))
}

#[test]
fn web_servers_of_any_manners_are_read_or_said_what_they_lack() {
    let server = StoreServer::start(Faults::default());
    let bytes = Random(1).bytes(300_000);
    server.put("o", bytes.clone());
    server.put("page.html", "<!DOCTYPE html><title>A page</title>");
    let get = |manners: Manners, name: &str| {
        server.set_manners(manners);
        server.take_log();
        fetch(&server, &server.http(name))
    };
    let header = |name, value: &str| Manners {
        headers: vec![(name, value.to_owned())],
        ..Manners::default()
    };
    for manners in [
        Manners::default(),
        Manners {
            head: Some(405),
            ..Manners::default()
        },
        Manners {
            head: Some(501),
            ..Manners::default()
        },
        Manners {
            redirect: Some(server.origin()),
            ..Manners::default()
        },
        // What is in the file decides, not what it is said to be.
        header("Content-Type", "text/html"),
        // Apache says so of files that end in `.gz`; their bytes are sent as they are.
        header("Content-Encoding", "x-gzip"),
    ] {
        let name = match manners.redirect {
            Some(_) => "from/o",
            None => "o",
        };
        let (read, size) = get(manners, name).unwrap();
        assert!(read == bytes && size == 300_000);
    }
    let lengths = |length| Manners {
        length,
        ..Manners::default()
    };
    for (manners, name, why, requests) in [
        (lengths(Length::Missing), "o", "without Content-Length", 1),
        (lengths(Length::Chunked), "o", "without Content-Length", 1),
        (
            header("Content-Type", "text/html"),
            "page.html",
            "answers 200 OK, but the content begins with \"<!DOCTYPE",
            1,
        ),
    ] {
        let error = get(manners, name).unwrap_err();
        assert!(error.contains(why), "{error}");
        assert_eq!(server.take_log().requests.len(), requests, "{why}");
    }
    // A page without ETag and time may be one of an error, for a while.
    server.set_validator(Validator::Nothing);
    let error = get(header("Content-Type", "text/html"), "page.html").unwrap_err();
    assert!(error.contains("answers 200 OK"), "{error}");
    assert_eq!(server.take_log().requests.len(), 3);
    // A length that never comes is a broken connection each time.
    server.set_validator(Validator::Etag);
    let error = get(lengths(Length::Long(7)), "o").unwrap_err();
    assert!(error.contains("416"), "{error}");
}

#[test]
fn a_page_named_as_input_fails_at_once_and_for_good() {
    let server = StoreServer::start(Faults::default());
    for name in ["page.html", "00.warc.gz"] {
        server.put(name, "<!DOCTYPE html><title>A page</title>");
    }
    server.set_manners(Manners {
        headers: vec![("Content-Type", "text/html".to_owned())],
        ..Manners::default()
    });
    let folder = tempfile::tempdir().unwrap();
    let clean = |name: &str| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_warcsieve"));
        command.args(["clean", &server.http(name), "--quiet", "--out"]);
        let output = command.arg(folder.path().join("out")).output().unwrap();
        (
            output.status.code(),
            String::from_utf8(output.stderr).unwrap(),
        )
    };
    let (code, error) = clean("00.warc.gz");
    assert_eq!(code, Some(42), "{error}");
    // The port may end with 503.
    assert!(
        error.contains("answers 200 OK") && !error.contains(" 503"),
        "{error}"
    );
    let (code, error) = clean("page.html");
    assert!(
        code == Some(2) && error.contains("warcsieve extract"),
        "{error}"
    );
}

/// An address of this machine at which nothing listens.
fn nobody() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    format!("http://{}", listener.local_addr().unwrap())
}

#[test]
fn a_web_server_that_is_not_there_is_given_up_soon() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let out = out.to_str().unwrap();
    for server in [nobody(), "http://nobody.invalid".to_owned()] {
        let crawl = format!("{server}/00.warc.gz");
        let page = format!("{server}/page.html");
        for (arguments, expected) in [
            (&["extract", &page][..], 75),
            (&["extract", &crawl], 75),
            (&["check", &crawl], 75),
            (&["clean", &crawl, "--out", out], 75),
        ] {
            let begun = Instant::now();
            let (code, _, log) = warcsieve(arguments);
            let took = begun.elapsed();
            assert_eq!(code, expected, "{arguments:?}: {log}");
            assert!(log.contains("no connection"), "{arguments:?}: {log}");
            assert!(took < Duration::from_secs(8), "{arguments:?}: {took:?}");
        }
    }
}

#[test]
fn redirects_stay_on_their_server_unless_allowed() {
    let (server, other) = (
        StoreServer::start(Faults::default()),
        StoreServer::start(Faults::default()),
    );
    other.put("o", "there");
    server.set_manners(Manners {
        redirect: Some(other.origin()),
        ..Manners::default()
    });
    let address = server.http("from/o");
    let error = fetch(&server, &address).unwrap_err();
    assert!(error.contains(&other.http("o")), "{error}");
    assert!(error.contains("WARCSIEVE_REDIRECTS=any"), "{error}");
    assert_eq!(server.take_log().requests.len(), 1);
    assert!(other.take_log().requests.is_empty());
    let option = ("warcsieve_redirects".to_owned(), "any".to_owned());
    let stores = Stores::new([option], RetryPolicy::default());
    let read = stores.object(&address).unwrap().read(|_| true).unwrap();
    assert_eq!(read.as_deref(), Some(&b"there"[..]));
}

#[test]
fn secrets_in_addresses_are_never_shown_or_kept() {
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("list");
    let list_of = |address: &str| {
        fs::write(&list, format!("{address}\n")).unwrap();
        format!("@{}", list.display())
    };
    let out = folder.path().join("out");
    for address in [
        "s3://KEY:HUSH@bucket/00.warc.gz",
        "s3://KEY:HUSH@bucket/*.warc.gz",
        "http://me:HUSH@127.0.0.1:1/00.warc.gz",
        "https://127.0.0.1:1/00.warc.gz?X-Amz-Signature=HUSH",
        "az://container/00.warc.gz?sv=1&sig=HUSH",
        "s3://KEY:/HUSH@bucket/00.warc.gz",
        "s3://KEY:123/HUSH@bucket/00.warc.gz",
        "'s3://KEY:HUSH@bucket/00.warc.gz'",
        "https://127.0.0.1:1/00.warc.gz#token=HUSH",
    ] {
        for arguments in [
            vec!["clean", address, "--out", out.to_str().unwrap()],
            vec!["clean", &list_of(address), "--out", out.to_str().unwrap()],
            vec!["clean", "testdata", "--out", address],
            vec![
                "clean",
                "@x",
                "--root",
                address,
                "--out",
                out.to_str().unwrap(),
            ],
            vec!["status", address],
        ] {
            let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_warcsieve"));
            let output = command.args(&arguments).output().unwrap();
            let error = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{arguments:?} {error}");
            assert!(error.contains("refused"), "{error}");
            assert!(!error.contains("HUSH"), "{error}");
        }
    }
    for arguments in [
        vec!["inspect", "s3://KEY:HUSH@bucket/00.warc.gz"],
        vec!["inspect", "./s3:/KEY:HUSH@bucket/00.warc.gz"],
        vec!["check", "@s3:/KEY:HUSH@bucket/list"],
        vec![
            "clean",
            "-",
            "--name",
            "s3://KEY:HUSH@bucket/a",
            "--out",
            "x",
        ],
        vec![
            "freq",
            "x",
            "--out",
            "y",
            "--pipeline",
            "gs:/KEY:HUSH@bucket/a",
        ],
        vec!["freq", "x", "--threads", "s3://KEY:HUSH@bucket/a"],
        vec!["eval", "x", "--gold", "s3://b/gold?X-Amz-Signature=HUSH"],
    ] {
        for format in ["text", "json"] {
            let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_warcsieve"));
            command.args(&arguments).args(["--log-format", format]);
            let output = command.current_dir(folder.path()).output().unwrap();
            let error = String::from_utf8(output.stderr).unwrap();
            assert!(
                !output.status.success() && !error.is_empty(),
                "{arguments:?}"
            );
            assert!(!error.contains("HUSH"), "{error}");
        }
    }
    assert!(!out.exists());
}

#[test]
fn large_files_are_uploaded_in_parts_and_appear_whole() {
    let server = StoreServer::start(STORMS);
    let folder = Folder::at("s3://bucket/out/", &stores(&server)).unwrap();
    let bytes = Random(5).bytes(20 << 20);
    let mut file = folder.create("a/b.parquet").unwrap();
    for chunk in bytes.chunks(999_999) {
        file.write_all(chunk).unwrap();
        assert!(server.objects("out/").is_empty());
    }
    let (size, hash) = file.commit().unwrap();
    assert_eq!((size, hash.len()), (20 << 20, 64));
    assert!(server.objects("out/")["a/b.parquet"] == bytes);
    assert!(server.parts("out/a/b.parquet") == 3);
    drop(folder.create("a/c.parquet").unwrap());
    assert_eq!(
        (server.objects("out/").len(), server.open_uploads()),
        (1, 0)
    );
    assert_eq!(folder.names("a", ".parquet").unwrap(), ["b"]);
}

#[test]
fn of_writers_at_once_one_makes_a_new_file() {
    let server = StoreServer::start(Faults::default());
    let folder = Folder::at("s3://bucket/out", &stores(&server)).unwrap();
    let made: usize = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..8)
            .map(|i| {
                let folder = &folder;
                scope.spawn(move || folder.write_new("x", &[i]).unwrap())
            })
            .collect();
        writers
            .into_iter()
            .map(|w| usize::from(w.join().unwrap()))
            .sum()
    });
    assert_eq!(made, 1);
    assert_eq!(folder.read("y.json").unwrap(), None);
    folder.remove("x").unwrap();
    folder.remove("x").unwrap();
    assert_eq!(folder.size("x").unwrap(), None);
}
