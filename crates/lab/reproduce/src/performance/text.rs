//! The text around the figures.

pub const HEAD: &str = "# How fast is it?\n
Written by `make reproduce-performance`, all in one run: a rerun replaces every figure and plot. Figures are of the default unless a method is named, on one \
thread unless threads are named, and medians of rounds in which all that is compared takes turns. Times vary by a tenth and more where other programs run \
beside, ratios less. MB are millions of bytes, MB/s those of the inflated file.\n\n";

pub const STAGES: &str = "\
The stages of `warcsieve clean` on wcxb-dev, through the library, with a look at the clock between two (`make bench`, on any file with `WARC=file.warc.gz`). \
Inflating and framing are one call, so they share a row; the reader inflates whole members with libdeflate, which is why it may take less than `gunzip`, which is \
flate2 on zlib-rs and the base of all ratios. What is named alone was measured page by page with nothing else of the job in between; segmentation calls the tokenizer, so those rows \
are parts of stages and not to be added.\n";

pub const JOBS: &str = "\
wcxb-dev, each job and inflating the file in turn (`make bench-ratio WARC=file.warc.gz`). A ratio of 1 would be a job that costs nothing beside inflating; the last column compares CPU time, \
which other programs disturb less.\n";

pub const CORPORA: &str = "\
The whole job on the labelled corpora, one thread, default settings: documents and blocks with all texts. Times are CPU time. Pages of old are smaller and cut into more \
blocks a byte, so a byte of theirs costs more.\n";

pub const SIZES: &str = "\
Segmentation, and labels with the plain text, of one synthetic page in memory, with the bounds on pages raised: menus, posts, teasers, style and script \
over and over, as many bytes a block and an element as on wcxb-dev. Time is linear in the page; what rises for large pages is memory that no longer fits into caches and is given \
back behind each of them.

![ns a byte by size of the page](performance/page-size.svg)\n";

pub const BLOCKS: &str = "\
Features and trees are paid for by block, so the same megabyte takes longer the more blocks it is cut into. Pages of 1 MB, of paragraphs only:

![ns a byte by number of blocks](performance/blocks.svg)\n";

pub const FILES: &str = "\
wcxb-dev cut at its records, whole, and three times over; and as one gzip stream, as ClueWeb09 ships. Memory is the highest anonymous memory of the program, which grows with \
the file until the writers' row groups are full. A file of gzip members is read by all threads; one stream has one inflater, so there they help until inflating takes all of one core.

![MB/s by size of the file](performance/file-size.svg)\n";

pub const COST: &str = "[scale/costs.md](scale/costs.md) has what known crawls cost by such a line (`make reproduce-scale`).";

pub const TAIL: &str = "\n## Guarded by counting\n
Seconds are too noisy a gate on shared machines. `make bench-instructions` counts the instructions of `warcsieve clean` with valgrind's callgrind on a synthetic crawl and on `testdata/crawl`, and \
fails where the whole or a stage takes 3 % more than `benches/instructions.txt` accepts. Counts depend on compiler and CPU features, so that file names both; \
`UPDATE=1 make bench-instructions` accepts new figures, which are then part of the change that made them.\n
[peers.md](peers.md) has programs that people use today on the same pages, in turn with ours (`make peers`).\n";
