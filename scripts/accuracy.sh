#!/bin/sh
# Word F1 of the shipped pipelines on the labelled corpora, by the referee that
# stands beside them. Usage: accuracy.sh BINARY SHARED [PIPELINE…]
set -eu
bin=$1
shared=$2
shift 2
[ -d "$shared/corpora" ] || { echo "no corpora in $shared; set SHARED=folder" >&2; exit 1; }
[ $# -gt 0 ] || set -- default density numwords keep-all min-words justext
python=$(sh "$(dirname "$0")/python.sh")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
for pipeline in "$@"; do
  for corpus in wcxb-dev l3s-gn1 cleaneval-test dragnet-a; do
    code=0
    "$bin" clean "$shared/corpora/$corpus.warc.gz" --out "$tmp/$pipeline/$corpus" \
      --pipeline "$pipeline" --quiet || code=$?
    case $code in 0 | 10) ;; *) exit "$code" ;; esac
    printf '%-10s ' "$pipeline"
    "$python" "$shared/tools/score.py" "$tmp/$pipeline/$corpus/documents/$corpus.warc.gz.parquet" "$corpus"
  done
done
