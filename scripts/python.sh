#!/bin/sh
# Prints a Python that has pyarrow and duckdb, made in target/python if need be.
set -eu
if python3 -c 'import pyarrow, duckdb' 2>/dev/null; then
  echo python3
  exit
fi
venv=target/python
if [ ! -x "$venv/bin/python" ] || ! "$venv/bin/python" -c 'import pyarrow, duckdb' 2>/dev/null; then
  python3 -m venv "$venv" >&2
  "$venv/bin/pip" install --quiet pyarrow duckdb >&2
fi
echo "$venv/bin/python"
