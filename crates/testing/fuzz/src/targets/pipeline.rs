//! Pipeline files: an error names its line, and a file without errors becomes a cleaner.

use crate::Target;
use crate::digest::is_sampled;
use crate::seeds::files;
use warcsieve_common::Error;
use warcsieve_extract::{Engine, Pipeline};

/// The target.
pub const TARGET: Target = Target {
    name: "pipeline",
    check,
    seeds,
    max_len: 1024,
    // Reading the models that ship takes milliseconds.
    fair: 100_000.0,
};

/// In a folder that does not exist, so that no file that a step names exists.
const NAME: &str = "nowhere/p.toml";

const PAGE: &str =
    "<title>t</title><nav><a href=/>home</a></nav><p>Some words of a page, and more.";

/// One in this many is tried on a page, because some take long to build.
const ONE_IN: u64 = 4;

fn check(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    match Pipeline::parse(&warcsieve_papers::METHODS, NAME, text) {
        Ok(pipeline) => {
            assert!(!pipeline.method.is_empty());
            if is_sampled(input, ONE_IN) {
                let _ = Engine::new(&pipeline).extract(PAGE, "");
            }
        }
        Err(Error::Pipeline {
            file,
            line,
            message,
        }) => {
            assert_eq!(file, NAME);
            assert!(
                (1..=text.lines().count().max(1) + 1).contains(&line),
                "{line}: {message}"
            );
            assert!(!message.is_empty());
        }
        Err(other) => panic!("{other}"),
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let pipelines = files("pipelines").into_iter();
    let pipelines = pipelines.filter(|(path, _)| path.extension().is_some_and(|e| e == "toml"));
    let mut seeds: Vec<_> = pipelines
        .map(|(_, text)| text)
        .filter(|text| text.len() <= 1024)
        .collect();
    let settings = "records = ['response', 'conversion']\nany_status = true\nmax_page_bytes = 4096\n\
        max_elements = 10\nmax_depth = 20\nsegmentation = 'leaves'\ntokenizer = 'builtin'\n\
        output = 'markdown'\nblocks = false\nkeep = ['a, p:nth-child(2n+1)']\n\
        drop = ['nav > :not(.b #c) + [d^=e i] ~ li:last-of-type']\n[[step]]\nmethod = 'min-words'\nwords = 2\n\
        [[step]]\nmethod = 'smoothing'\n";
    seeds.push(settings.into());
    seeds
}
