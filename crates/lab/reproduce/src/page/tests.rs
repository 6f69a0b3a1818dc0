use super::*;
use std::fs;
use std::path::Path;

/// The text files of a folder of this crate, by their paths in it.
pub fn files(folder: &str) -> BTreeMap<String, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let (mut files, mut folders) = (BTreeMap::new(), vec![root.clone()]);
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(&root).unwrap().to_str().unwrap();
            files.insert(name.to_owned(), fs::read_to_string(&path).unwrap());
        }
    }
    files
}

/// The code without this file.
pub fn sources() -> BTreeMap<String, String> {
    let mut files = files("src");
    files.remove("page/tests.rs");
    files
}

fn between<'t>(text: &'t str, start: &str, end: &str) -> BTreeSet<&'t str> {
    let rest = text.split(start).skip(1);
    rest.filter_map(|rest| Some(rest.split_once(end)?.0))
        .collect()
}

#[test]
fn texts_are_put_at_their_places() {
    let page = Page::new("x.md", "# {{title}}\n\n{{n}} pages of {{title}}.\n");
    let page = page.put("title", "X").put("n", 3);
    assert_eq!(page.text().unwrap(), "# X\n\n3 pages of X.\n");
}

#[test]
fn a_missing_or_an_unknown_place_is_an_error() {
    let fault = |template, place| {
        let page = Page::new("x.md", template).put(place, "text");
        page.text().unwrap_err().to_string()
    };
    assert_eq!(fault("{{a}} {{b}}", "a"), "x.md: nothing is put at `b`");
    assert_eq!(fault("a", "a"), "x.md: there is no place `a`");
    assert_eq!(fault("{{a", "a"), "x.md: `{{` without `}}`");
}

/// A run of half an hour must not fail because of a misspelled place.
#[test]
fn every_place_is_put_by_the_module_of_its_page() {
    let (templates, sources) = (files("pages"), sources());
    let mut seen = BTreeSet::new();
    let modules: BTreeSet<&str> = sources
        .keys()
        .filter_map(|file| file.split(['/', '.']).next())
        .collect();
    for module in modules {
        let own = sources.iter().filter(|(file, _)| {
            let rest = file.strip_prefix(module);
            rest.is_some_and(|rest| rest.starts_with(['/', '.']))
        });
        let code: String = own
            .map(|(_, code)| code.split_whitespace().collect::<String>())
            .collect();
        let pages = between(&code, "page!(\"", "\"");
        let mut places = BTreeSet::new();
        for page in &pages {
            let template = templates.get(*page);
            let template = template.unwrap_or_else(|| panic!("no pages/{page}"));
            places.extend(
                between(template, "{{", "}}")
                    .into_iter()
                    .map(|place| place.replace(' ', "")),
            );
        }
        let put = between(&code, ".put(\"", "\"");
        if !pages.is_empty() {
            let put: BTreeSet<String> = put.into_iter().map(str::to_owned).collect();
            assert_eq!(places, put, "{module}");
        }
        seen.extend(pages.into_iter().map(str::to_owned));
    }
    assert!(seen.contains("noise-blocks.md"));
    assert_eq!(seen, templates.into_keys().collect());
}
