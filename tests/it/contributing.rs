//! A method added by the steps of CONTRIBUTING.md, to the letter.

use std::fs;
use std::path::Path;
use std::process::Command;

/// What a copy of the repository needs so that the page layer builds and its tests run.
const PARTS: [&str; 11] = [
    "Cargo.toml",
    "Cargo.lock",
    "crates",
    "src",
    "tests",
    "benches",
    "examples",
    "docs",
    "models",
    "pipelines",
    "xtask",
];

fn copy(from: &Path, to: &Path) {
    // Crates have links to the models and pipelines beside them.
    #[cfg(unix)]
    if from.is_symlink() {
        std::os::unix::fs::symlink(fs::read_link(from).unwrap(), to).unwrap();
        return;
    }
    if from.is_dir() {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap() {
            let entry = entry.unwrap();
            copy(&entry.path(), &to.join(entry.file_name()));
        }
    } else {
        fs::copy(from, to).unwrap();
    }
}

/// The text of the first block of that language after `start`, without its indentation.
fn block<'a>(page: &'a str, start: &str, language: &str) -> (&'a str, String) {
    let (_, rest) = page
        .split_once(start)
        .unwrap_or_else(|| panic!("no {start}"));
    let (_, rest) = rest.split_once(&format!("   ```{language}\n")).unwrap();
    let (block, rest) = rest.split_once("   ```\n").unwrap();
    let lines = block
        .lines()
        .map(|line| line.strip_prefix("   ").unwrap_or(line));
    (rest, lines.map(|line| format!("{line}\n")).collect())
}

fn insert(path: &Path, before: &str, text: &str) {
    let page = fs::read_to_string(path).unwrap();
    let at = page
        .find(before)
        .unwrap_or_else(|| panic!("no {before} in {}", path.display()));
    fs::write(path, format!("{}{text}{}", &page[..at], &page[at..])).unwrap();
}

#[test]
fn a_method_is_added_by_the_five_steps() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(home.join("CONTRIBUTING.md")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let copied = folder.path();
    for part in PARTS.into_iter().chain(["testdata"]) {
        copy(&home.join(part), &copied.join(part));
    }
    let methods = copied.join("crates/lab/papers/src");

    let (rest, code) = block(
        &page,
        "1. **A file** `crates/lab/papers/src/every_nth.rs`",
        "rust",
    );
    fs::write(methods.join("every_nth.rs"), code).unwrap();
    assert!(rest.contains("2. **Two lines** in `crates/lab/papers/src/lib.rs`: `mod every_nth;`, and `every_nth::METHOD,`"));
    insert(&methods.join("lib.rs"), "pub mod goce;", "mod every_nth;\n");
    insert(
        &methods.join("lib.rs"),
        "        smoothing::METHOD,",
        "        every_nth::METHOD,\n",
    );
    let (rest, pipeline) = block(rest, "3. **A pipeline** `pipelines/every-nth.toml`", "toml");
    fs::write(copied.join("pipelines/every-nth.toml"), pipeline).unwrap();
    let (rest, row) = block(rest, "in the table of `docs/pipelines.md`", "markdown");
    insert(&copied.join("docs/pipelines.md"), "| `numwords`,", &row);
    let (_, commands) = block(rest, "5. **Tests**", "sh");

    // As printed, but without the tests of time, which take most of it.
    let script = format!("{} -- --skip linear_time", commands.trim_end());
    let output = Command::new("sh")
        .args(["-e", "-c", &script])
        .current_dir(copied)
        .env(
            "CARGO_TARGET_DIR",
            Path::new(env!("CARGO_TARGET_TMPDIR")).join("contributing"),
        )
        // The build takes most of the time.
        .env("CARGO_PROFILE_DEV_OPT_LEVEL", "0")
        .env("CARGO_PROFILE_DEV_DEBUG", "false")
        .env("CARGO_NET_OFFLINE", "true")
        .env("INSTA_WORKSPACE_ROOT", copied)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{script}\n{said}\n{error}");
    assert!(
        said.contains("every_second_block_is_content ... ok"),
        "{said}"
    );
    let docs = fs::read_to_string(copied.join("docs/methods.md")).unwrap();
    assert!(docs.contains("### every-nth\n\nAn example, good for nothing.\n\nNot measured yet.\n"));
    let golden = copied.join("crates/lab/papers/tests/snapshots/golden__every-nth.snap");
    assert!(
        fs::read_to_string(golden)
            .unwrap()
            .contains("[its number is a multiple of n]")
    );
}
