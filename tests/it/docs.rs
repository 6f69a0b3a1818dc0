//! The documentation is complete: its links resolve, the site lists every page, every page begins
//! with a command to try, and the commands that pages name exist.

use crate::common::warcsieve;
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Pages outside `docs/` that are checked, too.
const OUTSIDE: [&str; 5] = [
    "ARCHITECTURE.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "README.md",
    "SECURITY.md",
];

const SUMMARY: &str = "docs/SUMMARY.md";

/// How a command that a reader can try begins.
const COMMANDS: [&str; 7] = [
    "warcsieve ",
    "make ",
    "cargo ",
    "pip ",
    "python",
    "import ",
    "from ",
];

/// Texts of pages by their paths in the repository.
type Pages = BTreeMap<String, String>;

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn pages() -> Pages {
    let mut paths: Vec<_> = OUTSIDE.iter().map(|p| repository().join(p)).collect();
    let mut folders = vec![repository().join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "md") {
                paths.push(path);
            }
        }
    }
    let page = |path: &PathBuf| {
        let name = path.strip_prefix(repository()).unwrap();
        let name = name.to_str().unwrap().replace('\\', "/");
        (name, fs::read_to_string(path).unwrap())
    };
    paths.iter().map(page).collect()
}

/// What the checks need of a page.
#[derive(Default)]
struct Markdown {
    links: Vec<String>,
    anchors: BTreeSet<String>,
    /// Code spans, and the lines of code blocks.
    code: Vec<String>,
    /// Whether a paragraph has words that are not code.
    has_prose: bool,
}

impl Markdown {
    fn parse(text: &str) -> Self {
        let mut page = Self::default();
        let mut heading: Option<String> = None;
        let (mut is_code, mut is_paragraph) = (false, false);
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    page.links.push(dest_url.into_string());
                }
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    page.add_anchor(&slug(&heading.take().unwrap_or_default()));
                }
                Event::Start(Tag::CodeBlock(_)) => is_code = true,
                Event::End(TagEnd::CodeBlock) => is_code = false,
                Event::Start(Tag::Paragraph) => is_paragraph = true,
                Event::End(TagEnd::Paragraph) => is_paragraph = false,
                Event::Text(text) if is_code => {
                    page.code.extend(text.lines().map(str::to_owned));
                }
                Event::Text(text) => {
                    page.has_prose |= is_paragraph && text.chars().any(char::is_alphabetic);
                    if let Some(heading) = &mut heading {
                        heading.push_str(&text);
                    }
                }
                Event::Code(code) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&code);
                    }
                    page.code.push(code.into_string());
                }
                _ => {}
            }
        }
        page
    }

    /// Headings of the same words are numbered from the second on.
    fn add_anchor(&mut self, slug: &str) {
        let mut anchor = slug.to_owned();
        let mut n = 0;
        while !self.anchors.insert(anchor) {
            n += 1;
            anchor = format!("{slug}-{n}");
        }
    }

    /// Words that follow `program` in code: `demo` in `make demo`. Options and paths are none.
    fn named_after(&self, program: &str) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        for line in &self.code {
            let words: Vec<_> = line.split_whitespace().collect();
            for pair in words.windows(2) {
                if pair[0].trim_start_matches(['"', '\'']) == program && is_name(pair[1]) {
                    names.insert(pair[1]);
                }
            }
        }
        names
    }

    /// Names of figures: `accuracy` in `cargo xtask reproduce accuracy` and in `make reproduce NAME=accuracy`.
    fn figures(&self) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        for line in &self.code {
            let words: Vec<_> = line.split_whitespace().collect();
            for three in words.windows(3) {
                names.extend(match [three[0], three[1]] {
                    ["xtask", "reproduce"] => Some(three[2]).filter(|word| is_name(word)),
                    ["make", "reproduce"] => three[2].strip_prefix("NAME="),
                    _ => None,
                });
            }
        }
        names
    }
}

/// Whether a word can be the name of a target, a task or a command.
fn is_name(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_lowercase())
        && word
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
}

/// The anchor that GitHub and mdBook give a heading.
fn slug(heading: &str) -> String {
    let lower = heading.trim().to_lowercase();
    let kept = lower
        .chars()
        .filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// The path that a link of `page` leads to; `None` if it leaves the repository.
fn target(page: &str, path: &str) -> Option<String> {
    if path.is_empty() {
        return Some(page.to_owned());
    }
    let mut parts: Vec<_> = page.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Relative links that do not resolve, or leave `docs/`, which is all that the site holds.
fn dead_links(pages: &Pages, exists: impl Fn(&str) -> bool) -> Vec<String> {
    let parsed: BTreeMap<_, _> = pages
        .iter()
        .map(|(name, text)| (name.as_str(), Markdown::parse(text)))
        .collect();
    let mut dead = Vec::new();
    for (page, markdown) in &parsed {
        let relative = markdown.links.iter().filter(|l| !l.contains(':'));
        for link in relative {
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let why = match target(page, path) {
                None => "leaves the repository",
                Some(t) if page.starts_with("docs/") && !t.starts_with("docs/") => "leaves docs/",
                Some(t) if !exists(&t) => "no such file",
                Some(t) if !anchor.is_empty() => match parsed.get(t.as_str()) {
                    Some(m) if m.anchors.contains(anchor) => continue,
                    _ => "no such heading",
                },
                Some(_) => continue,
            };
            dead.push(format!("{page}: {link}: {why}"));
        }
    }
    dead
}

/// Pages that the table of contents lacks, has twice, or has without their being there.
fn faults_of_summary(pages: &Pages) -> Vec<String> {
    let mut listed: BTreeMap<String, usize> = BTreeMap::new();
    for link in &Markdown::parse(&pages[SUMMARY]).links {
        *listed.entry(target(SUMMARY, link).unwrap()).or_default() += 1;
    }
    let on_site = |name: &&String| name.starts_with("docs/") && *name != SUMMARY;
    let mut faults = Vec::new();
    for page in pages.keys().filter(on_site) {
        match listed.remove(page) {
            Some(1) => {}
            Some(n) => faults.push(format!("{page}: listed {n} times")),
            None => faults.push(format!("{page}: not listed")),
        }
    }
    faults.extend(listed.keys().map(|p| format!("{p}: no such page")));
    faults
}

/// The text of a page between its title and its first heading of the second level.
fn opening(text: &str) -> &str {
    let (mut start, mut end) = (0, text.len());
    for (event, place) in Parser::new_ext(text, Options::ENABLE_TABLES).into_offset_iter() {
        if let Event::Start(Tag::Heading { level, .. }) = event {
            match level {
                HeadingLevel::H1 => start = place.end,
                HeadingLevel::H2 => {
                    end = place.start;
                    break;
                }
                _ => {}
            }
        }
    }
    &text[start..end]
}

/// Pages of the site that begin without prose, or without a command to try.
fn faults_of_openings(pages: &Pages) -> Vec<String> {
    let on_site = |(name, _): &(&String, &String)| name.starts_with("docs/") && *name != SUMMARY;
    let mut faults = Vec::new();
    for (page, text) in pages.iter().filter(on_site) {
        let start = Markdown::parse(opening(text));
        let is_command = |code: &String| COMMANDS.iter().any(|c| code.starts_with(c));
        if !start.has_prose {
            faults.push(format!("{page}: no prose before its first `## ` heading"));
        }
        if !start.code.iter().any(is_command) {
            faults.push(format!("{page}: no command before its first `## ` heading"));
        }
    }
    faults
}

fn targets_of_make() -> BTreeSet<String> {
    let makefile = fs::read_to_string(repository().join("Makefile")).unwrap();
    let rules = makefile.lines().filter_map(|l| l.split_once(':'));
    let rules = rules.filter(|(name, rest)| !name.contains(' ') && !rest.starts_with('='));
    rules.map(|(name, _)| name.to_owned()).collect()
}

/// Names in the table of `cargo xtask`: those of `tasks`, or those of `figures`, which follow `reproduce`.
fn names_of_xtask(folder: &str) -> BTreeSet<String> {
    let files = fs::read_dir(repository().join("xtask/src").join(folder)).unwrap();
    let texts = files.map(|file| fs::read_to_string(file.unwrap().path()).unwrap());
    let texts: Vec<_> = texts.collect();
    let lines = texts.iter().flat_map(|text| text.lines());
    let names = lines.filter_map(|line| line.trim().strip_prefix("name: \"")?.strip_suffix("\","));
    names
        .filter(|name| is_name(name))
        .map(str::to_owned)
        .collect()
}

fn subcommands() -> BTreeSet<String> {
    let (code, help, log) = warcsieve(&["--help"]);
    assert_eq!(code, 0, "{log}");
    let (_, commands) = help.split_once("Pages:\n").unwrap();
    let (commands, _) = commands.split_once("Options:\n").unwrap();
    let names = commands.lines().filter(|l| l.starts_with("  "));
    let names: BTreeSet<_> = names
        .filter_map(|l| l.split_whitespace().next())
        .map(str::to_owned)
        .collect();
    assert!(names.contains("clean") && names.contains("man"), "{help}");
    names
}

#[test]
fn every_link_resolves_and_those_of_the_site_stay_in_it() {
    let dead = dead_links(&pages(), |path| repository().join(path).exists());
    assert!(dead.is_empty(), "{}", dead.join("\n"));
}

#[test]
fn the_summary_lists_every_page_once() {
    let faults = faults_of_summary(&pages());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_labels_that_the_readme_shows_are_those_of_the_default() {
    let readme = fs::read_to_string(repository().join("README.md")).unwrap();
    let (_, shown) = readme.split_once("shortened; `+` is kept").unwrap();
    let shown = shown.split("```").nth(1).unwrap();
    let crawl = repository().join("testdata/crawl/en0000/00.warc.gz");
    let crawl = crawl.display().to_string();
    let (code, out, log) = warcsieve(&["inspect", &crawl, "--id", "testdata-0001"]);
    assert_eq!(code, 0, "{log}");
    let flat = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let (out, mut at) = (flat(&out), 0);
    for line in shown.lines() {
        for piece in line.split('…').map(flat).filter(|piece| !piece.is_empty()) {
            let piece = piece.trim_end_matches(',');
            let found = out[at..].find(piece);
            at += found.unwrap_or_else(|| panic!("`{piece}` is not what is printed"));
        }
    }
    assert!(at > 0);
}

#[test]
fn every_page_begins_with_prose_and_a_command_to_try() {
    let faults = faults_of_openings(&pages());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_command_that_a_page_names_exists() {
    let (targets, commands) = (targets_of_make(), subcommands());
    let (mut tasks, figures) = (names_of_xtask("tasks"), names_of_xtask("figures"));
    tasks.insert("reproduce".to_owned());
    assert!(tasks.contains("check") && figures.contains("accuracy"));
    let pages = pages();
    let mut unknown = Vec::new();
    for (page, text) in &pages {
        let markdown = Markdown::parse(text);
        for (program, known) in [("make", &targets), ("warcsieve", &commands)] {
            let named = markdown.named_after(program);
            assert!(
                page != "README.md" || named.len() > 2,
                "{program}: {named:?}"
            );
            let named = named.iter().filter(|name| !known.contains(**name));
            unknown.extend(named.map(|name| format!("{page}: {program} {name}")));
        }
        for (command, named, known) in [
            ("xtask", markdown.named_after("xtask"), &tasks),
            ("reproduce", markdown.figures(), &figures),
        ] {
            let named = named.iter().filter(|name| !known.contains(**name));
            unknown.extend(named.map(|name| format!("{page}: {command} {name}")));
        }
    }
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
}

#[test]
fn the_checks_see_what_is_wrong() {
    let pages: Pages = [
        (
            "docs/a.md",
            "# A `b`, c!\n# Same\n# Same\n[1](#a-b-c) [2](#same-1) [3](b/c.md#c) [4](../README.md)\n\
             [5](#same-2) [6](b/none.md) [7](b/c.md#none) ![8](../../x.svg) [9](https://example.org/none)",
        ),
        ("docs/b/c.md", "# C\n[1](../a.md)"),
        (SUMMARY, "- [A](a.md)\n- [A](a.md)\n- [None](none.md)"),
        ("README.md", "[1](docs/a.md#same) [2](docs/b/d.md)"),
    ]
    .map(|(name, text)| (name.to_owned(), text.to_owned()))
    .into();
    assert_eq!(
        dead_links(&pages, |path| pages.contains_key(path)),
        [
            "README.md: docs/b/d.md: no such file",
            "docs/SUMMARY.md: none.md: no such file",
            "docs/a.md: ../README.md: leaves docs/",
            "docs/a.md: #same-2: no such heading",
            "docs/a.md: b/none.md: no such file",
            "docs/a.md: b/c.md#none: no such heading",
            "docs/a.md: ../../x.svg: leaves the repository",
        ]
    );
    assert_eq!(
        faults_of_summary(&pages),
        [
            "docs/a.md: listed 2 times",
            "docs/b/c.md: not listed",
            "docs/none.md: no such page",
        ]
    );
    let openings: Pages = [
        (
            "docs/block.md",
            "# A\nFor b.\n\n```sh\ncd x\nmake y\n```\n## C\n",
        ),
        ("docs/span.md", "# A\nFor b: `pip install c`.\n"),
        (
            "docs/python.md",
            "# A\nFor b.\n\n    python3 c.py\n\n## C\n",
        ),
        (
            "docs/title.md",
            "# What `make x` does\nFor b, by warcsieve.\n",
        ),
        (
            "docs/late.md",
            "# A\nFor b: `crawl/`.\n\n## C\n`cargo run`\n",
        ),
        (
            "docs/fence.md",
            "# A\nFor b.\n```sh\n## c\ncargo run\n```\n",
        ),
        (
            "docs/bare.md",
            "# A\n`make x`\n\n| b |\n|---|\n| c |\n\n## C\nd\n",
        ),
        (SUMMARY, "# Summary\n"),
        ("README.md", "# A\n"),
    ]
    .map(|(name, text)| (name.to_owned(), text.to_owned()))
    .into();
    assert_eq!(
        faults_of_openings(&openings),
        [
            "docs/bare.md: no prose before its first `## ` heading",
            "docs/late.md: no command before its first `## ` heading",
            "docs/title.md: no command before its first `## ` heading",
        ]
    );
    let code =
        "To make up: `make demo`\n```sh\nmake -C x # warcsieve\n\"warcsieve clean a\"\n```\n";
    let markdown = Markdown::parse(code);
    assert_eq!(markdown.named_after("make"), ["demo"].into());
    assert_eq!(markdown.named_after("warcsieve"), ["clean"].into());
    let code = "`cargo xtask kill`, `cargo xtask --list`, `cargo xtask reproduce NAME`\n```sh\n\
                cargo xtask reproduce soft PRICE=1\nmake reproduce NAME=costs\n```\n";
    let markdown = Markdown::parse(code);
    assert_eq!(markdown.named_after("xtask"), ["kill", "reproduce"].into());
    assert_eq!(markdown.figures(), ["costs", "soft"].into());
}

/// `docs/limits.md` is a list that people rely on, so each line must say why, and each bound must be
/// that of the code.
#[test]
fn limits_say_why_and_bounds_are_those_of_the_code() {
    let page = fs::read_to_string("docs/limits.md").unwrap();
    let mut compared = 0;
    for row in page.lines().filter(|line| line.contains(".rs` `")) {
        let cells: Vec<_> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [_, bound, place, over] = cells[..] else {
            panic!("{row}");
        };
        assert!(!over.is_empty(), "{row}");
        let value = bound.split('`').nth(1).unwrap();
        let names: Vec<_> = place.split('`').collect();
        let (file, name) = (names[1], names[3]);
        let source = fs::read_to_string(file).unwrap_or_else(|e| panic!("{file}: {e}"));
        let is_there = source.lines().any(|line| {
            let line = line.trim();
            let is_const =
                line.contains(&format!("const {name}: ")) && line.ends_with(&format!("= {value};"));
            is_const || line == format!("{name}: {value},")
        });
        assert!(is_there, "{name} is not {value} in {file}");
        compared += 1;
    }
    assert!(compared > 10, "{compared}");
    for item in page.lines().filter(|line| line.starts_with('*')) {
        let (what, why) = item
            .split_once("**: ")
            .unwrap_or_else(|| panic!("no reason: {item}"));
        assert!(what.starts_with("* **") && why.ends_with('.'), "{item}");
    }
}
