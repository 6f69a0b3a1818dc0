#!/bin/sh
# Says what is missing to build warcsieve, and installs what Debian can provide.
set -eu
if ! command -v cargo >/dev/null 2>&1; then
  echo "Rust is missing; install it from https://rustup.rs and run this again" >&2
  exit 1
fi
# zstd is C code inside its crate: any C compiler builds it.
if ! command -v cc >/dev/null 2>&1; then
  if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    apt-get update -qq && apt-get install -y -qq gcc libc6-dev
  else
    echo "a C compiler is missing (Debian: apt-get install gcc libc6-dev)" >&2
    exit 1
  fi
fi
cargo --version
