//! What each pipeline that ships is good for.

/// A group of pipelines: its heading, and name and paragraph of each.
pub type Group = (&'static str, &'static [(&'static str, &'static str)]);

pub const GROUPS: &[Group] = &[
    (
        "The default",
        &[
            (
                "default",
                "`forest`: boosted trees on the structure of the whole page, readers' comments dropped. For crawls of all kinds: it knows forums, products, listings and \
        services as well as articles, and no word of any language but the English in class names. It was learned from wcxb-dev, so there its figure is too good; [accuracy.md](accuracy.md) has figures of forests that \
        had not seen the page, and those of other programs.",
            ),
            (
                "default-comments",
                "The same with readers' comments labelled as any other text: for corpora of discussion, and where a gold keeps them (l3s-gn1, cleaneval-test).",
            ),
            (
                "retrieval",
                "The default, with the settings written out that search experiments need: shards hold raw and cleaned text, and words and text density of every block ([retrieval.md](retrieval.md)).",
            ),
        ],
    ),
    (
        "Kohlschütter, Fankhauser, Nejdl 2010: shallow text features",
        &[
            (
                "numwords",
                "Algorithm 2: words and link density of a block and its neighbours. Strong on news and articles, for \
        which it was learned; loses short content (products, lists, captions) and keeps long boilerplate (cookie notices, comments).",
            ),
            (
                "density",
                "Algorithm 1: text density, wrapped at 80 columns, in place of words. Much like `numwords`; choose it to \
        reproduce the paper.",
            ),
            (
                "density-rule",
                "The rule learned on CleanEval: one block at a time, no neighbours. Keeps more than the trees, so it suits \
        old and simple pages; weak where menus are long.",
            ),
            (
                "numwords-largest",
                "Algorithm 2, then only the largest run of content. For pages of one article where precision counts for more than \
        anything; what an advertisement cuts off is lost.",
            ),
            (
                "numwords-main",
                "The same run, from the title on and without readers' comments. As above; best where comments are not wanted and pages are news.",
            ),
            ("density-largest", "Algorithm 1, then the largest run."),
            (
                "density-main",
                "Algorithm 1, then the main run without comments.",
            ),
            (
                "min-words",
                "Every block of at least ten words. The floor that a method must beat; keeps comments and legal notices.",
            ),
            (
                "keep-all",
                "Every block. For languages without spaces, for one's own filters on the `blocks` table, and as the floor of precision.",
            ),
        ],
    ),
    (
        "boilerpipe, the program of those authors",
        &[
            (
                "boilerpipe-article",
                "ArticleExtractor: fusion, title, end of the article, largest part. The best F1 of \
        all on news and on blogs without comments, by its precision; on forums, listings and collections about half of the text is lost or more.",
            ),
            (
                "boilerpipe-article-1-2",
                "The same with the list of filters of release 1.2, for figures to compare with papers that used it.",
            ),
            (
                "boilerpipe-default",
                "DefaultExtractor: Algorithm 1 after fusion of neighbours. Between `density` and `boilerpipe-article`.",
            ),
            (
                "boilerpipe-largest",
                "LargestContentExtractor: the largest fused part alone.",
            ),
        ],
    ),
    (
        "Pomikálek 2011; Pan Ei San, Nilar Aye: stop words and noise blocks",
        &[
            (
                "justext",
                "Stop words, length and links of paragraphs, then their context. Made for text corpora for linguistics: full sentences in \
        the page's language, few fragments. Not for lists, products, or languages without a stop list.",
            ),
            (
                "noise-tree",
                "The noise-block paper's tree alone. All but `density`, on jusText's paragraphs; better than the rest of that paper.",
            ),
            (
                "noise-blocks",
                "The whole of that paper: two stages, tree, duplicate blocks, one main block. For reproduction; the one unbroken run that it keeps \
        is too little of most pages ([figures](reproduction/noise-blocks.md)).",
            ),
        ],
    ),
    (
        "Song, Sun, Liao 2013: text density of elements",
        &[
            (
                "cetd",
                "Characters a tag, DensitySum and the threshold of Algorithm 2. Works on the tree, knows no language and no words, so it \
        serves pages in any script. Keeps whole containers, with short blocks inside them that block-wise methods lose.",
            ),
            (
                "cectd",
                "The same with links weighed in. The better one of the two on every corpus: choose it for content in containers, such as service \
        pages, documentation and listings, and for scripts without spaces.",
            ),
            (
                "cectd-s",
                "Densities smoothed over neighbours, elements chosen one by one. More precise on news than `cectd`, since not everything in a container comes along.",
            ),
        ],
    ),
    (
        "Nguyen-Hoang et al. 2018: extraction by genre",
        &[
            (
                "goce",
                "Tells articles from list views by eleven counts of the page, then takes one of the two algorithms below. The model that ships was learned from the \
        articles and listings of wcxb-dev, so there its figure is a little too good; [figures](reproduction/genre.md) of models that had not seen the page.",
            ),
            (
                "goce-article",
                "Goes down to the element whose children share its text evenly. One unbroken element, often without the headline; short and wide pages do \
        well, pages with long comments or teasers lose their text.",
            ),
            (
                "goce-list",
                "All elements of one class at one depth. The only method here that looks for repeated items: better than `goce-article` on listings and forums, and behind others there.",
            ),
        ],
    ),
    (
        "Vogels, Ganea, Eickhoff 2018: Web2Text",
        &[
            (
                "web2text",
                "Two convolutional networks along the blocks, and the labels that fit both best. One learned model for all pages; labels hold together over runs of blocks, \
        so a short paragraph is kept between long ones. Learned from wcxb-dev and the Readability pages, so there its figure is too good; [its page](reproduction/web2text.md) has those out of fold.",
            ),
            (
                "web2text-f1",
                "The same networks, then the blocks with the highest expected F1: how much is kept depends on how sure the networks are of the page. Its figure on wcxb-dev is too good as well.",
            ),
        ],
    ),
    (
        "Rivals that these papers tabulate",
        &[
            (
                "bte",
                "Body Text Extraction: the one region with most words and fewest tags. Keeps whatever stands inside the region; strong on simple pages of one body \
        of text, in any language written with spaces.",
            ),
            (
                "lqf",
                "Link Quota Filter: takes out elements of mostly linked text and keeps the rest, side columns of prose included; a first pass before one's own filters.",
            ),
            (
                "cetr",
                "Characters a tag, smoothed, and their change, clustered into two. No constants learned from any corpus.",
            ),
            (
                "ccb",
                "Content Code Blurring: where the blurred sequence of words and tags is nearly all words. A good rival on all corpora for one short rule.",
            ),
            (
                "dsc",
                "Document Slope Curves: flat stretches of tags over tokens. Of historical interest; loses much on pages of today.",
            ),
            (
                "crf",
                "A linear-chain conditional random field on the Collapsed DOM: each label depends on the block's features and on its neighbours' \
        labels. It was learned from wcxb-dev, so there its figure is too good; a baseline for `web2text`, and for learning from pages of your own in minutes.",
            ),
        ],
    ),
];

/// After the groups: methods without a pipeline of their own.
pub const OTHERS: &str = "## Methods for pipelines of one's own

- `tree` takes a decision tree from a model file that `warcsieve train tree` learned from labelled pages: for crawls that differ from all above \
([evaluation.md](evaluation.md)).
- `smoothing`, `largest-content`, `main-content`, `noise-duplicates` and `noise-main` change the labels of a step before them. `smoothing` is the \
one to add to any block-wise method; the others keep less.
- `boilerpipe` takes its list of filters from the pipeline file.

[pipelines.md](pipelines.md) has their parameters.
";
