//! Seeds: small inputs made from `testdata/`.

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..")
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

/// Pieces of the test pages: the first 500, 1,000 and 2,000 bytes from `<body` on.
pub(crate) fn pages() -> Vec<Vec<u8>> {
    let mut pieces = Vec::new();
    for (_, page) in files("testdata/pages") {
        let body = page.windows(5).position(|w| w == b"<body").unwrap_or(0);
        let body = &page[body..];
        let lengths = [500, 1000, 2000].map(|n| n.min(body.len()));
        pieces.extend(lengths.map(|n| body[..n].to_vec()));
    }
    pieces.dedup();
    pieces
}

/// The inputs, each with one of the choices as its first byte.
pub(crate) fn chosen(choices: &[u8], inputs: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let choices = choices.iter().cycle();
    let with = |(choice, input): (&u8, &Vec<u8>)| [&[*choice], &input[..]].concat();
    choices.zip(inputs).map(with).collect()
}
