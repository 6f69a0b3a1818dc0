//! The crawl that an input belongs to, by its path.

/// The crawl of Common Crawl that is a folder of this path, such as `CC-MAIN-2024-10` or `CC-MAIN-2009-2010`.
pub(super) fn crawl_of(path: &str) -> Option<&str> {
    path.split('/').find(|part| {
        let years = part.strip_prefix("CC-MAIN-").map(|rest| rest.split('-'));
        let lengths = years.map(|years| years.map(digits).collect::<Vec<_>>());
        let lengths = lengths.unwrap_or_default();
        matches!(lengths[..], [Some(4)] | [Some(4), Some(2 | 4)])
    })
}

/// The number of digits of a text that has nothing else.
fn digits(text: &str) -> Option<usize> {
    let is_number = text.bytes().all(|b| b.is_ascii_digit());
    is_number.then_some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_folders_are_names_of_crawls() {
        for (path, crawl) in [
            (
                "crawl-data/CC-MAIN-2024-10/segments/1/warc/CC-MAIN-20240220211055-20240221001055-00000.warc.gz",
                Some("CC-MAIN-2024-10"),
            ),
            ("CC-MAIN-2009-2010/00.arc.gz", Some("CC-MAIN-2009-2010")),
            ("CC-MAIN-2012/00.arc.gz", Some("CC-MAIN-2012")),
            ("CC-MAIN-20240220211055-20240221001055-00000.warc.gz", None),
            ("CC-MAIN-2024-100/00.warc.gz", None),
            ("CC-MAIN-2024-1a/00.warc.gz", None),
            ("CC-MAIN-/00.warc.gz", None),
            ("en0000/00.warc.gz", None),
            ("", None),
        ] {
            assert_eq!(crawl_of(path), crawl, "{path}");
        }
    }
}
