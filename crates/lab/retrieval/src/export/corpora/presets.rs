//! The columns of published corpora. A corpus is one entry of [`PRESETS`].

use super::values::{
    Column, Read, file_name, language, plain_uuid, record_id, seconds, some_text, store_path,
};
use crate::export::{Compression, Format};

/// A published corpus: the columns of its pages in their order, and its usual files.
#[derive(Debug)]
pub struct Preset {
    /// The name on the command line.
    pub name: &'static str,
    /// The format of the published files.
    pub format: Format,
    /// How those files are compressed.
    pub compression: Compression,
    pub(super) columns: &'static [Column],
}

const fn column(name: &'static str, read: Read) -> Column {
    Column { name, read }
}

/// All presets. Each names the source of its columns.
pub static PRESETS: &[Preset] = &[
    // The dataset card of HuggingFaceFW/fineweb, "Data Fields" and the features of its files. The values are those of
    // datatrove: `readers/warc.py` (id, date), `tokens/counter.py` (token_count), `examples/fineweb.py` (dump).
    Preset {
        name: "fineweb",
        format: Format::Parquet,
        compression: Compression::None,
        columns: &[
            column("text", Read::Text(|row| Some(row.text.into()))),
            column("id", Read::Text(|row| Some(record_id(row.page).into()))),
            column("dump", Read::Crawl),
            column("url", Read::Text(|row| some_text(&row.page.url))),
            column("date", Read::Text(|row| seconds(row.page).map(Into::into))),
            column("file_path", Read::Text(|row| Some(store_path(row.page)))),
            column("language", Read::Text(|row| some_text(language(row.page)))),
            column("language_score", Read::Number(|row| row.score())),
            column("token_count", Read::Tokens),
        ],
    },
    // The dataset card of HPLT/HPLT3.0 (hplt-project.org/datasets/v3.0), and the README of warc2text for the short
    // names. Columns whose values are not known are left out: `rs`, `de`, `xml`, `html_lang`, `cluster_size`,
    // `seg_langs`, `filter`, `pii`, `doc_scores`, `web-register`.
    Preset {
        name: "hplt",
        format: Format::Jsonl,
        compression: Compression::Zst,
        columns: &[
            column(
                "f",
                Read::Text(|row| Some((&*row.page.warc_filename).into())),
            ),
            column("o", Read::Integer(|row| Some(row.page.warc_record_offset))),
            column("s", Read::Integer(|row| row.page.warc_record_length)),
            column("u", Read::Text(|row| some_text(&row.page.url))),
            column(
                "c",
                Read::Text(|row| some_text(&row.page.content_mime_type)),
            ),
            column("ts", Read::Text(|row| seconds(row.page).map(Into::into))),
            column("crawl_id", Read::Crawl),
            column("lang", Read::Label),
            column("prob", Read::Numbers(|row| row.score())),
            column("text", Read::Text(|row| Some(row.text.into()))),
            column("id", Read::Text(|row| Some((&*row.page.id).into()))),
        ],
    },
    // NeMo Curator 1.4, `stages/text/download`: `common_crawl/extract.py` and `base/extract.py`, which adds `file_name`.
    Preset {
        name: "nemo",
        format: Format::Jsonl,
        compression: Compression::None,
        columns: &[
            column("url", Read::Text(|row| some_text(&row.page.url))),
            column(
                "warc_id",
                Read::Text(|row| Some(plain_uuid(row.page).into())),
            ),
            column(
                "source_id",
                Read::Text(|row| Some(file_name(row.page).into())),
            ),
            column("language", Read::Text(|row| some_text(language(row.page)))),
            column("text", Read::Text(|row| Some(row.text.into()))),
            column(
                "file_name",
                Read::Text(|row| Some(file_name(row.page).into())),
            ),
        ],
    },
];

impl Preset {
    /// The preset with this name.
    pub fn find(name: &str) -> Option<&'static Self> {
        PRESETS.iter().find(|preset| preset.name == name)
    }

    /// The column with the name of the crawl.
    pub(super) fn crawl_column(&self) -> Option<&'static str> {
        self.named(|read| matches!(read, Read::Crawl))
    }

    /// The column with the number of tokens.
    pub fn token_column(&self) -> Option<&'static str> {
        self.named(|read| matches!(read, Read::Tokens))
    }

    fn named(&self, is_meant: impl Fn(&Read) -> bool) -> Option<&'static str> {
        let found = self.columns.iter().find(|column| is_meant(&column.read));
        found.map(|column| column.name)
    }
}
