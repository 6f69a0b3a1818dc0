//! The text around the figures.

pub const HEAD: &str = "\
Written by `cargo xtask reproduce costs`, all in one run. A rerun replaces every figure of this section. The figures are for the default pipeline with all its output: documents and blocks with all texts. 1 TB is 10¹² bytes.\n\n";

pub const CORPORA: &str = "\
Each labelled corpus was cleaned as a whole by the code behind `warcsieve plan --sample 100%`, on one thread. Times are CPU time, medians of 3 rounds. They include inflating and writing.\n";

pub const COLLECTIONS: &str = "\
The sizes of the crawls are those that their makers and users publish. Figures that were not found published are marked **assumed**.

* ClueWeb09: 1,040,859,705 pages ([ir_datasets](https://huggingface.co/datasets/irds/clueweb09)), 5 TB compressed and 25 TB inflated ([Cloud9](http://lintool.github.io/Cloud9/docs/content/clue.html)). A file has some 40,000 pages and is one gzip stream ([dataset information](http://lemurproject.org/clueweb09/datasetInformation.php)). The number of files follows from this.
* Category B is the segment ClueWeb09_English_1 ([FAQ](http://boston.lti.cs.cmu.edu/Data/clueweb09/FAQ.html)) with 50,220,423 pages. The English part has 503,903,810 pages in 2.08 TB compressed and 13.4 TB inflated (Cloud9, as above). Category B is counted with its share of these bytes.
* ClueWeb12: 733,019,372 pages ([ir_datasets](https://huggingface.co/datasets/irds/clueweb12)). These figures are **assumed**: 37 KB per page, a compressed size of one fifth as for ClueWeb09, and 1 GB inflated per file.
* ClueWeb22: 200 million pages in B and 2 billion in A ([the dataset](https://lemurproject.org/clueweb22.php)), only the HTML part. The sizes of pages and files are **assumed** to be those of Common Crawl.
* Common Crawl: 2.64 billion pages, 394 TiB inflated with all headers, in December 2024 ([announcement](https://blog.commoncrawl.org/blog/december-2024-crawl-archive-now-available)). Two figures are **assumed**: that they compress to one part in RATIO, as wcxb-dev does, and that files have 1.05 GB as in September 2016 (28.94 TiB in 30,374 files, [announcement](https://commoncrawl.org/2016/10/september-2016-crawl-archive-now-available/)).\n";

pub const COSTS: &str = "\
The table below has the costs by the lines above. The time on 2, 64 and 1,000 cores is the CPU time divided by the number of cores. Requests are counted for inputs and outputs in an object store: one HEAD and one GET per file, outputs in parts of 8 MiB, one PUT and two GETs per manifest row.\n";

pub const ASSUMPTIONS: &str = "\
These assumptions are made:

* A page of a crawl costs what a page of its size costs in the corpora. The corpora contain no empty, broken or repeated page. Real crawls do, so the costs are rather too high.
* All bytes of a page are HTML, including headers. This makes the costs too high by some percent.
* The time of each corpus includes inflating, so the share of inflating is that of the corpora.
* A core is a core of the machine named above, and no core waits for disk or network.
* CPU time is that of one thread. Threads that share caches and memory take more CPU time, so the figures for 64 and 1,000 cores are rather too low. `warcsieve plan --threads 8` measures with as many threads as the machine has cores for.
* A process takes START ms of CPU time to start and to load its model, the median of 3 processes. The times do not include this.
* Files are on disks. With an object store, HTTP and TLS take CPU time that is not counted, and an object keeps at most five threads busy.
* All cores are busy to the end. Workers that each take every n-th file do not end at the same time, but these crawls have many files of the same size. With 125 workers on the 1,256 files of Category B, some workers have 11 files and others 10, so the last one ends a tenth later.
* Nothing fails, and no request is repeated.\n";
