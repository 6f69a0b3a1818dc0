//! Known crawls, as described by their publishers. `text::COLLECTIONS` gives the source of each
//! figure.

const TIB: f64 = 1_099_511_627_776.0;

/// A crawl.
pub struct Collection {
    pub name: &'static str,
    pub pages: f64,
    /// Bytes per page, with its headers.
    pub page: f64,
    pub compressed: Compressed,
    pub files: Files,
}

/// Bytes of a crawl's files.
pub enum Compressed {
    /// As published.
    Bytes(f64),
    /// Ratio of uncompressed to compressed bytes, from a similar collection.
    Ratio(f64),
    /// The same ratio, from the labelled pages of today.
    Measured,
}

/// How the number of files is computed.
pub enum Files {
    /// Files of this many pages each.
    Pages(f64),
    /// Files of this many uncompressed bytes each.
    Inflated(f64),
    /// Files of this many compressed bytes each.
    Compressed(f64),
}

/// Compression ratio of ClueWeb09: 25 TB uncompressed, 5 TB as shipped.
const CLUEWEB09_RATIO: f64 = 25.0 / 5.0;

/// File size in Common Crawl, September 2016: 28.94 TiB in 30,374 files.
const COMMON_CRAWL_FILE: f64 = 28.94 * TIB / 30_374.0;

/// Page size in Common Crawl, December 2024: 394 TiB uncompressed in 2.64 billion pages.
const COMMON_CRAWL_PAGE: f64 = 394.0 * TIB / 2.64e9;

pub const COLLECTIONS: [Collection; 6] = [
    Collection {
        name: "ClueWeb09",
        pages: 1_040_859_705.0,
        page: 25e12 / 1_040_859_705.0,
        compressed: Compressed::Bytes(5e12),
        files: Files::Pages(40_000.0),
    },
    Collection {
        name: "ClueWeb09, Category B",
        pages: 50_220_423.0,
        page: 13.4e12 / 503_903_810.0,
        compressed: Compressed::Bytes(2.08e12 * 50_220_423.0 / 503_903_810.0),
        files: Files::Pages(40_000.0),
    },
    Collection {
        name: "ClueWeb12",
        pages: 733_019_372.0,
        page: 37e3,
        compressed: Compressed::Ratio(CLUEWEB09_RATIO),
        files: Files::Inflated(1e9),
    },
    Collection {
        name: "ClueWeb22-B, HTML",
        pages: 200e6,
        page: COMMON_CRAWL_PAGE,
        compressed: Compressed::Measured,
        files: Files::Compressed(COMMON_CRAWL_FILE),
    },
    Collection {
        name: "ClueWeb22-A, HTML",
        pages: 2e9,
        page: COMMON_CRAWL_PAGE,
        compressed: Compressed::Measured,
        files: Files::Compressed(COMMON_CRAWL_FILE),
    },
    Collection {
        name: "Common Crawl, December 2024",
        pages: 2.64e9,
        page: COMMON_CRAWL_PAGE,
        compressed: Compressed::Measured,
        files: Files::Compressed(COMMON_CRAWL_FILE),
    },
];

impl Collection {
    /// Uncompressed bytes.
    pub fn inflated(&self) -> f64 {
        self.pages * self.page
    }

    /// Bytes of the files; `measured` is the ratio of the labelled pages of today.
    pub fn compressed(&self, measured: f64) -> f64 {
        match self.compressed {
            Compressed::Bytes(bytes) => bytes,
            Compressed::Ratio(ratio) => self.inflated() / ratio,
            Compressed::Measured => self.inflated() / measured,
        }
    }

    /// Number of files.
    pub fn files(&self, measured: f64) -> f64 {
        let files = match self.files {
            Files::Pages(pages) => self.pages / pages,
            Files::Inflated(bytes) => self.inflated() / bytes,
            Files::Compressed(bytes) => self.compressed(measured) / bytes,
        };
        files.ceil()
    }
}
