#!/bin/sh
# Compares signals with the programs that they are named after. Usage: signals.sh BINARY SHARED OUT [EVERY]
set -eu
here=$(dirname "$0")
python=$(sh "$here/python.sh" 'datatrove, spacy, regex, pyarrow' 'datatrove spacy regex pyarrow')
# Dolma's tagger needs nothing of what its package asks for.
"$python" -m pip install --quiet --no-deps dolma >&2
rm -rf "$3"
exec "$python" "$here/signals.py" "$@"
