//! Checks that the output folder is apart from the folder to read.

use crate::output::OutputFolder;
use std::io;
use std::path::{Component, Path, PathBuf};
use warcsieve_common::{Error, Result};
use warcsieve_store::{Folder, refuse_address};

/// Refuses a folder to read that is not local. Refuses an output folder that is the same folder, is
/// inside it or contains it: files of one would be taken for files of the other.
pub(super) fn check(from: &OutputFolder, out: &OutputFolder) -> Result<()> {
    let (place, to) = (from.path().display(), out.path().display());
    let refuse = |what: String| Err(Error::Invalid(what));
    refuse_address(from.path())?;
    from.must_have_manifest()?;
    let Folder::Local(out) = out.folder() else {
        return Ok(());
    };
    let real = |path: &Path| real(path).map_err(|e| Error::io(path, e));
    let (path, out) = (real(from.path())?, real(out)?);
    if out == path {
        return refuse(format!(
            "--out {to} is the folder to read; name another one"
        ));
    }
    if out.starts_with(&path) {
        return refuse(format!(
            "--out {to} is inside {place}, the folder to read; name one outside of it"
        ));
    }
    if path.starts_with(&out) {
        return refuse(format!(
            "--out {to} holds {place}, the folder to read; name one beside it"
        ));
    }
    Ok(())
}

/// The path without links and `..`. The end of the path need not exist.
fn real(path: &Path) -> io::Result<PathBuf> {
    let mut real = PathBuf::new();
    for component in std::path::absolute(path)?.components() {
        match component {
            Component::ParentDir => {
                real.pop();
            }
            component => real.push(component),
        }
        // A part that does not exist yet cannot be a link.
        if let Ok(target) = real.canonicalize() {
            real = target;
        }
    }
    Ok(real)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn the_end_of_a_path_need_not_exist() {
        let root = tempfile::tempdir().unwrap();
        let root = root.path().canonicalize().unwrap();
        fs::create_dir(root.join("a")).unwrap();
        for (path, expected) in [
            ("a", "a"),
            ("a/new/folder", "a/new/folder"),
            ("new/../a/./b", "a/b"),
            ("a/../new/../a", "a"),
        ] {
            assert_eq!(real(&root.join(path)).unwrap(), root.join(expected));
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("a", root.join("link")).unwrap();
            let path = root.join("new/../link/b");
            assert_eq!(real(&path).unwrap(), root.join("a/b"));
        }
    }

    #[test]
    fn neither_folder_is_inside_the_other() {
        let root = tempfile::tempdir().unwrap();
        let path = |name: &str| OutputFolder::new(root.path().join(name));
        fs::create_dir_all(root.path().join("x/from/_manifest")).unwrap();
        for (out, said) in [
            ("x/../x/from", "is the folder to read"),
            ("x/from/new/folder", "is inside"),
            ("new/../x/from/documents", "is inside"),
            ("x", "holds"),
        ] {
            let error = check(&path("x/from"), &path(out)).unwrap_err();
            assert!(matches!(error, Error::Invalid(_)), "{out}");
            assert!(error.to_string().contains(said), "{out}: {error}");
        }
        for out in ["x/from-new", "x/fro", "y/from", "x/from/../new"] {
            check(&path("x/from"), &path(out)).unwrap();
        }
    }
}
