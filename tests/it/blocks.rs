//! The blocks of pages do what is printed: all blocks of the readme, and the first commands of each
//! page in `docs/`, are run in a folder that has the files which pages speak of.

use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// How lines begin that are not run here. What they name is checked by the tests of `docs.rs`, and
/// run by tasks of `cargo xtask`.
const NOT_RUN: [&str; 6] = [
    "make ",
    "cargo ",
    "pip ",
    "python ",
    "spark-submit ",
    "target/release/",
];

/// What is in lines that need a network, an object store, or files that are not in the repository.
const ELSEWHERE: [&str; 3] = ["s3://", "https://", "../shared/"];

/// Names in pages, and what stands for them in the folder of a test.
const NAMES: [(&str, &str); 5] = [
    (
        "http://…",
        "https://courier.marrowbay.example/harbour/ferry-returns",
    ),
    ("clueweb12-0000tw-00-00007", "testdata-0001"),
    ("raw.run", "testdata/retrieval/random-0.run"),
    ("bte.run cleaned.run", "testdata/retrieval/random-0.run"),
    ("qrels.txt", "testdata/retrieval/random-0.qrels"),
];

struct Block {
    language: String,
    text: String,
}

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The code blocks of a page.
fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for event in Parser::new_ext(page, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => {
                let language = match kind {
                    CodeBlockKind::Fenced(language) => language.into_string(),
                    CodeBlockKind::Indented => "sh".to_owned(),
                };
                let text = String::new();
                open = Some(Block { language, text });
            }
            Event::Text(text) if open.is_some() => {
                open.iter_mut().for_each(|block| block.text += &text);
            }
            Event::End(TagEnd::CodeBlock) => blocks.extend(open.take()),
            _ => {}
        }
    }
    blocks
}

/// The code spans of a page that are commands with arguments.
fn spans(page: &str) -> Vec<String> {
    let spans = Parser::new_ext(page, Options::ENABLE_TABLES).filter_map(|event| match event {
        Event::Code(code) => Some(code.into_string()),
        _ => None,
    });
    let is_command =
        |code: &String| code.starts_with("warcsieve ") && code.matches(' ').count() > 1;
    spans.filter(is_command).collect()
}

/// All pages of the documentation, by their names.
fn pages() -> Vec<(String, String)> {
    let mut folders = vec![repository().join("docs")];
    let mut paths = vec![repository().join("README.md")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    paths.extend(Some(path).filter(|p| p.extension().is_some_and(|e| e == "md")))
                }
            }
        }
    }
    paths.sort();
    let named = paths.iter().map(|path| {
        let name = path.strip_prefix(repository()).unwrap();
        (
            name.to_str().unwrap().to_owned(),
            fs::read_to_string(path).unwrap(),
        )
    });
    named.collect()
}

/// The commands of a block: continued lines are joined, comments dropped.
fn commands(block: &str) -> Vec<String> {
    let joined = block.replace("\\\n", " ");
    let lines = joined.lines().map(|line| {
        let code = line.split(" #").next().unwrap_or_default();
        code.trim().to_owned()
    });
    lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .collect()
}

/// A folder with the files that pages speak of.
struct Place(tempfile::TempDir);

impl Place {
    /// Without what these commands make.
    fn new(commands: &[String]) -> Self {
        let place = Self(tempfile::tempdir().unwrap());
        let testdata = repository().join("testdata");
        std::os::unix::fs::symlink(&testdata, place.path("testdata")).unwrap();
        let all = commands.join("\n");
        let is_named = |name: &str| all.contains(name);
        let copy = |from: &str, to: &str| {
            let to = place.path(to);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::copy(testdata.join(from), to).unwrap();
        };
        for name in [
            "en0000/00.warc.gz",
            "en0000/01.warc.gz",
            "damaged/02.warc.gz",
        ] {
            let file = name.rsplit('/').next().unwrap();
            copy(&format!("crawl/{name}"), &format!("crawl/{file}"));
        }
        for name in ["crawl.warc.gz", "pages.warc.gz", "PAGES.warc.gz"] {
            copy("crawl/en0000/00.warc.gz", name);
        }
        for name in ["gold.jsonl", "gold/gold.jsonl", "GOLD.jsonl.gz"] {
            copy("gold.jsonl", name);
        }
        for name in ["page.html", "pages/a.html", "pages/b.html"] {
            copy("pages/news.html", name);
        }
        fs::write(place.path("removed.txt"), "https://a.example/gone\n").unwrap();
        fs::create_dir(place.path("record_counts")).unwrap();
        fs::write(
            place.path("record_counts/crawl_counts.txt"),
            "*./crawl/00.warc.gz 18\n",
        )
        .unwrap();
        if is_named("--select pages.cdxj") {
            place.run(
                "warcsieve cdx crawl/00.warc.gz --out index && cp index/*.cdxj pages.cdxj",
                &[0],
            );
        }
        for (name, pipeline) in [("corpus", "default"), ("corpus-numwords", "numwords")] {
            let is_made = is_named(&format!("--out {name}"));
            if is_named(name) && !is_made {
                let set = "--set link_table=true --pipeline";
                place.run(
                    &format!("warcsieve clean crawl/ {set} {pipeline} --out {name}"),
                    &[10],
                );
            }
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs a line of shell, which must end with one of these codes. Returns what was printed.
    fn run(&self, line: &str, codes: &[i32]) -> String {
        let program = assert_cmd::cargo::cargo_bin("warcsieve");
        let folders = [program.parent().unwrap().as_os_str().to_owned()];
        let path = std::env::var_os("PATH").unwrap_or_default();
        let all = folders
            .into_iter()
            .chain(std::env::split_paths(&path).map(Into::into));
        let mut command = Command::new("sh");
        command.args(["-c", line]).current_dir(self.0.path());
        command.env("PATH", std::env::join_paths(all).unwrap());
        let output = command.output().unwrap();
        let log = String::from_utf8_lossy(&output.stderr);
        let code = output.status.code().unwrap();
        assert!(codes.contains(&code), "`{line}` ends with {code}: {log}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// Runs the commands that can be run here, and returns how many they were. The crawl in testdata is damaged on
    /// purpose, so they may end with 10.
    fn run_all(&self, page: &str, commands: &[String]) -> usize {
        let mut run = 0;
        for command in commands {
            if NOT_RUN.iter().any(|begin| command.starts_with(begin))
                || ELSEWHERE.iter().any(|part| command.contains(part))
            {
                continue;
            }
            assert!(
                command.starts_with("warcsieve "),
                "{page}: what is `{command}`?"
            );
            let name = |line: String, (theirs, ours): &(&str, &str)| line.replace(theirs, ours);
            let line = NAMES.iter().fold(command.replace(" --open", ""), name);
            self.run(&line, &[0, 10]);
            run += 1;
        }
        run
    }
}

#[test]
fn the_first_commands_of_each_page_can_be_typed() {
    let mut run = 0;
    for (page, text) in pages() {
        let all = blocks(&text);
        let Some(first) = all.iter().find(|block| block.language == "sh") else {
            continue;
        };
        if page == "README.md" {
            continue;
        }
        let commands = commands(&first.text);
        let place = Place::new(&commands);
        if let Some(pipeline) = all.iter().find(|block| block.language == "toml") {
            fs::write(place.path("mine.toml"), &pipeline.text).unwrap();
        }
        run += place.run_all(&page, &commands);
    }
    assert!(run > 30, "{run}");
}

#[test]
fn every_block_of_the_readme_does_what_it_says() {
    let page = fs::read_to_string(repository().join("README.md")).unwrap();
    let blocks = blocks(&page);
    let shell = blocks.iter().filter(|block| block.language == "sh");
    let mut commands: Vec<_> = shell.flat_map(|block| commands(&block.text)).collect();
    commands.extend(spans(&page));
    let place = Place::new(&commands);
    assert!(place.run_all("README.md", &commands) > 4);
    let mut seen = [0; 3];
    for block in &blocks {
        match &*block.language {
            "toml" => {
                let mut lines = block
                    .text
                    .lines()
                    .map(|line| line.split('#').next().unwrap().trim());
                let name = block.text.lines().next().unwrap().trim_start_matches("# ");
                let shipped = fs::read_to_string(repository().join(name)).unwrap();
                assert!(lines.all(|line| shipped.contains(line)), "{name}");
                seen[0] += 1;
            }
            "rust" => {
                let own = include_str!("blocks.rs").replace("\n    ", "\n");
                let is_there = block.text.lines().all(|line| own.contains(line.trim_end()));
                assert!(is_there, "the test of the library has other lines");
                seen[1] += 1;
            }
            "" => {
                let files = block
                    .text
                    .lines()
                    .filter_map(|line| line.strip_prefix("corpus/"));
                for file in files.map(|line| line.split(' ').next().unwrap()) {
                    assert!(place.path("target/corpus").join(file).is_file(), "{file}");
                    seen[2] += 1;
                }
            }
            // The labels are compared in `docs.rs`, and the query is run by `cargo xtask clients`.
            "html" | "sql" | "sh" => {}
            other => panic!("who checks blocks of {other}?"),
        }
    }
    assert_eq!(seen, [1, 1, 4]);
}

#[test]
fn the_readme_shows_the_library_as_it_is() {
    let html =
        "<h1>A</h1><p>Ten words of text are needed, and here there are some more of them.</p>";
    assert_eq!(library(html).unwrap(), 39);
}

/// The lines of the readme.
#[rustfmt::skip]
fn library(html: &str) -> Result<usize, Box<dyn std::error::Error>> {
    let mut records = 0;
    let page = warcsieve::extract(html)?;
    println!("{}\n{}", page.title(), page.text());
    for block in page.blocks() {
        let label = block.label;
        println!("{} {:.2} {}: {}", label.content, label.score, block.reason, block.text);
    }
    for record in warcsieve::WarcReader::open("testdata/crawl/en0000/00.warc.gz")? {
        println!("{}", record?.location.offset);
        records += 1;
    }
    Ok(records)
}

#[test]
fn toml_in_pages_is_toml() {
    let mut read = 0;
    for (page, text) in pages() {
        for block in blocks(&text)
            .iter()
            .filter(|block| block.language == "toml")
        {
            let parsed = block.text.parse::<toml::Table>();
            parsed.unwrap_or_else(|e| panic!("{page}: {e}"));
            read += 1;
        }
    }
    assert!(read > 10, "{read}");
}
