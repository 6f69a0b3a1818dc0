use super::*;
use std::sync::Arc;
use warcsieve_classify::{CORE, Shipped};

fn error(text: &str) -> String {
    Pipeline::parse(&CORE, "p.toml", text)
        .unwrap_err()
        .to_string()
}

#[test]
fn built_in_pipelines_parse_and_begin_with_a_comment() {
    for Shipped { name, text, .. } in CORE.shipped() {
        Pipeline::built_in(&CORE, name).unwrap();
        assert!(text.starts_with("# "), "{name} has no first comment line");
    }
    assert!(
        Pipeline::built_in(&CORE, "nope")
            .unwrap_err()
            .to_string()
            .contains("numwords")
    );
}

#[test]
fn what_is_misspelt_may_be_meant() {
    let step = "[[step]]\nmethod = 'min-words'\nwords = 3\n";
    for (text, meant) in [
        (format!("outptu = 'html'\n{step}"), "output"),
        (format!("output = 'makrdown'\n{step}"), "markdown"),
        (step.replace("min-words", "min-wrods"), "min-words"),
        (step.replace("words = 3", "word = 3"), "words"),
    ] {
        let error = error(&text);
        assert!(
            error.contains(&format!("(did you mean `{meant}`?)")),
            "{error}"
        );
    }
    let error = Pipeline::built_in(&CORE, "defualt")
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("`defualt` (did you mean `default`?); there are"),
        "{error}"
    );
    assert!(
        !Pipeline::built_in(&CORE, "nothing")
            .unwrap_err()
            .to_string()
            .contains("mean")
    );
}

#[test]
fn unknown_keys_are_named_with_their_line() {
    let e = error("block_text = \"all\"\nblok = 1\n[[step]]\nmethod = \"keep-all\"\n");
    assert!(e.starts_with("p.toml:2:") && e.contains("blok"), "{e}");
    let e = error("[[step]]\nmethod = \"min-words\"\n\nwrods = 3\n");
    assert!(e.starts_with("p.toml:4:") && e.contains("wrods"), "{e}");
}

#[test]
fn of_several_faults_methods_come_first_then_settings_then_parameters() {
    let e = error("max_depth = 1\n[[step]]\nmethod = \"kep-all\"\n");
    assert!(e.starts_with("p.toml:3:"), "{e}");
    let e = error("max_depth = 1\n[[step]]\nmethod = \"keep-all\"\nno_such_key = 1\n");
    assert!(e.starts_with("p.toml:1:"), "{e}");
}

#[test]
fn keys_of_layouts_need_each_other() {
    let step = "[[step]]\nmethod = \"keep-all\"\n";
    for (keys, says) in [
        ("layout = \"kept\"", "needs `layouts`"),
        ("layout = \"vdom\"", "needs `layouts`, the folder `vdom`"),
        ("layouts = \"a\"", "needs layout = \"kept\" or \"vdom\""),
        (
            "layout = \"vdom\"\nlayouts = \"a\"\nscreenshots = true",
            "needs layout = \"chromium\"",
        ),
        ("boxes = true", "needs a `layout`"),
        (
            "screenshots = true\nlayout = \"blitz\"",
            "needs layout = \"chromium\"",
        ),
    ] {
        let e = error(&format!("{keys}\n{step}"));
        assert!(e.contains(says), "{e}");
    }
    let kept = || {
        let scratch = tempfile::tempfile().unwrap();
        LayoutSource::Kept(Arc::new(warcsieve_layout::Kept::new(scratch)))
    };
    let text = format!("layout = \"kept\"\nlayouts = \"a\"\n{step}");
    let pipeline = Pipeline::parse(&CORE, "folder/p.toml", &text).unwrap();
    assert_eq!(pipeline.layouts_at(), Some("folder/a".into()));
    let e = pipeline.check_engine().unwrap_err().to_string();
    assert!(e.contains("were not read"), "{e}");
    let mut joined = pipeline.clone();
    joined.join(kept(), Some("abc"));
    assert_eq!(joined.model_hash.as_deref(), Some("abc"));
    assert!(joined.check_engine().is_ok());
    joined.join(kept(), Some("abc"));
    let twice = joined.model_hash.clone();
    assert_ne!(twice.as_deref(), Some("abc"));
    joined.join(kept(), None);
    assert_eq!(joined.model_hash, twice);
    let written = serde_json::to_value(&pipeline.settings).unwrap();
    assert_eq!(written["layouts"], "a");
}

#[test]
fn a_key_is_set_once_and_recorded_if_it_changes_something() {
    let step = "[[step]]\nmethod = 'keep-all'\n";
    let mut pipeline = Pipeline::parse(&CORE, "p.toml", step).unwrap();
    for assignment in [
        "zstd=3",
        "links=absolute",
        "links=page",
        "zstd = 4",
        "blocks=true",
    ] {
        pipeline.set(assignment).unwrap();
    }
    assert_eq!(pipeline.settings.zstd, 4);
    assert_eq!(pipeline.set, ["links = \"page\"", "zstd = 4"]);
    for (assignment, says) in [
        ("zstd", "KEY=VALUE"),
        ("zstdd=3", "(did you mean `zstd`?)"),
        ("zstd=99", "is not within 1 to 22"),
        (
            "http_headers=['a b']",
            "\"a b\" is not the name of a header",
        ),
        ("http_headers=['Age', 'age']", "\"age\" is given twice"),
        ("zstd=fast", "invalid type"),
        ("zstd=3\nblocks=false", "only one key can be set"),
        ("\"zstd\"=3", "only one key can be set"),
        ("records.x=1", "only one key can be set"),
        ("layouts=a", "only set in a pipeline file"),
    ] {
        let error = pipeline.set(assignment).unwrap_err().to_string();
        assert!(error.contains(says), "{assignment}: {error}");
    }
    assert_eq!(pipeline.settings.zstd, 4);
}

#[test]
fn the_tokenizer_can_be_chosen() {
    use warcsieve_html::Tokenizer;
    let step = "[[step]]\nmethod = \"keep-all\"\n";
    let of = |text: &str| {
        Pipeline::parse(&CORE, "p.toml", text)
            .unwrap()
            .settings
            .tokenizer
    };
    assert_eq!(of(step), Tokenizer::Builtin);
    let chosen = format!("tokenizer = \"lol_html\"\n{step}");
    assert_eq!(of(&chosen), Tokenizer::LolHtml);
    let e = error(&format!("tokenizer = \"lol\"\n{step}"));
    assert!(e.starts_with("p.toml:1:") && e.contains("builtin"), "{e}");
}

#[test]
fn the_reader_can_be_chosen_and_a_default_is_not_written() {
    use warcsieve_warc::Reader;
    let step = "[[step]]\nmethod = \"keep-all\"\n";
    let of = |text: &str| Pipeline::parse(&CORE, "p.toml", text).unwrap().settings;
    let settings = of(&format!("reader = \"warc\"\n{step}"));
    assert_eq!(settings.limits().reader, Reader::Warc);
    assert!(!settings.reads_like(&of(step)));
    assert!(!serde_json::to_string(&of(step)).unwrap().contains("reader"));
    let e = error(&format!("reader = \"strict\"\n{step}"));
    assert!(e.starts_with("p.toml:1:") && e.contains("builtin"), "{e}");
}

#[test]
fn wrong_values_are_named_with_their_line() {
    let e = error("\n\nmax_depth = 1\n[[step]]\nmethod = \"keep-all\"\n");
    assert!(e.starts_with("p.toml:3:") && e.contains("max_depth"), "{e}");
    let e = error("[[step]]\nmethod = \"kep-all\"\n");
    assert!(e.starts_with("p.toml:2:") && e.contains("keep-all"), "{e}");
    let e = error("\n[[step]]\n");
    assert!(e.starts_with("p.toml:2:") && e.contains("method"), "{e}");
    let e = error("zstd = 1\n");
    assert!(e.contains("[[step]]"), "{e}");
    let e = error("\n[[step]]\nmethod = \"smoothing\"\n");
    assert!(e.starts_with("p.toml:2:") && e.contains("first"), "{e}");
    let e = error("# max_depth = 9\nmax_depth = 1\n[[step]]\nmethod = \"keep-all\"\n");
    assert!(e.starts_with("p.toml:2:"), "{e}");
    let e = error("step = 3\n");
    assert!(e.starts_with("p.toml:1:") && e.contains("[[step]]"), "{e}");
    let e = error("zstd = 1\n[step]\nmethod = \"keep-all\"\n");
    assert!(e.contains("[[step]]"), "{e}");
}

#[test]
fn pipelines_that_name_others_are_checked() {
    let step = "[[step]]\nmethod = 'keep-all'\n";
    let fallback = |when: &str, name: &str| {
        format!("[[fallback]]\nwhen = \"{when}\"\npipeline = '{name}'\n{step}")
    };
    let filter = "[[filter]]\nkeep = 'n_blocks > 1'\n";
    let union = |names: &str| format!("union = {names}\n{filter}");
    for (text, says) in [
        (
            fallback("confidnce < 0.5", "numwords"),
            "p.toml:2: `when`: no column or signal `confidnce` (did you mean `confidence`?)",
        ),
        (
            fallback("sometimes", "numwords"),
            "or \"removed\", for pages that the filters remove",
        ),
        (
            fallback("removed", "numwords"),
            "p.toml:3: no page is removed, because there is no [[filter]]",
        ),
        (
            fallback("confidence < 0.5", "numwrods"),
            "p.toml:3: no built-in pipeline `numwrods` (did you mean `numwords`?)",
        ),
        (
            fallback("confidence < 0.5", "no.toml"),
            "p.toml:3: pipeline file no.toml: ",
        ),
        (
            fallback("confidence < 0.5", "default-crawl"),
            "p.toml:3: `default-crawl`: a step uses a table of the crawl",
        ),
        (
            "[[fallback]]\nwhen = 'confidence < 0.5'\n".to_owned() + step,
            "p.toml:1: missing field `pipeline`",
        ),
        (
            "[[fallback]]\nwehn = ''\n".to_owned() + step,
            "unknown field `wehn`",
        ),
        (
            format!("fallback = 3\n{step}"),
            "p.toml:1: fallbacks are written [[fallback]]",
        ),
        (
            fallback("confidence < 0.5", "numwords")
                .replace(step, "")
                .repeat(17)
                + step,
            "more than 16 other pipelines",
        ),
        (union("['default']"), "p.toml:1: `union` has at least two"),
        (
            union("['default', 'numwords', 'default']"),
            "p.toml:1: `default` is in `union` twice",
        ),
        (
            union("['default', 'numwrods']"),
            "(did you mean `numwords`?)",
        ),
        (union("'default'"), "p.toml:1: invalid type"),
        (
            "union = ['default', 'numwords']\n".to_owned(),
            "p.toml:1: no page is removed",
        ),
        (
            union("['default', 'numwords']") + step,
            "p.toml:4: `step` is a key of the pipelines that `union` names",
        ),
        (
            "headline = 'keep'\n".to_owned() + &union("['default', 'numwords']"),
            "p.toml:1: `headline` is a key of",
        ),
        (
            "union = ['default', 'numwords']\n".to_owned()
                + &fallback("confidence < 0.5", "numwords"),
            "exclude each other",
        ),
    ] {
        let error = error(&text);
        assert!(error.contains(says), "{error}");
    }
}

#[test]
fn a_named_file_names_no_other_and_has_no_filters() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let write = |name: &str, text: &str| std::fs::write(at(name), text).unwrap();
    let step = "[[step]]\nmethod = 'keep-all'\n";
    let text = format!("[[fallback]]\nwhen = 'confidence < 0.5'\npipeline = './b.toml'\n{step}");
    let error = || {
        Pipeline::parse(&CORE, &at("a.toml"), &text)
            .unwrap_err()
            .to_string()
    };
    for (key, named) in [
        ("fallback", text.replace("b.toml", "a.toml")),
        ("union", "union = ['./a.toml', 'default']".to_owned()),
        ("keep", format!("keep = ['p']\n{step}")),
        ("drop", format!("drop = ['p']\n{step}")),
        (
            "filter",
            format!("[[filter]]\nkeep = 'n_blocks > 1'\n{step}"),
        ),
    ] {
        write("b.toml", &named);
        let why = format!("b.toml:1: a pipeline that another one names has no `{key}`");
        let error = error();
        assert!(
            error.contains("a.toml:3: ") && error.contains(&why),
            "{error}"
        );
    }
    write("b.toml", &step.replace("keep-all", "kep-all"));
    assert!(
        error().contains("b.toml:2: unknown method `kep-all`"),
        "{}",
        error()
    );
    let layout = "layout = 'chromium'\n";
    write("b.toml", &format!("segmentation = 'leaves'\n{step}"));
    let refused = Pipeline::parse(&CORE, &at("a.toml"), &(layout.to_owned() + &text));
    let refused = refused.unwrap_err().to_string();
    assert!(
        refused.contains("all pipelines need the same segmentation"),
        "{refused}"
    );
}

#[test]
fn a_union_is_the_first_pipeline_with_the_keys_of_the_file() {
    let union = "union = ['default', 'numwords']\nzstd = 3\n[[filter]]\nkeep = 'n_blocks > 1'\n";
    let mut pipeline = Pipeline::parse(&CORE, "p.toml", union).unwrap();
    let default = Pipeline::built_in(&CORE, "default").unwrap();
    assert_eq!(
        (pipeline.settings.zstd, pipeline.settings.headline),
        (3, default.settings.headline)
    );
    assert_eq!(pipeline.method, "forest|numwords");
    assert!(pipeline.has_alternatives() && pipeline.has_one_segmentation());
    assert_ne!(pipeline.model_hash, default.model_hash);
    let error = pipeline.set("headline=drop").unwrap_err().to_string();
    assert!(
        error.contains("`headline` is a key of the pipelines"),
        "{error}"
    );
    assert!(pipeline.set("union=[]").is_err());
    pipeline.set("images=true").unwrap();
    let others: Vec<_> = pipeline.alternatives().map(|(_, other)| other).collect();
    assert!(others[0].settings.images);
    assert_eq!(others[0].settings.headline, Headline::Drop);
}

#[test]
fn a_file_changes_the_pipeline_that_it_is_based_on() {
    let parse = |text: &str| Pipeline::parse(&CORE, "p.toml", text).unwrap();
    let base = Pipeline::built_in(&CORE, "default").unwrap();
    let written = |pipeline: &Pipeline| toml::Table::try_from(&pipeline.settings).unwrap();
    let same = parse("extends = 'default'\n");
    assert_eq!(written(&same), written(&base));
    assert_eq!(
        (&same.method, same.segmentation),
        (&base.method, base.segmentation)
    );
    assert_ne!(
        same.model_hash, base.model_hash,
        "it depends on the text of its base"
    );
    let changed = parse(
        "extends = 'default'\nheadline = 'drop'\noutput = 'html'\n[[filter]]\nkeep = 'n_blocks > 1'\n",
    );
    let mut expected = written(&base);
    for key in ["headline", "output"] {
        assert!(expected.remove(key).is_some(), "{key}");
    }
    let mut rest = written(&changed);
    assert_eq!(rest.remove("headline").unwrap().as_str(), Some("drop"));
    assert_eq!(rest.remove("output").unwrap().as_str(), Some("html"));
    assert_eq!(rest, expected);
    assert_eq!(changed.filters.rules().count(), 1);
    // The steps are those of the file, if it has any.
    let stepped = parse("extends = 'default'\n[[step]]\nmethod = 'min-words'\n");
    assert_eq!(stepped.method, "min-words");
    let mut expected = written(&base);
    expected.remove("segmentation");
    let mut rest = written(&stepped);
    rest.remove("segmentation");
    assert_eq!(rest, expected);
}

#[test]
fn every_built_in_pipeline_can_be_a_base() {
    for shipped in CORE.shipped() {
        let based = Pipeline::parse(&CORE, "p.toml", &format!("extends = '{}'\n", shipped.name));
        let own = Pipeline::built_in(&CORE, shipped.name).unwrap();
        assert_eq!(based.unwrap().method, own.method);
    }
}

#[test]
fn a_wrong_base_is_named_with_its_line() {
    for (text, says) in [
        (
            "images = true\nextends = 'defualt'\n",
            "p.toml:2: no built-in pipeline `defualt` (did you mean `default`?); `warcsieve methods` lists them",
        ),
        (
            "extends = 1\n",
            "p.toml:1: `extends` is the name of a built-in",
        ),
        (
            "extends = 'default'\nunion = ['default', 'tree']\n",
            "p.toml:1: `extends` and `union` exclude each other",
        ),
        (
            "extends = 'default'\nheadline = 'x'\n",
            "p.toml:2: unknown variant `x`",
        ),
    ] {
        assert!(error(text).starts_with(says), "{}", error(text));
    }
    let mut pipeline = Pipeline::built_in(&CORE, "default").unwrap();
    assert!(pipeline.set("extends=default").is_err());
}
