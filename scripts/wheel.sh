#!/bin/sh
# Builds the wheel of the Python package, with the licences of what is linked in, and next to it a list of that.
# usage: wheel.sh PROFILE FOLDER; a profile of python/Cargo.toml
set -eu
profile=$1
out=$2
python3 packaging/notices.py python/LICENSE-THIRD-PARTY python/Cargo.toml
mkdir -p "$out"
host=$(rustc -vV | sed -n 's/^host: //p')
python3 packaging/sbom.py "$out/warcsieve-$(python3 packaging/version.py)-python-$host.cdx.json" python/Cargo.toml
CARGO_TARGET_DIR=$PWD/target "$(sh scripts/python.sh maturin maturin)" -m maturin build \
  --manifest-path python/Cargo.toml --profile "$profile" --out "$out"
