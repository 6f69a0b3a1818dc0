#!/bin/sh
# Checks that the program and the wheel build with the oldest Rust that Cargo.toml allows.
# usage: msrv.sh [TARGET_FOLDER]
# Its own folder of outputs, or the other compiler would make all of them anew.
set -eu
out=${1:-target/msrv}
version=$(sed -n 's/^rust-version = "\([0-9.]*\)".*/\1/p' Cargo.toml)
python=$(sed -n 's/^rust-version = "\([0-9.]*\)".*/\1/p' python/Cargo.toml)
[ "$version" = "$python" ] || { echo "Cargo.toml says Rust $version, python/Cargo.toml $python" >&2; exit 1; }
rustup toolchain install "$version" --profile minimal --no-self-update
cargo "+$version" check --target-dir "$out" --locked --workspace --lib --bins --features lab,object-store
cargo "+$version" check --target-dir "$out" --locked --manifest-path python/Cargo.toml
