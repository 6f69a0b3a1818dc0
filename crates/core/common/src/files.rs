//! Files and folders: reads files that are usually small, such as pipeline files, models and lists, and looks what is at
//! a path.

use crate::is_lasting;
use std::fs::{self, File, Metadata};
use std::io::{Error, ErrorKind, Read, Result};
use std::path::Path;

/// Reads a file of at most `max_bytes` bytes: a regular file, or a pipe that ends, as from the shell's
/// `<(…)`.
///
/// Memory: that of the content. At most `max_bytes` bytes are read of an endless device such as
/// `/dev/zero`. A pipe to which nobody writes blocks.
///
/// # Errors
/// [`ErrorKind::FileTooLarge`], whose message has the bound, or an error of the operating system.
pub fn read(path: &Path, max_bytes: u64) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut file = File::open(path)?.take(max_bytes.saturating_add(1));
    if file.read_to_end(&mut bytes)? as u64 > max_bytes {
        let why = format!("larger than {max_bytes} bytes");
        return Err(Error::new(ErrorKind::FileTooLarge, why));
    }
    Ok(bytes)
}

/// Reads a file of text as [`read`] does.
///
/// # Errors
/// Those of [`read`], and [`ErrorKind::InvalidData`] where it is not UTF-8.
pub fn read_text(path: &Path, max_bytes: u64) -> Result<String> {
    let bytes = read(path, max_bytes)?;
    String::from_utf8(bytes).map_err(|e| Error::new(ErrorKind::InvalidData, e))
}

/// The error of a file that the caller named, `what`, such as `pipeline file a.toml`: the caller mends what would happen
/// again, and may try again otherwise.
pub fn unreadable(what: String, error: Error) -> crate::Error {
    match error.raw_os_error().is_none() || is_lasting(&error) {
        true => crate::Error::Invalid(format!("{what}: {error}")),
        false => crate::Error::io(what, error),
    }
}

/// What is at a path, links followed; `None` if nothing is. `Path::exists` and `Path::is_dir` say no, too, where the
/// system cannot tell.
///
/// # Errors
/// [`crate::Error::Io`] if the system cannot tell, and may be able to later.
pub fn metadata(path: &Path) -> crate::Result<Option<Metadata>> {
    match fs::metadata(path) {
        Ok(there) => Ok(Some(there)),
        Err(e) if is_lasting(&e) => Ok(None),
        Err(e) => Err(crate::Error::io(path, e)),
    }
}

/// Whether anything is at a path.
///
/// # Errors
/// Those of [`metadata`].
pub fn is_there(path: &Path) -> crate::Result<bool> {
    Ok(metadata(path)?.is_some())
}

/// Whether a folder is at a path.
///
/// # Errors
/// Those of [`metadata`].
pub fn is_folder(path: &Path) -> crate::Result<bool> {
    Ok(metadata(path)?.is_some_and(|there| there.is_dir()))
}

/// Whether a regular file is at a path.
///
/// # Errors
/// Those of [`metadata`].
pub fn is_file(path: &Path) -> crate::Result<bool> {
    Ok(metadata(path)?.is_some_and(|there| there.is_file()))
}

/// Attempts to make a folder that other processes remove.
const ATTEMPTS: usize = 1000;

/// Makes a folder and those above it, as far as they are not there.
///
/// # Errors
/// [`crate::Error::Io`].
pub fn make_folder(path: &Path) -> crate::Result<()> {
    let mut made = fs::create_dir_all(path);
    for _ in 0..ATTEMPTS {
        // It says so, too, if the system cannot tell whether a folder is there, and if another process has just
        // removed it.
        if !matches!(&made, Err(e) if e.kind() == ErrorKind::AlreadyExists) {
            break;
        }
        match metadata(path)? {
            Some(there) if there.is_dir() => return Ok(()),
            Some(_) => break,
            None => made = fs::create_dir_all(path),
        }
    }
    made.map_err(|e| crate::Error::io(path, e))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_read_than_may_be() {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/files.rs");
        let size = std::fs::metadata(&file).unwrap().len();
        assert_eq!(read(&file, size).unwrap().len() as u64, size);
        let error = read(&file, size - 1).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::FileTooLarge);
        assert_eq!(error.to_string(), format!("larger than {} bytes", size - 1));
        if cfg!(unix) {
            let endless = read(Path::new("/dev/zero"), 1 << 16);
            assert_eq!(endless.unwrap_err().kind(), ErrorKind::FileTooLarge);
        }
    }

    #[test]
    fn what_may_be_mended_by_another_try_is_no_mistake_of_the_caller() {
        let error = |code| unreadable("list a".to_owned(), Error::from_raw_os_error(code));
        let (none, broken) = (error(2), error(5));
        assert!(matches!(none, crate::Error::Invalid(why) if why.starts_with("list a: ")));
        assert!(matches!(broken, crate::Error::Io { .. }));
        let other = unreadable("list a".to_owned(), ErrorKind::InvalidData.into());
        assert!(matches!(other, crate::Error::Invalid(_)));
    }

    #[test]
    fn a_folder_that_another_process_removes_is_made() {
        let name = format!("warcsieve-files-{}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        std::thread::scope(|scope| {
            let makers =
                [0, 1].map(|_| scope.spawn(|| (0..2000).try_for_each(|_| make_folder(&folder))));
            while makers.iter().any(|maker| !maker.is_finished()) {
                let _ = fs::remove_dir(&folder);
            }
            for maker in makers {
                maker.join().unwrap().unwrap();
            }
        });
        let _ = fs::remove_dir(&folder);
    }

    #[test]
    fn a_folder_is_made_once_and_not_in_place_of_a_file() {
        let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        make_folder(crate_folder).unwrap();
        let file = crate_folder.join("src/files.rs");
        assert!(make_folder(&file).is_err());
        assert!(is_there(&file).unwrap() && !is_folder(&file).unwrap());
        assert!(!is_there(&file.join("below")).unwrap());
    }
}
