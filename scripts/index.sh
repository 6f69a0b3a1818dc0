#!/bin/sh
# Speed and memory of indexing the labelled corpora many times over. Memory is that of the process's own, without what it
# maps of files. Usage: index.sh BINARY SHARED [COPIES] [HEAP_MEGABYTES]
set -eu
bin=$1
corpora=$2/corpora
copies=${3:-12}
heap=${4:-256}
tmp=$(mktemp -d "${TMPDIR:-/tmp}/index.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
mkdir "$tmp/crawl"
for copy in $(seq "$copies"); do
  for corpus in "$corpora"/*.warc.gz; do
    ln -s "$corpus" "$tmp/crawl/$copy-$(basename "$corpus")"
  done
done
"$bin" clean "$tmp/crawl" --out "$tmp/shards" --quiet || [ $? = 10 ]
measure() {
  name=$1
  # MiB that it may take beside the heap.
  bound=$2
  shift 2
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
    -v heap="$heap" -v name="$name" -v bound="$bound" '{
      printf "%s: %.1f MB of text in %.1f s: %.1f MB/s; peak memory %d MiB, heap %d MiB\n",
        name, $1 / 1e6, b - a, $1 / 1e6 / (b - a), peak / 1024, heap
      exit !(peak / 1024 <= heap + bound)
    }'
}
measure cleaned 200
measure raw 200 --field raw
# Each step of a threshold is a field, which takes memory in every thread.
measure sliding 500 --field raw --sliding
