#!/bin/sh
# Kills a run with SIGKILL at random moments, runs it again, and compares every
# output with an undisturbed run. Usage: kill.sh BINARY [TIMES]
set -eu
bin=$1
times=${2:-50}
tmp=$(mktemp -d "${TMPDIR:-/tmp}/kill.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
cargo build --quiet --release --features lab,object-store --example synthetic_crawl
mkdir "$tmp/in"
for i in 1 2 3 4; do target/release/examples/synthetic_crawl "$tmp/in/$i.warc.gz" $((i * 3)) members >/dev/null; done
sums() { (cd "$1" && find . -type f | sort | xargs sha256sum); }
start=$(date +%s%N)
"$bin" clean "$tmp/in" --out "$tmp/whole" --threads 2 --quiet
took=$((($(date +%s%N) - start) / 1000000))
sums "$tmp/whole" >"$tmp/whole.sums"
n=0
while [ "$n" -lt "$times" ]; do
  n=$((n + 1))
  rm -rf "$tmp/out"
  "$bin" clean "$tmp/in" --out "$tmp/out" --threads 2 --quiet &
  pid=$!
  # A different moment each time, spread over the run.
  sleep "$(awk -v n="$n" -v t="$times" -v ms="$took" 'BEGIN {print ms / 1000 * (n - .5) / t}')"
  kill -9 "$pid" 2>/dev/null || true
  wait "$pid" 2>/dev/null || true
  "$bin" clean "$tmp/in" --out "$tmp/out" --threads 2 --quiet
  sums "$tmp/out" >"$tmp/out.sums"
  if ! cmp -s "$tmp/whole.sums" "$tmp/out.sums"; then
    echo "kill $n of $times: outputs differ" >&2
    diff "$tmp/whole.sums" "$tmp/out.sums" >&2 || true
    exit 1
  fi
done
echo "$times kills: every output and manifest row the same as undisturbed, no temporary file left"
