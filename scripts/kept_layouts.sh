#!/bin/sh
# wcxb-dev laid out by Chromium, with pictures, kept in OUT: what is there is not done again.
# Usage: kept_layouts.sh BINARY SHARED OUT; the binary has the feature `browser`.
set -eu
bin=$1
shared=$2
out=$3
pages=$shared/corpora/wcxb-dev.warc.gz
[ -f "$pages" ] || { echo "no $pages; set SHARED=folder" >&2; exit 1; }
mkdir -p "$out"
cat > "$out/chromium.toml" <<EOF
# Layouts and pictures of pages, to be kept
layout = "chromium"
boxes = true
screenshots = true
blocks = false

[[step]]
method = "keep-all"
EOF
"$bin" clean "$pages" --quiet --pipeline "$out/chromium.toml" --out "$out/chromium" || [ $? -eq 10 ]
cat > "$out/kept.toml" <<EOF
# The layouts of that run, in the segmentation of goce
layout = "kept"
layouts = "chromium"
screenshots = true

[[step]]
method = "goce-article"
EOF
