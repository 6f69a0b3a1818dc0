//! `layout = "blitz"` and `"chromium"`: refused by a build without engine; with it, columns, the same bytes on any
//! number of threads, and hostile pages that end no run. The engine itself is tested in
//! `crates/core/layout/tests/`.

use crate::common::warcsieve;

#[cfg(not(feature = "layout"))]
#[test]
fn a_build_without_engine_refuses_the_pipeline_and_does_not_name_it() {
    let out = tempfile::tempdir().unwrap();
    let out = out.path().join("out");
    let arguments = ["clean", "testdata/crawl", "--pipeline", "cehtd", "--out"];
    let (code, _, err) = warcsieve(&[&arguments[..], &[out.to_str().unwrap()]].concat());
    assert_eq!(code, 2);
    assert!(
        err.contains("cehtd: layout = \"blitz\" needs an engine"),
        "{err}"
    );
    assert!(!out.exists());
    let (_, names, _) = warcsieve(&["methods", "--names"]);
    assert!(names.contains("cectd\n") && !names.contains("cehtd"));
}

#[cfg(feature = "layout")]
mod with_engine {
    use super::warcsieve;
    use crate::common::{assert_same, contents};
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Float32Type, Int32Type};
    use arrow_array::{Array, RecordBatch};
    use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
    use std::fs::{self, File};
    use std::path::Path;

    const PIPELINE: &str = "layout = 'blitz'\n[[step]]\nmethod = 'cehtd'\n";

    fn record(id: usize, mime: &str, body: &str) -> String {
        format!(
            "WARC/1.0\r\nWARC-Type: resource\r\nWARC-TREC-ID: page-{id}\r\n\
             WARC-Target-URI: http://a.example/{id}\r\nContent-Type: {mime}\r\n\
             Content-Length: {}\r\n\r\n{body}\r\n\r\n",
            body.len()
        )
    }

    /// Cleans pages into `out`; returns the exit code.
    fn clean(folder: &Path, pages: &[(&str, String)], threads: &str, out: &str) -> i32 {
        let (input, pipeline) = (folder.join("in.warc"), folder.join("p.toml"));
        let records = pages.iter().enumerate();
        let records: String = records.map(|(i, (m, html))| record(i, m, html)).collect();
        fs::write(&input, records).unwrap();
        fs::write(&pipeline, PIPELINE).unwrap();
        let out = folder.join(out);
        let paths = [&input, &pipeline, &out].map(|p| p.to_str().unwrap());
        let arguments = ["clean", paths[0], "--quiet", "--threads", threads];
        let (code, said, err) =
            warcsieve(&[&arguments[..], &["--pipeline", paths[1], "--out", paths[2]]].concat());
        println!("{said}{err}");
        code
    }

    fn rows(folder: &Path, out: &str, table: &str) -> RecordBatch {
        let file = File::open(folder.join(out).join(table).join("in.warc.parquet")).unwrap();
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
        reader.build().unwrap().next().unwrap().unwrap()
    }

    #[test]
    fn both_tables_say_where_things_are() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let styled = "<link rel=stylesheet href=a><body style='margin:0'>\
                      <p style='width:500px;font-size:20px'>Some text.<p style='display:none'>No.";
        let pages = [
            ("text/html", styled.to_owned()),
            ("text/plain", "Plain text.".to_owned()),
            ("text/html", "<div>".repeat(300) + "deep"),
        ];
        assert_eq!(clean(folder, &pages, "2", "out"), 0);
        let documents = rows(folder, "out", "documents");
        let text = |name: &str, at| {
            let column = documents.column_by_name(name).unwrap().as_string::<i32>();
            column.is_valid(at).then(|| column.value(at).to_owned())
        };
        let all = [0, 1, 2].map(|at| text("layout_status", at).unwrap());
        assert_eq!(all, ["done", "plain_text", "too_deep"]);
        assert!(text("render_engine", 0).unwrap().starts_with("blitz "));
        let missing = documents.column_by_name("css_missing").unwrap();
        let missing = missing.as_primitive::<Int32Type>();
        assert_eq!((missing.value(0), missing.is_null(1)), (1, true));
        let height = documents.column_by_name("page_height").unwrap();
        assert!(height.is_valid(0) && height.is_null(2));
        let blocks = rows(folder, "out", "blocks");
        let number = |name: &str, at| {
            let column = blocks.column_by_name(name).unwrap();
            let column = column.as_primitive::<Float32Type>();
            column.is_valid(at).then(|| column.value(at))
        };
        assert_eq!(
            (number("x", 0), number("width", 0)),
            (Some(0.0), Some(500.0))
        );
        assert_eq!(number("font_size", 0), Some(20.0));
        let visible = blocks.column_by_name("visible").unwrap().as_boolean();
        assert!(visible.value(0) && !visible.value(1) && visible.is_null(2));
        assert_eq!(number("x", 3), None);
        let reason = blocks.column_by_name("reason").unwrap().as_string::<i32>();
        assert!(!reason.value(0).contains("layout") && reason.value(3).contains("no layout"));
    }

    /// Pages, some of them made to end their engine.
    fn many() -> Vec<(&'static str, String)> {
        let rough = [
            format!(
                "<style>p{{width:{}1px}}</style><p>x",
                "calc(".repeat(50_000)
            ),
            "<style>div{display:flex}</style>".to_owned() + &"<div>a".repeat(200),
            "<font color=a><p>".repeat(3_000),
            "<b></b>".repeat(50_000),
            "<table><tr><td>".repeat(80),
        ];
        let calm = |i: usize| format!("<p style='width:{i}em'>{}", "Some text. ".repeat(9 * i));
        let mut pages: Vec<_> = (0..40).map(|i| ("text/html", calm(i))).collect();
        for (i, page) in rough.into_iter().enumerate() {
            pages.insert(8 * i, ("text/html", page));
        }
        pages
    }

    #[test]
    fn the_same_bytes_on_any_number_of_threads_though_engines_end() {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let tables = |out: &str| {
            let mut files = contents(&folder.join(out));
            files.retain(|name, _| name.ends_with(".parquet"));
            files
        };
        assert_eq!(clean(folder, &many(), "1", "one"), 0);
        let documents = rows(folder, "one", "documents");
        let status = documents.column_by_name("layout_status").unwrap();
        let status = status.as_string::<i32>();
        let done = status.iter().filter(|s| *s == Some("done")).count();
        assert!((40..45).contains(&done), "{status:?}");
        for threads in ["2", "4"] {
            assert_eq!(clean(folder, &many(), threads, threads), 0);
            assert_same(&tables("one"), &tables(threads), threads);
        }
    }
}

mod by_browser {
    use super::warcsieve;
    use std::fs;
    use std::path::Path;

    const PIPELINE: &str = "layout = 'chromium'\nscreenshots = true\n[[step]]\nmethod = 'cehtd'\n";

    /// Cleans a page; returns the exit code, the errors, and the folder.
    fn clean(pipeline: &str) -> (i32, String, tempfile::TempDir) {
        let folder = tempfile::tempdir().unwrap();
        let [input, file, out] = ["in.warc", "p.toml", "out"].map(|name| folder.path().join(name));
        let html = "<link rel=stylesheet href=a><p style='width:500px'>Some text.";
        let record = format!(
            "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.example/\r\n\
             Content-Type: text/html\r\nContent-Length: {}\r\n\r\n{html}\r\n\r\n",
            html.len()
        );
        fs::write(&input, record).unwrap();
        fs::write(&file, pipeline).unwrap();
        let [input, file, out] = [input, file, out].map(|p| p.display().to_string());
        let (code, _, err) = warcsieve(&[
            "clean",
            &input,
            "--quiet",
            "--pipeline",
            &file,
            "--out",
            &out,
        ]);
        (code, err, folder)
    }

    #[test]
    fn pictures_need_a_browser() {
        let (code, err, _) = clean("screenshots = true\n[[step]]\nmethod = 'cectd'\n");
        assert_eq!(code, 2);
        assert!(
            err.contains("screenshots = true needs layout = \"chromium\""),
            "{err}"
        );
    }

    #[cfg(not(feature = "browser"))]
    #[test]
    fn a_build_without_client_says_how_to_get_one() {
        let (code, err, _) = clean(PIPELINE);
        assert_eq!(code, 2);
        assert!(err.contains("--features browser"), "{err}");
    }

    #[cfg(all(feature = "browser", unix))]
    #[test]
    fn a_page_has_boxes_and_a_picture() {
        use arrow_array::Array;
        use arrow_array::cast::AsArray;
        use arrow_array::types::Float32Type;
        use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
        let (code, err, folder) = clean(PIPELINE);
        if err.contains("no Chromium") {
            assert_eq!(code, 2);
            return;
        }
        assert_eq!(code, 0, "{err}");
        let rows = |table: &str| {
            let path = folder
                .path()
                .join("out")
                .join(table)
                .join("in.warc.parquet");
            let file = fs::File::open(path).unwrap();
            let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
            reader.build().unwrap().next().unwrap().unwrap()
        };
        let (documents, blocks) = (rows("documents"), rows("blocks"));
        let engine = documents.column_by_name("render_engine").unwrap();
        assert!(engine.as_string::<i32>().value(0).contains("chrom"));
        let picture = documents.column_by_name("screenshot").unwrap();
        let picture = picture.as_binary::<i32>().value(0);
        assert!(picture.starts_with(b"RIFF") && &picture[8..12] == b"WEBP");
        let width = blocks.column_by_name("width").unwrap();
        assert_eq!(width.as_primitive::<Float32Type>().value(0), 500.0);
        assert!(width.is_valid(0));
    }

    /// Cleans the page of `folder` again with another pipeline, into `again`.
    fn again(folder: &Path, pipeline: &str) -> (i32, String) {
        let [input, file, out] = ["in.warc", "again.toml", "again"].map(|name| folder.join(name));
        fs::write(&file, pipeline).unwrap();
        let [input, file, out] = [input, file, out].map(|p| p.display().to_string());
        let arguments = [
            "clean",
            &input,
            "--quiet",
            "--pipeline",
            &file,
            "--out",
            &out,
        ];
        let (code, _, err) = warcsieve(&arguments);
        (code, err)
    }

    /// The rows of a table.
    #[cfg(feature = "browser")]
    fn table(folder: &Path, table: &str) -> arrow_array::RecordBatch {
        use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
        let file = fs::File::open(folder.join(table).join("in.warc.parquet")).unwrap();
        let reader = ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
        reader.build().unwrap().next().unwrap().unwrap()
    }

    const KEPT: &str = "layout = 'kept'\nlayouts = 'out'\nboxes = true\nscreenshots = true\n\
                        [[step]]\nmethod = 'cehtd'\n";

    #[cfg(feature = "browser")]
    #[test]
    fn kept_layouts_give_what_the_browser_gave() {
        let (code, err, folder) = clean(&format!("boxes = true\n{PIPELINE}"));
        if err.contains("no Chromium") {
            return;
        }
        let folder = folder.path();
        assert_eq!(code, 0, "{err}");
        let (code, err) = again(folder, KEPT);
        assert_eq!(code, 0, "{err}");
        for name in ["documents", "blocks"] {
            let [first, second] = ["out", "again"].map(|out| table(&folder.join(out), name));
            assert_eq!(first.columns(), second.columns(), "{name}");
        }
        fs::remove_dir_all(folder.join("again")).unwrap();
        let record = fs::read_to_string(folder.join("in.warc")).unwrap();
        fs::write(
            folder.join("in.warc"),
            record.replace("Some text.", "Other text"),
        )
        .unwrap();
        assert_eq!(again(folder, KEPT).0, 0);
        let status = |folder: &Path| {
            let documents = table(&folder.join("again"), "documents");
            let status = documents.column_by_name("layout_status").unwrap().clone();
            arrow_array::cast::AsArray::as_string::<i32>(&status)
                .value(0)
                .to_owned()
        };
        assert_eq!(status(folder), "done", "a page of that length");
        fs::remove_dir_all(folder.join("again")).unwrap();
        let longer = record.replace("Content-Length: 61", "Content-Length: 60");
        assert_ne!(longer, record);
        fs::write(
            folder.join("in.warc"),
            longer.replace("Some text.", "Some text"),
        )
        .unwrap();
        assert_eq!(again(folder, KEPT).0, 0);
        assert_eq!(status(folder), "not_kept");
    }

    #[test]
    fn layouts_that_nobody_kept_are_refused() {
        let (code, err, folder) = clean("[[step]]\nmethod = 'cectd'\n");
        assert_eq!(code, 0, "{err}");
        for (pipeline, says) in [
            (
                KEPT.to_owned(),
                "kept layouts are the documents of a run with `layout` and boxes = true",
            ),
            (KEPT.replace("'out'", "'nowhere'"), "nowhere"),
            (KEPT.replace("layouts = 'out'\n", ""), "needs `layouts`"),
            (KEPT.replace("'kept'", "'none'"), "screenshots = true needs"),
        ] {
            let (code, err) = again(folder.path(), &pipeline);
            assert!(code != 0 && err.contains(says), "{code}: {err}");
        }
        assert!(!folder.path().join("again").exists());
    }
}
