#!/bin/sh
# Builds the wheel of the Python package, with the licences of what is linked in, and next to it a list of that.
# On Linux zig links it, so that the wheel runs on systems with an old glibc (2.17, of 2012), whatever this one has.
# usage: wheel.sh PROFILE FOLDER; a profile of python/Cargo.toml
set -eu
profile=$1
out=$2
python3 packaging/notices.py python/LICENSE-THIRD-PARTY python/Cargo.toml
mkdir -p "$out"
host=$(rustc -vV | sed -n 's/^host: //p')
python3 packaging/sbom.py "$out/warcsieve-$(python3 packaging/version.py)-python-$host.cdx.json" python/Cargo.toml
case $host in
  *-linux-gnu)
    python=$(sh scripts/python.sh "maturin, ziglang" "maturin ziglang")
    CARGO_ZIGBUILD_PYTHON_PATH=$("$python" -c 'import sys; print(sys.executable)')
    export CARGO_ZIGBUILD_PYTHON_PATH
    set -- --zig --target "$host" --compatibility manylinux2014
    ;;
  *)
    python=$(sh scripts/python.sh maturin maturin)
    set --
    ;;
esac
CARGO_TARGET_DIR=$PWD/target "$python" -m maturin build \
  --manifest-path python/Cargo.toml --profile "$profile" --out "$out" "$@"
