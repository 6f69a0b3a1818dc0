//! The fields of an index.
//!
//! | field | holds |
//! |---|---|
//! | `id` | the page's id, a column from which results are read |
//! | `url`, `title`, `text` | stored; `title` can be searched, too |
//! | `body` | terms of the text, and of the title if the settings say so |
//! | `words_I`, `density_I` | terms of the blocks of a step of a sliding threshold |
//! | `band_I` | terms of the blocks of a band of score |
//! | `anchors` | terms of the links to the page, if the settings have them |
//! | `inlinks` | stored: how many links lead to the page |
//! | `parts` | stored: the blocks of `text`, if the settings have steps or bands |
//! | `NAME_length` | a column: how many terms the field `NAME` has, exactly |

use super::settings::IndexSettings;
use tantivy::schema::{
    Field, IndexRecordOption, NumericOptions, STORED, Schema, TextFieldIndexing, TextOptions,
};

/// Name under which the analyzer is registered with tantivy.
pub const ANALYZER: &str = "warcsieve";

/// A field of terms, and the column of its lengths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextField {
    /// Its terms.
    pub field: Field,
    /// The number of its terms.
    pub length: Field,
    /// Name of the lengths column.
    pub length_name: String,
}

/// All fields of an index.
#[derive(Clone, Debug)]
pub struct Fields {
    /// The schema for tantivy.
    pub schema: Schema,
    /// Id of the page.
    pub id: Field,
    /// URL of the page.
    pub url: Field,
    /// The stored text.
    pub text: Field,
    /// The title.
    pub title: TextField,
    /// Title and text.
    pub body: TextField,
    /// One field per step of [`Sliding::words`](super::sliding::Sliding::words).
    pub words: Vec<TextField>,
    /// One field per step of [`Sliding::density`](super::sliding::Sliding::density).
    pub density: Vec<TextField>,
    /// One field per band of [`Bands`](super::bands::Bands).
    pub bands: Vec<TextField>,
    /// The texts of the links to the page, if they are indexed, and their number.
    pub anchors: Option<(TextField, Field)>,
    /// The blocks of the stored text.
    pub parts: Field,
}

/// Options of a field of terms: with documents and frequencies.
pub(crate) fn terms() -> TextOptions {
    // The ranking models need no positions, and exact lengths are stored in columns.
    let indexing = TextFieldIndexing::default()
        .set_tokenizer(ANALYZER)
        .set_index_option(IndexRecordOption::WithFreqs)
        .set_fieldnorms(false);
    TextOptions::default().set_indexing_options(indexing)
}

/// Name of the column with the ids of results.
pub const ID: &str = "id";

impl Fields {
    /// The fields of an index with these settings.
    pub fn of(settings: &IndexSettings) -> Self {
        let mut builder = Schema::builder();
        let terms = terms();
        let mut text_field = |name: &str, options: TextOptions| {
            let length_name = format!("{name}_length");
            TextField {
                field: builder.add_text_field(name, options),
                length: builder.add_u64_field(&length_name, NumericOptions::default().set_fast()),
                length_name,
            }
        };
        let title = text_field("title", terms.clone() | STORED);
        let body = text_field("body", terms.clone());
        let mut steps = |name: &str, n: usize| -> Vec<_> {
            (0..n)
                .map(|i| text_field(&format!("{name}_{i}"), terms.clone()))
                .collect()
        };
        let words = steps("words", settings.sliding.words.len());
        let density = steps("density", settings.sliding.density.len());
        let bands = steps("band", settings.bands.0.len());
        let anchors = settings
            .anchors
            .is_some()
            .then(|| text_field("anchors", terms.clone()));
        let anchors = anchors.map(|field| (field, builder.add_u64_field("inlinks", STORED)));
        let parts = builder.add_bytes_field("parts", STORED);
        let id = builder.add_text_field(ID, TextOptions::default().set_fast("raw"));
        let url = builder.add_text_field("url", STORED);
        let text = builder.add_text_field("text", STORED);
        Self {
            schema: builder.build(),
            id,
            url,
            text,
            title,
            body,
            words,
            density,
            bands,
            anchors,
            parts,
        }
    }
}
