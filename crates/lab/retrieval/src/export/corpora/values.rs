//! The values of a page in the columns of published corpora.

use crate::shards::ShardPage;
use serde::ser::{Serialize, SerializeMap, Serializer};
use std::borrow::Cow;
use warcsieve_language::{Identifier, UNDETERMINED, iso_639_3};
use warcsieve_page::rfc3339;

/// A page, and what is known about it beside its row of `documents`.
pub(super) struct Row<'a> {
    pub page: &'a ShardPage,
    pub text: &'a str,
    /// The name of its crawl.
    pub crawl: Option<&'a str>,
    /// The tokens of its text.
    pub tokens: Option<i64>,
}

/// A column: its name, and where its values come from, which decides their type.
#[derive(Debug)]
pub(super) struct Column {
    pub name: &'static str,
    pub read: Read,
}

/// Where the values of a column come from.
#[derive(Debug)]
pub(super) enum Read {
    Text(for<'a> fn(&Row<'a>) -> Option<Cow<'a, str>>),
    Integer(fn(&Row<'_>) -> Option<i64>),
    Number(fn(&Row<'_>) -> Option<f64>),
    /// A list with this number, or an empty list.
    Numbers(fn(&Row<'_>) -> Option<f64>),
    /// A text: the name of the crawl.
    Crawl,
    /// An integer: the tokens of the text.
    Tokens,
    /// A list of texts: the language and the script, as `eng_Latn`. Empty if the language is unknown.
    Label,
}

/// A value, in the type of its column.
pub(super) enum Value<'a> {
    Text(Option<Cow<'a, str>>),
    Integer(Option<i64>),
    Number(Option<f64>),
    Texts(Option<Cow<'a, str>>),
    Numbers(Option<f64>),
}

impl Read {
    pub fn value<'a>(&self, row: &Row<'a>) -> Value<'a> {
        match self {
            Self::Text(read) => Value::Text(read(row)),
            Self::Integer(read) => Value::Integer(read(row)),
            Self::Number(read) => Value::Number(read(row)),
            Self::Numbers(read) => Value::Numbers(read(row)),
            Self::Crawl => Value::Text(row.crawl.map(Into::into)),
            Self::Tokens => Value::Integer(row.tokens),
            Self::Label => Value::Texts(row.label().map(Into::into)),
        }
    }
}

impl Row<'_> {
    /// The probability that the language is right. It is the number that `documents` shows in decimal digits.
    pub fn score(&self) -> Option<f64> {
        self.page.language_score?.to_string().parse().ok()
    }

    fn label(&self) -> Option<String> {
        let code = language(self.page);
        let script = || Identifier::default().script(self.text, code);
        let label = || format!("{}_{}", iso_639_3(code), script());
        (code != UNDETERMINED).then(label)
    }
}

/// The code of a page's language.
pub(super) fn language(page: &ShardPage) -> &str {
    page.language.as_deref().unwrap_or(UNDETERMINED)
}

/// A text that is null if it is empty.
pub(super) fn some_text(text: &str) -> Option<Cow<'_, str>> {
    (!text.is_empty()).then_some(text.into())
}

/// `WARC-Record-ID` with its `<>`; the id of a page whose record has none.
pub(super) fn record_id(page: &ShardPage) -> &str {
    match page.warc_record_id.as_str() {
        "" => &page.id,
        id => id,
    }
}

/// The record id without `<urn:uuid:` and `>`.
pub(super) fn plain_uuid(page: &ShardPage) -> &str {
    let id = record_id(page).trim_matches(['<', '>']);
    id.strip_prefix("urn:uuid:").unwrap_or(id)
}

/// The date in RFC 3339, with whole seconds as crawls state it.
pub(super) fn seconds(page: &ShardPage) -> Option<String> {
    let micros = page.date?;
    Some(rfc3339(micros - micros.rem_euclid(1_000_000)))
}

/// The name of the input without its folders.
pub(super) fn file_name(page: &ShardPage) -> &str {
    let name = page.warc_filename.rsplit('/').next();
    name.unwrap_or_default()
}

/// The path of the input. Paths of Common Crawl become addresses in its store.
pub(super) fn store_path(page: &ShardPage) -> Cow<'_, str> {
    match page.warc_filename.as_str() {
        path if path.starts_with("crawl-data/CC-") => format!("s3://commoncrawl/{path}").into(),
        path => path.into(),
    }
}

/// A row as a JSON object.
pub(super) struct Line<'r, 'a> {
    pub columns: &'static [Column],
    pub row: &'r Row<'a>,
}

impl Serialize for Line<'_, '_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut map = to.serialize_map(Some(self.columns.len()))?;
        for Column { name, read } in self.columns {
            match read.value(self.row) {
                Value::Text(text) => map.serialize_entry(name, &text)?,
                Value::Integer(number) => map.serialize_entry(name, &number)?,
                Value::Number(number) => map.serialize_entry(name, &number)?,
                Value::Texts(text) => map.serialize_entry(name, text.as_slice())?,
                Value::Numbers(number) => map.serialize_entry(name, number.as_slice())?,
            }
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_paths_have_the_forms_of_each_corpus() {
        let mut page = ShardPage {
            id: "clueweb09-en0000-00-00000".to_owned(),
            warc_record_id: "<urn:uuid:ba044688-f2b2>".to_owned(),
            warc_filename: "crawl-data/CC-MAIN-2014-10/segments/1/warc/00.warc.gz".to_owned(),
            date: Some(1_395_020_947_999_999),
            ..ShardPage::default()
        };
        assert_eq!(record_id(&page), "<urn:uuid:ba044688-f2b2>");
        assert_eq!(plain_uuid(&page), "ba044688-f2b2");
        assert_eq!(file_name(&page), "00.warc.gz");
        let path = "s3://commoncrawl/crawl-data/CC-MAIN-2014-10/segments/1/warc/00.warc.gz";
        assert_eq!(store_path(&page), path);
        assert_eq!(seconds(&page).as_deref(), Some("2014-03-17T01:49:07Z"));
        page.warc_record_id.clear();
        page.warc_filename = "00.arc".to_owned();
        page.date = None;
        assert_eq!(record_id(&page), page.id);
        assert_eq!(plain_uuid(&page), page.id);
        assert_eq!(file_name(&page), "00.arc");
        assert_eq!(store_path(&page), "00.arc");
        assert_eq!(seconds(&page), None);
    }
}
