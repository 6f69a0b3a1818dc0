#!/bin/sh
# Searches an export of wcxb-dev with other engines. Usage: engines.sh BINARY SHARED PAGE
set -eu
bin=$1
shared=$2
[ -d "$shared/corpora" ] || { echo "no corpora in $shared; set SHARED=folder" >&2; exit 1; }
here=$(dirname "$0")
if ! python=$(sh "$here/python.sh" "ciff_toolkit, pyterrier_pisa, tantivy" "ciff-toolkit pyterrier_pisa tantivy"); then
  echo "skipped: the other engines cannot be installed (no network?); nothing was compared" >&2
  exit 0
fi
"$python" "$here/engines.py" "$bin" "$shared" "$3"
