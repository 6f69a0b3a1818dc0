//! Layouts that an earlier run kept in its table `documents`.

use arrow_array::cast::AsArray;
use arrow_array::types::{Float32Type, Int32Type};
use arrow_array::{Array, RecordBatch};
use arrow_schema::DataType;
use data_encoding::HEXLOWER;
use parquet::arrow::arrow_reader::ArrowReaderOptions;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use warcsieve_common::files::is_folder;
use warcsieve_common::{Error, Result};
use warcsieve_html::layout::{Layout, LayoutStatus};
use warcsieve_layout::{Kept, KeptPage};
use warcsieve_tables::read::{Batches, TableFile, Unreadable};

/// The columns that must be there, with their types.
const COLUMNS: [(&str, DataType); 8] = [
    ("id", DataType::Utf8),
    ("html_bytes", DataType::Int32),
    ("render_engine", DataType::Utf8),
    ("viewport_width", DataType::Int32),
    ("page_height", DataType::Float32),
    ("layout_status", DataType::Utf8),
    ("css_missing", DataType::Int32),
    ("boxes", DataType::Binary),
];

/// The column of pictures, which is optional.
const SCREENSHOT: &str = "screenshot";

/// Maximum number of rows in memory at a time.
const MAX_ROWS: usize = 64;

/// Maximum depth of folders below `documents`.
const DEEPEST: usize = 32;

/// Reads the kept layouts of a run's output folder, or of one file of its documents. Also returns
/// the sha256 over the files' hashes, in hex.
pub(super) fn open(place: &Path) -> Result<(Kept, String)> {
    let folder = place.join("documents");
    let mut files = match is_folder(&folder)? {
        true => parquet_below(&folder)?,
        false => vec![place.to_owned()],
    };
    files.sort();
    let scratch = tempfile::tempfile().map_err(|e| Error::io(std::env::temp_dir(), e))?;
    let mut kept = Kept::new(scratch);
    let mut lines = String::new();
    for file in &files {
        read(file, &mut kept)?;
        lines.push_str(&sha256(file).map_err(|e| Error::io(file, e))?);
        lines.push('\n');
    }
    if kept.pages() == 0 {
        let place = place.display();
        return Err(Error::Invalid(format!(
            "{place}: there are no kept layouts"
        )));
    }
    Ok((kept, HEXLOWER.encode(&Sha256::digest(lines))))
}

/// All Parquet files below a folder.
fn parquet_below(folder: &Path) -> Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), vec![(folder.to_owned(), 0)]);
    while let Some((folder, depth)) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(|e| Error::io(&folder, e))? {
            let path = entry.map_err(|e| Error::io(&folder, e))?.path();
            if is_folder(&path)? && depth < DEEPEST {
                folders.push((path, depth + 1));
            } else if path.extension().is_some_and(|e| e == "parquet") {
                files.push(path);
            }
        }
    }
    Ok(files)
}

/// The sha256 of a file, in hex.
pub fn sha256(path: &Path) -> io::Result<String> {
    let (mut file, mut hash) = (File::open(path)?, Sha256::new());
    let mut buffer = vec![0; 1 << 16];
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(HEXLOWER.encode(&hash.finalize())),
            n => hash.update(&buffer[..n]),
        }
    }
}

fn read(path: &Path, kept: &mut Kept) -> Result<()> {
    let wrong = |what: String| Error::Invalid(format!("{}: {what}", path.display()));
    let file = File::open(path).map_err(|e| Error::io(path, e))?;
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let unreadable = |why: Unreadable| why.at(path, |what| wrong(what.to_owned()));
    let table = TableFile::open(file, options).map_err(unreadable)?;
    let column = |name| table.schema().field_with_name(name).ok();
    for (name, data_type) in &COLUMNS {
        if column(name).is_none_or(|c| c.data_type() != data_type) {
            return Err(wrong(format!(
                "it has no column `{name}` of type {data_type}; kept layouts are the documents of a \
                 run with `layout` and boxes = true"
            )));
        }
    }
    let is_pictured = column(SCREENSHOT).is_some_and(|c| *c.data_type() == DataType::Binary);
    let mut columns: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
    columns.extend(is_pictured.then_some(SCREENSHOT));
    let mut batches: Batches = table.read(&columns, MAX_ROWS).map_err(unreadable)?;
    while let Some(batch) = batches.next_batch().map_err(unreadable)? {
        for row in 0..batch.num_rows() {
            if let Some(page) = page(&batch, row) {
                kept.add(&page)
                    .map_err(|e| Error::io(std::env::temp_dir(), e))?;
            }
        }
    }
    Ok(())
}

/// The page of a row; `None` if no layout engine was asked about it.
fn page(batch: &RecordBatch, row: usize) -> Option<KeptPage> {
    let column = |name| {
        let column = batch.column_by_name(name);
        column.filter(|column| column.is_valid(row))
    };
    let text = |name| Some(column(name)?.as_string::<i32>().value(row));
    let count = |name| u32::try_from(column(name)?.as_primitive::<Int32Type>().value(row)).ok();
    let bytes = |name| Some(column(name)?.as_binary::<i32>().value(row).to_vec());
    let height = column("page_height").map(|c| c.as_primitive::<Float32Type>().value(row));
    let status = text("layout_status")?;
    let status = LayoutStatus::ALL.into_iter().find(|s| s.as_str() == status);
    Some(KeptPage {
        id: text("id")?.to_owned(),
        html_bytes: count("html_bytes")?,
        layout: Layout {
            engine: text("render_engine").unwrap_or_default().to_owned(),
            viewport_width: count("viewport_width").unwrap_or(0),
            page_height: height.filter(|h| h.is_finite()).unwrap_or(0.0),
            css_missing: count("css_missing").unwrap_or(0),
            status: status.filter(|s| *s != LayoutStatus::PlainText)?,
            screenshot: bytes(SCREENSHOT),
            ..Layout::default()
        },
        boxes: bytes("boxes").unwrap_or_default(),
    })
}
