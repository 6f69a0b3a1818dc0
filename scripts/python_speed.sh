#!/bin/sh
# The newest wheel of a folder beside other extractors for Python and the library in Rust: writes a part of a page.
# usage: python_speed.sh WHEELS FILE.warc.gz OUT.md; the example `library` is in target/release/examples
# What cannot be installed is left out, and said.
set -eu
wheels=$1
file=$2
out=$3
[ -f "$file" ] || { echo "no $file; set SHARED=folder" >&2; exit 1; }
venv=target/python-speed
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check --force-reinstall --no-deps "$(ls -t "$wheels"/warcsieve-*.whl | head -n 1)"
for packages in "fastwarc resiliparse" "trafilatura lxml_html_clean" readability-lxml justext; do
  # shellcheck disable=SC2086 # a list
  "$venv/bin/pip" install --quiet --disable-pip-version-check $packages ||
    echo "left out, for pip could not install them: $packages" >&2
done
exec "$venv/bin/python" scripts/python_peers.py "$file" target/release/examples/library "$out"
