#!/bin/sh
# Programs that people use today over the pages of a WARC file, in turn with ours: writes a table.
# Usage: peers.sh BINARY FILE.warc.gz OUT.md
# Python packages go to target/peers, and so do the Rust project of dom_smoothie and the package of Unfluff, so that none
# of them is ever a dependency of ours. What cannot be installed is left out, and said.
set -eu
bin=$1
file=$2
out=$3
work=target/peers
[ -f "$file" ] || { echo "no $file; set WARC=file.warc.gz or SHARED=folder" >&2; exit 1; }
mkdir -p "$work"

[ -x "$work/python/bin/python" ] || python3 -m venv "$work/python"
python=$work/python/bin/python
for packages in "fastwarc resiliparse" "turbohtml" "trafilatura" "justext lxml_html_clean"; do
  # shellcheck disable=SC2086 # a list
  "$python" -m pip install --quiet --disable-pip-version-check $packages ||
    echo "left out, for pip could not install them: $packages" >&2
done
"$python" -c 'import fastwarc, resiliparse' ||
  { echo "FastWARC reads the pages for all others; without it there is nothing to compare" >&2; exit 1; }

# Where a crate of ours lies.
folder() { dirname "$(grep -lx "name = \"$1\"" crates/*/Cargo.toml crates/*/*/Cargo.toml 2> /dev/null)"; }
cat > "$work/Cargo.toml" << END
[package]
name = "peers"
version = "0.0.0"
edition = "2024"

[[bin]]
name = "peers"
path = "../../scripts/peers.rs"

[dependencies]
warcsieve-page = { path = "../../$(folder warcsieve-page)" }
warcsieve-warc = { path = "../../$(folder warcsieve-warc)" }
dom_smoothie = "0.19"

[profile.release]
codegen-units = 4
lto = "thin"

[workspace]
END
rust=target/release/peers
${CARGO:-cargo} build --quiet --release --manifest-path "$work/Cargo.toml" --target-dir target ||
  { echo "left out, for it could not be built: dom_smoothie" >&2; rust=; }

exec "$python" scripts/peers.py "$bin" "$file" "$out" "$work/Cargo.lock" $rust
