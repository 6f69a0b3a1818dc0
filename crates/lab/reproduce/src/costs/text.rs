//! The text around the figures.

pub const HEAD: &str = "\
Written by `make reproduce-scale`, all in one run: a rerun replaces every figure of this section. Figures are of the default pipeline with all its output, documents and blocks with all \
texts. TB are millions of millions of bytes.\n\n";

pub const CORPORA: &str = "\
Each labelled corpus was cleaned whole by what measures for `warcsieve plan --sample 100%`, on one thread; times are CPU time, medians of 3 rounds, with inflating and writing in them.\n";

pub const COLLECTIONS: &str = "\
The crawls as their makers and users describe them. What is **assumed** was not found published.

* ClueWeb09: 1,040,859,705 pages ([ir_datasets](https://huggingface.co/datasets/irds/clueweb09)), 5 TB compressed and 25 TB inflated \
([Cloud9](http://lintool.github.io/Cloud9/docs/content/clue.html)), some 40,000 pages a file, each file one gzip stream \
([dataset information](http://lemurproject.org/clueweb09/datasetInformation.php)). The number of files follows.
* Category B is the segment ClueWeb09_English_1 ([FAQ](http://boston.lti.cs.cmu.edu/Data/clueweb09/FAQ.html)): 50,220,423 pages; the English part has 503,903,810 in 2.08 TB compressed and 13.4 TB inflated (Cloud9, as above), \
and Category B its share.
* ClueWeb12: 733,019,372 pages ([ir_datasets](https://huggingface.co/datasets/irds/clueweb12)). 37 KB a page, a fifth of that compressed as of ClueWeb09, and 1 GB inflated a file are **assumed**.
* ClueWeb22: 200 million pages in B and 2 billion in A ([the dataset](https://lemurproject.org/clueweb22.php)), the HTML part alone. Sizes of pages and files are **assumed** to be those of Common Crawl.
* Common Crawl: 2.64 billion pages, 394 TiB inflated with all headers, in December 2024 \
([announcement](https://blog.commoncrawl.org/blog/december-2024-crawl-archive-now-available)). That they compress to one part in RATIO, as wcxb-dev does, is **assumed**, and files of 1.05 GB as in September 2016 \
(28.94 TiB in 30,374 files, [announcement](https://commoncrawl.org/2016/10/september-2016-crawl-archive-now-available/)).\n";

pub const COSTS: &str = "\
What they cost by the lines above, as `forecast::wall` (`crates/crawl/plan/src/schedule.rs`) lets workers share the files: on 2 cores one worker of two threads, on 64 and 1,000 cores workers of eight threads, each with every n-th file. \
Requests are those of inputs and outputs in an object store: a HEAD and a GET a file, outputs in parts of 8 MiB, one PUT and two GETs for each manifest row.\n";

pub const ASSUMPTIONS: &str = "\
Taken for granted:

* Pages of a crawl cost what pages of their size cost in the corpora, which hold no empty, broken or repeated page; real crawls do, so that costs are rather too high.
* All bytes of a page are HTML, headers included, which makes costs too high by some percent.
* Inflating is in the time of each corpus, so its share is that of the corpora.
* A core is one of the machine named above, and no worker waits for disk or network. `warcsieve plan --bandwidth` says when it would.
* CPU time is that of one thread. Threads that share caches and memory take more, so figures for 64 and 1,000 cores are rather too low; `warcsieve plan --threads 8` measures with as many threads as the machine has cores for.
* A process takes START ms of CPU time to begin and to load its model, the median of 3 processes.
* Files are on disks. Of an object store, HTTP and TLS take CPU time that is not counted, and an object keeps five threads busy at most.
* Files of a crawl are alike, so no worker has a dearer share than another but for the number of its files.
* Nothing fails; no request is repeated.\n";
