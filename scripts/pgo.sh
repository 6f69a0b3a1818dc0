#!/bin/sh
# Runs COMMAND, which builds the program, with a profile of where the program spends its time
# (profile-guided optimisation), so that the compiler arranges the code for it.
# Usage: pgo.sh COMMAND...
#
# The profile is made once for a state of the code: a build that counts, and its runs over generated
# pages and testdata/, never over a corpus on which figures are reported. It needs llvm-profdata, not
# older than the compiler's LLVM: LLVM_PROFDATA=file, that of `rustup component add llvm-tools`, or
# one on the path. Where there is none, or PGO=no is given, COMMAND runs without a profile.
# In any case it builds in target/pgo/HOST, where HOST is the target triple of this machine. Both builds name it: with
# and without a target, functions have different symbols, and the profile would match none.
set -eu
cd "$(dirname "$0")/.."
cargo=${CARGO:-cargo}
features=lab,object-store
host=$(rustc -vV | sed -n 's/^host: //p')
llvm=$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
folder=$PWD/target/pgo
profile=$folder/warcsieve.profdata

plainly() {
  echo "pgo: built without a profile, which costs speed: $1" >&2
  shift
  export CARGO_TARGET_DIR="$folder" CARGO_BUILD_TARGET="$host"
  exec "$@"
}

# The first llvm-profdata that can read what this compiler's programs write.
profdata() {
  for tool in "${LLVM_PROFDATA:-}" "$(rustc --print sysroot)/lib/rustlib/$host/bin/llvm-profdata" \
    "llvm-profdata-$llvm" llvm-profdata; do
    version=$("$tool" --version 2>/dev/null | sed -n 's/.*LLVM version \([0-9]*\).*/\1/p' | head -n 1) || continue
    if [ "${version:-0}" -ge "$llvm" ]; then echo "$tool"; return; fi
  done
}

[ "${PGO:-}" != no ] || plainly "as PGO=no says" "$@"
tool=$(profdata)
[ -n "$tool" ] || plainly "no llvm-profdata of LLVM $llvm or newer" "$@"

# Of the sources, as a profile of other sources helps less.
state=$({ rustc -vV; find Cargo.toml Cargo.lock crates src models examples tests/it/common testdata/crawl -type f |
  sort | xargs cat; } | cksum)
if [ ! -f "$profile" ] || [ "$(cat "$profile.of" 2>/dev/null)" != "$state" ]; then
  rm -rf "$folder/raw" "$folder/runs"
  mkdir -p "$folder/runs"
  # Names are not compressed: some builds of llvm-profdata have no zlib.
  CARGO_TARGET_DIR=$folder/counting \
    RUSTFLAGS="-Cprofile-generate=$folder/raw -Cllvm-args=-enable-name-compression=false" \
    $cargo build --release --locked --features $features --target "$host" --bin warcsieve --example synthetic_crawl
  built=$folder/counting/$host/release
  "$built/examples/synthetic_crawl" "$folder/runs/generated.warc.gz" 20
  for input in "$folder/runs/generated.warc.gz" testdata/crawl; do
    code=0
    "$built/warcsieve" clean "$input" --out "$folder/runs/$(basename "$input" .warc.gz)" --threads 1 --quiet || code=$?
    # 10 says that faults are listed, as those of testdata/crawl are.
    [ "$code" -eq 0 ] || [ "$code" -eq 10 ] || exit "$code"
  done
  "$tool" merge -o "$profile" "$folder/raw"
  echo "$state" > "$profile.of"
fi
export CARGO_TARGET_DIR="$folder" CARGO_BUILD_TARGET="$host" RUSTFLAGS="-Cprofile-use=$profile"
exec "$@"
