//! Columns of `documents` with what pages say of themselves.

use super::personal::Masker;
use arrow_array::ArrayRef;
use arrow_array::builder::{ListBuilder, MapBuilder, MapFieldNames, StringBuilder};
use arrow_schema::{DataType, Field as Column, Fields};
use std::sync::Arc;
use warcsieve_extract::{Field, Metadata, Settings};

/// The column with the source of each of the others.
const SOURCES: &str = "metadata_source";

/// Names that Parquet gives the parts of lists and maps.
const ELEMENT: &str = "element";
const ENTRY: [&str; 3] = ["key_value", "key", "value"];

/// Columns of [`Field::ALL`], and their sources.
#[derive(Debug)]
pub(super) struct MetadataRows {
    /// Of the fields but the tags, in their order.
    texts: Vec<StringBuilder>,
    tags: ListBuilder<StringBuilder>,
    sources: MapBuilder<StringBuilder, StringBuilder>,
}

impl MetadataRows {
    /// The columns, if the pipeline asks for them.
    pub fn of(settings: &Settings) -> Option<Self> {
        settings.metadata.then(|| Self {
            texts: texts().map(|_| StringBuilder::new()).collect(),
            tags: ListBuilder::new(StringBuilder::new()).with_field(element()),
            sources: MapBuilder::new(Some(names()), StringBuilder::new(), StringBuilder::new())
                .with_values_field(value()),
        })
    }

    /// Their fields, if the pipeline asks for them. All but the tags and the sources, which may be
    /// empty, are null where the page does not say it.
    pub fn fields(settings: &Settings) -> impl Iterator<Item = Column> + use<> {
        let texts = texts().map(|field| Column::new(field.as_str(), DataType::Utf8, true));
        let tags = DataType::List(Arc::new(element()));
        let [entry, key, _] = ENTRY;
        let pair = Fields::from(vec![Column::new(key, DataType::Utf8, false), value()]);
        let entries = Column::new(entry, DataType::Struct(pair), false);
        let sources = DataType::Map(Arc::new(entries), false);
        let lists = [
            Column::new(Field::Tags.as_str(), tags, false),
            Column::new(SOURCES, sources, false),
        ];
        let all = texts.chain(lists);
        all.filter({
            let is_there = settings.metadata;
            move |_| is_there
        })
    }

    /// Adds a page, masked. Returns the approximate size of its values in bytes.
    pub fn push(&mut self, metadata: &Metadata, masker: &mut Masker) -> usize {
        let mut bytes = 0;
        for (column, field) in self.texts.iter_mut().zip(texts()) {
            let text = metadata.get(field);
            bytes += text.map_or(0, str::len);
            column.append_option(text.map(|text| masker.mask(text)));
        }
        for tag in metadata.tags() {
            bytes += tag.len();
            self.tags.values().append_value(masker.mask(tag));
        }
        self.tags.append(true);
        for field in Field::ALL {
            if let Some(source) = metadata.source(field) {
                self.sources.keys().append_value(field.as_str());
                self.sources.values().append_value(source.as_str());
            }
        }
        self.sources
            .append(true)
            .expect("a key has a value, and both were added");
        bytes
    }

    /// The values since the last call.
    pub fn finish(&mut self) -> Vec<ArrayRef> {
        let texts = self.texts.iter_mut();
        let mut columns: Vec<ArrayRef> = texts
            .map(|column| -> ArrayRef { Arc::new(column.finish()) })
            .collect();
        columns.push(Arc::new(self.tags.finish()));
        columns.push(Arc::new(self.sources.finish()));
        columns
    }

    /// Paths of the parts of lists and maps that hold text, as Parquet writes them.
    pub fn nested() -> [Vec<String>; 3] {
        let [entry, key, value] = ENTRY;
        let path = |parts: &[&str]| parts.iter().map(|part| (*part).to_owned()).collect();
        [
            path(&[Field::Tags.as_str(), "list", ELEMENT]),
            path(&[SOURCES, entry, key]),
            path(&[SOURCES, entry, value]),
        ]
    }
}

/// The fields that have one text.
fn texts() -> impl Iterator<Item = Field> {
    let fields = Field::ALL.into_iter();
    fields.filter(|field| *field != Field::Tags)
}

fn element() -> Column {
    Column::new(ELEMENT, DataType::Utf8, false)
}

fn value() -> Column {
    Column::new(ENTRY[2], DataType::Utf8, false)
}

fn names() -> MapFieldNames {
    let [entry, key, value] = ENTRY.map(str::to_owned);
    MapFieldNames { entry, key, value }
}
