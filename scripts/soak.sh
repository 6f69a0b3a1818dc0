#!/bin/sh
# Peak memory of two threads on single-stream files of 1 GB and 2 GB, which must
# not depend on the size. Usage: soak.sh BINARY [MEGABYTES]
set -eu
bin=$1
large=${2:-2000}
tmp=$(mktemp -d "${TMPDIR:-/tmp}/soak.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
cargo build --quiet --release --features lab,object-store --example synthetic_crawl
peak() {
  target/release/examples/synthetic_crawl "$tmp/in.warc.gz" "$1" stream
  "$bin" clean "$tmp/in.warc.gz" --out "$tmp/out" --threads 2 --quiet &
  pid=$!
  peak=0
  # VmHWM is the kernel's own high-water mark; the last reading before the end counts.
  while kill -0 "$pid" 2>/dev/null; do
    now=$(awk '/VmHWM/ {print $2}' "/proc/$pid/status" 2>/dev/null || true)
    [ -n "$now" ] && peak=$now
    sleep 0.2
  done
  wait "$pid"
  echo "$1 MB single stream: peak $((peak / 1024)) MiB"
  rm -rf "$tmp/out"
  eval "$2=$peak"
}
peak $((large / 2)) half
peak "$large" whole
awk -v a="$half" -v b="$whole" 'BEGIN {
  printf "larger / smaller: %.3f (bound 1.10); bound 256 MiB\n", b / a
  exit !(b / a <= 1.1 && b <= 256 * 1024)
}'
