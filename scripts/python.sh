#!/bin/sh
# Prints a Python that can import MODULES, made in target/python from PACKAGES if need be.
# usage: python.sh [MODULES PACKAGES], each one argument
set -eu
modules=${1:-pyarrow, duckdb}
packages=${2:-pyarrow duckdb}
if python3 -c "import $modules" 2>/dev/null; then
  echo python3
  exit
fi
venv=target/python
if [ ! -x "$venv/bin/python" ] || ! "$venv/bin/python" -c "import $modules" 2>/dev/null; then
  python3 -m venv "$venv" >&2
  # Unquoted: a word a package.
  "$venv/bin/pip" install --quiet $packages >&2
fi
echo "$venv/bin/python"
