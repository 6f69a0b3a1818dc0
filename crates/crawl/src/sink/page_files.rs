//! A file a page, beside the tables.

use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};
use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use warcsieve_base::Result;
use warcsieve_render::Output;
use warcsieve_store::Folder;

/// Longest name made of an id, in bytes; file systems allow 255.
const MOST: usize = 180;

/// The ending of files in a form, which is also the folder that they are in.
pub fn ending(form: Output) -> &'static str {
    match form {
        Output::Text => "txt",
        Output::Html => "html",
        Output::Markdown => "md",
    }
}

/// The pages of an input, written as its rows come.
///
/// A page of a crawl is `md/INPUT/ID.md`, one in a file of its own `md/INPUT.md`. Names depend on
/// the input alone, so that an input that is done again replaces its own files, and no others.
/// Memory: about 16 bytes a page.
pub(crate) struct PageFiles {
    out: Folder,
    input: String,
    ending: &'static str,
    /// Hashes of the names that were given.
    taken: HashSet<u64>,
}

impl PageFiles {
    /// The files of the input `name` in the folder `out`.
    pub fn new(out: &Folder, name: &str, form: Output) -> Self {
        Self {
            out: out.clone(),
            input: name.to_owned(),
            ending: ending(form),
            taken: HashSet::new(),
        }
    }

    /// Writes the pages of some rows of `documents`.
    ///
    /// # Errors
    /// [`Error::Io`](warcsieve_base::Error::Io).
    pub fn write(&mut self, documents: &RecordBatch) -> Result<()> {
        let column = |name: &str| {
            let column = documents.column_by_name(name);
            column.expect("`documents` has it").as_string::<i32>()
        };
        let (ids, texts) = (column("id"), column("text"));
        for (id, text) in ids
            .iter()
            .zip(texts)
            .map(|(id, text)| (id.unwrap_or_default(), text.unwrap_or_default()))
        {
            let name = self.name(id);
            let line_end = if text.is_empty() || text.ends_with('\n') {
                ""
            } else {
                "\n"
            };
            self.out
                .write(&name, [text, line_end].concat().as_bytes())?;
        }
        Ok(())
    }

    /// The name of a page's file. Of pages with one id, all but the first get a number.
    fn name(&mut self, id: &str) -> String {
        let Self { input, ending, .. } = self;
        if id == input {
            return format!("{ending}/{input}.{ending}");
        }
        let name = page_name(input, id);
        let mut numbered = name.clone();
        let mut number = 1;
        while !self.taken.insert(hash(&numbered)) {
            number += 1;
            numbered = format!("{name}-{number}");
        }
        format!("{ending}/{input}/{numbered}.{ending}")
    }
}

fn hash(name: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    hasher.finish()
}

/// What the file of a page in a crawl is called, without its ending: its id, or its place in the
/// crawl where that is its id.
pub fn page_name(input: &str, id: &str) -> String {
    let place = id.strip_prefix(input).filter(|rest| rest.starts_with('@'));
    safe_name(place.unwrap_or(id))
}

/// A name that every file system takes, different for different ids: other characters are `%XX`,
/// and of a long one the end is a hash.
pub fn safe_name(id: &str) -> String {
    let mut name = String::new();
    for (at, byte) in id.bytes().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' => name.push(char::from(byte)),
            b'.' | b'_' if at > 0 => name.push(char::from(byte)),
            _ => name += &format!("%{byte:02X}"),
        }
    }
    if name.len() > MOST {
        let hash = HEXLOWER.encode(&Sha256::digest(id.as_bytes())[..8]);
        name.truncate(MOST - 17);
        name += &format!("-{hash}");
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_ids_are_safe_and_differ() {
        assert_eq!(
            safe_name("clueweb09-en0000-00-00000"),
            "clueweb09-en0000-00-00000"
        );
        assert_eq!(safe_name("urn:uuid:1/../x"), "urn%3Auuid%3A1%2F..%2Fx");
        assert_eq!(safe_name(".x"), "%2Ex");
        let long = ["a", "b"].map(|end| safe_name(&format!("{}{end}", "é".repeat(300))));
        assert!(long[0].len() == MOST && long[0] != long[1]);
        let out = Folder::Local("out".into());
        let mut files = PageFiles::new(&out, "00.warc", Output::Text);
        let made = ["x", "x", "00.warc@7", "00.warc"].map(|id| files.name(id));
        let expected = [
            "00.warc/x.txt",
            "00.warc/x-2.txt",
            "00.warc/%407.txt",
            "00.warc.txt",
        ];
        assert_eq!(made, expected.map(|name| format!("txt/{name}")));
    }
}
