//! One file per page, next to the tables.

use crate::page_facts::{PAGE_INDEX, PageFacts};
use crate::page_names::{PageNamer, PageNames};
use crate::read::{Batches, TableFile, Unreadable};
use crate::tables::{NAMES, path_of};
use arrow_array::cast::AsArray;
use arrow_array::types::TimestampMicrosecondType;
use arrow_array::{Array, RecordBatch};
use arrow_schema::Schema;
use parquet::arrow::arrow_reader::ArrowReaderOptions;
use std::collections::HashSet;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use warcsieve_common::{Error, Result};
use warcsieve_language::UNDETERMINED;
use warcsieve_render::TextFormat;
use warcsieve_store::{Folder, HashedFile};

/// Most rows of `documents` in memory at once when they are read to find the files of pages.
const ROWS: usize = 256;

/// The columns of `documents` that files are made of, beside that of their form.
const FACTS: [&str; 5] = ["id", "title", "url", "date", "language"];

/// The ending of files in a form, which is also the folder that they are in.
pub fn ending(form: TextFormat) -> &'static str {
    match form {
        TextFormat::Text => "txt",
        TextFormat::Html => "html",
        TextFormat::Markdown => "md",
    }
}

/// What files of pages look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageLayout {
    /// Their form.
    pub form: TextFormat,
    /// What pages of crawls are named by.
    pub names: PageNames,
    /// Whether pages of crawls begin with address, title, date and language, as YAML.
    pub front_matter: bool,
}

impl PageLayout {
    /// The usual one of a form: named by address, and with YAML where a form has a place for it that readers know.
    pub fn of_form(form: TextFormat) -> Self {
        Self {
            form,
            names: PageNames::default(),
            front_matter: form == TextFormat::Markdown,
        }
    }

    /// In words, such as `md url metadata`.
    pub fn words(self) -> String {
        let metadata = if self.front_matter { " metadata" } else { "" };
        format!("{} {}{metadata}", ending(self.form), self.names.as_str())
    }

    /// The layout that these words say.
    pub fn of_words(words: &str) -> Option<Self> {
        let all = TextFormat::ALL.into_iter().flat_map(|form| {
            let with = move |names| {
                [true, false].map(|front_matter| Self {
                    form,
                    names,
                    front_matter,
                })
            };
            PageNames::ALL.into_iter().flat_map(with)
        });
        all.into_iter().find(|layout| layout.words() == words)
    }
}

/// The pages of an input, written as its rows come.
///
/// A page of a crawl is `md/INPUT/NAME.md`, one in a file of its own `md/INPUT.md`. Names depend on
/// the input alone, so that an input that is done again replaces its own files, and no others. They
/// are in no manifest row: `documents` says which there are, and what is in them.
/// A crawl has a list of its pages, `md/INPUT/index.jsonl`.
/// Memory: that of [`PageNamer`], and the names of the files.
pub struct PageFiles {
    out: Folder,
    namer: InputNamer,
    index: Option<HashedFile>,
    /// Names of the files that were written, below the output folder.
    written: HashSet<String>,
}

/// The files of an input's pages.
struct InputNamer {
    input: String,
    /// The id of a page that is an input itself. A record may state the same id, so only the first
    /// page of an input is taken for it, and no other file can be overwritten.
    own_id: Option<String>,
    layout: PageLayout,
    namer: PageNamer,
}

/// The file of a page.
pub struct PageFile {
    /// Its name below the output folder.
    pub name: String,
    /// What is in it.
    pub content: String,
    /// The name of the list that it is in, and its line there; `None` for a page that is an input itself.
    pub listed: Option<(String, String)>,
}

impl PageFiles {
    /// The files of the input `name` in the folder `out`.
    pub fn new(out: &Folder, name: &str, layout: PageLayout) -> Self {
        Self {
            out: out.clone(),
            namer: InputNamer::new(name, layout),
            index: None,
            written: HashSet::new(),
        }
    }

    /// Writes the files for some rows of `documents`.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write(&mut self, documents: &RecordBatch) -> Result<()> {
        let pages = pages(documents, self.namer.layout.form);
        for (facts, text) in pages.expect("`documents` has the columns") {
            let page = self.namer.next(&facts, text);
            self.out
                .write_in_swept(&page.name, page.content.as_bytes())?;
            if let Some((list, line)) = page.listed {
                let index = match &mut self.index {
                    Some(index) => index,
                    None => self.index.insert(self.out.create(&list)?),
                };
                let written = index.write_all(line.as_bytes());
                written.map_err(|e| Error::io(index.target(), e))?;
            }
            self.written.insert(page.name);
        }
        Ok(())
    }

    /// Writes the files of an input again, by its `documents`, and removes those of other pages.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Integrity`] if the table cannot be read.
    pub fn write_again(
        out: &Folder,
        input: &str,
        layout: PageLayout,
        documents: &Path,
    ) -> Result<()> {
        let unreadable = |why: Unreadable| {
            why.at(documents, |message| Error::Integrity {
                path: documents.to_owned(),
                message: format!("{message}; remove it to redo the input"),
            })
        };
        let file = File::open(documents).map_err(|e| Error::io(documents, e))?;
        let mut batches = rows_of_pages(file, layout.form).map_err(unreadable)?;
        for folder in folders(input, layout.form) {
            out.sweep(&folder)?;
        }
        let mut files = Self::new(out, input, layout);
        while let Some(batch) = batches.next_batch().map_err(unreadable)? {
            files.write(&batch)?;
        }
        let ending = ending(layout.form);
        let own = format!("{ending}/{input}.{ending}");
        if !files.written.contains(&own) {
            out.remove(&own)?;
        }
        files.finish()
    }

    /// Removes files that an interrupted run has left of other pages of the input. Then waits until
    /// the files survive a power failure. Only then may anything record that they exist.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn finish(self) -> Result<()> {
        let (namer, out) = (&self.namer, &self.out);
        match self.index {
            Some(index) => {
                index.commit()?;
                namer.remove_others(out, &self.written)?;
            }
            None if self.written.is_empty() => {
                namer.remove_others(out, &self.written)?;
                let list = page_list(&namer.input, namer.layout.form);
                if out.has_listing() && out.size(&list)?.is_some() {
                    out.remove(&list)?;
                }
            }
            None => {}
        }
        self.out.settle()
    }
}

/// Calls `each` with the files of the pages of an input, by its `documents`.
///
/// # Errors
/// Why the table cannot be read.
pub fn each_page_file(
    input: &str,
    layout: PageLayout,
    documents: File,
    mut each: impl FnMut(PageFile),
) -> std::result::Result<(), Unreadable> {
    let mut namer = InputNamer::new(input, layout);
    let mut batches = rows_of_pages(documents, layout.form)?;
    while let Some(batch) = batches.next_batch()? {
        for (facts, text) in pages(&batch, layout.form)? {
            each(namer.next(&facts, text));
        }
    }
    Ok(())
}

/// The columns of `documents` that files in a form are made of.
fn rows_of_pages(documents: File, form: TextFormat) -> std::result::Result<Batches, Unreadable> {
    let table = TableFile::open(documents, ArrowReaderOptions::new())?;
    let column = column_of(form, table.schema());
    table.read(&[&FACTS[..], &[column]].concat(), ROWS)
}

/// The column of `documents` that has the content in a form: the one that is named so, else `text`.
fn column_of(form: TextFormat, documents: &Schema) -> &'static str {
    let name = form.as_str();
    let has_column = documents.column_with_name(name).is_some();
    if has_column { name } else { "text" }
}

/// The pages of some rows of `documents`, with their content in a form.
fn pages(
    documents: &RecordBatch,
    form: TextFormat,
) -> std::result::Result<impl Iterator<Item = (PageFacts, &str)>, String> {
    let column = |name: &str| {
        let column = documents.column_by_name(name);
        let texts = column.and_then(|column| column.as_string_opt::<i32>());
        texts.ok_or(format!("`documents` has no texts in the column `{name}`"))
    };
    let dates = documents.column_by_name("date");
    let dates = dates.and_then(|dates| dates.as_primitive_opt::<TimestampMicrosecondType>());
    let dates = dates.ok_or("`documents` has no dates")?;
    let (ids, urls, titles) = (column("id")?, column("url")?, column("title")?);
    let texts = column(column_of(form, &documents.schema()))?;
    let languages = column("language")?;
    Ok((0..documents.num_rows()).map(move |row| {
        let language = languages.value(row);
        let facts = PageFacts {
            id: ids.value(row).to_owned(),
            url: urls.value(row).to_owned(),
            title: titles.value(row).to_owned(),
            date: dates.is_valid(row).then(|| dates.value(row)),
            language: if language == UNDETERMINED {
                ""
            } else {
                language
            }
            .to_owned(),
        };
        (facts, texts.value(row))
    }))
}

impl InputNamer {
    fn new(input: &str, layout: PageLayout) -> Self {
        Self {
            input: input.to_owned(),
            own_id: Some(input.to_owned()),
            layout,
            namer: PageNamer::new(layout.names),
        }
    }

    /// Removes the files of pages of this crawl that are not among these. The file of a page that is
    /// an input itself may be in the same folder; it stays.
    fn remove_others(&self, out: &Folder, written: &HashSet<String>) -> Result<()> {
        if !out.has_listing() {
            return Ok(());
        }
        let ending = ending(self.layout.form);
        let folder = format!("{ending}/{}", self.input);
        for name in out.names(&folder, &format!(".{ending}"))? {
            let file = format!("{folder}/{name}.{ending}");
            let documents = path_of(NAMES.documents, &format!("{}/{name}", self.input));
            if !written.contains(&file) && out.size(&documents)?.is_none() {
                out.remove(&file)?;
            }
        }
        Ok(())
    }

    /// The file of the next page.
    fn next(&mut self, facts: &PageFacts, text: &str) -> PageFile {
        let (input, ending) = (&self.input, ending(self.layout.form));
        let is_ended = text.is_empty() || text.ends_with('\n');
        let line_end = if is_ended { "" } else { "\n" };
        if self.own_id.take().is_some_and(|id| id == facts.id) {
            return PageFile {
                name: format!("{ending}/{input}.{ending}"),
                content: [text, line_end].concat(),
                listed: None,
            };
        }
        let file = format!("{}.{ending}", self.namer.next(input, &facts.id, &facts.url));
        let before = match self.layout.front_matter {
            true => format!("---\n{}---\n\n", facts.yaml()),
            false => String::new(),
        };
        let list = page_list(input, self.layout.form);
        PageFile {
            name: format!("{ending}/{input}/{file}"),
            content: [&before, text, line_end].concat(),
            listed: Some((list, facts.index_line(&file))),
        }
    }
}

/// The list of the pages of a crawl.
pub fn page_list(input: &str, form: TextFormat) -> String {
    format!("{}/{input}/{PAGE_INDEX}", ending(form))
}

/// The folders that may hold files of an input: one for a page in a file of its own, one for a
/// crawl.
pub fn folders(input: &str, form: TextFormat) -> [String; 2] {
    let own = format!("{}/{input}", ending(form));
    let above = own.rsplit_once('/').map_or("", |(above, _)| above);
    [above.to_owned(), own]
}

#[cfg(test)]
mod tests {
    use super::*;

    const LAYOUT: PageLayout = PageLayout {
        form: TextFormat::Markdown,
        names: PageNames::Url,
        front_matter: true,
    };

    #[test]
    fn a_layout_is_read_from_its_words() {
        assert_eq!(LAYOUT.words(), "md url metadata");
        assert_eq!(PageLayout::of_words("md url metadata"), Some(LAYOUT));
        assert_eq!(PageLayout::of_words("md uri"), None);
    }

    #[test]
    fn pages_of_crawls_say_where_they_are_from_and_are_listed() {
        let mut namer = InputNamer::new("00.warc", LAYOUT);
        let mut facts = PageFacts {
            id: "7".to_owned(),
            url: "https://a.example/b".to_owned(),
            date: Some(0),
            ..PageFacts::default()
        };
        let page = namer.next(&facts, "c");
        assert_eq!(page.name, "md/00.warc/a.example_b.md");
        let url = "\"https://a.example/b\"";
        let date = "\"1970-01-01T00:00:00Z\"";
        assert_eq!(
            page.content,
            format!("---\nurl: {url}\ndate: {date}\n---\n\nc\n")
        );
        let line = format!(
            "{{\"file\":\"a.example_b.md\",\"url\":{url},\"id\":\"7\",\"title\":null,\"date\":{date},\
             \"language\":null}}\n"
        );
        let list = "md/00.warc/index.jsonl".to_owned();
        assert_eq!(page.listed, Some((list, line)));
        facts.id = "00.warc".to_owned();
        let stated = namer.next(&facts, "c");
        assert!(stated.listed.is_some(), "a record may state any id");
        let own = InputNamer::new("00.warc", LAYOUT).next(&facts, "c");
        assert_eq!((&*own.name, &*own.content), ("md/00.warc.md", "c\n"));
        assert!(own.listed.is_none());
    }
}
