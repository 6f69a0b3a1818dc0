//! Names of inputs: paths below a base.

use super::input::{Input, InputKind};
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use warcsieve_common::{Error, Result};
use warcsieve_store::{Stores, is_address};

impl Input {
    /// The file or object at `path`, named by its path below `base`.
    pub(super) fn at(base: &Path, path: PathBuf, stores: &Stores) -> Result<Self> {
        let name = name_below(base, &path)?;
        let kind = match path.to_str().filter(|text| is_address(text)) {
            Some(address) => InputKind::Object(stores.object(address)?),
            None => InputKind::File(path),
        };
        Ok(Self {
            kind,
            name,
            selected: None,
        })
    }
}

pub(super) fn common_folder(paths: &[PathBuf]) -> PathBuf {
    let mut folders = paths.iter().filter_map(|p| p.parent());
    let Some(first) = folders.next() else {
        return PathBuf::new();
    };
    folders.fold(first.to_owned(), |common, folder| {
        common
            .components()
            .zip(folder.components())
            .take_while(|(a, b)| a == b)
            .map(|(a, _)| a)
            .collect()
    })
}

/// The name of a file below the base. Bytes that are not UTF-8, and control characters, become
/// `\xNN`.
fn name_below(base: &Path, path: &Path) -> Result<String> {
    let below = path.strip_prefix(base).map_err(|_| {
        Error::Invalid(format!(
            "{} is not below the base folder {}",
            path.display(),
            base.display()
        ))
    })?;
    checked_name(Path::new(&escaped(below.as_os_str().as_encoded_bytes())))
}

/// A name with `\xNN` for bytes that are not UTF-8 and for control characters: a terminal would obey
/// them, and the names of output files begin with those of inputs.
pub(super) fn escaped(name: &[u8]) -> String {
    let mut text = String::new();
    for chunk in name.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c.is_control() {
                true => c
                    .to_string()
                    .bytes()
                    .for_each(|byte| text += &format!("\\x{byte:02x}")),
                false => text.push(c),
            }
        }
        for byte in chunk.invalid() {
            text += &format!("\\x{byte:02x}");
        }
    }
    text
}

/// A name that readers of the output will not treat as hidden.
pub(super) fn checked_name(path: &Path) -> Result<String> {
    let bad = |why: &str| {
        Err(Error::Invalid(format!(
            "input name `{}`: {why}",
            path.display()
        )))
    };
    let mut parts = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(part) => match part.to_str() {
                Some(part) if part.starts_with(['_', '.']) => {
                    return bad(
                        "Spark and Hadoop treat files and folders that start with `_` or `.` as \
                         hidden; rename it or choose another --base",
                    );
                }
                Some(part) => parts.push(part),
                None => return bad("is not UTF-8"),
            },
            Component::CurDir => {}
            _ => return bad("leads out of the base folder"),
        }
    }
    if parts.is_empty() {
        return bad("is empty");
    }
    Ok(parts.join("/"))
}

pub(super) fn refuse_duplicates(sorted: &[Input]) -> Result<()> {
    let mut seen: HashMap<&str, &Input> = HashMap::new();
    for input in sorted {
        if let Some(other) = seen.insert(&input.name, input) {
            return Err(Error::Invalid(format!(
                "two inputs would have the name `{}`: {} and {}; give each only once, or set --base",
                input.name,
                other.origin(),
                input.origin()
            )));
        }
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    #[test]
    fn bytes_that_are_not_utf_8_and_controls_are_escaped() {
        let path = Path::new(OsStr::from_bytes(
            b"/c/\xc3\xa9\xff/a\xe9\x1b[1m\xc2\x9b.warc",
        ));
        let name = name_below(Path::new("/c"), path).unwrap();
        assert_eq!(name, "\u{e9}\\xff/a\\xe9\\x1b[1m\\xc2\\x9b.warc");
    }
}
