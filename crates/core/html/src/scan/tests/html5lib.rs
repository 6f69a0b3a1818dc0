//! Runs the tests of html5lib that concern tags and text.

use super::standard::{Standard, push_text, sorted, standard, without_nul};
use super::*;
use serde_json::Value;
use std::collections::BTreeMap;

/// Why a test is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum LeftOut {
    /// Its input is not Unicode text.
    Surrogate,
    /// Its input ends inside an end tag, in raw text.
    CutOff,
}

fn folder() -> Option<std::path::PathBuf> {
    let shared = std::env::var_os("WARCSIEVE_SHARED").map_or_else(
        || std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared"),
        Into::into,
    );
    let folder = shared.join("html5lib-tests/tokenizer");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("{} is missing: not tested", folder.display());
    None
}

/// The tokens that a test of that suite expects, without comments and doctypes.
fn expected(output: &Value) -> Vec<Standard> {
    let mut tokens = Vec::new();
    for token in output.as_array().unwrap() {
        let text = |n: usize| token[n].as_str().unwrap_or_default();
        match text(0) {
            "Character" => push_text(&mut tokens, text(1)),
            "StartTag" => {
                let attrs = token[2].as_object().unwrap().iter();
                let attrs = attrs.map(|(n, v)| (n.clone(), v.as_str().unwrap().to_owned()));
                let closing = token.get(3) == Some(&Value::Bool(true));
                tokens.push(Standard::StartTag(
                    without_nul(text(1)),
                    sorted(attrs.collect()),
                    closing,
                ));
            }
            "EndTag" => tokens.push(Standard::EndTag(without_nul(text(1)))),
            _ => {}
        }
    }
    tokens
}

/// Our tokens for a test's input in a state. A start tag before the input sets the state.
fn found(state: &str, last: &str, input: &str) -> Result<Vec<Standard>, LeftOut> {
    let (before, context) = match (state, last) {
        ("CDATA section state", _) => ("<svg><![CDATA[".to_owned(), Context::Foreign),
        ("PLAINTEXT state", _) => ("<plaintext>".to_owned(), Context::Html),
        ("RCDATA state", _) => ("<title>".to_owned(), Context::Html),
        ("RAWTEXT state", "") => ("<style>".to_owned(), Context::Html),
        ("Script data state", _) => ("<script>".to_owned(), Context::Html),
        (_, "") => (String::new(), Context::Html),
        (_, last) => (format!("<{last}>"), Context::Html),
    };
    let name = before.trim_matches(['<', '>']);
    // Raw text must be closed, so end tags are added; their tokens are removed again.
    for added in 0..3 {
        let html = format!("{before}{input}{}", format!("</{name}>").repeat(added));
        let mut tokens = Vec::new();
        let ending = tokenize(&html, |token| {
            tokens.push(token);
            context
        });
        if ending.unclosed_raw_text {
            continue;
        }
        let mut tokens = standard(&html, &tokens);
        if !before.is_empty() {
            tokens.remove(0);
        }
        if added > 0 {
            let Some(Standard::EndTag(last)) = tokens.pop() else {
                return Err(LeftOut::CutOff);
            };
            if last != name {
                return Err(LeftOut::CutOff);
            }
        }
        // The first of two end tags is part of the script's text.
        if added > 1
            && let Some(Standard::Text(text)) = tokens.last_mut()
        {
            let Some(rest) = text.strip_suffix("</script>") else {
                return Err(LeftOut::CutOff);
            };
            *text = rest.to_owned();
        }
        return Ok(tokens);
    }
    Err(LeftOut::CutOff)
}

/// `text` with the name `from` replaced by `to`, whatever its case.
fn rename(text: &str, from: &str, to: &str) -> String {
    let mut renamed = text.to_owned();
    let found = text.to_ascii_lowercase();
    let found: Vec<_> = found.match_indices(from).map(|(at, _)| at).collect();
    for at in found.into_iter().rev().filter(|_| !from.is_empty()) {
        renamed.replace_range(at..at + from.len(), to);
    }
    renamed
}

/// Decodes twice escaped `\uXXXX`; `None` for a surrogate.
fn unescaped(text: &str) -> Option<String> {
    serde_json::from_str(&format!("\"{}\"", text.replace('"', "\\\""))).ok()
}

#[test]
fn html5lib_tests_agree() {
    let Some(folder) = folder() else { return };
    let mut aside = BTreeMap::new();
    let (mut agreed, mut failed) = (0, 0);
    for file in [
        "contentModelFlags",
        "domjs",
        "entities",
        "escapeFlag",
        "namedEntities",
        "numericEntities",
        "pendingSpecChanges",
        "test1",
        "test2",
        "test3",
        "test4",
        "unicodeChars",
        "unicodeCharsProblematic",
    ] {
        let bytes = std::fs::read(folder.join(file).with_extension("test")).unwrap();
        let suite: Value = serde_json::from_slice(&bytes).unwrap();
        for test in suite["tests"].as_array().unwrap() {
            let escaped = test["doubleEscaped"] == true;
            let input = test["input"].as_str().unwrap();
            let input = if escaped {
                unescaped(input)
            } else {
                Some(input.to_owned())
            };
            let output = if escaped {
                unescaped(&test["output"].to_string())
            } else {
                None
            };
            let states = test["initialStates"].as_array();
            let states = states.map_or(vec!["Data state"], |s| {
                s.iter().map(|s| s.as_str().unwrap()).collect()
            });
            for state in states {
                let last = test["lastStartTag"].as_str().unwrap_or_default();
                let Some(input) = &input else {
                    *aside.entry(LeftOut::Surrogate).or_insert(0) += 1;
                    continue;
                };
                let output = output.clone().unwrap_or_else(|| test["output"].to_string());
                // The suite puts such text into elements that cannot have it, so they get another name.
                let renamed = |text: &str| match state {
                    "RCDATA state" => rename(text, last, "title"),
                    "Script data state" => rename(text, last, "script"),
                    _ => text.to_owned(),
                };
                let input = &renamed(input);
                let expected = expected(&serde_json::from_str(&renamed(&output)).unwrap());
                match found(state, last, input) {
                    Ok(found) if found == expected => agreed += 1,
                    Ok(found) => {
                        failed += 1;
                        println!(
                            "{file} {state} {last} {input:?}\nours {found:?}\ntheirs {expected:?}"
                        );
                    }
                    Err(why) => *aside.entry(why).or_insert(0) += 1,
                }
            }
        }
    }
    println!("{agreed} tests agree; put aside {aside:?}");
    assert_eq!(failed, 0);
    assert!(agreed > 7_000, "{agreed}");
    assert!(aside.values().sum::<i32>() < 10, "{aside:?}");
}
