#!/bin/sh
# Figures of the shipped pipelines on the labelled corpora, a table a corpus; full reports
# go to OUT. Usage: accuracy.sh BINARY SHARED OUT [PIPELINE…]
set -eu
bin=$1
shared=$2
out=$3
shift 3
[ -d "$shared/corpora" ] || { echo "no corpora in $shared; set SHARED=folder" >&2; exit 1; }
[ $# -gt 0 ] || set -- $("$bin" methods --names)
flags=
for pipeline in "$@"; do flags="$flags --pipeline $pipeline"; done
for corpus in wcxb-dev l3s-gn1 cleaneval-test dragnet-a; do
  echo
  echo "## $corpus"
  echo
  "$bin" eval "$shared/corpora/$corpus.warc.gz" --gold "$shared/corpora/$corpus.gold.jsonl.gz" \
    $flags --out "$out/$corpus" > "$out.$corpus.txt" || [ $? -eq 10 ]
  # The list of the worst pages stands in the report.
  sed '/^## /,$d' "$out.$corpus.txt"
  rm "$out.$corpus.txt"
done
