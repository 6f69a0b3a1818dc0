//! Writes the seeds of every target below a folder. Prints one line per target: its name and the
//! length of its longest input. `seeds FOLDER`

use std::path::PathBuf;
use std::{env, fs, io};
use warcsieve_fuzz::TARGETS;

fn main() -> io::Result<()> {
    let folder = env::args_os().nth(1).map(PathBuf::from);
    let folder = folder.ok_or_else(|| io::Error::other("usage: seeds FOLDER"))?;
    for target in TARGETS {
        let folder = folder.join(target.name);
        fs::create_dir_all(&folder)?;
        for (number, seed) in (target.seeds)().into_iter().enumerate() {
            fs::write(folder.join(format!("seed-{number:03}")), seed)?;
        }
        println!("{} {}", target.name, target.max_len);
    }
    Ok(())
}
