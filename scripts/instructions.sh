#!/bin/sh
# Instructions that `clean` takes, counted by valgrind's callgrind, beside those accepted. Fails where a
# figure is more than 3 % above. Usage: [UPDATE=1] instructions.sh BINARY SYNTHETIC_CRAWL ACCEPTED
# UPDATE=1 accepts what is counted.
set -eu
bin=$1
synthetic=$2
accepted=$3
# Name of a figure, and the function whose instructions, with those of all it calls, it is.
stages='
records       WarcReader as .*Source>::read_record
pages         PageReader::read
segmentation  segmenter::Segmenter::segment
labels        BoostedTrees as .*Classifier>::classify
text          PlainText::write
rows          RowBuilder::push
parquet       TableWriter::encode
parquet-end   TableWriter::finish
'

for tool in valgrind callgrind_annotate; do
  command -v "$tool" > /dev/null || { echo "no $tool; it comes with valgrind" >&2; exit 1; }
done
tmp=$(mktemp -d "${TMPDIR:-/tmp}/instructions.XXXXXX")
trap 'rm -rf "$tmp"' EXIT

# Counts depend on the compiler and on what code can ask the CPU for. Valgrind knows no more
# than AVX2, so CPUs differ in these alone.
place() {
  rustc --version
  echo "$(uname -m) $(grep -owE 'ssse3|sse4_2|popcnt|pclmulqdq|avx|f16c|fma|avx2|bmi1|bmi2' /proc/cpuinfo | sort -u | tr '\n' ' ')"
}

# Figures of cleaning $2, their names beginning with $1.
count() {
  code=0
  LC_ALL=C valgrind --tool=callgrind --callgrind-out-file="$tmp/$1" --log-file="$tmp/log" \
    "$bin" clean "$2" --out "$tmp/out-$1" --threads 1 --quiet 2> "$tmp/said" || code=$?
  # 10 says that faults are listed, as those of the crawl in testdata/ are.
  [ "$code" -eq 0 ] || [ "$code" -eq 10 ] || { cat "$tmp/log" "$tmp/said" >&2; exit 1; }
  awk -v name="$1" '/^(summary|totals):/ { total = $2 } END { print name, "total", total }' "$tmp/$1"
  callgrind_annotate --auto=no --inclusive=yes --threshold=100 --show-percs=no "$tmp/$1" > "$tmp/functions"
  echo "$stages" | while read -r stage function; do
    [ -n "$stage" ] || continue
    # Lines are "1,234  file:function [object]", the largest first.
    found=$(awk -v function_="$function( \\\\[.*)?\$" '$0 ~ function_ { gsub(",", "", $1); print $1; exit }' "$tmp/functions")
    [ -n "$found" ] || { echo "no function matches $function: it was renamed, or inlined" >&2; exit 1; }
    echo "$1 $stage $found"
  done
}

place > "$tmp/place"
if [ -z "${UPDATE:-}" ]; then
  [ -f "$accepted" ] || { echo "no $accepted; UPDATE=1 writes it" >&2; exit 1; }
  sed -n 2,3p "$accepted" | diff - "$tmp/place" >&2 || {
    echo "the accepted counts (<) are of another compiler or CPU than this (>)" >&2
    echo "take them anew on a commit that is known to be good, with UPDATE=1, then compare yours" >&2
    exit 1
  }
fi

"$synthetic" "$tmp/synthetic.warc.gz" 4 > "$tmp/pages"
{
  echo "# Instructions of \`warcsieve clean --threads 1\` as \`cargo xtask bench-instructions\` counts them, accepted."
  cat "$tmp/place"
  count synthetic "$tmp/synthetic.warc.gz"
  count testdata testdata/crawl
} > "$tmp/now"

if [ -n "${UPDATE:-}" ]; then
  cp "$tmp/now" "$accepted"
  cat "$accepted"
  exit
fi
awk -v limit=1.03 '
  FNR <= 3 { next }
  { figure = $1 " " $2 }
  NR == FNR { accepted[figure] = $3; next }
  !(figure in accepted) { print figure ": not in the accepted"; bad++; next }
  {
    ratio = $3 / accepted[figure]
    over = ratio > limit
    bad += over
    printf "%-24s %15.0f accepted %15.0f now %+7.2f %%%s\n", figure, accepted[figure], $3, 100 * (ratio - 1), over ? "  TOO MANY" : ""
    delete accepted[figure]
  }
  END {
    for (figure in accepted) { print figure ": accepted, and not counted"; bad++ }
    exit bad > 0
  }' "$accepted" "$tmp/now"
