#!/bin/sh
# Cleans all labelled corpora and odd files in one run, then checks the output from
# outside: sums, footers, hashes, ids, DuckDB and pyarrow. Usage: corpora.sh BINARY SHARED
set -eu
bin=$1
shared=$2
[ -d "$shared/corpora" ] || { echo "no corpora in $shared; set SHARED=folder" >&2; exit 1; }
python=$(sh "$(dirname "$0")/python.sh")
tmp=$(mktemp -d "${TMPDIR:-/tmp}/corpora.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
code=0
"$bin" clean "$shared/corpora/*.warc.gz" "$shared/warc-zoo/*arc*" --out "$tmp" || code=$?
# The odd files hold faults, which are listed: done, code 10.
[ "$code" = 10 ] || { echo "expected exit code 10, got $code" >&2; exit 1; }
"$python" "$(dirname "$0")/corpora.py" "$tmp" "$shared"
