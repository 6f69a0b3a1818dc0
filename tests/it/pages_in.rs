//! Pages that are no crawl: files and folders of HTML through `clean`, `check` and `inspect`, and
//! `extract`.

use crate::common::warcsieve;
use arrow_array::Array;
use arrow_array::cast::AsArray;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

const TEXT: &str = "Cod spawn from January to April, in water of four to six degrees, and the largest \
    shoals are met off the Lofoten islands, where cod has been fished for a thousand years.";

fn page(head: &str) -> String {
    format!("<title>Cod</title>{head}<nav><a href=/>Home</a></nav><p>{TEXT}")
}

/// A folder of pages of several kinds, and of others.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &[u8]| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    };
    write("a.html", page("").as_bytes());
    write("a.html.meta.json", b"{\"url\": \"http://a.example/meta\"}");
    let link = "<link rel=canonical href=http://a.example/canonical>";
    write("b/c.HTM", page(link).as_bytes());
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packed.write_all(page("").as_bytes()).unwrap();
    write("d.html.gz", &packed.finish().unwrap());
    write("notes.txt", b"no page");
    folder
}

fn text_of(path: &Path) -> String {
    path.display().to_string()
}

#[test]
fn a_folder_of_pages_is_cleaned_as_a_crawl_is() {
    let folder = folder();
    let out = tempfile::tempdir().unwrap();
    let (pages, out) = (text_of(folder.path()), text_of(&out.path().join("out")));
    let (code, _, err) = warcsieve(&["clean", &pages, "--out", &out]);
    assert_eq!(code, 0, "{err}");
    let row = |name: &str| {
        let path = format!("{out}/documents/{name}.parquet");
        let reader = ParquetRecordBatchReaderBuilder::try_new(fs::File::open(path).unwrap());
        let batch = reader.unwrap().build().unwrap().next().unwrap().unwrap();
        ["id", "url", "text"].map(|column| {
            let column = batch.column_by_name(column).unwrap().as_string::<i32>();
            assert_eq!(column.len(), 1);
            column.value(0).to_owned()
        })
    };
    let text = TEXT.to_owned();
    let of = |id: &str, url: &str| [id.to_owned(), url.to_owned(), text.clone()];
    assert_eq!(row("a.html"), of("a.html", "http://a.example/meta"));
    assert_eq!(row("b/c.HTM"), of("b/c.HTM", "http://a.example/canonical"));
    assert_eq!(row("d.html.gz"), of("d.html.gz", ""));
    let (code, done, _) = warcsieve(&["status", &out, "--inputs", &pages]);
    assert_eq!(code, 0, "{done}");
    let page = text_of(&folder.path().join("a.html"));
    let (code, report, _) = warcsieve(&["check", &page]);
    assert!(code == 0 && report.contains("sound"), "{report}");
    let (code, blocks, _) = warcsieve(&["inspect", &page]);
    assert!(code == 0 && blocks.contains("Cod spawn"), "{blocks}");
}

#[test]
fn a_page_under_the_name_of_a_crawl_is_a_fault() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("00.warc.gz");
    fs::write(&path, "<!doctype html><p>Not found").unwrap();
    let out = text_of(&folder.path().join("out"));
    let (code, _, _) = warcsieve(&["clean", &text_of(&path), "--out", &out]);
    assert_eq!(code, 42);
}

#[test]
fn extract_prints_a_page_in_each_form() {
    let folder = folder();
    let page = text_of(&folder.path().join("a.html"));
    for (form, expected) in [
        ("txt", TEXT.to_owned() + "\n"),
        ("md", format!("# Cod\n\n{TEXT}\n")),
        ("html", format!("<html><body><p>{TEXT}</p></body></html>\n")),
    ] {
        let (code, text, err) = warcsieve(&["extract", &page, "--to", form]);
        assert_eq!((code, text), (0, expected), "{err}");
    }
    let (_, line, _) = warcsieve(&["extract", &page, "--to", "json"]);
    let line: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(line["text"], TEXT);
    assert_eq!(
        (&line["title"], &line["url"]),
        (&"Cod".into(), &"http://a.example/meta".into())
    );
    let (_, tei, _) = warcsieve(&["extract", &page, "--to", "xml"]);
    assert!(tei.contains(&format!("<p>{TEXT}</p>")) && tei.contains("http://a.example/meta"));
}

#[test]
fn extract_reads_standard_input() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_warcsieve"))
        .args(["extract", "--url", "http://a.example/x", "--to", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(page("").as_bytes())
        .unwrap();
    let done = child.wait_with_output().unwrap();
    assert!(done.status.success());
    let line: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(
        (&line["text"], &line["url"]),
        (&TEXT.into(), &"http://a.example/x".into())
    );
}

#[test]
fn extract_writes_a_file_a_page() {
    let folder = folder();
    let out = tempfile::tempdir().unwrap();
    let (pages, to) = (text_of(folder.path()), text_of(out.path()));
    let (code, said, err) = warcsieve(&["extract", &pages, "--to", "md", "--out", &to]);
    assert_eq!(code, 0, "{err}");
    assert!(said.starts_with("3 pages in "), "{said}");
    for name in ["a.md", "b/c.md", "d.md"] {
        let text = fs::read_to_string(out.path().join(name)).unwrap();
        assert_eq!(text, format!("# Cod\n\n{TEXT}\n"), "{name}");
    }
    let crawl = "testdata/crawl/en0000/00.warc.gz";
    let (code, _, err) = warcsieve(&["extract", crawl, "--out", &to, "--names", "id"]);
    assert_eq!(code, 0, "{err}");
    let pages = out.path().join("00");
    assert!(pages.join("testdata-0001.txt").is_file());
    assert!(pages.join("index.jsonl").is_file());
    let page = text_of(&folder.path().join("a.html"));
    let single = out.path().join("new/single.md");
    let (code, said, err) =
        warcsieve(&["extract", &page, "--to", "md", "--out", &text_of(&single)]);
    assert_eq!(code, 0, "{err}");
    assert!(said.starts_with("1 page in ") && single.is_file(), "{said}");
    let (code, _, err) = warcsieve(&["extract", crawl, "--to", "md", "--out", &text_of(&single)]);
    assert!(code == 2 && err.contains("give a folder"), "{err}");
}

#[test]
fn a_file_to_write_says_the_form() {
    let folder = folder();
    let out = tempfile::tempdir().unwrap();
    let (page, pages) = (
        text_of(&folder.path().join("a.html")),
        text_of(folder.path()),
    );
    let extract = |from: &str, to: &str, form: &[&str]| {
        let place = out.path().join(to);
        let to = format!(
            "{}{}",
            text_of(&place),
            if to.ends_with('/') { "/" } else { "" }
        );
        let (code, _, err) = warcsieve(&[&["extract", from, "--out", &to], form].concat());
        (code, err, fs::read_to_string(place).unwrap_or_default())
    };
    for (name, begins) in [
        ("x.md", "# Cod\n"),
        ("x.txt", "Cod spawn"),
        ("x.html", "<"),
        ("x.json", "{"),
        ("x.jsonl", "{"),
        ("x.xml", "<?xml"),
    ] {
        let (code, err, text) = extract(&page, name, &[]);
        assert!(code == 0 && text.starts_with(begins), "{name}: {err}{text}");
    }
    for (from, name, form) in [
        (&page, "y.txt", "md"),
        (&pages, "y.txt", "md"),
        (&pages, "y.jsonl", "json"),
        (&pages, "y.md", "md"),
    ] {
        let (code, err, _) = extract(from, name, &["--to", form]);
        assert!(
            code == 2 && err.contains(name) && err.lines().count() == 1,
            "{err}"
        );
        assert!(!out.path().join(name).exists(), "{name}");
    }
    for name in ["z.txt/", "z.txt"] {
        assert_eq!(extract(&pages, name, &["--to", "md"]).0, 0);
    }
    assert!(out.path().join("z.txt/a.md").is_file());
}

#[test]
fn several_pages_do_not_run_together_and_empty_ones_are_said() {
    let folder = folder();
    let pages = text_of(folder.path());
    let (code, text, err) = warcsieve(&["extract", &pages]);
    assert!(
        code == 2 && text.is_empty() && err.contains("--out DIR"),
        "{err}"
    );
    let crawl = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/crawl/en0000/00.warc.gz");
    let (code, text, err) = warcsieve(&["extract", &text_of(&crawl)]);
    assert!(code == 2 && text.is_empty(), "nothing of a crawl: {err}");
    let (code, lines, _) = warcsieve(&["extract", &pages, "--to", "json"]);
    assert_eq!((code, lines.lines().count()), (0, 3));
    let empty = folder.path().join("empty.html");
    fs::write(&empty, "").unwrap();
    let (code, text, err) = warcsieve(&["extract", &text_of(&empty)]);
    assert!(
        code == 0 && text.is_empty() && err.contains("no content"),
        "{err}"
    );
    let (code, _, err) = warcsieve(&["cdx", &pages, "--out", "-"]);
    assert!(
        code == 2 && err.contains("only crawls can be indexed"),
        "{err}"
    );
}

#[test]
fn extract_says_what_cannot_be_done() {
    let folder = folder();
    let pages = text_of(folder.path());
    let page = text_of(&folder.path().join("a.html"));
    let missing = text_of(&folder.path().join("missing.html"));
    for (arguments, expected_code, expected) in [
        (&[&*missing][..], 2, "No such file"),
        (&[&page, "--out", &page], 2, "would replace"),
        (
            &[&pages, "--to", "html", "--out", &pages],
            2,
            "would replace",
        ),
        (
            &[&pages, "--url", "http://a.example/"],
            2,
            "--url is the address of one page",
        ),
        (&[&page, "http://a.example/"], 2, "give it alone"),
        (
            &[&page, "--set", "images=true"],
            2,
            "only for Markdown, but",
        ),
        (
            &[&page, "--set", "links=absolute"],
            2,
            "but the output is text",
        ),
        (
            &[&page, "--to", "html", "--set", "tables=html"],
            2,
            "only for Markdown, but",
        ),
    ] {
        let (code, _, err) = warcsieve(&[&["extract"], arguments].concat());
        assert_eq!(code, expected_code, "{arguments:?}: {err}");
        assert!(err.contains(expected), "{err}");
    }
    let out = text_of(&folder.path().join("out"));
    let (code, _, err) = warcsieve(&["clean", "http://127.0.0.1:9/a.html", "--out", &out]);
    assert!(
        code == 2 && err.contains("warcsieve extract ADDRESS"),
        "{err}"
    );
}

#[test]
fn an_address_on_the_command_line_is_believed_before_others() {
    let folder = folder();
    let page = text_of(&folder.path().join("a.html"));
    let (_, line, err) = warcsieve(&[
        "extract",
        &page,
        "--to",
        "json",
        "--url",
        "http://a.example/x",
    ]);
    let line: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(line["url"], "http://a.example/x", "{err}");
}

#[test]
fn a_page_that_cannot_be_written_stops_no_other() {
    let folder = folder();
    let out = tempfile::tempdir().unwrap();
    fs::create_dir(out.path().join("a.txt")).unwrap();
    let (pages, to) = (text_of(folder.path()), text_of(out.path()));
    let (code, _, err) = warcsieve(&["extract", &pages, "--out", &to]);
    assert_eq!(code, 10, "{err}");
    assert!(err.contains("a.txt"), "{err}");
    for name in ["b/c.txt", "d.txt"] {
        assert!(out.path().join(name).is_file(), "{name}: {err}");
    }
}

#[test]
fn metadata_come_before_the_text_if_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a.html");
    let head = "<meta name=author content='Jane \"J\" Doe'><meta name=keywords content='cod, sea'>\
                <meta property=article:published_time content=2025-09-04>";
    fs::write(&file, page(head)).unwrap();
    let extract = |more: &[&str]| {
        let file = text_of(&file);
        warcsieve(&[&["extract", file.as_str()], more].concat()).1
    };
    let yaml = "---\ntitle: \"Cod\"\nlanguage: \"en\"\nheadline: \"Cod\"\nauthor: \"Jane \\\"J\\\" Doe\"\n\
                published: \"2025-09-04\"\ntags: [\"cod\",\"sea\"]\n---\n\n";
    assert_eq!(
        extract(&["--to", "md", "--with-metadata"]),
        format!("{yaml}# Cod\n\n{TEXT}\n")
    );
    assert_eq!(extract(&["--to", "md"]), format!("# Cod\n\n{TEXT}\n"));
    let untitled = extract(&["--to", "md", "--set", "title=none"]);
    assert_eq!(untitled, format!("{TEXT}\n"));
    let line: serde_json::Value = serde_json::from_str(&extract(&["--to", "json"])).unwrap();
    assert_eq!(line["tags"], serde_json::json!(["cod", "sea"]));
    assert_eq!(line["metadata_source"]["author"], "meta");
    let tei = extract(&["--to", "xml"]);
    assert!(
        tei.contains("<author>Jane &quot;J&quot; Doe</author>"),
        "{tei}"
    );
}

#[test]
fn columns_of_metadata_are_there_unless_the_pipeline_leaves_them_out() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("in")).unwrap();
    let head = "<meta name=author content=Jane><meta name=keywords content='cod, sea'>";
    fs::write(folder.path().join("in/a.html"), page(head)).unwrap();
    let pages = text_of(&folder.path().join("in"));
    let batch = |name: &str, more: &[&str]| {
        let out = text_of(&folder.path().join(name));
        let (code, _, err) = warcsieve(&[&["clean", &pages, "--out", &out], more].concat());
        assert_eq!(code, 0, "{err}");
        let file = fs::File::open(format!("{out}/documents/a.html.parquet")).unwrap();
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
        reader.build().unwrap().next().unwrap().unwrap()
    };
    let with = batch("with", &[]);
    let column = |name: &str| with.column_by_name(name).unwrap().clone();
    assert_eq!(column("author").as_string::<i32>().value(0), "Jane");
    assert!(column("published").is_null(0));
    let tags = column("tags").as_list::<i32>().value(0);
    assert_eq!(
        tags.as_string::<i32>().iter().flatten().collect::<Vec<_>>(),
        ["cod", "sea"]
    );
    let sources = column("metadata_source").as_struct().clone();
    assert_eq!(sources.num_columns(), 11);
    for (name, values) in sources.column_names().into_iter().zip(sources.columns()) {
        let source = match name {
            "headline" => Some("title"),
            "author" | "tags" => Some("meta"),
            _ => None,
        };
        let value = values.as_string::<i32>().iter().next().unwrap();
        assert_eq!(value, source, "{name}");
    }
    let pipeline = folder.path().join("p.toml");
    fs::write(
        &pipeline,
        "metadata = false\n[[step]]\nmethod = 'keep-all'\n",
    )
    .unwrap();
    let without = batch("without", &["--pipeline", &text_of(&pipeline)]);
    assert!(without.column_by_name("author").is_none());
    assert!(without.column_by_name("warnings").is_some());
}
