#!/bin/sh
# Installs the newest wheel of a folder into a fresh environment and runs its tests there.
# usage: python_test.sh PYTHON WHEELS [arguments of pytest]
# Frameworks that cannot be installed are left out, and their tests say so.
set -eu
python=$1
wheels=$2
shift 2
wheel=$(ls -t "$wheels"/warcsieve-*.whl | head -n 1)
venv=target/python-test
rm -rf "$venv"
"$python" -m venv "$venv"
"$venv/bin/pip" install --quiet --upgrade pip
"$venv/bin/pip" install --quiet "$wheel" pytest
echo '<p>Before anything else is installed, a page goes through: its words are counted, its blocks are weighed.' |
  "$venv/bin/python" -c 'import sys, warcsieve; assert warcsieve.Extractor("keep-all").extract(sys.stdin.read())'
for packages in "numpy pyarrow polars duckdb mypy typing_extensions" "datatrove[io] orjson trafilatura" "pyspark==4.*" datasets langchain-core llama-index-core haystack-ai markitdown "msgspec necessary"; do
  # shellcheck disable=SC2086 # a list
  "$venv/bin/pip" install --quiet $packages || echo "left out, for pip could not install them: $packages" >&2
done
"$venv/bin/python" -m pytest python/tests -rs "$@"
