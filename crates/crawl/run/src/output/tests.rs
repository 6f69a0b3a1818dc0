use super::*;
use std::{fs, thread};

fn recipe(method: &str) -> Recipe {
    Recipe {
        version: "1".to_owned(),
        pipeline_sha256: method.repeat(16),
        model_sha256: None,
        method: method.to_owned(),
        selection_sha256: None,
        relabelled_from: None,
        page_files: None,
        set: Vec::new(),
    }
}

#[test]
fn a_folder_is_claimed_for_one_recipe() {
    let folder = tempfile::tempdir().unwrap();
    let out = OutputFolder::new(folder.path().join("out"));
    out.claim(&recipe("a"), false).unwrap();
    out.claim(&recipe("a"), false).unwrap();
    let refused = out.claim(&recipe("b"), false).unwrap_err().to_string();
    assert!(refused.contains("the pipeline file was a ("), "{refused}");
    let shipped = |name| {
        Recipe::of(&warcsieve_extract::Pipeline::built_in(&warcsieve_classify::CORE, name).unwrap())
    };
    let difference = shipped("numwords")
        .difference(&shipped("min-words"))
        .unwrap();
    assert!(
        difference.contains("was `numwords`, now `min-words`"),
        "{difference}"
    );
    fs::write(folder.path().join("out").join(SUCCESS), "").unwrap();
    out.claim(&recipe("b"), true).unwrap();
    assert!(
        !out.is_sealed().unwrap(),
        "it was the seal of the other recipe"
    );
    assert!(out.claim(&recipe("a"), false).is_err());
    let file = folder.path().join("out/_recipe.json");
    let whole = fs::read(&file).unwrap();
    fs::write(&file, &whole[..8]).unwrap();
    out.claim(&recipe("b"), false).unwrap();
    assert_eq!(fs::read(&file).unwrap(), whole, "a crash left a part of it");
    for other in ["{\"vers2", "[]", "{}"] {
        fs::write(&file, other).unwrap();
        let refused = out.claim(&recipe("b"), true).unwrap_err().to_string();
        assert!(refused.contains("no recipe of `clean`"), "{refused}");
        assert_eq!(fs::read(&file).unwrap(), other.as_bytes());
    }
}

#[test]
fn a_folder_of_somebody_else_is_not_claimed() {
    let folder = tempfile::tempdir().unwrap();
    let out = OutputFolder::new(folder.path());
    assert!(!out.is_output().unwrap());
    for file in ["_SUCCESS", "documents/a.parquet"] {
        let path = folder.path().join(file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, "mine").unwrap();
        let refused = out.claim(&recipe("a"), true).unwrap_err().to_string();
        assert!(refused.contains(file), "{refused}");
        assert!(out.is_output().is_err());
        fs::remove_file(path).unwrap();
    }
    out.claim(&recipe("a"), false).unwrap();
    assert!(out.is_output().unwrap());
}

/// Spark's speculative execution runs two processes on one input. The slower one may begin at
/// any moment.
#[test]
fn a_late_process_removes_nothing_of_one_that_has_completed() {
    let folder = tempfile::tempdir().unwrap();
    let out = OutputFolder::new(folder.path());
    let input = Input {
        kind: InputKind::File(folder.path().join("a.warc")),
        name: "a.warc".to_owned(),
        selected: None,
    };
    fs::write(folder.path().join("a.warc"), "").unwrap();
    let inputs = std::slice::from_ref(&input);
    let tables = |blocks: bool| Tables {
        documents: NAMES.documents,
        blocks: blocks.then_some(NAMES.blocks),
        removed: None,
        links: None,
    };
    let files = [
        out.documents_path("a.warc"),
        folder.path().join("blocks/a.warc.parquet"),
        out.manifest_path("a.warc"),
        folder.path().join(SUCCESS),
    ];
    let row = ManifestRow {
        input: input.name.clone(),
        stamp: input.stamp().unwrap(),
        selected: None,
        recipe: recipe("a"),
        read: warcsieve_warc::ledger::ReadLedger::default(),
        no_crawl: false,
        pages: crate::tally::PageTally::default(),
        outputs: ["documents", "blocks"]
            .map(|table| OutputFile {
                path: format!("{table}/a.warc.parquet"),
                bytes: 0,
                rows: 0,
                sha256: String::new(),
            })
            .into(),
    };
    let end = |ended: &[PathBuf]| {
        for file in ended {
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, "").unwrap();
        }
        if ended.contains(&files[2]) {
            out.store(&row).unwrap();
        }
    };
    for ended in [1, 2, 3, 4] {
        end(&files[..ended]);
        out.reopen(inputs, &recipe("a"), (false, false), tables(true))
            .unwrap();
        assert!(files[..ended].iter().all(|f| f.exists()), "{ended}");
    }
    out.reopen(inputs, &recipe("b"), (false, false), tables(true))
        .unwrap();
    assert!(!files.iter().any(|f| f.exists()), "made otherwise");
    end(&[files[1].clone(), files[3].clone()]);
    out.reopen(inputs, &recipe("a"), (true, false), tables(false))
        .unwrap();
    assert!(!files[1].exists(), "will not be written");
    assert!(!files[3].exists(), "sealed without this input");
}

/// What a run left of an input goes in the same way, whether the input is cleaned again or given up.
#[test]
fn an_input_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let out = OutputFolder::new(folder.path());
    let mut left = vec![
        "txt/a.warc/1.txt".to_owned(),
        "md/a.warc/index.jsonl".to_owned(),
    ];
    left.extend(files_of("a.warc"));
    let remove: [fn(&OutputFolder) -> Result<()>; 2] = [
        |out| out.remove_all_of(&["a.warc"]),
        |out| out.remove_outputs_of(&["a.warc"]),
    ];
    for remove in remove {
        for name in ["a.warc", "b.warc"] {
            for file in &left {
                let file = folder.path().join(file.replace("a.warc", name));
                fs::create_dir_all(file.parent().unwrap()).unwrap();
                fs::write(file, "").unwrap();
            }
        }
        remove(&out).unwrap();
        for file in &left {
            assert!(!folder.path().join(file).exists(), "{file}");
            let other = folder.path().join(file.replace("a.warc", "b.warc"));
            assert!(other.exists(), "{file}");
        }
    }
}

#[test]
fn a_changed_model_is_another_recipe() {
    let folder = tempfile::tempdir().unwrap();
    let out = OutputFolder::new(folder.path().join("out"));
    let claim = |model: &str| {
        let step = "[[step]]\nmethod = 'keep-all'\n";
        let pipeline =
            warcsieve_extract::Pipeline::parse(&warcsieve_classify::CORE, "p.toml", step);
        let mut pipeline = pipeline.unwrap();
        pipeline.model_hash = Some(model.to_owned());
        out.claim(&Recipe::of(&pipeline), false)
    };
    claim("a").unwrap();
    claim("a").unwrap();
    let refused = claim("b").unwrap_err().to_string();
    assert!(refused.contains("the model was "), "{refused}");
}

#[test]
fn only_one_recipe_wins_if_processes_begin_at_once() {
    for _ in 0..20 {
        let folder = tempfile::tempdir().unwrap();
        let out = OutputFolder::new(folder.path());
        let won: usize = thread::scope(|scope| {
            let claims = ["a", "b", "c"].map(|m| {
                let out = &out;
                scope.spawn(move || out.claim(&recipe(m), false).is_ok())
            });
            claims.map(|c| usize::from(c.join().unwrap())).iter().sum()
        });
        assert_eq!(won, 1);
    }
}
