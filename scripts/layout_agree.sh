#!/bin/sh
# Blitz beside Chromium on the labelled corpora: the boxes of blocks, and which blocks cehtd keeps.
# Usage: layout_agree.sh BINARY SHARED OUT [CORPUS…]; the binary has the features `layout` and `browser`.
set -eu
bin=$1
shared=$2
out=$3
shift 3
[ $# -gt 0 ] || set -- wcxb-dev l3s-gn1 cleaneval-test
[ -d "$shared/corpora" ] || { echo "no corpora in $shared; set SHARED=folder" >&2; exit 1; }
python=$(sh "$(dirname "$0")/python.sh")
mkdir -p "$out"
for engine in blitz chromium; do
  printf 'layout = "%s"\n[[step]]\nmethod = "cehtd"\n' "$engine" > "$out/$engine.toml"
  for corpus in "$@"; do
    rm -rf "$out/$corpus-$engine"
    "$bin" clean "$shared/corpora/$corpus.warc.gz" --quiet --pipeline "$out/$engine.toml" \
      --out "$out/$corpus-$engine" > /dev/null || [ $? -eq 10 ]
  done
done
"$python" "$(dirname "$0")/layout_agree.py" "$out" "$@"
