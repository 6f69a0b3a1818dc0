#!/bin/sh
# cehtd beside cectd on the labelled corpora, and how many pages were laid out, at what cost.
# Usage: layout.sh BINARY SHARED OUT; the binary has the feature `layout`.
set -eu
bin=$1
shared=$2
out=$3
[ -d "$shared/corpora" ] || { echo "no corpora in $shared; set SHARED=folder" >&2; exit 1; }
python=$(sh "$(dirname "$0")/python.sh")
mkdir -p "$out"
for corpus in wcxb-dev l3s-gn1 cleaneval-test; do
  "$bin" eval "$shared/corpora/$corpus.warc.gz" --gold "$shared/corpora/$corpus.gold.jsonl.gz" \
    --pipeline cectd --pipeline cehtd --out "$out/$corpus" > "$out/$corpus.txt" || [ $? -eq 10 ]
  for pipeline in cectd cehtd; do
    rm -rf "$out/$corpus-$pipeline"
    # User and system time of the run, its child processes included.
    sh -c "$bin clean $shared/corpora/$corpus.warc.gz --quiet --pipeline $pipeline --out $out/$corpus-$pipeline || [ \$? -eq 10 ]; times" \
      > "$out/$corpus-$pipeline.times"
  done
done
"$python" "$(dirname "$0")/layout.py" "$out"
