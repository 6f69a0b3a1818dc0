//! Lists of paths: one per line.

use flate2::read::MultiGzDecoder;
use std::borrow::Cow;
use std::io::{ErrorKind, Read};
use std::path::Path;
use warcsieve_common::{Error, Result, escaped_json, files, is_control};
use warcsieve_store::{Stores, is_address};

/// Most bytes of a decoded list.
const MAX_LIST_BYTES: u64 = 1 << 30;

/// A path as a line of a list. The line is the path itself, or a JSON string if it would be read as
/// something else: if it holds a line end, begins or ends with white space, or begins with `#` or
/// `"`. It is a JSON string too if it holds control characters, because a terminal would change
/// them.
pub fn list_line(path: &str) -> Cow<'_, str> {
    let is_plain = path.trim() == path
        && !path.is_empty()
        && !path.contains(is_control)
        && !path.starts_with(['#', '"', BYTE_ORDER_MARK]);
    match is_plain {
        true => path.into(),
        false => escaped_json(&serde_json::Value::from(path).to_string()).into(),
    }
}

const BYTE_ORDER_MARK: char = '\u{feff}';

/// The paths in a list, a file or an object.
pub(super) fn paths(list: &str, stores: &Stores) -> Result<Vec<String>> {
    let text = read(list, stores)?;
    let lines = text.trim_start_matches(BYTE_ORDER_MARK).lines();
    let lines = lines.map(str::trim);
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(lines.map(path).collect())
}

fn path(line: &str) -> String {
    let quoted = line.starts_with('"').then(|| serde_json::from_str(line));
    match quoted {
        Some(Ok(path)) => path,
        _ => line.to_owned(),
    }
}

/// The text of a list, which may be compressed, as Common Crawl's `warc.paths.gz` is.
fn read(list: &str, stores: &Stores) -> Result<String> {
    let error = |e| Error::io(list, e);
    let bytes = match is_address(list) {
        true => {
            let bytes = stores.object(list)?.read(is_list)?;
            bytes.ok_or_else(|| error(ErrorKind::NotFound.into()))?
        }
        false => files::read(Path::new(list), MAX_LIST_BYTES).map_err(error)?,
    };
    let bytes = match bytes.starts_with(&[0x1f, 0x8b]) {
        true => inflate(list, &bytes)?,
        false => bytes,
    };
    String::from_utf8(bytes).map_err(|e| {
        Error::Invalid(format!(
            "{list}: byte {} is not UTF-8, as a list must be; rename the file there, or give its \
             folder instead of a list",
            e.utf8_error().valid_up_to()
        ))
    })
}

fn inflate(list: &str, bytes: &[u8]) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    let read = MultiGzDecoder::new(bytes)
        .take(MAX_LIST_BYTES)
        .read_to_end(&mut text);
    match read {
        Ok(n) if n as u64 == MAX_LIST_BYTES => {
            Err(Error::Invalid(format!("{list}: more than 1 GiB of paths")))
        }
        Ok(_) => Ok(text),
        Err(e) => Err(Error::Invalid(format!(
            "{list}: a damaged gzip file, or only the first part of one ({e}); download it again"
        ))),
    }
}

/// Whether these first bytes may be those of a list, not of a server's page or message.
fn is_list(bytes: &[u8]) -> bool {
    !bytes.trim_ascii_start().starts_with(b"<") && !bytes.trim_ascii_start().starts_with(b"{")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn read_back(text: &[u8]) -> Result<Vec<String>> {
        let folder = tempfile::tempdir().unwrap();
        let list = folder.path().join("list");
        fs::write(&list, text).unwrap();
        paths(list.to_str().unwrap(), &Stores::default())
    }

    #[test]
    fn any_path_survives_a_list() {
        let paths = [
            "/crawl/a.warc.gz",
            "/two\nlines\r\n",
            " blanks ",
            "# no comment",
            "\"quoted\"",
            "\u{feff}mark",
            "a \"b\" \\ c",
            "a\u{1b}[31m\u{7f}\u{9b}\u{2028}\tb",
        ];
        let lines: String = paths
            .map(|path| list_line(path).into_owned() + "\n")
            .concat();
        assert_eq!(read_back(lines.as_bytes()).unwrap(), paths);
        assert_eq!(lines.lines().next(), Some(paths[0]));
        assert!(!lines.contains(|c| is_control(c) && c != '\n'), "{lines:?}");
    }

    #[test]
    fn quotes_that_are_no_json_are_part_of_the_path() {
        let lines = read_back(b"\xef\xbb\xbf\"a\n  \"b\" c\r\n# x\n\n\"d\\u0020e\"").unwrap();
        assert_eq!(lines, ["\"a", "\"b\" c", "d e"]);
    }

    #[test]
    fn lists_that_can_never_be_read_are_wrong_usage() {
        for (bytes, expected) in [
            (&b"a.warc\nb\xff.warc\n"[..], "byte 8 is not UTF-8"),
            (b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x4b", "damaged gzip"),
        ] {
            let error = read_back(bytes).unwrap_err();
            assert!(matches!(error, Error::Invalid(_)), "{error:?}");
            assert!(error.to_string().contains(expected), "{error}");
        }
    }
}
