//! A file a page, beside the tables.

use crate::read::{TableFile, Unreadable};
use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use data_encoding::HEXLOWER;
use parquet::arrow::arrow_reader::ArrowReaderOptions;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use warcsieve_common::Result;
use warcsieve_render::TextFormat;
use warcsieve_store::Folder;

/// Longest name made of an id, in bytes; file systems allow 255.
const MOST: usize = 180;

/// Most rows of `documents` in memory when files are looked for by it.
const ROWS: usize = 256;

/// The ending of files in a form, which is also the folder that they are in.
pub fn ending(form: TextFormat) -> &'static str {
    match form {
        TextFormat::Text => "txt",
        TextFormat::Html => "html",
        TextFormat::Markdown => "md",
    }
}

/// The pages of an input, written as its rows come.
///
/// A page of a crawl is `md/INPUT/ID.md`, one in a file of its own `md/INPUT.md`. Names depend on
/// the input alone, so that an input that is done again replaces its own files, and no others. They
/// are in no manifest row: `documents` says which there are, and what is in them.
/// Memory: about 16 bytes a page.
pub struct PageFiles {
    out: Folder,
    names: Names,
}

/// The names of an input's files.
pub struct Names {
    input: String,
    ending: &'static str,
    /// By the hash of a name that was given: the number of the last page that asked for it.
    taken: HashMap<u64, u64>,
}

impl PageFiles {
    /// The files of the input `name` in the folder `out`.
    pub fn new(out: &Folder, name: &str, form: TextFormat) -> Self {
        Self {
            out: out.clone(),
            names: Names::new(name, form),
        }
    }

    /// Writes the pages of some rows of `documents`.
    ///
    /// # Errors
    /// [`Error::Io`](warcsieve_common::Error::Io).
    pub fn write(&mut self, documents: &RecordBatch) -> Result<()> {
        let column = |name: &str| {
            let column = documents.column_by_name(name);
            column.expect("`documents` has it").as_string::<i32>()
        };
        let (ids, texts) = (column("id"), column("text"));
        for (id, text) in ids.iter().zip(texts) {
            let name = self.names.next(id.unwrap_or_default());
            let content = content(text.unwrap_or_default());
            self.out.write_in_swept(&name, content.as_bytes())?;
        }
        Ok(())
    }

    /// Waits until they survive a power failure, as what says that they are there must come after.
    ///
    /// # Errors
    /// [`Error::Io`](warcsieve_common::Error::Io).
    pub fn settle(&self) -> Result<()> {
        self.out.settle()
    }
}

/// What is in the file of a page with this text.
fn content(text: &str) -> String {
    let is_ended = text.is_empty() || text.ends_with('\n');
    [text, if is_ended { "" } else { "\n" }].concat()
}

impl Names {
    /// For the pages of an input, in one form.
    pub fn new(input: &str, form: TextFormat) -> Self {
        Self {
            input: input.to_owned(),
            ending: ending(form),
            taken: HashMap::new(),
        }
    }

    /// The name of the next page's file. Of pages with one id, all but the first get a number.
    fn next(&mut self, id: &str) -> String {
        let (input, ending) = (&self.input, self.ending);
        if id == input {
            return format!("{ending}/{input}.{ending}");
        }
        let name = page_name(input, id);
        let (mut numbered, mut number) = (name.clone(), 1);
        if let Some(last) = self.taken.get(&hash(&name)) {
            number = *last;
            while self.taken.contains_key(&hash(&numbered)) {
                number += 1;
                numbered = format!("{name}-{number}");
            }
            self.taken.insert(hash(&numbered), 1);
        }
        self.taken.insert(hash(&name), number);
        format!("{ending}/{input}/{numbered}.{ending}")
    }

    /// Calls `each` with the files of an input's `documents`: their names, and what is in them.
    ///
    /// # Errors
    /// Why the table cannot be read.
    pub fn of_documents(
        mut self,
        documents: File,
        mut each: impl FnMut(String, String),
    ) -> std::result::Result<(), Unreadable> {
        let table = TableFile::open(documents, ArrowReaderOptions::new())?;
        let mut batches = table.read(&["id", "text"], ROWS)?;
        while let Some(batch) = batches.next_batch()? {
            let column = |name: &str| {
                let column = batch.column_by_name(name);
                let texts = column.and_then(|column| column.as_string_opt::<i32>());
                texts.ok_or(format!("`documents` has no texts in the column `{name}`"))
            };
            for (id, text) in column("id")?.iter().zip(column("text")?) {
                let name = self.next(id.unwrap_or_default());
                each(name, content(text.unwrap_or_default()));
            }
        }
        Ok(())
    }
}

/// The folders that files of an input may be in: that of a page in a file of its own, and that of a crawl's pages.
pub fn folders(input: &str, form: TextFormat) -> [String; 2] {
    let own = format!("{}/{input}", ending(form));
    let above = own.rsplit_once('/').map_or("", |(above, _)| above);
    [above.to_owned(), own]
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
        let mut names = Names::new("00.warc", TextFormat::Text);
        let ids = ["x", "x-2", "x", "x-2", "x", "00.warc@7", "00.warc"];
        let made = ids.map(|id| names.next(id));
        let expected = [
            "00.warc/x.txt",
            "00.warc/x-2.txt",
            "00.warc/x-3.txt",
            "00.warc/x-2-2.txt",
            "00.warc/x-4.txt",
            "00.warc/%407.txt",
            "00.warc.txt",
        ];
        assert_eq!(made, expected.map(|name| format!("txt/{name}")));
    }
}
