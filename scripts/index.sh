#!/bin/sh
# Speed and memory of indexing the cleaned text of a synthetic crawl. Memory is that of the process's own, without
# what it maps of files. Usage: index.sh BINARY [MEGABYTES] [HEAP_MEGABYTES]
set -eu
bin=$1
size=${2:-2000}
heap=${3:-256}
tmp=$(mktemp -d "${TMPDIR:-/tmp}/index.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
cargo build --quiet --release --example synthetic_crawl
mkdir "$tmp/crawl"
for part in 1 2 3 4; do
  target/release/examples/synthetic_crawl "$tmp/crawl/$part.warc.gz" $((size / 4))
done
"$bin" clean "$tmp/crawl" --out "$tmp/shards" --quiet
measure() {
  name=$1
  shift
  begun=$(date +%s.%N)
  "$bin" index "$tmp/shards" --out "$tmp/$name" --heap "${heap}M" --threads 2 --log-format json "$@" > "$tmp/end" &
  pid=$!
  peak=0
  while kill -0 "$pid" 2>/dev/null; do
    now=$(awk '/RssAnon/ {print $2}' "/proc/$pid/status" 2>/dev/null || true)
    [ "${now:-0}" -gt "$peak" ] && peak=$now
    sleep 0.05
  done
  wait "$pid"
  ended=$(date +%s.%N)
  sed 's/.*"text_bytes_added":\([0-9]*\).*/\1/' "$tmp/end" | awk -v a="$begun" -v b="$ended" -v peak="$peak" \
    -v heap="$heap" -v name="$name" '{
      printf "%s: %.1f MB of text in %.1f s: %.1f MB/s; peak memory %d MiB, heap %d MiB (bound: heap + 200)\n",
        name, $1 / 1e6, b - a, $1 / 1e6 / (b - a), peak / 1024, heap
      exit !(peak / 1024 <= heap + 200)
    }'
}
measure cleaned
measure raw --field raw
measure sliding --field raw --sliding
