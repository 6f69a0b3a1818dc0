//! Writes `testdata/bad-warcs/`: small damaged and unusual files, each with a description of what a
//! correct reader reports of it. The description follows from how a file is made, not from any
//! reader.
//!
//! `cargo run -p warcsieve-warc --example bad_warcs [FOLDER]`

mod file;
mod http;
mod packed;
mod plain;

use std::path::PathBuf;
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let home = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../testdata/bad-warcs");
    let folder = env::args_os().nth(1).map_or(home.into(), PathBuf::from);
    fs::create_dir_all(&folder)?;
    for made in [plain::files(), packed::files(), http::files()]
        .into_iter()
        .flatten()
    {
        let name = made.expected.file;
        fs::write(folder.join(name), &made.bytes)?;
        let mut json = serde_json::to_string_pretty(&made.expected)?;
        json.push('\n');
        fs::write(folder.join(format!("{name}.json")), json)?;
    }
    Ok(())
}
