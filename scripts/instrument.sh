#!/usr/bin/env bash
# Runs rustc for cargo (RUSTC_WORKSPACE_WRAPPER): counts which parts of this project's code are run.
# Bash, because sh drops variables whose names have a hyphen, such as CARGO_BIN_EXE_warcsieve-reproduce.
# Names are not compressed: some builds of LLVM's tools have no zlib.
rustc=$1
shift
exec "$rustc" "$@" -Cinstrument-coverage -Cllvm-args=-enable-name-compression=false
