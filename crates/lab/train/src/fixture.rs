//! Small data sets and pages for tests.

#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use super::Dataset;
use proptest::prelude::*;
use std::fmt::Display;
use tempfile::TempDir;
use warcsieve_engine::{Input, InputKind};
use warcsieve_eval::gold::{GoldOptions, read_from};
use warcsieve_eval::pages::Gold;

/// A WARC file of pages with these ids, URLs and bodies. Its folder is removed when the first value
/// is dropped.
pub fn warc<T: Display>(pages: impl IntoIterator<Item = (T, T, String)>) -> (TempDir, Input) {
    let record = |(id, url, body): (T, T, String)| {
        format!(
            "WARC/1.0\r\nWARC-Type: resource\r\nWARC-TREC-ID: {id}\r\nWARC-Target-URI: {url}\r\n\
             Content-Type: text/html\r\nContent-Length: {}\r\n\r\n{body}\r\n\r\n",
            body.len()
        )
    };
    let records: String = pages.into_iter().map(record).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.warc");
    std::fs::write(&path, records).unwrap();
    let input = Input {
        kind: InputKind::File(path),
        name: "a.warc".to_owned(),
        selected: None,
    };
    (folder, input)
}

/// Gold texts of pages, by id.
pub fn gold<T: Display>(pages: impl IntoIterator<Item = (T, String)>) -> Gold {
    let line = |(id, text): (T, String)| format!("{{\"id\": \"{id}\", \"gold\": \"{text}\"}}\n");
    let lines: String = pages.into_iter().map(line).collect();
    Gold::Texts(read_from("gold", lines.as_bytes(), GoldOptions::default()).unwrap())
}

/// Rows of one value, class and weight, each its own group.
pub fn one_column(rows: &[(f32, u8, u32)]) -> Dataset {
    let rows: Vec<_> = rows.iter().map(|&(v, l, w)| (vec![v], l, w)).collect();
    of_rows(2, &rows)
}

/// Rows of values, class and weight, each its own group.
pub fn of_rows(classes: usize, rows: &[(Vec<f32>, u8, u32)]) -> Dataset {
    let width = rows.first().map_or(1, |r| r.0.len());
    Dataset {
        names: ["x", "y", "z", "u", "v"][..width]
            .iter()
            .map(|n| (*n).to_owned())
            .collect(),
        columns: (0..width)
            .map(|c| rows.iter().map(|r| r.0[c]).collect())
            .collect(),
        classes: ["a", "b", "c", "d"][..classes]
            .iter()
            .map(|n| (*n).to_owned())
            .collect(),
        labels: rows.iter().map(|r| r.1).collect(),
        weights: rows.iter().map(|r| r.2).collect(),
        groups: (0..rows.len() as u32).collect(),
    }
}

/// Up to `rows` rows of three columns with few distinct values, two or three classes, weights
/// from 0. The class depends on the first two columns, with some noise.
pub fn dataset(rows: usize) -> impl Strategy<Value = Dataset> {
    (2..=3usize).prop_flat_map(move |classes| {
        let row = (0..8u8, 0..5u8, 0..30u8, 0..6u8, 0..classes as u8, 0..9u32);
        prop::collection::vec(row, 0..rows).prop_map(move |rows| {
            let rows: Vec<_> = rows
                .iter()
                .map(|&(x, y, z, noise, random, weight)| {
                    let class = match noise {
                        0 => random,
                        _ if x < 4 => 0,
                        _ => 1.max(y % classes as u8),
                    };
                    let values = [x, y, z].map(|v| f32::from(v) / 2.0).to_vec();
                    (values, class, weight)
                })
                .collect();
            let mut data = of_rows(classes, &rows);
            if rows.is_empty() {
                data.names = ["x", "y", "z"].map(str::to_owned).to_vec();
                data.columns = vec![Vec::new(); 3];
            }
            data
        })
    })
}
