//! `relabel` writes what `clean` would write, or says what it lacks.

use crate::common::{assert_same, contents, shared, synthetic, warcsieve};
use arrow_array::RecordBatch;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use warcsieve_extract::Pipeline;
use warcsieve_run::OutputFolder;

const CRAWL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/testdata/crawl");
const FEW: &str = "[[step]]\nmethod = 'min-words'\nwords = 30\n";

/// A folder with a crawl of several kinds of pages: `testdata/crawl` and two synthetic files.
fn crawl() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in");
    fs::create_dir(&input).unwrap();
    for (name, bytes) in [("a", 400_000), ("b", 200_000)] {
        let file = File::create(input.join(format!("{name}.warc.gz"))).unwrap();
        synthetic::write(file, bytes, synthetic::Layout::Members).unwrap();
    }
    for (name, bytes) in contents(Path::new(CRAWL)) {
        let path = input.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
    (folder, input)
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// Runs a command; returns its exit code and what it says.
fn run(arguments: &[&str]) -> (i32, String) {
    let (code, out, err) = warcsieve(arguments);
    (code, out + &err)
}

/// A pipeline file in the folder.
fn pipeline(folder: &Path, name: &str, toml: &str) -> String {
    let path = folder.join(format!("{name}.toml"));
    fs::write(&path, toml).unwrap();
    text(&path).to_owned()
}

/// Cleans inputs into a new folder.
fn clean(inputs: &[&str], pipeline: &str, out: &Path) {
    let arguments = [
        &[
            "clean",
            "--quiet",
            "--pipeline",
            pipeline,
            "--out",
            text(out),
        ],
        inputs,
    ];
    let (code, said) = run(&arguments.concat());
    assert!([0, 10].contains(&code), "{code}: {said}");
}

fn relabel(from: &Path, pipeline: &str, out: &Path) -> (i32, String) {
    let out = text(out);
    run(&["relabel", text(from), "--pipeline", pipeline, "--out", out])
}

/// The rows of a Parquet file.
fn rows(path: &Path) -> Option<RecordBatch> {
    let file = File::open(path).unwrap();
    let builder = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    let all = usize::try_from(builder.metadata().file_metadata().num_rows()).unwrap();
    let mut reader = builder.with_batch_size(all.max(1)).build().unwrap();
    let batch = reader.next().transpose().unwrap();
    assert!(batch.as_ref().is_none_or(|b| b.num_rows() == all));
    batch
}

/// Compares all tables and manifest rows of two folders, value by value.
fn assert_same_rows(cleaned: &Path, relabelled: &Path, what: &str) {
    let [a, b] = [cleaned, relabelled].map(OutputFolder::new);
    let names = a.done_inputs().unwrap();
    assert_eq!(b.done_inputs().unwrap(), names, "{what}");
    for name in names {
        let [x, y] = [&a, &b].map(|out| out.row(&name).unwrap().unwrap());
        assert_eq!((&x.input, &x.stamp, &x.read), (&y.input, &y.stamp, &y.read));
        assert_eq!(x.pages, y.pages, "{what}: {name}");
        assert_eq!(y.imbalances(), [""; 0]);
        assert_eq!(x.recipe.pipeline_sha256, y.recipe.pipeline_sha256);
        assert!(x.recipe.relabelled_from.is_none() && y.recipe.relabelled_from.is_some());
        for (file, other) in x.outputs.iter().zip(&y.outputs) {
            assert_eq!((&file.path, file.rows), (&other.path, other.rows));
            let tables = [cleaned, relabelled].map(|folder| rows(&folder.join(&file.path)));
            let [Some(one), Some(two)] = tables else {
                continue;
            };
            assert_eq!(one.schema(), two.schema(), "{what}: {}", file.path);
            for (field, (x, y)) in one
                .schema()
                .fields()
                .iter()
                .zip(one.columns().iter().zip(two.columns()))
            {
                assert!(x == y, "{what}: {}: {}", file.path, field.name());
            }
        }
    }
}

/// Every pipeline that ships, from shards that another one wrote.
#[test]
fn every_pipeline_gives_the_rows_that_clean_gives() {
    let (folder, input) = crawl();
    let folder = folder.path();
    // Real pages, where they are there.
    for corpus in ["cleaneval-train", "cleanportaleval"] {
        if let Some(corpora) = shared("corpora") {
            let name = format!("{corpus}.warc.gz");
            fs::copy(corpora.join(&name), input.join(&name)).unwrap();
        }
    }
    let inputs = [text(&input)];
    for shipped in warcsieve_papers::METHODS.shipped() {
        let name = shipped.name;
        let parsed = Pipeline::built_in(&warcsieve_papers::METHODS, name).unwrap();
        if !parsed.settings.layout.is_none() {
            continue; // It needs the markup: refused, and clean needs the engine.
        }
        if parsed.lacks_table().is_some() {
            continue; // `default_crawl` has it: without a table of the crawl it is refused.
        }
        let segmentation = parsed.segmentation.as_str();
        let tree = match parsed.needs_attributes() {
            Some(_) => "attributes",
            None => "tags",
        };
        let source = folder.join(format!("{segmentation}-{tree}"));
        if !source.exists() {
            let toml = format!("segmentation = '{segmentation}'\ntree = '{tree}'\n{FEW}");
            let few = pipeline(folder, &format!("{segmentation}-{tree}"), &toml);
            clean(&inputs, &few, &source);
        }
        let [cleaned, relabelled] =
            ["clean", "relabel"].map(|to| folder.join(format!("{name}-{to}")));
        clean(&inputs, name, &cleaned);
        let (code, said) = relabel(&source, name, &relabelled);
        assert_eq!(code, 10, "{name}: {said}");
        assert_same_rows(&cleaned, &relabelled, name);
        for made in [cleaned, relabelled] {
            fs::remove_dir_all(made).unwrap();
        }
    }
}

#[test]
fn features_paths_selectors_and_smoothing_give_the_rows_that_clean_gives() {
    let (folder, input) = crawl();
    let folder = folder.path();
    let source = folder.join("source");
    let all = "features = 'structure'\ntree = 'attributes'\nxpath = true\n";
    clean(
        &[text(&input)],
        &pipeline(folder, "few", &format!("{all}{FEW}")),
        &source,
    );
    let steps = "[[step]]\nmethod = 'numwords'\n[[step]]\nmethod = 'smoothing'\n";
    for (name, keys) in [
        ("all", all),
        ("core", ""),
        (
            "selected",
            "keep = ['h1 + p', 'li']\ndrop = ['li:last-child', '[class]']\n",
        ),
        ("none", "features = 'none'\ntree = 'none'\n"),
    ] {
        let toml = pipeline(folder, name, &format!("{keys}{steps}"));
        let [cleaned, relabelled] =
            ["clean", "relabel"].map(|to| folder.join(format!("{name}-{to}")));
        clean(&[text(&input)], &toml, &cleaned);
        let (code, said) = relabel(&source, &toml, &relabelled);
        assert_eq!(code, 10, "{name}: {said}");
        assert_same_rows(&cleaned, &relabelled, name);
    }
}

#[test]
fn a_key_that_clean_was_given_is_given_again() {
    let (folder, input) = crawl();
    let [from, to, other] = ["from", "to", "other"].map(|name| folder.path().join(name));
    let headers = "http_headers=['Content-Type', 'Age']";
    let set = ["--set", "product=true", "--set", headers];
    let input = input.join("b.warc.gz");
    let clean = ["clean", text(&input), "--quiet", "--out", text(&from)];
    assert_eq!(run(&[&clean[..], &set].concat()).0, 0);
    let (code, said) = relabel(&from, "numwords", &other);
    let expected = "but the pipeline has no `http_headers`";
    assert_eq!(code, 2, "{said}");
    assert!(said.contains(expected) && !other.exists(), "{said}");
    let again = ["relabel", text(&from), "--pipeline", "numwords", "--out"];
    let (code, said) = run(&[&again[..], &[text(&to)], &set].concat());
    assert_eq!(code, 0, "{said}");
    let cleaned = folder.path().join("cleaned");
    let clean = ["clean", text(&input), "--quiet", "--pipeline", "numwords"];
    let clean = [&clean[..], &set, &["--out", text(&cleaned)]].concat();
    assert_eq!(run(&clean).0, 0);
    assert_same_rows(&cleaned, &to, "product");
    let schema = rows(&to.join("documents/b.warc.gz.parquet")).map(|rows| rows.schema());
    let names = ["price", "http_content_type", "http_age"];
    assert!(schema.is_some_and(|schema| names.iter().all(|name| schema.index_of(name).is_ok())));
}

#[test]
fn nothing_of_the_run_before_stays_beside_what_is_labelled_again() {
    let (folder, input) = crawl();
    let [from, to, other] = ["from", "to", "other"].map(|name| folder.path().join(name));
    let input = input.join("b.warc.gz");
    clean(&[text(&input)], "numwords", &from);
    let before = [
        "clean",
        text(&input),
        "--quiet",
        "--out",
        text(&to),
        "--to",
        "txt",
    ];
    let before = [&before[..], &["--set", "link_table=true"]].concat();
    assert_eq!(run(&before).0, 0);
    let again = ["relabel", text(&from), "--pipeline", "min-words", "--out"];
    let (code, said) = run(&[&again[..], &[text(&to), "--redo"]].concat());
    assert_eq!(code, 0, "{said}");
    assert_eq!(run(&[&again[..], &[text(&other)]].concat()).0, 0);
    assert_same(&contents(&to), &contents(&other), "redo");
    // A table that no row lists is no part of the folder.
    fs::create_dir_all(to.join("links")).unwrap();
    let stray = to.join("links/b.warc.gz.parquet");
    fs::copy(to.join("blocks/b.warc.gz.parquet"), &stray).unwrap();
    let (code, said) = run(&["status", text(&to)]);
    assert_ne!(code, 0, "{said}");
    assert!(said.contains("links/b.warc.gz.parquet"), "{said}");
}

#[test]
fn what_is_lacking_is_named_before_any_work() {
    let (folder, input) = crawl();
    let folder = folder.path();
    for (n, (source, new, expected)) in [
        (
            "",
            "[[step]]\nmethod = 'forest'\n",
            "method `forest` reads attributes of elements, and column `attributes` is missing",
        ),
        (
            "",
            "drop = ['div > p', '.x']\n[[step]]\nmethod = 'keep-all'\n",
            "selectors of `keep` or `drop` read attributes of elements, and column `attributes` is missing",
        ),
        (
            "",
            "xpath = true\n[[step]]\nmethod = 'keep-all'\n",
            "column `xpath` is missing, which the pipeline writes (xpath = true)",
        ),
        (
            "tree = 'none'\n",
            FEW,
            "column `tree` is missing; run `clean` with tree = \"tags\"",
        ),
        (
            "features = 'none'\n",
            FEW,
            "column `words` is missing; run `clean` with features = \"core\"",
        ),
        ("block_text = 'none'\n", FEW, "block_text = \"all\""),
        ("blocks = false\n", FEW, "it has no table `blocks`"),
        (
            "output = 'html'\n",
            FEW,
            "output = \"html\", but the pipeline has output = \"text\"",
        ),
        (
            "",
            "output = 'markdown'\n[[step]]\nmethod = 'keep-all'\n",
            "\"markdown\" of `output` or `forms` is made from a page's markup",
        ),
        (
            "",
            "block_text = 'none'\n[[step]]\nmethod = 'keep-all'\n",
            "block_text",
        ),
        (
            "",
            "features = 'shallow'\n[[step]]\nmethod = 'keep-all'\n",
            "column `avg_word_length` is missing",
        ),
        (
            "",
            "segmentation = 'leaves'\n[[step]]\nmethod = 'keep-all'\n",
            "segmentation = \"inline\", but the pipeline has segmentation = \"leaves\"",
        ),
        (
            "max_page_bytes = 100000\n",
            FEW,
            "max_page_bytes = 100000, but the pipeline has max_page_bytes = 16777216",
        ),
        (
            "any_status = true\n",
            FEW,
            "any_status = true, but the pipeline has any_status = false",
        ),
    ]
    .into_iter()
    .enumerate()
    {
        let [from, to] = ["from", "to"].map(|name| folder.join(format!("{name}{n}")));
        let before = pipeline(folder, "before", &format!("{source}{FEW}"));
        clean(&[text(&input.join("b.warc.gz"))], &before, &from);
        let (code, said) = relabel(&from, &pipeline(folder, "new", new), &to);
        assert_eq!(code, 2, "{source}: {said}");
        assert!(said.contains(expected), "{source}: {said}");
        assert!(!to.exists(), "{source}");
    }
}

#[test]
fn only_another_folder_of_clean_is_read() {
    let (folder, input) = crawl();
    let folder = folder.path();
    let (code, said) = relabel(&input, "numwords", &folder.join("to"));
    assert!(
        code == 2 && said.contains("not an output folder of `clean`"),
        "{said}"
    );
    let from = folder.join("from");
    clean(&[text(&input)], "default", &from);
    let before = contents(&from);
    let same = folder.join("in/../from");
    let (code, said) = run(&[
        "relabel",
        text(&from),
        "--redo",
        "--pipeline",
        "numwords",
        "--out",
        text(&same),
    ]);
    assert!(
        code == 2 && said.contains("is the folder to read"),
        "{said}"
    );
    assert_same(&before, &contents(&from), "a refusal");
}

#[test]
fn bytes_do_not_depend_on_threads_or_on_interruptions() {
    let (folder, input) = crawl();
    let folder = folder.path();
    let from = folder.join("from");
    clean(&[text(&input)], "default", &from);
    let whole = folder.join("whole");
    assert_eq!(relabel(&from, "numwords", &whole).0, 10);
    let expected = contents(&whole);
    for threads in ["1", "3"] {
        let out = folder.join(threads);
        let out = text(&out);
        let arguments = [
            "relabel",
            text(&from),
            "--pipeline",
            "numwords",
            "--out",
            out,
        ];
        let (code, said) = run(&[&arguments[..], &["--threads", threads]].concat());
        assert_eq!(code, 10, "{said}");
        assert_same(&expected, &contents(Path::new(out)), threads);
    }
    // As a run leaves it that ended after some inputs.
    fs::remove_file(whole.join("_SUCCESS")).unwrap();
    fs::remove_file(whole.join("_manifest/a.warc.gz.json")).unwrap();
    fs::remove_file(whole.join("documents/b.warc.gz.parquet")).unwrap();
    let (code, said) = relabel(&from, "numwords", &whole);
    assert_eq!(code, 10, "{said}");
    assert!(
        said.contains("inputs labelled again") && said.contains("inputs done before"),
        "{said}"
    );
    assert_same(&expected, &contents(&whole), "an interruption");
    let (code, said) = run(&["status", text(&whole), "--verify"]);
    assert!(code == 10 && said.contains("_SUCCESS"), "{said}");
    let (code, said) = relabel(&from, "min-words", &whole);
    assert!(code == 2 && said.contains("--redo"), "{said}");
    assert_same(&expected, &contents(&whole), "a refusal");
}

#[test]
fn a_damaged_shard_fails_alone_and_nothing_is_sealed() {
    let (folder, input) = crawl();
    let folder = folder.path();
    let from = folder.join("from");
    clean(&[text(&input)], "default", &from);
    let shard = from.join("blocks/a.warc.gz.parquet");
    let sound = fs::read(&shard).unwrap();
    let mut damaged = sound.clone();
    damaged[1000] ^= 1;
    fs::write(&shard, damaged).unwrap();
    let to = folder.join("to");
    let (code, said) = relabel(&from, "numwords", &to);
    assert_eq!(code, 1, "{said}");
    assert!(
        said.contains("its bytes are not those that were written"),
        "{said}"
    );
    assert!(!to.join("_SUCCESS").exists());
    assert!(to.join("_manifest/b.warc.gz.json").exists());
    fs::write(&shard, sound).unwrap();
    fs::remove_file(from.join("_SUCCESS")).unwrap();
    let (code, said) = relabel(&from, "numwords", &to);
    assert!(code == 75 && said.contains("has no _SUCCESS"), "{said}");
    assert!(!to.join("_SUCCESS").exists());
    fs::write(from.join("_SUCCESS"), "").unwrap();
    assert_eq!(relabel(&from, "numwords", &to).0, 10);
    assert!(to.join("_SUCCESS").exists());
}

#[test]
fn neither_folder_may_be_inside_the_other() {
    let (folder, input) = crawl();
    let folder = folder.path();
    let from = folder.join("all/from");
    clean(&[text(&input.join("b.warc.gz"))], "min-words", &from);
    let before = contents(folder);
    for (out, expected) in [
        ("all/from/new", "is inside"),
        ("new/../all/from/documents/x", "is inside"),
        ("all", "holds"),
    ] {
        let (code, said) = relabel(&from, "numwords", &folder.join(out));
        assert!(
            code == 2 && said.contains(expected),
            "{out}: {code}: {said}"
        );
        assert_same(&before, &contents(folder), out);
    }
    assert_eq!(relabel(&from, "numwords", &folder.join("all/to")).0, 0);
}

#[test]
fn inputs_that_are_not_in_the_source_are_refused_and_kept() {
    let (folder, input) = crawl();
    let folder = folder.path();
    let [from, to, other] = ["from", "to", "other"].map(|name| folder.join(name));
    let [a, b] = ["a", "b"].map(|name| input.join(format!("{name}.warc.gz")));
    clean(&[text(&a), text(&b)], "min-words", &from);
    assert_eq!(relabel(&from, "numwords", &to).0, 0);
    let before = contents(&to);
    fs::remove_dir_all(&from).unwrap();
    clean(&[text(&a)], "default", &from);
    let (from, out) = (text(&from), text(&to));
    let arguments = ["relabel", from, "--pipeline", "numwords", "--redo", "--out"];
    let (code, said) = run(&[&arguments[..], &[out]].concat());
    assert_eq!(code, 2, "{said}");
    assert!(
        said.contains("such as b.warc.gz; use another --out"),
        "{said}"
    );
    assert_same(&before, &contents(&to), "a refusal");
    let (code, said) = run(&[&arguments[..], &[text(&other)]].concat());
    assert_eq!(code, 0, "{said}");
}

#[test]
fn what_cannot_be_written_is_no_fault_of_an_input() {
    let (folder, input) = crawl();
    let folder = folder.path();
    let from = folder.join("from");
    clean(&[text(&input.join("b.warc.gz"))], "min-words", &from);
    // By its spelling it is below the source.
    let to = from.join("../to");
    assert_eq!(relabel(&from, "numwords", &to).0, 0);
    let table = to.join("documents/b.warc.gz.parquet");
    fs::remove_file(&table).unwrap();
    fs::create_dir_all(table.join("in/the/way")).unwrap();
    let (code, said) = relabel(&from, "numwords", &to);
    assert_eq!(code, 2, "{said}");
    assert!(!said.contains("inputs failed"), "{said}");
}

#[test]
fn json_says_why_nothing_is_sealed() {
    let (folder, input) = crawl();
    let folder = folder.path();
    let [from, to] = ["from", "to"].map(|name| folder.join(name));
    clean(&[text(&input.join("b.warc.gz"))], "min-words", &from);
    fs::remove_file(from.join("_SUCCESS")).unwrap();
    let (code, out, _) = warcsieve(&[
        "relabel",
        text(&from),
        "--pipeline",
        "numwords",
        "--log-format",
        "json",
        "--out",
        text(&to),
    ]);
    let end: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &end["sealed"]), (75, &false.into()));
    let why = end["not_sealed"].as_str().unwrap();
    assert!(why.contains("has no _SUCCESS"), "{why}");
}

#[test]
fn a_hostile_footer_is_refused_before_the_library_reads_it() {
    let (folder, input) = crawl();
    let folder = folder.path();
    let from = folder.join("from");
    clean(&[text(&input)], "default", &from);
    let shard = from.join("blocks/a.warc.gz.parquet");
    let mut bytes = fs::read(&shard).unwrap();
    // A field that is a list of 2^31 flags: the library would read them all.
    let end = bytes.len() - 8;
    let length = u32::from_le_bytes(bytes[end..end + 4].try_into().unwrap()) as usize;
    let list = [0xf9, 0xff, 0x01, 0xf1, 0xff, 0xff, 0xff, 0xff, 0x07];
    for (to, byte) in bytes[end - length..end].iter_mut().zip(list.iter().cycle()) {
        *to = *byte;
    }
    fs::write(&shard, bytes).unwrap();
    let (code, said) = relabel(&from, "numwords", &folder.join("to"));
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("cannot be decoded (the footer"), "{said}");
}
