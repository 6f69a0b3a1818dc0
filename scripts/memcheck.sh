#!/bin/sh
# Runs valgrind's memcheck over what reaches `unsafe` or C: the tests of the crates for crawl files, models and tables,
# and the program. Fails if it finds a wrong access, a value that is used before it is set, or memory that is lost.
# The short form of fuzzing is left out: valgrind does not bear how it reads the clock. Valgrind knows no AVX-512: it
# runs the code for AVX2.
# Usage: memcheck.sh
set -eu
cargo=${CARGO:-cargo}
export PROPTEST_CASES=8
folder=target/memcheck
rm -rf "$folder"
mkdir -p "$folder"
"$cargo" test --workspace --features lab,object-store --lib --test it --no-run 2> "$folder/built" ||
  { cat "$folder/built" >&2; exit 1; }

check() {
  echo "memcheck: $*"
  valgrind --quiet --error-exitcode=9 --suppressions=scripts/memcheck.supp \
    --leak-check=full --show-leak-kinds=definite --errors-for-leak-kinds=definite "$@"
}

# The test program of a crate, with some of its tests.
tests() {
  program=$(sed -n "s|.*(\(.*/deps/$1-[0-9a-f]*\))\$|\1|p" "$folder/built")
  shift
  check "$program" --quiet --test-threads 1 "$@"
}

# libdeflate and zstd. What is left out measures time, or reads the same members many times over.
tests warcsieve_warc --skip linear --skip reader::
# Vector instructions.
tests warcsieve_model
# zstd in Parquet files. What is left out measures time.
tests warcsieve_tables --skip bounded_time
# The program from its first to its last step, and what looks at standard output before `main`.
program=${CARGO_TARGET_DIR:-target}/debug/warcsieve
check "$program" clean testdata/crawl --out "$folder/out" --threads 2 --quiet || [ $? -eq 10 ]
check "$program" signals "$folder/out" --out "$folder/signals" --quiet
check "$program" extract testdata/pages --to json > "$folder/text" || [ $? -eq 10 ]
code=0
check "$program" --version >&- || code=$?
[ "$code" -eq 2 ]
