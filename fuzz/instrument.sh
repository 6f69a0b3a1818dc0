#!/bin/sh
# Runs rustc for cargo (RUSTC_WRAPPER): counts the branches taken in this project's crates and in
# parquet, as `cargo fuzz` would in all. The fewer counters, the more executions a second.
rustc=$1
shift
case " $* " in
*" --crate-name warcsieve_"* | *" --crate-name parquet "*)
    exec "$rustc" "$@" -Cpasses=sancov-module -Cllvm-args=-sanitizer-coverage-level=3 \
        -Cllvm-args=-sanitizer-coverage-inline-8bit-counters \
        -Cllvm-args=-sanitizer-coverage-pc-table ;;
esac
exec "$rustc" "$@"
