//! Checks where HTML pages for a reader are written.

use super::outputs::check_file;
use std::path::{Path, PathBuf};
use warcsieve_common::files::{is_folder, metadata};
use warcsieve_common::{Error, Result};
use warcsieve_engine::Input;

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// One page.
    File,
    /// A folder of pages.
    Folder,
}

/// Folders that a run has in its output folder, in addition to those that begin with `_`.
const OWN: [&str; 9] = [
    "documents",
    "blocks",
    "removed",
    "links",
    "txt",
    "md",
    "html",
    "json",
    "xml",
];

/// Refuses a place that cannot be written, that holds one of the files in `read`, or that belongs
/// to a run. `option` names the place in errors.
///
/// # Errors
/// The reason why it is refused.
pub fn check(option: &str, out: &Path, kind: Kind, read: &[&Path]) -> Result<()> {
    let refuse = |why: &str| Err(Error::Invalid(format!("{option} {}: {why}", out.display())));
    match kind {
        Kind::File if out.as_os_str().as_encoded_bytes().ends_with(b"/") => {
            return refuse("it is a folder; the output is one file");
        }
        Kind::File => check_file(option, out, read)?,
        Kind::Folder if metadata(out)?.is_some_and(|there| !there.is_dir()) => {
            return refuse("it is a file; the output is a folder");
        }
        Kind::Folder => {}
    }
    for above in out.ancestors().skip(1) {
        match metadata(above)? {
            Some(there) if !there.is_dir() => return refuse("what should be its folder is a file"),
            Some(_) => break,
            None => {}
        }
    }
    let Some(real) = real(out) else {
        return Ok(());
    };
    let is_page_here = |file: &&Path| {
        let is_page = file.extension().is_some_and(|end| end == "html");
        let here = file.canonicalize().ok();
        is_page && here.is_some_and(|file| file.parent() == Some(&real))
    };
    if kind == Kind::Folder && read.iter().any(is_page_here) {
        return refuse("pages to read are in it; name another folder");
    }
    if kind == Kind::Folder && is_run(&real)? {
        return refuse("it is the output of a run; name another folder");
    }
    refuse_own(option, out)
}

fn is_run(folder: &Path) -> Result<bool> {
    is_folder(&folder.join("_manifest"))
}

/// Refuses a place that belongs to a run.
///
/// # Errors
/// The reason why it is refused.
fn refuse_own(option: &str, out: &Path) -> Result<()> {
    let Some(real) = real(out) else {
        return Ok(());
    };
    let is_own = |path: &Path| {
        let name = path.file_name().map(|name| name.as_encoded_bytes());
        name.is_some_and(|name| {
            name.starts_with(b"_") || OWN.iter().any(|own| own.as_bytes() == name)
        })
    };
    for at in real.ancestors().filter(|at| is_own(at)) {
        if at.parent().map(is_run).transpose()? == Some(true) {
            let why = "it is one of a run's own files; name another place";
            return Err(Error::Invalid(format!("{option} {}: {why}", out.display())));
        }
    }
    Ok(())
}

/// The files to read: inputs, gold, pipeline files.
pub fn read<'a>(
    inputs: &'a [Input],
    golds: &'a [PathBuf],
    pipelines: &'a [String],
) -> Vec<&'a Path> {
    let inputs = inputs.iter().filter_map(Input::path);
    let golds = golds.iter().map(PathBuf::as_path);
    inputs
        .chain(golds)
        .chain(pipelines.iter().map(Path::new))
        .collect()
}

/// The path with links resolved. It need not exist: then its nearest existing parent is resolved.
fn real(path: &Path) -> Option<PathBuf> {
    path.ancestors().find_map(|above| {
        let above_here = match above.as_os_str().is_empty() {
            true => Path::new("."),
            false => above,
        };
        let rest = path.strip_prefix(above).ok()?;
        Some(above_here.canonicalize().ok()?.join(rest))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_run_wrote_is_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path().join("run");
        std::fs::create_dir_all(run.join("_manifest")).unwrap();
        let refused = |name: &str, kind| check("--out", &run.join(name), kind, &[]).is_err();
        for name in [
            "_SUCCESS",
            "documents",
            "blocks/a.html",
            "_manifest/x/y.html",
            "_new",
            "removed",
            "html/00/x.html",
        ] {
            assert!(
                refused(name, Kind::File) && refused(name, Kind::Folder),
                "{name}"
            );
        }
        assert!(!refused("report.html", Kind::File) && !refused("views", Kind::Folder));
        assert!(check("--out", &run, Kind::Folder, &[]).is_err());
        assert!(check("--out", &folder.path().join("documents"), Kind::Folder, &[]).is_ok());
    }

    #[test]
    fn a_file_is_no_folder() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("gold.jsonl");
        std::fs::write(&file, "").unwrap();
        let says = |path: &Path, kind| check("--html", path, kind, &[]).unwrap_err().to_string();
        assert!(says(&file, Kind::Folder).contains("it is a file"));
        assert!(says(folder.path(), Kind::File).contains("it is a folder"));
        assert!(says(&folder.path().join("e.html/"), Kind::File).contains("it is a folder"));
        check("--html", &file, Kind::File, &[]).unwrap();
        assert!(says(&file.join("e.html"), Kind::File).contains("should be its folder"));
    }

    #[test]
    fn what_is_read_is_never_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let page = folder.path().join("page-0001.html");
        std::fs::write(&page, "").unwrap();
        let refused = |out: &Path, kind| check("--out", out, kind, &[&page]).is_err();
        assert!(refused(&page, Kind::File) && refused(folder.path(), Kind::Folder));
        assert!(!refused(&folder.path().join("other.html"), Kind::File));
        assert!(!refused(&folder.path().join("views"), Kind::Folder));
    }
}
