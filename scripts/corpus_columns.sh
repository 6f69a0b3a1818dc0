#!/bin/sh
# Cleans a labelled corpus, exports it in the columns of published corpora, and compares schemas, values and numbers of
# tokens in Python.
# Usage: corpus_columns.sh BINARY SHARED
set -eu
bin=$1
shared=$2
[ -d "$shared/corpora" ] || { echo "no corpora in $shared; set SHARED=folder" >&2; exit 1; }
modules="pyarrow, duckdb, datasets, tokenizers, zstandard"
python=$(sh "$(dirname "$0")/python.sh" "$modules" "pyarrow duckdb datasets tokenizers zstandard")
tmp=$(mktemp -d "${TMPDIR:-/tmp}/columns.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
"$bin" clean "$shared/corpora/wcxb-dev.warc.gz" --out "$tmp/shards" --quiet
HF_HOME="$tmp/hf" "$python" "$(dirname "$0")/corpus_columns.py" "$bin" "$tmp/shards" "$tmp"
