//! The scores of every page as Parquet: one row per page and pipeline.

use crate::page_score::MEASURES;
use crate::run::Evaluation;
use arrow_array::builder::{Float64Builder, Int64Builder, StringBuilder};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::WriterProperties;
use std::path::Path;
use std::sync::Arc;
use warcsieve_common::{Error, Result};
use warcsieve_store::HashedFile;

/// Writes the columns `id`, `page_type`, `set`, `pipeline`, `input`, `url`, `offset`, the measures, the
/// counts of words and blocks, and `fault`; the file appears whole or not at all.
pub fn write(path: &Path, evaluation: &Evaluation) -> Result<()> {
    let batch = batch(evaluation);
    let mut file = HashedFile::create(path)?;
    let mut written = || -> parquet::errors::Result<()> {
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::try_new(3)?))
            .build();
        let mut writer = ArrowWriter::try_new(&mut file, batch.schema(), Some(properties))?;
        writer.write(&batch)?;
        writer.close()?;
        Ok(())
    };
    written().map_err(|e| Error::io(path, std::io::Error::other(e)))?;
    file.commit().map(|_| ())
}

fn batch(evaluation: &Evaluation) -> RecordBatch {
    let rows = || {
        let pages = evaluation.pages.iter();
        pages.flat_map(|page| {
            page.scores
                .iter()
                .enumerate()
                .map(move |(p, s)| (page, p, s))
        })
    };
    let mut fields = Vec::new();
    let mut columns: Vec<ArrayRef> = Vec::new();
    let mut add = |name: &str, nullable: bool, column: ArrayRef| {
        fields.push(Field::new(name, column.data_type().clone(), nullable));
        columns.push(column);
    };
    let text = |value: &dyn Fn(usize) -> Option<String>| -> ArrayRef {
        let mut builder = StringBuilder::new();
        (0..rows().count()).for_each(|i| builder.append_option(value(i)));
        Arc::new(builder.finish())
    };
    let all: Vec<_> = rows().collect();
    add("id", false, text(&|i| Some(all[i].0.id.clone())));
    add(
        "page_type",
        false,
        text(&|i| Some(all[i].0.page_type.clone())),
    );
    add("set", false, text(&|i| Some(all[i].0.set.clone())));
    add(
        "pipeline",
        false,
        text(&|i| Some(evaluation.pipelines[all[i].1].name.clone())),
    );
    add(
        "input",
        true,
        text(&|i| Some(all[i].0.place.as_ref()?.input.clone())),
    );
    add(
        "url",
        true,
        text(&|i| Some(all[i].0.place.as_ref()?.url.clone())),
    );
    let count = |value: &dyn Fn(usize) -> Option<usize>| -> ArrayRef {
        let mut builder = Int64Builder::new();
        (0..all.len()).for_each(|i| builder.append_option(value(i).map(|n| n as i64)));
        Arc::new(builder.finish())
    };
    add(
        "offset",
        true,
        count(&|i| Some(all[i].0.place.as_ref()?.offset as usize)),
    );
    for measure in MEASURES {
        let mut builder = Float64Builder::new();
        all.iter()
            .for_each(|(_, _, score)| builder.append_option((measure.of)(score)));
        add(measure.name, true, Arc::new(builder.finish()));
    }
    add("gold_words", false, count(&|i| Some(all[i].2.gold_words)));
    add(
        "predicted_words",
        false,
        count(&|i| Some(all[i].2.predicted_words)),
    );
    add("n_blocks", false, count(&|i| Some(all[i].2.n_blocks)));
    add(
        "n_content_blocks",
        false,
        count(&|i| Some(all[i].2.n_content_blocks)),
    );
    add("fault", true, text(&|i| all[i].2.fault.clone()));
    let schema = Arc::new(Schema::new(fields));
    RecordBatch::try_new(schema, columns).expect("columns were built with their fields")
}
