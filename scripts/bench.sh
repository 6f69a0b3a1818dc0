#!/bin/sh
# Where the time of a page goes, stage by stage: in FILE, or in a synthetic crawl, and in wcxb-dev if it is there.
# Usage: bench.sh SHARED [FILE.warc.gz]
set -eu
wcxb=$1/corpora/wcxb-dev.warc.gz
shift
stages() { ${CARGO:-cargo} bench --features lab,object-store --bench speed -- stages "$@"; }
stages "$@"
if [ $# -eq 0 ] && [ -f "$wcxb" ]; then stages "$wcxb"; fi
