#!/bin/sh
# Builds the fuzz targets and their seeds, and runs them. Usage: fuzz.sh MINUTES [TARGET…]
# Instrumented as `cargo fuzz` does it, but without nightly; see CONTRIBUTING.md.
set -eu
cargo=${CARGO:-cargo}
"$cargo" build -p warcsieve -p warcsieve-fuzz --features lab,object-store --bin seeds
mkdir -p target/fuzz
rm -rf target/fuzz/seeds
target/debug/seeds target/fuzz/seeds > target/fuzz/list
RUSTC_WRAPPER=$PWD/fuzz/instrument.sh "$cargo" build --release --manifest-path fuzz/Cargo.toml --target-dir target/fuzz
minutes=$1
shift
exec python3 scripts/fuzz.py "$minutes" target/fuzz/list "$@"
