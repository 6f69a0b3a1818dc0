#!/bin/sh
# Shows a page as Markdown, cleans the crawl in testdata/ and shows what came out. Usage: demo.sh BINARY OUT
set -eu
bin=$1
out=$2
rm -rf "$out"
say() { printf '\n== %s\n\n' "$*"; }

say "warcsieve extract testdata/pages/news.html --to md"
"$bin" extract testdata/pages/news.html --to md

say "warcsieve clean testdata/crawl --out $out"
# The crawl holds one damaged member on purpose, so the run ends with code 10:
# done, with faults that are counted and listed.
code=0
"$bin" clean testdata/crawl --out "$out" || code=$?
[ "$code" = 10 ] || { echo "expected exit code 10, got $code" >&2; exit 1; }

say "What was written"
find "$out" -type f | sort

say "A page before: the first lines of its HTML"
"$bin" inspect testdata/crawl/en0000/00.warc.gz --id testdata-0001 --html | head -n 30

say "The same page after: blocks kept (+) and dropped (-), and why (the first 23)"
"$bin" inspect testdata/crawl/en0000/00.warc.gz --id testdata-0001 | head -n 80

say "What was kept of all: warcsieve status $out"
code=0
"$bin" status "$out" || code=$?
[ "$code" = 10 ] || { echo "expected exit code 10, got $code" >&2; exit 1; }

say "To look at in a browser: a page's blocks, and what the run did"
cat <<END
  $bin view testdata/crawl/en0000/00.warc.gz --id testdata-0001 --out $out-page.html
  $bin report $out --out $out-report.html
END

say "For your own crawls: make install"
echo "  This program is built to be built quickly; that one is many times faster."
