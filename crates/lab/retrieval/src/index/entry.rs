//! A page to be indexed.

use super::analyzer::length;
use super::fields::{Fields, TextField};
use super::parts::{self, EntryBlock};
use super::settings::IndexSettings;
use super::sliding::step;
use tantivy::TantivyDocument;
use warcsieve_corpus::InLinks;

/// A page to be indexed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Entry<'a> {
    /// Its id.
    pub id: &'a str,
    /// Its URL.
    pub url: &'a str,
    /// Its title.
    pub title: &'a str,
    /// Its text.
    pub text: &'a str,
    /// The blocks of the text, for sliding thresholds and bands. The text is their texts with a line end between two.
    pub blocks: &'a [EntryBlock<'a>],
    /// The links to it, if there are any.
    pub inlinks: Option<&'a InLinks>,
}

impl Entry<'_> {
    /// The document for tantivy, and the number of bytes of text in it, including copies.
    pub(super) fn document(
        &self,
        fields: &Fields,
        settings: &IndexSettings,
    ) -> (TantivyDocument, usize) {
        let mut document = TantivyDocument::default();
        let mut bytes = self.id.len() + self.url.len();
        document.add_text(fields.id, self.id);
        document.add_text(fields.url, self.url);
        if settings.store {
            bytes += self.text.len();
            document.add_text(fields.text, self.text);
            if settings.has_parts() {
                document.add_bytes(fields.parts, &parts::encode(self.blocks));
            }
        }
        let mut add = |field: &TextField, texts: &[&str]| {
            bytes += texts.iter().map(|text| text.len()).sum::<usize>();
            texts.iter().for_each(|t| document.add_text(field.field, t));
            document.add_u64(field.length, texts.iter().map(|t| length(t)).sum());
        };
        add(&fields.title, &[self.title]);
        match settings.title {
            true => add(&fields.body, &[self.title, self.text]),
            false => add(&fields.body, &[self.text]),
        }
        if let (Some((anchors, _)), Some(inlinks)) = (&fields.anchors, self.inlinks) {
            add(anchors, &[&inlinks.texts]);
        }
        let sliding = &settings.sliding;
        let steps = [
            (
                &fields.words,
                self.by_step(&|b| step(&sliding.words, &b.words)),
            ),
            (
                &fields.density,
                self.by_step(&|b| step(&sliding.density, &b.density)),
            ),
            (&fields.bands, self.by_step(&|b| settings.bands.of(b.score))),
        ];
        for (fields, blocks) in steps {
            for step in blocks.chunk_by(|a, b| a.0 == b.0) {
                let texts: Vec<&str> = step.iter().map(|(_, text)| *text).collect();
                add(&fields[step[0].0], &texts);
            }
        }
        if let (Some((_, number)), Some(inlinks)) = (&fields.anchors, self.inlinks) {
            document.add_u64(*number, inlinks.links);
        }
        (document, bytes)
    }

    /// The blocks of each step, with the step.
    fn by_step(&self, step: &dyn Fn(&EntryBlock<'_>) -> Option<usize>) -> Vec<(usize, &str)> {
        let mut blocks: Vec<_> = self
            .blocks
            .iter()
            .filter_map(|b| Some((step(b)?, b.text)))
            .collect();
        blocks.sort_by_key(|(step, _)| *step);
        blocks
    }
}
