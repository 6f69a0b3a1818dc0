//! Exports into folders that are not empty.

use super::readers::files;
use super::*;
use std::fs;
use std::path::Path;

#[test]
fn a_killed_run_can_be_resumed_with_the_same_result() {
    let (folder, shards) = crawl();
    let [whole, cut] = ["whole", "cut"].map(|n| folder.path().join(n));
    let settings = ExportSettings {
        texts: Texts::Both,
        compression: Compression::Gz,
        ..SETTINGS
    };
    run(&shards, settings, &whole).unwrap();
    run(&shards, settings, &cut).unwrap();
    fs::remove_file(cut.join("_SUCCESS")).unwrap();
    fs::remove_file(cut.join("raw/en0000/00.warc.gz.trec.gz")).unwrap();
    fs::write(cut.join("raw/en0000/.00.warc.gz.trec.gz.0123.tmp"), "half").unwrap();
    let summary = run(&shards, settings, &cut).unwrap();
    assert_eq!((summary.shards, summary.kept), (1, 4));
    assert_eq!(files(&cut), files(&whole));
}

#[test]
fn another_export_is_not_touched_unless_forced() {
    let (folder, shards) = crawl();
    let out = folder.path().join("out");
    run(&shards, SETTINGS, &out).unwrap();
    let before = files(&out);
    let other = ExportSettings {
        titles: false,
        ..SETTINGS
    };
    for (shards, settings, what) in [
        (&shards[..], other, "other settings"),
        (&shards[1..], SETTINGS, "other shards"),
    ] {
        let refused = run(shards, settings, &out).unwrap_err().to_string();
        assert!(
            refused.contains(what) && refused.contains("--force"),
            "{refused}"
        );
    }
    assert_eq!(files(&out), before);
    let gz = ExportSettings {
        compression: Compression::Gz,
        ..SETTINGS
    };
    export(
        &shards[1..],
        gz,
        None,
        &Omit::default(),
        &out,
        true,
        &Progress::default(),
    )
    .unwrap();
    let names: Vec<_> = files(&out).into_keys().collect();
    assert_eq!(names.len(), 2 + 2 * (shards.len() - 1), "{names:?}");
    assert!(names.iter().all(|n| !n.ends_with(".trec")), "{names:?}");
}

#[test]
fn files_of_others_and_shards_themselves_are_not_touched() {
    let (folder, shards) = crawl();
    let out = folder.path().join("out");
    fs::create_dir_all(out.join("en0000")).unwrap();
    fs::write(out.join("en0000/00.warc.gz.trec"), "mine").unwrap();
    let refused = run(&shards, SETTINGS, &out).unwrap_err().to_string();
    assert!(
        refused.contains("00.warc.gz.trec is there already"),
        "{refused}"
    );
    let refused = run(&shards, SETTINGS, &folder.path().join("shards")).unwrap_err();
    assert!(
        refused.to_string().contains("output folder of `clean`"),
        "{refused}"
    );
}

#[test]
fn the_bytes_do_not_depend_on_threads() {
    let (folder, shards) = crawl();
    let bytes = |threads: usize| {
        let out = folder.path().join(threads.to_string());
        let settings = ExportSettings {
            format: Format::Dolma,
            compression: Compression::Zst,
            ..SETTINGS
        };
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| run(&shards, settings, &out)).unwrap();
        let names = files(&out).into_keys();
        names
            .map(|n| (fs::read(out.join(&n)).unwrap(), n))
            .collect::<Vec<_>>()
    };
    assert_eq!(bytes(1), bytes(4));
}

#[test]
fn a_broken_shard_leaves_no_files() {
    let (folder, shards) = crawl();
    let out = folder.path().join("out");
    let path = folder
        .path()
        .join("shards/blocks/en0000/00.warc.gz.parquet");
    fs::remove_file(path).unwrap();
    let raw = ExportSettings {
        texts: Texts::Raw,
        ..SETTINGS
    };
    assert!(run(&shards, raw, &out).is_err());
    assert!(!out.join("_SUCCESS").exists());
    assert!(!out.join("en0000/00.warc.gz.trec").exists());
}

#[test]
fn a_changed_file_is_written_again() {
    let (folder, shards) = crawl();
    let out = folder.path().join("out");
    let whole = run(&shards, SETTINGS, &out).unwrap();
    let before = files(&out);
    let file = out.join("en0000/00.warc.gz.trec");
    let written_list = out.join("_FILES/en0000/00.warc.gz.written");
    let cut = |path: &Path| {
        fs::File::options()
            .write(true)
            .open(path)
            .unwrap()
            .set_len(9)
            .unwrap()
    };
    let removed = |path: &Path| fs::remove_file(path).unwrap();
    let paths = [&file, &written_list];
    for (path, is_cut) in paths.into_iter().flat_map(|p| [(p, true), (p, false)]) {
        if is_cut {
            cut(path)
        } else {
            removed(path)
        }
        let again = run(&shards, SETTINGS, &out).unwrap();
        assert_eq!(
            (again.shards, again.kept),
            (1, whole.shards - 1),
            "{path:?}"
        );
        assert!(files(&out) == before, "{path:?}");
    }
}
