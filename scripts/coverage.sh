#!/bin/sh
# Counts which lines the tests run, and writes the share of each crate to PAGE. The lines that no test runs are in
# FOLDER/missed.txt. It needs llvm-profdata and llvm-cov, not older than the compiler's LLVM: LLVM_PROFDATA=file and
# LLVM_COV=file, those of `rustup component add llvm-tools`, or those on the path.
# Usage: coverage.sh FOLDER PAGE [TEST ARGUMENT…]
set -eu
folder=$1 page=$2
shift 2
cargo=${CARGO:-cargo}
host=$(rustc -vV | sed -n 's/^host: //p')
tools=$(rustc --print sysroot)/lib/rustlib/$host/bin
[ -n "${LLVM_PROFDATA:-}" ] || { [ -x "$tools/llvm-profdata" ] && LLVM_PROFDATA=$tools/llvm-profdata; } || LLVM_PROFDATA=llvm-profdata
[ -n "${LLVM_COV:-}" ] || { [ -x "$tools/llvm-cov" ] && LLVM_COV=$tools/llvm-cov; } || LLVM_COV=llvm-cov
rm -rf "$folder"
mkdir -p "$folder/raw"
folder=$(cd "$folder" && pwd)
# Only crates of this project are compiled for it: those of others are shared with other builds.
export RUSTC_WORKSPACE_WRAPPER="$PWD/scripts/instrument.sh"
# Build scripts and macros run, too, while the rest is built; what they count is not wanted.
LLVM_PROFILE_FILE=/dev/null "$cargo" test --workspace --features lab,object-store --lib --bins --tests --no-run \
  2> "$folder/built" || { cat "$folder/built" >&2; exit 1; }
# Processes add to a few files, for there are thousands of processes.
code=0
LLVM_PROFILE_FILE="$folder/raw/%4m.profraw" "$cargo" test --workspace --features lab,object-store --lib --bins --tests \
  --no-fail-fast -- --skip linear_time "$@" > "$folder/log" 2>&1 || code=$?
[ "$code" -eq 0 ] || { grep -E '^(test .*FAILED|error)' "$folder/log" >&2 || true; echo "coverage: some tests failed; see $folder/log" >&2; }
"$LLVM_PROFDATA" merge --sparse -o "$folder/profile" "$folder/raw"
python3 scripts/coverage.py "$LLVM_COV" "$folder" "${CARGO_TARGET_DIR:-target}/debug/warcsieve" "$page"
exit "$code"
