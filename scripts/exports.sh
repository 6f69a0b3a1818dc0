#!/bin/sh
# Cleans a labelled corpus, exports it in every way, and reads all of it back in Python.
# Usage: exports.sh BINARY SHARED
set -eu
bin=$1
shared=$2
[ -d "$shared/corpora" ] || { echo "no corpora in $shared; set SHARED=folder" >&2; exit 1; }
python=$(sh "$(dirname "$0")/python.sh" "pyarrow, zstandard, ciff_toolkit, fastwarc" "pyarrow zstandard ciff-toolkit fastwarc")
tmp=$(mktemp -d "${TMPDIR:-/tmp}/exports.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
"$bin" clean "$shared/corpora/wcxb-dev.warc.gz" --out "$tmp/shards" --quiet
"$python" "$(dirname "$0")/check_exports.py" "$bin" "$tmp/shards" "$tmp"
