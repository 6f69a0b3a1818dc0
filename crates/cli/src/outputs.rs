//! Output paths, and why some are refused.

use std::path::{Path, PathBuf};
use warcsieve_common::files::{is_file, metadata};
use warcsieve_common::{Error, Result};
use warcsieve_engine::Input;
use warcsieve_run::OutputFolder;
use warcsieve_store::{Stores, check_place, is_address};

/// The output folder of an argument: a path, or an address of an object store.
pub fn output_folder(place: &str, stores: &Stores) -> Result<OutputFolder> {
    check_out(place).map_err(Error::Invalid)?;
    OutputFolder::at(place, stores)
}

/// Like [`output_folder`], for a folder to write. Refuses a file.
pub fn folder_to_write(place: &str, stores: &Stores) -> Result<OutputFolder> {
    if !is_address(place) && is_file(Path::new(place))? {
        let why = "it is a file, and an output is a folder; name another";
        return Err(Error::Invalid(format!("{place}: {why}")));
    }
    output_folder(place, stores)
}

/// Parses the path of a local file or folder to write.
pub fn out_path(path: &str) -> Result<PathBuf, String> {
    check_out(path)?;
    out_path_or_stdout(path)
}

/// Like [`out_path`], but `-` means standard output.
pub fn out_path_or_stdout(path: &str) -> Result<PathBuf, String> {
    if path.is_empty() {
        return Err("a path is missing; the working folder is .".into());
    }
    check_place(path).map_err(|e| e.to_string())?;
    if is_address(path) {
        return Err("this command writes to this machine only; copy the result there".into());
    }
    Ok(path.into())
}

/// Refuses an empty output path, and `-`, which is standard output.
fn check_out(place: &str) -> Result<(), String> {
    match place {
        "" => Err("a path is missing; the working folder is .".into()),
        "-" => {
            Err("- (standard output) cannot be written to here; name a path, such as ./-".into())
        }
        _ => Ok(()),
    }
}

/// Refuses an output file that is a folder, a device, or one of the files to read.
pub fn check_output(out: &Path, inputs: &[Input], others: &[&str]) -> Result<()> {
    let inputs = inputs.iter().filter_map(Input::path);
    let read: Vec<&Path> = inputs.chain(others.iter().map(Path::new)).collect();
    check_file("--out", out, &read)
}

/// Like [`check_output`], for the file of the option `option`.
pub fn check_file(option: &str, out: &Path, read: &[&Path]) -> Result<()> {
    let refuse = |why: &str| Err(Error::Invalid(format!("{option} {}: {why}", out.display())));
    let Some(there) = metadata(out)? else {
        return Ok(());
    };
    if there.is_dir() {
        return refuse("it is a folder; the output is one file");
    }
    if !there.is_file() {
        return refuse("it is no regular file");
    }
    let out = out.canonicalize().ok();
    for path in read {
        if out.is_some() && path.canonicalize().ok() == out {
            return refuse("it is one of the files to read");
        }
    }
    Ok(())
}
