//! Counts of the documents in a corpus.

use super::documents::Documents;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use warcsieve_common::{Error, Result};
use warcsieve_page::rfc3339;
use warcsieve_tables::OutputFile;

/// Counts of the documents that stay.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kept {
    /// Bytes of their texts.
    pub text_bytes: u64,
    /// Languages, the most frequent first, each with its documents and the bytes of their texts.
    pub languages: Vec<(String, u64, u64)>,
    /// The first and the last day on which a document was crawled, as `2024-12-31`.
    pub days: Option<[String; 2]>,
    /// The documents of each month, as `2024-12`.
    pub months: BTreeMap<String, u64>,
    /// Documents without a date.
    pub undated: u64,
}

/// Counts the documents of these files below a folder, on the threads of the current rayon pool.
///
/// # Errors
/// [`Error::Integrity`] if a file cannot be decoded; [`Error::Io`].
pub fn read_kept(folder: &Path, files: &[OutputFile]) -> Result<Kept> {
    let read = files.par_iter().map(|file| {
        let path = folder.join(&file.path);
        Documents::read(&path, &file.path).map_err(|why| {
            why.at(&path, |what| Error::Integrity {
                path: path.clone(),
                message: what.to_owned(),
            })
        })
    });
    let mut all = Documents::default();
    for documents in read.collect::<Result<Vec<_>>>()? {
        all.merge(documents);
    }
    let languages = all.languages.ordered().into_iter();
    let mut months = BTreeMap::new();
    for (day, [documents, _]) in &all.days {
        let month = date(*day)[..7].to_owned();
        *months.entry(month).or_default() += documents;
    }
    let days = [all.days.keys().next(), all.days.keys().next_back()];
    Ok(Kept {
        text_bytes: all.text.sum,
        languages: languages
            .map(|(code, counted)| (code.to_owned(), counted.count, counted.sums[1]))
            .collect(),
        days: match days {
            [Some(first), Some(last)] => Some([date(*first), date(*last)]),
            _ => None,
        },
        months,
        undated: all.undated,
    })
}

/// The date of a day since 1970.
pub fn date(day: i32) -> String {
    let mut date = rfc3339(i64::from(day) * 86_400_000_000);
    date.truncate("2024-02-29".len());
    date
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_those_of_the_calendar() {
        for (days, expected) in [
            (0, "1970-01-01"),
            (11_016, "2000-02-29"),
            (11_017, "2000-03-01"),
            (19_782, "2024-02-29"),
            (20_088, "2024-12-31"),
            (47_481, "2099-12-31"),
        ] {
            assert_eq!(date(days), expected);
        }
    }
}
