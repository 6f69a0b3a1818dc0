//! What a file is by the ending of its name.

/// Endings that make a file in a folder a crawl. The format of a file is detected by its first bytes.
pub(super) const CRAWL_ENDINGS: &[&str] = &[
    ".warc",
    ".warc.gz",
    ".warc.zst",
    ".arc",
    ".arc.gz",
    ".arc.zst",
];

/// Endings of the names of pages.
pub(super) const PAGE_ENDINGS: &[&str] = &[".html", ".htm", ".xhtml"];

/// The ending of the names of WACZ files.
pub(super) const WACZ_ENDING: &str = ".wacz";

/// Whether a file in a folder of this name is an input.
pub(super) fn is_named_input(name: &str) -> bool {
    is_named_crawl(name) || is_named_page(name) || is_named_wacz(name)
}

/// Whether a name ends as those of crawls do.
pub(super) fn is_named_crawl(name: &str) -> bool {
    crawl_stem(name).is_some()
}

/// The name of a crawl without its ending; `None` if it does not end as those of crawls do.
pub fn crawl_stem(name: &str) -> Option<&str> {
    let lower = name.to_ascii_lowercase();
    let stem = CRAWL_ENDINGS
        .iter()
        .find_map(|ending| lower.strip_suffix(ending))?;
    Some(&name[..stem.len()])
}

/// Whether a name ends as those of pages do, compressed with gzip or not.
pub fn is_named_page(name: &str) -> bool {
    page_stem(name).is_some()
}

/// The name of a page without its ending; `None` if it does not end as those of pages do.
pub fn page_stem(name: &str) -> Option<&str> {
    let lower = name.to_ascii_lowercase();
    let plain = lower.strip_suffix(".gz").unwrap_or(&lower);
    let stem = PAGE_ENDINGS
        .iter()
        .find_map(|ending| plain.strip_suffix(ending))?;
    Some(&name[..stem.len()])
}

/// Whether a name ends as those of WACZ files do.
pub(super) fn is_named_wacz(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with(WACZ_ENDING)
}
