//! The text around the figures.

pub const HEAD: &str = "# How fast is it?\n
This page says how fast `warcsieve clean` is, which steps take the time, and how the time grows with pages, files and threads. It is for readers who plan a run, or who change code that has to be fast.\n
Written by `cargo xtask reproduce performance`: run this command to measure on your own machine. All figures and plots come from one run, and a new run replaces them all. Figures are of the default unless a method is named, and on one \
thread unless threads are named. They are medians of rounds; in each round everything that is compared runs once. Times vary by a tenth or more if other programs run at the same time. Ratios \
vary less. MB are millions of bytes. MB/s are those of the inflated file.\n\n";

pub const STAGES: &str = "\
The table has the stages of `warcsieve clean` on wcxb-dev, called through the library; the clock is read between two stages. `make bench` prints it, for any file with `WARC=file.warc.gz`. \
Inflating and framing are one call, so they share a row. The reader inflates whole members with libdeflate. So its row can be less than that of `gunzip`, which is \
flate2 on zlib-rs. All ratios are computed from `gunzip`. Rows with the word \"alone\" were measured page by page, with nothing else of the job in between. They are parts of the stages, and segmentation alone includes tokenizing, so do not add \
them to the stages.\n";

pub const JOBS: &str = "\
The table compares each job with inflating the file; both run in turn on wcxb-dev (`cargo xtask bench-ratio WARC=file.warc.gz`). A ratio of 1 would mean that the job costs nothing more than inflating. The last column compares CPU time, \
on which other programs have less influence.\n";

pub const CORPORA: &str = "\
The table has the whole job on the labelled corpora, on one thread, with default settings: documents and blocks with all texts. Times are CPU time. Old pages are smaller and have more \
blocks per byte, so they take longer per byte.\n";

pub const SIZES: &str = "\
The table has the times of segmentation, and of labels with the plain text, for one synthetic page in memory. The limits on pages are raised. The page repeats menus, posts, teasers, style and script; \
it has as many bytes per block and per element as wcxb-dev. Time is linear in the size of the page. For large pages the time per byte rises, because their memory no longer fits into the caches and is \
released after each page.

![ns per byte by size of the page](performance/page-size.svg)\n";

pub const BLOCKS: &str = "\
The time of features and trees is per block. So a page of the same size takes longer if it has more blocks. These pages have 1 MB and consist of paragraphs only:

![ns per byte by number of blocks](performance/blocks.svg)\n";

pub const FILES: &str = "\
The files are the first records of wcxb-dev, the whole file, the file three times, and the file as one gzip stream, which is the form of ClueWeb09. Memory is the highest anonymous memory of the program. It grows with \
the file until the row groups of the writers are full. All threads read a file of gzip members. A file that is one stream is inflated by one thread, so more threads help only until inflating takes one whole core.

![MB/s by size of the file](performance/file-size.svg)\n";

pub const COST: &str = "[scale/costs.md](scale/costs.md) uses such a line to compute what known crawls cost (`cargo xtask reproduce costs`).";

pub const TAIL: &str = "\n## Checked by counting instructions\n
On shared machines, times vary too much to detect that a change makes the program a little slower. So `cargo xtask bench-instructions` counts the instructions of `warcsieve clean` with valgrind's callgrind, on a synthetic crawl and on `testdata/crawl`. It \
fails if the whole or a stage takes 3 % more than `benches/instructions.txt` accepts. Counts depend on the compiler and the CPU features, so that file names both. \
`cargo xtask bench-instructions UPDATE=1` accepts new figures; commit them with the change that caused them.\n
[peers.md](peers.md) compares today's programs with ours on the same pages (`cargo xtask reproduce peers`).\n";
