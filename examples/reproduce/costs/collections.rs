//! Known crawls, as their makers describe them. `text::COLLECTIONS` says where each figure is from.

const TIB: f64 = 1_099_511_627_776.0;

/// A crawl.
pub struct Collection {
    pub name: &'static str,
    pub pages: f64,
    /// Bytes of a page with its headers.
    pub page: f64,
    pub compressed: Compressed,
    pub files: Files,
    /// Each file is one gzip stream, which one thread inflates.
    pub is_stream: bool,
}

/// Bytes of a crawl's files.
pub enum Compressed {
    /// As published.
    Bytes(f64),
    /// Inflated bytes by compressed ones, of a collection like it.
    Ratio(f64),
    /// The same, of the labelled pages of today.
    Measured,
}

/// How many files there are.
pub enum Files {
    /// Each of so many pages.
    Pages(f64),
    /// Each of so many bytes inflated.
    Inflated(f64),
    /// Each of so many bytes compressed.
    Compressed(f64),
}

/// Of ClueWeb09: 25 TB inflated, 5 TB as shipped.
const CLUEWEB09_RATIO: f64 = 25.0 / 5.0;

/// Of Common Crawl, September 2016: 28.94 TiB in 30,374 files.
const COMMON_CRAWL_FILE: f64 = 28.94 * TIB / 30_374.0;

/// Of Common Crawl, December 2024: 394 TiB inflated in 2.64 billion pages.
const COMMON_CRAWL_PAGE: f64 = 394.0 * TIB / 2.64e9;

pub const COLLECTIONS: [Collection; 6] = [
    Collection {
        name: "ClueWeb09",
        pages: 1_040_859_705.0,
        page: 25e12 / 1_040_859_705.0,
        compressed: Compressed::Bytes(5e12),
        files: Files::Pages(40_000.0),
        is_stream: true,
    },
    Collection {
        name: "ClueWeb09, Category B",
        pages: 50_220_423.0,
        page: 13.4e12 / 503_903_810.0,
        compressed: Compressed::Bytes(2.08e12 * 50_220_423.0 / 503_903_810.0),
        files: Files::Pages(40_000.0),
        is_stream: true,
    },
    Collection {
        name: "ClueWeb12",
        pages: 733_019_372.0,
        page: 37e3,
        compressed: Compressed::Ratio(CLUEWEB09_RATIO),
        files: Files::Inflated(1e9),
        is_stream: false,
    },
    Collection {
        name: "ClueWeb22-B, HTML",
        pages: 200e6,
        page: COMMON_CRAWL_PAGE,
        compressed: Compressed::Measured,
        files: Files::Compressed(COMMON_CRAWL_FILE),
        is_stream: false,
    },
    Collection {
        name: "ClueWeb22-A, HTML",
        pages: 2e9,
        page: COMMON_CRAWL_PAGE,
        compressed: Compressed::Measured,
        files: Files::Compressed(COMMON_CRAWL_FILE),
        is_stream: false,
    },
    Collection {
        name: "Common Crawl, December 2024",
        pages: 2.64e9,
        page: COMMON_CRAWL_PAGE,
        compressed: Compressed::Measured,
        files: Files::Compressed(COMMON_CRAWL_FILE),
        is_stream: false,
    },
];

impl Collection {
    /// Bytes as inflated.
    pub fn inflated(&self) -> f64 {
        self.pages * self.page
    }

    /// Bytes of the files, if labelled pages of today inflate by that ratio.
    pub fn compressed(&self, measured: f64) -> f64 {
        match self.compressed {
            Compressed::Bytes(bytes) => bytes,
            Compressed::Ratio(ratio) => self.inflated() / ratio,
            Compressed::Measured => self.inflated() / measured,
        }
    }

    /// How many files it comes in.
    pub fn files(&self, measured: f64) -> f64 {
        let files = match self.files {
            Files::Pages(pages) => self.pages / pages,
            Files::Inflated(bytes) => self.inflated() / bytes,
            Files::Compressed(bytes) => self.compressed(measured) / bytes,
        };
        files.ceil()
    }
}
