//! The commands that write, on small inputs.

/// A command that writes `out`, or files in it.
pub struct Writer {
    pub name: &'static str,
    /// Its words. It runs in a folder beside `in`.
    pub line: &'static str,
    /// The folder of `in` that is at `out` before.
    pub over: Option<&'static str>,
    /// A command whose output stands for what is in `out`, where its files have names at random.
    pub shown: Option<&'static str>,
}

const fn writer(name: &'static str, line: &'static str) -> Writer {
    Writer {
        name,
        line,
        over: None,
        shown: None,
    }
}

const fn over(from: &'static str, name: &'static str, line: &'static str) -> Writer {
    Writer {
        name,
        line,
        over: Some(from),
        shown: None,
    }
}

pub const WRITERS: &[Writer] = &[
    writer(
        "clean",
        "clean ../in/crawl --out out --to md --pipeline ../in/links.toml --threads 1 -q",
    ),
    over(
        "cleaned",
        "clean-redo",
        "clean ../in/crawl --out out --redo --pipeline keep-all --threads 1 -q",
    ),
    writer(
        "clean-checkpoints",
        "clean ../in/crawl --out out --pipeline keep-all --checkpoints-from 1k --threads 1 -q",
    ),
    writer(
        "clean-wacz",
        "clean ../in/c.wacz --out out --pipeline keep-all --threads 1 -q",
    ),
    over(
        "unsealed",
        "status-seal",
        "status out --seal --inputs ../in/crawl -q",
    ),
    writer("corpus", "corpus corpus.toml --threads 1 -q"),
    over(
        "corpus",
        "corpus-again",
        "corpus corpus.toml --threads 1 -q",
    ),
    writer("extract", "extract ../in/pages --out out --to md -q"),
    writer(
        "extract-file",
        "extract ../in/pages/blog.html --out out/blog.md -q",
    ),
    writer(
        "relabel",
        "relabel ../in/cleaned --pipeline numwords --out out --threads 1 -q",
    ),
    writer(
        "dedup",
        "dedup ../in/cleaned --exact url,text --tables --out out --threads 1 -q",
    ),
    over(
        "dedup",
        "dedup-against",
        "dedup ../in/cleaned --against ../in/unsealed --out out --threads 1 -q",
    ),
    over(
        "cleaned",
        "forget",
        "forget out --hosts ../in/hosts.txt --time 2026-01-31T12:00:00Z --threads 1 -q",
    ),
    writer("signals", "signals ../in/cleaned --out out --threads 1 -q"),
    writer(
        "anchors",
        "anchors ../in/cleaned --out out/anchors.parquet -q",
    ),
    writer("cdx", "cdx ../in/crawl --out out --threads 1 -q"),
    writer(
        "freq",
        "freq ../in/crawl --min-pages 1 --by-host --memory 64K --out out/crawl.freq --threads 1 -q",
    ),
    writer(
        "view",
        "view ../in/crawl/00.warc.gz --first 2 --out out --threads 1 -q",
    ),
    writer(
        "report",
        "report ../in/cleaned --out out/report.html --threads 1 -q",
    ),
    writer(
        "eval",
        "eval ../in/crawl/00.warc.gz --gold ../in/gold.jsonl --pipeline numwords --out out --html out/html \
         --threads 1 -q",
    ),
    writer("label", "label ../in/crawl/00.warc.gz --out out -q"),
    writer(
        "train-tree",
        "train tree ../in/crawl/00.warc.gz --gold ../in/gold.jsonl --min-leaf 10 --folds 2 --out out/a.tree \
         --threads 1 -q",
    ),
    writer(
        "train-forest",
        "train forest ../in/crawl/00.warc.gz --gold ../in/gold.jsonl --licence CC0 --trees 2 --folds 2 \
         --out out/a.forest --threads 1 -q",
    ),
    Writer {
        shown: Some("search out --topics ../in/topics.tsv --quiet"),
        ..writer("index", "index ../in/cleaned --out out --threads 1 -q")
    },
    writer(
        "search",
        "search ../in/index --topics ../in/topics.tsv --out out/a.run --threads 1 --quiet",
    ),
    writer(
        "export",
        "export ../in/cleaned --to jsonl --out out --threads 1 -q",
    ),
    over(
        "export",
        "export-force",
        "export ../in/cleaned --to trec --force --out out --threads 1 -q",
    ),
    writer(
        "export-ciff",
        "export ../in/cleaned --to ciff --force --out out/a.ciff --threads 1 -q",
    ),
    writer("man", "man --out out"),
];

/// What commands read.
pub struct Inputs {
    pub files: &'static [(&'static str, &'static str)],
    /// Commands that make more of it.
    pub made: &'static [&'static str],
}

pub const INPUTS: Inputs = Inputs {
    files: &[
        (
            "links.toml",
            "link_table = true\n[[step]]\nmethod = 'keep-all'\n",
        ),
        (
            "hosts.txt",
            "slowkettle.example\ncourier.marrowbay.example\n",
        ),
        ("topics.tsv", "1\tferry harbour\n2\tblog recipe\n"),
        (
            "corpus.toml",
            "[corpus]\ninputs = ['../in/crawl/']\nout = 'out'\n[[filter]]\nlines = 'c4-any-end'\n\
             [[filter]]\npersonal = 'mask'\n[[step]]\nmethod = 'keep-all'\n\
             [dedup]\nexact = ['text']\nnear = 'none'\n",
        ),
        (
            "other.toml",
            "[corpus]\ninputs = ['crawl/']\nout = 'corpus'\n[[filter]]\nlines = 'c4-any-end'\n\
             [[filter]]\npersonal = 'mask'\n[[step]]\nmethod = 'keep-all'\n",
        ),
    ],
    made: &[
        "clean crawl --out cleaned --pipeline links.toml -q",
        "clean crawl --out unsealed --pipeline links.toml --no-seal -q",
        "dedup cleaned --exact url --near none --out dedup -q",
        "corpus other.toml -q",
        "index cleaned --out index -q",
        "export cleaned --to jsonl --out export -q",
    ],
};
