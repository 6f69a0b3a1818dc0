# What is done daily. Everything else is a task of `cargo xtask`: `cargo xtask --list`.
# Options are given after a target: make fuzz MINUTES=30. SHARED=folder has the labelled corpora.
CARGO ?= cargo
OUT ?= target/demo-output
# Everything but layout engines and what needs a GPU.
ALL = --features lab,object-store
# Options as they were given. NAME is no option, and CARGO is for make alone.
OPTIONS = $(filter-out CARGO=% NAME=%,$(MAKEOVERRIDES))

.PHONY: help build demo check check-fast test bench fuzz soak reproduce docs wheel python-test install release-check clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
	@echo "  cargo xtask --list  all other tasks: what each does, what it needs and how long it takes"

build: ## the release binary with all commands (8 minutes from nothing)
	$(CARGO) build --release $(ALL)

demo: ## show a page as Markdown, clean the crawl in testdata/ and show what came out (3 minutes from nothing)
	$(CARGO) build --profile demo
	@sh scripts/demo.sh target/demo/warcsieve $(OUT)

check: ## everything a change must pass (20 minutes from nothing)
	$(CARGO) xtask check $(OPTIONS)

check-fast: ## format, lints and the quick tests (under 4 minutes where most is built)
	$(CARGO) xtask check-fast $(OPTIONS)

test: ## all tests (most of the time of check)
	$(CARGO) xtask test $(OPTIONS)

bench: ## where the time of a page goes, stage by stage (2 minutes; WARC=file.warc.gz)
	$(CARGO) xtask bench $(OPTIONS)

fuzz: ## libFuzzer on every reader of untrusted bytes (10 minutes, and 8 to build; MINUTES=n TARGETS="warc http"; C++ compiler)
	$(CARGO) xtask fuzz $(OPTIONS)

soak: ## peak memory on large files (6 minutes; PART=name for another part)
	$(CARGO) xtask soak $(OPTIONS)

reproduce: ## write figures of the documentation again (NAME=name, or NAME=all; without it, the names)
	$(CARGO) xtask reproduce $(NAME) $(OPTIONS)

docs: ## the documentation as a site in target/docs-site, its links checked (needs mdbook)
	$(CARGO) xtask docs

wheel: ## the Python package in target/wheels (30 minutes from nothing, network)
	$(CARGO) xtask wheel

python-test: ## the wheel in a fresh environment: API, types, frameworks (25 minutes from nothing, network; PYTHON=python3.10)
	$(CARGO) xtask python-test $(OPTIONS)

install: ## the binary with all commands into ~/.cargo/bin (8 minutes from nothing)
	$(CARGO) install --path . --locked $(ALL)

release-check: ## a release is whole: features, versions, licences, archive, formula, image, workflows, crates, clients (26 minutes, network)
	$(CARGO) xtask release-check $(OPTIONS)

clean: ## remove what was built
	$(CARGO) clean
