#!/bin/sh
# Long checks: memory, many and large inputs, killed processes.
# Usage: soak.sh PART…, or `all`, or nothing for a list. BIN=program, SCALE=share of the sizes.
set -eu
bin=${BIN:-target/release/warcsieve}
profile=$(basename "$(dirname "$bin")")
generator=target/$profile/examples/synthetic_crawl
[ "$profile" = debug ] && release= || release=--release
cargo build --quiet $release --features lab,object-store --example synthetic_crawl
exec python3 scripts/soak/run.py "$bin" "$generator" "$@"
