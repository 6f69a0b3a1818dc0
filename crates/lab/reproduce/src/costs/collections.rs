//! Known crawls, as described by their publishers. The page states the source of each figure.

use crate::{Result, data, number};

/// A crawl.
pub struct Collection {
    pub name: &'static str,
    pub pages: f64,
    /// Bytes per page, with its headers.
    pub page: f64,
    /// Its compressed size in bytes, or the ratio of a similar collection, or neither.
    compressed: (&'static str, f64),
    /// The unit in which the size of a file is stated, and how much of it a file has.
    file: (&'static str, f64),
}

pub fn collections() -> Result<Vec<Collection>> {
    let rows = data!("costs/collections.tsv")?.rows()?.into_iter();
    let collection = |[name, pages, page, compressed, file, _]: [&'static str; 6]| {
        Ok(Collection {
            name,
            pages: value(pages)?,
            page: value(page)?,
            compressed: named(compressed)?,
            file: named(file)?,
        })
    };
    rows.map(collection).collect()
}

/// A word and a value.
fn named(cell: &'static str) -> Result<(&'static str, f64)> {
    match cell.split_once(' ') {
        Some((name, rest)) => Ok((name, value(rest)?)),
        None => Ok((cell, 0.0)),
    }
}

/// A number, or several numbers that are multiplied and divided from left to right.
fn value(cell: &str) -> Result<f64> {
    let mut words = cell.split(' ');
    let mut value = number(words.next().unwrap_or_default())?;
    while let (Some(by), Some(other)) = (words.next(), words.next()) {
        match by {
            "*" => value *= number(other)?,
            "/" => value /= number(other)?,
            _ => return Err(format!("`{cell}`: `{by}` is neither `*` nor `/`").into()),
        }
    }
    Ok(value)
}

impl Collection {
    /// Uncompressed bytes.
    pub fn inflated(&self) -> f64 {
        self.pages * self.page
    }

    /// Bytes of the files. `today` is the compression ratio of the labelled pages of today.
    pub fn compressed(&self, today: f64) -> f64 {
        match self.compressed {
            ("bytes", bytes) => bytes,
            ("ratio", ratio) => self.inflated() / ratio,
            _ => self.inflated() / today,
        }
    }

    /// Number of files.
    pub fn files(&self, today: f64) -> f64 {
        let all = match self.file.0 {
            "pages" => self.pages,
            "inflated" => self.inflated(),
            _ => self.compressed(today),
        };
        (all / self.file.1).ceil()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crawls_have_as_many_files_as_published() {
        let all = collections().unwrap();
        let files: Vec<f64> = all.iter().map(|crawl| crawl.files(6.3)).collect();
        assert_eq!(files[..3], [26_022.0, 1_256.0, 27_122.0]);
        assert_eq!(all[0].inflated(), 25e12);
        assert_eq!(all[2].compressed(6.3), 733_019_372.0 * 37e3 / 5.0);
        assert_eq!(
            all[1].compressed(6.3),
            2.08e12 * 50_220_423.0 / 503_903_810.0
        );
        assert!((all[5].compressed(6.3) * 6.3 / 394.0 / 1_099_511_627_776.0 - 1.0).abs() < 1e-12);
        assert_eq!(all[5].page, 394.0 * 1_099_511_627_776.0 / 2.64e9);
        assert!(value("2 + 2").is_err() && value("two").is_err());
    }
}
