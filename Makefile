# Every target says what it needs and how long it takes on two cores.
CARGO ?= cargo
SHARED ?= ../shared
export WARCSIEVE_SHARED ?= $(abspath $(SHARED))
OUT ?= target/demo-output
# What `make archive` packs.
PROFILE ?= release
BIN = target/release/warcsieve
# Everything but layout engines and what needs a GPU.
ALL = --features lab,object-store
REPRODUCE = $(CARGO) run --release -p warcsieve-reproduce --

.PHONY: signals signals-cost minhash presets duplicates help build demo check fmt clippy test features features-short doc \
	corpora exports engines-test oracle accuracy languages layout-figures layout-agree layout-test look-test look-short pictures agree agree-measures agree-tokenizers ceiling reproduce-shallow reproduce-noise reproduce-density kept-layouts reproduce-genre reproduce-web2text reproduce-web2text-splits reproduce-accuracy reproduce-ablation reproduce-frontier reproduce-crawl reproduce-performance reproduce-scale retrieval-experiment soft-experiment metadata headlines methods \
	bench bench-ratio bench-micro bench-instructions bench-segment bench-index peers bad-warcs soak soak-hour forecast-check kill kill-inside spark-test store-test wheel python-test python-lint python-hostile python-speed msrv archive release-check fuzz docs-site install clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-22s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## the release binary with all commands (8 minutes from nothing)
	$(CARGO) build --release $(ALL)

demo: ## clean the crawl in testdata/ and show what came out (3 minutes from nothing)
	$(CARGO) build --profile demo
	@sh scripts/demo.sh target/demo/warcsieve $(OUT)

check: fmt clippy features-short test look-short doc ## everything a change must pass (20 minutes from nothing)

fmt:
	$(CARGO) fmt --all --check

# --all-targets compiles tests, benches and examples too.
clippy:
	$(CARGO) clippy --workspace --all-targets $(ALL) -- -D warnings

test:
	$(CARGO) test --workspace $(ALL)

# The library alone, with crawls, and the program without experiments and stores: code that needs a feature which is
# not there shows in one of them.
features-short:
	$(CARGO) check --no-default-features
	$(CARGO) check --no-default-features --features crawl
	$(CARGO) check --no-default-features --features cli

# Without `layout`, whose crates take minutes: `make layout-test` has it.
features: features-short ## every feature builds by itself (4 minutes from nothing)
	set -e; for feature in libdeflate lol-html object-store lab browser; do \
		$(CARGO) check --no-default-features --features $$feature; \
	done

doc:
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --no-deps --workspace $(ALL)

corpora: build ## the labelled corpora: clean all, check ids, DuckDB and pyarrow (3 minutes; SHARED=folder)
	sh scripts/corpora.sh $(BIN) $(WARCSIEVE_SHARED)

exports: build ## wcxb-dev in every export format, read back in Python (1 minute; SHARED=folder)
	sh scripts/exports.sh $(BIN) $(WARCSIEVE_SHARED)

engines-test: build ## docs/reproduction/engines.md: Anserini, PISA and tantivy on an export of wcxb-dev (4 minutes, network, Java; SHARED=folder)
	sh scripts/engines.sh $(BIN) $(WARCSIEVE_SHARED) docs/reproduction/engines.md

oracle: ## all labelled pages against html5ever, in every segmentation (2 minutes; SHARED=folder)
	WARCSIEVE_FULL=1 $(CARGO) test $(ALL) --test it -- segmentation render --nocapture

accuracy: build ## figures of each method on the labelled corpora (2 minutes; SHARED=folder)
	sh scripts/accuracy.sh $(BIN) $(WARCSIEVE_SHARED) target/accuracy

languages: ## docs/languages.md: accuracy, calibration and cost of languages (3 minutes from nothing, network; SHARED=folder for pages, too)
	$(CARGO) build --release -p warcsieve-language --example languages
	sh scripts/languages.sh target/release/examples/languages $(WARCSIEVE_SHARED)

layout-figures: ## cehtd beside cectd, and what is laid out, on the labelled corpora (20 minutes; SHARED=folder)
	$(CARGO) build --release --features layout
	sh scripts/layout.sh $(BIN) $(WARCSIEVE_SHARED) target/layout

layout-agree: ## Blitz beside Chromium, which has to be installed: boxes, and what cehtd keeps (40 minutes; SHARED=folder)
	$(CARGO) build --release --features layout,browser
	sh scripts/layout_agree.sh $(BIN) $(WARCSIEVE_SHARED) target/layout-agree

layout-test: ## the layout engines: boxes by hand, hostile pages, the same bytes on any thread (10 minutes from nothing)
	$(CARGO) test --release -p warcsieve-layout --features blitz,browser
	$(CARGO) test $(ALL),layout,browser --test it -- layout

# The program that tests of `it` run: built alone it has other features of its dependencies, and most would be built again.
look-short:
	$(CARGO) test --workspace $(ALL) --test it --no-run
	python3 scripts/look/test.py target/debug/warcsieve short

look-test: build ## view, report, eval --html and label in Chromium, which has to be installed; PICTURES=folder keeps screenshots (2 minutes)
	python3 scripts/look/test.py $(BIN) $(if $(PICTURES),--pictures $(PICTURES))

pictures: build ## the pictures of the documentation into docs/pictures, by Chromium, which has to be installed (10 seconds)
	python3 scripts/look/pictures.py $(BIN) docs/pictures

agree: build ## eval against the corpora's own referee, every method (10 minutes; SHARED=folder)
	"$$(sh scripts/python.sh)" scripts/agree.py $(BIN) $(WARCSIEVE_SHARED)

agree-measures: build ## measure against trec_eval: a real run and 200 random ones (1 minute; SHARED=folder)
	"$$(sh scripts/python.sh pytrec_eval pytrec_eval-terrier)" scripts/agree_measures.py $(BIN) $(WARCSIEVE_SHARED)

signals: build ## signals of all labelled pages against datatrove and Dolma (6 minutes, network; SHARED=folder, EVERY=n: every n-th page)
	sh scripts/signals.sh $(BIN) $(WARCSIEVE_SHARED) target/signals $(EVERY)

presets: build ## docs/presets.md: what each preset of filters removes of the labelled pages (3 minutes, network; SHARED=folder)
	"$$(sh scripts/python.sh pyarrow pyarrow)" scripts/presets.py $(BIN) $(WARCSIEVE_SHARED) target/presets docs/presets.md

duplicates: build ## near duplicates planted in 200,000 pages, found by dedup, DuckDB and Spark (5 minutes, network; PAGES=n WORDS=n; Java for Spark)
	"$$(sh scripts/python.sh 'duckdb, pyspark' 'duckdb pyspark==4.*')" scripts/duplicates.py $(BIN) target/duplicates $(or $(PAGES),200000) $(or $(WORDS),204)

signals-cost: build ## CPU of signals beside cleaning, family by family (2 minutes; SHARED=folder)
	python3 scripts/signals_cost.py $(BIN) $(WARCSIEVE_SHARED)/corpora/wcxb-dev.warc.gz target/signals-cost

minhash: build ## CPU of near duplicates beside datatrove's on the labelled pages (3 minutes, network; SHARED=folder)
	"$$(sh scripts/python.sh 'datatrove, spacy, pyarrow, orjson' 'datatrove spacy regex pyarrow orjson nltk xxhash<4')" scripts/minhash.py $(BIN) $(WARCSIEVE_SHARED) target/minhash

ceiling: ## what labels carried over from gold text allow (1 minute; SHARED=folder)
	$(CARGO) test $(ALL) --test it -- gold --ignored --nocapture

reproduce-shallow: ## the 2010 paper's tables and figures into docs/reproduction (5 minutes; SHARED=folder)
	$(REPRODUCE) shallow $(WARCSIEVE_SHARED)/corpora docs/reproduction target/reproduction

reproduce-noise: ## the noise block paper's table beside ours into docs/reproduction (1 minute; SHARED=folder)
	$(REPRODUCE) noise $(WARCSIEVE_SHARED)/corpora docs/reproduction target/reproduction

reproduce-density: ## the 2013 paper's tables beside ours into docs/reproduction (2 minutes; SHARED=folder)
	$(REPRODUCE) density $(WARCSIEVE_SHARED)/corpora docs/reproduction target/reproduction

kept-layouts: ## wcxb-dev laid out by Chromium, which has to be installed, with pictures, once (12 minutes; SHARED=folder)
	$(CARGO) build --release --features browser
	sh scripts/kept_layouts.sh $(BIN) $(WARCSIEVE_SHARED) target/reproduction/layouts

reproduce-genre: kept-layouts ## the genre paper's tables beside ours into docs/reproduction; trains 11 networks on pictures (15 minutes more; SHARED=folder)
	$(REPRODUCE) genre $(WARCSIEVE_SHARED)/corpora docs/reproduction target/reproduction

reproduce-web2text: ## the Web2Text paper's table beside ours into docs/reproduction; trains all networks, those of WCXB from where it stopped (35 minutes; SHARED=folder)
	$(REPRODUCE) web2text $(WARCSIEVE_SHARED)/corpora docs/reproduction target/reproduction

# With a crawl of your own the page is target/retrieval/collection.md, and the time that of cleaning it eight times.
retrieval-experiment: ## does cleaning help search: docs/reproduction/retrieval.md (10 minutes; SHARED=folder, or CRAWL=folder TOPICS=file QRELS=file)
ifdef CRAWL
	$(REPRODUCE) collection "$(CRAWL)" target/retrieval target/reproduction "$(TOPICS)" "$(QRELS)"
else
	$(REPRODUCE) retrieval $(WARCSIEVE_SHARED)/corpora docs/reproduction target/reproduction
endif

soft-experiment: ## docs/reproduction/soft.md: raw, cleaned and weighted text in search (5 minutes; SHARED=folder)
	$(REPRODUCE) soft $(WARCSIEVE_SHARED)/corpora docs/reproduction target/reproduction

metadata: build ## what pages say of themselves, beside trafilatura: the table of docs/metadata.md (2 minutes, network; SHARED=folder)
	"$$(sh scripts/python.sh 'trafilatura, fastwarc' 'trafilatura lxml_html_clean fastwarc')" scripts/metadata.py $(BIN) \
		$(WARCSIEVE_SHARED)/corpora/wcxb-dev.warc.gz $(WARCSIEVE_SHARED)/corpora/wcxb-dev.gold.jsonl.gz testdata/metadata/*.jsonl

methods: ## docs/methods.md: accuracy and own time of every pipeline that ships (4 minutes; SHARED=folder)
	$(REPRODUCE) methods $(WARCSIEVE_SHARED)/corpora docs target/reproduction

reproduce-web2text-splits: ## the same on the authors' own divisions of CleanEval, step by step; goes on where it stopped (SHARED=folder, MINUTES=n: begins no training after)
	$(REPRODUCE) web2text-splits $(WARCSIEVE_SHARED)/corpora docs/reproduction target/reproduction $(MINUTES)

headlines: ## docs/headlines.md: the h1 in the text, and what it costs (2 minutes; SHARED=folder)
	$(REPRODUCE) headlines $(WARCSIEVE_SHARED)/corpora docs target/reproduction

reproduce-accuracy: ## docs/accuracy.md and accuracy-limits.md: the default on every corpus, out of fold where it learned, beside others (14 minutes; SHARED=folder)
	$(REPRODUCE) accuracy $(WARCSIEVE_SHARED)/corpora docs target/reproduction

reproduce-performance: build ## docs/performance.md: stages, ratios, page and file sizes (8 minutes; SHARED=folder)
	$(REPRODUCE) performance $(WARCSIEVE_SHARED)/corpora docs target/reproduction

reproduce-scale: build ## docs/scale/costs.md: what known crawls cost (1 minute; SHARED=folder, PRICE=dollars a core-hour)
	$(REPRODUCE) costs $(WARCSIEVE_SHARED)/corpora docs target/reproduction $(PRICE)

reproduce-crawl: ## docs/crawl.md: texts that pages of a site share (6 minutes; SHARED=folder)
	$(REPRODUCE) crawl $(WARCSIEVE_SHARED)/corpora docs target/reproduction

reproduce-ablation: ## docs/ablation.md: the default without each family of features; goes on where it stopped (10 minutes; SHARED=folder)
	$(REPRODUCE) ablation $(WARCSIEVE_SHARED)/corpora docs target/reproduction

reproduce-frontier: ## docs/frontier.md: accuracy against cost, by forests of several sizes; goes on where it stopped (20 minutes; SHARED=folder)
	$(REPRODUCE) frontier $(WARCSIEVE_SHARED)/corpora docs target/reproduction

bench: ## where a page's time goes, stage by stage (2 minutes; WARC=file.warc.gz, default synthetic and wcxb-dev)
	$(CARGO) bench $(ALL) --bench speed -- stages $(WARC)
	@set -e; wcxb="$(WARCSIEVE_SHARED)/corpora/wcxb-dev.warc.gz"; \
	if [ -z "$(WARC)" ] && [ -f "$$wcxb" ]; then $(CARGO) bench $(ALL) --bench speed -- stages "$$wcxb"; fi

bench-ratio: ## the whole job against gunzip alone, side by side (3 minutes; WARC=file.warc.gz)
	$(CARGO) bench $(ALL) --bench speed -- ratio $(WARC)

bench-micro: ## micro-benchmarks: methods, measures, trainers (4 minutes)
	$(CARGO) bench $(ALL) --bench classify --bench measures --bench train

bench-instructions: build ## instructions of a run against those accepted, by valgrind (2 minutes; UPDATE=1 accepts)
	$(CARGO) build --release $(ALL) --example synthetic_crawl
	sh scripts/instructions.sh $(BIN) target/release/examples/synthetic_crawl benches/instructions.txt

peers: build ## docs/peers.md: programs of today on the same pages, in turn with ours (15 minutes, network; SHARED=folder or WARC=file.warc.gz)
	sh scripts/peers.sh $(BIN) "$(or $(WARC),$(WARCSIEVE_SHARED)/corpora/wcxb-dev.warc.gz)" docs/peers.md

bad-warcs: build ## docs/bad-warcs.md: what other readers make of testdata/bad-warcs (1 minute, network; JWARC=jwarc.jar)
	"$$(sh scripts/python.sh 'warcio, fastwarc' 'warcio fastwarc')" scripts/bad_warcs_peers.py $(BIN) testdata/bad-warcs docs/bad-warcs.md $(JWARC)

bench-segment: ## tokenizers and segmentation, and large pages (5 minutes; SHARED=folder)
	$(CARGO) test --release -p warcsieve-html --lib -- --ignored --nocapture --test-threads 1 scan::tests::speed

agree-tokenizers: ## our tokenizer against lol_html and html5ever: 10 million generated pages, all labelled ones (12 minutes; SHARED=folder)
	WARCSIEVE_FULL=1 WARCSIEVE_ROUNDS=10000000 $(CARGO) test --release -p warcsieve-html --lib -- --nocapture scan

bench-index: build ## speed and memory of indexing the labelled corpora twelve times (3 minutes; SHARED=folder)
	sh scripts/index.sh $(BIN) $(WARCSIEVE_SHARED)

soak: build ## peak memory on a 2 GB and a 1 GB single-stream file (6 minutes; PART=name for another part)
	BIN=$(BIN) sh scripts/soak.sh $(or $(PART),stream)

soak-hour: build ## all parts: 1,000 and 20,000 files, 10 million records, 3 GB in one, broken disks, kills (1 hour, 8 GB of disk)
	BIN=$(BIN) sh scripts/soak.sh all

forecast-check: build ## what `plan` predicts from 1 % of 2 GB, compared with what `clean` takes (2 minutes; SHARED=folder for real pages, too)
	$(CARGO) build --release $(ALL) --example synthetic_crawl
	python3 scripts/forecast_check.py $(BIN) target/release/examples/synthetic_crawl $(or $(MEGABYTES),2000) $(WARCSIEVE_SHARED)

kill: build ## kill -9 at 50 random moments, then compare every output (5 minutes)
	sh scripts/kill.sh $(BIN)

kill-inside: build ## kill -9 one file of GB=2 at KILLS=50 moments in a row, then compare every output (10 minutes)
	$(CARGO) build --release $(ALL) --example synthetic_crawl
	python3 scripts/kill_inside.py $(BIN) target/release/examples/synthetic_crawl $(or $(GB),2) $(or $(KILLS),50)

store-test: build ## from and to an S3 server of others (moto), compared with files (1 minute, network)
	"$$(sh scripts/python.sh moto.server,boto3 'moto[s3,server] boto3')" scripts/stores.py $(BIN)

spark-test: build ## Spark under faults against one machine: retries, a killed executor, speculation, shipping (5 minutes, network; needs Java 17)
	$(CARGO) build --release $(ALL) --example synthetic_crawl
	"$$(sh scripts/python.sh pyspark 'pyspark==4.*')" scripts/spark_test.py $(BIN) target/release/examples/synthetic_crawl

wheel: ## the Python package in target/wheels (30 minutes from nothing, network)
	sh scripts/wheel.sh release target/wheels

python-lint: ## format and lints of the Python package's Rust (5 minutes from nothing)
	$(CARGO) fmt --manifest-path python/Cargo.toml --check
	$(CARGO) clippy --manifest-path python/Cargo.toml --target-dir target --all-targets -- -D warnings

python-test: ## the wheel in a fresh environment: API, types, frameworks (25 minutes from nothing, network; PYTHON=python3.10 for another; SHARED=folder)
	sh scripts/wheel.sh test-wheel target/test-wheels
	sh scripts/python_test.sh "$(or $(PYTHON),python3)" target/test-wheels

python-hostile: ## 100,000 calls on hostile and random bytes in the environment of python-test: no crash, memory flat (2 minutes; CALLS=n)
	WARCSIEVE_HOSTILE_CALLS=$(or $(CALLS),100000) target/python-test/bin/python -m pytest python/tests/test_hostile.py -s

python-speed: wheel ## docs/peers.md, the part on Python: extractors on the same pages, threads, the library in Rust (10 minutes more, network; SHARED=folder)
	$(CARGO) build --release --manifest-path python/Cargo.toml --target-dir target --example library
	sh scripts/python_speed.sh target/wheels $(WARCSIEVE_SHARED)/corpora/wcxb-dev.warc.gz docs/peers.md

msrv: ## the oldest Rust of Cargo.toml builds program and wheel (6 minutes from nothing, network; needs rustup)
	sh scripts/msrv.sh target/msrv

archive: ## what is published of the program, in target/archives (8 minutes from nothing; PROFILE=dev for a trial)
	$(CARGO) build --profile $(PROFILE) --workspace $(ALL) --bin warcsieve
	sh packaging/archive.sh target/$(PROFILE:dev=debug)/warcsieve "$$(rustc -vV | sed -n 's/^host: //p')" target/archives

# Docker, ruby, shells and cargo-semver-checks are used where they are installed; what was left out is said.
release-check: archive features ## a release is whole: features, versions, licences, archive, formula, image, workflows, crates (8 minutes more, network)
	sh scripts/release_check.sh

# Instrumented as `cargo fuzz` does it, but without nightly; see CONTRIBUTING.md.
fuzz: ## libFuzzer on every reader of foreign bytes (10 minutes, and 8 to build; MINUTES=n, TARGETS="warc http"; needs a C++ compiler)
	$(CARGO) build -p warcsieve -p warcsieve-fuzz $(ALL) --bin seeds
	@mkdir -p target/fuzz && rm -rf target/fuzz/seeds && target/debug/seeds target/fuzz/seeds > target/fuzz/list
	RUSTC_WRAPPER="$(CURDIR)/fuzz/instrument.sh" $(CARGO) build --release --manifest-path fuzz/Cargo.toml --target-dir target/fuzz
	python3 scripts/fuzz.py $(or $(MINUTES),10) target/fuzz/list $(TARGETS)

docs-site: ## the documentation as a site in target/docs-site, its links checked (needs mdbook)
	@command -v mdbook >/dev/null || { echo "mdbook is not installed: cargo install mdbook --locked" >&2; exit 1; }
	mdbook build
	python3 scripts/docs_links.py target/docs-site

install: ## the binary with all commands into ~/.cargo/bin (8 minutes from nothing)
	$(CARGO) install --path . --locked $(ALL)

clean: ## remove what was built
	$(CARGO) clean
