#!/bin/sh
# The documentation as a site in target/docs-site, its links checked. Usage: docs.sh
set -eu
command -v mdbook > /dev/null || { echo "mdbook is not installed: cargo install mdbook --locked" >&2; exit 1; }
mdbook build
python3 scripts/docs_links.py target/docs-site
