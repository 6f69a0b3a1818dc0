//! Seeds: small inputs made from `testdata/`.

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files below a folder of the repository, sorted by path, each with its bytes.
pub(crate) fn files(folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let (mut found, mut folders) = (Vec::new(), vec![root().join(folder)]);
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => found.push((path.clone(), fs::read(path).unwrap())),
            }
        }
    }
    found.sort();
    found
}

/// Pieces of the test pages: the first 1, 2 and 3 KiB after the head and its scripts.
pub(crate) fn pages() -> Vec<Vec<u8>> {
    let mut pieces = Vec::new();
    for (_, page) in files("testdata/pages") {
        let body = page.windows(5).position(|w| w == b"<body").unwrap_or(0);
        let body = &page[body..];
        let lengths = [1 << 10, 2 << 10, 3 << 10].map(|n| n.min(body.len()));
        pieces.extend(lengths.map(|n| body[..n].to_vec()));
    }
    pieces.dedup();
    pieces
}

/// Every input, once for each of the bytes before it.
pub(crate) fn chosen(choices: &[u8], inputs: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let with = |i: usize, input: &Vec<u8>| {
        let choice = choices[i % choices.len()];
        [&[choice][..], input].concat()
    };
    // Each input with some of them suffices: a fuzzer changes the byte soon.
    inputs
        .iter()
        .enumerate()
        .map(|(i, input)| with(i, input))
        .collect()
}
