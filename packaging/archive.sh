#!/bin/sh
# Packs a built program for publication: NAME-VERSION-TARGET.tar.gz and its sha256, and lists what is linked in, in
# NAME-VERSION-TARGET.cdx.json.
# usage: archive.sh BINARY TARGET FOLDER
# TARGET is a target triple of rustc. The archive is written to FOLDER.
# With GNU tar, the same program always makes the same bytes.
set -eu
binary=$1
target=$2
out=$3
name=warcsieve-$(python3 packaging/version.py)-$target
work=$out/$name
rm -rf "$work"
mkdir -p "$work/completions" "$work/man"

cp "$binary" README.md CHANGELOG.md LICENSE-MIT LICENSE-APACHE "$work"
python3 packaging/notices.py "$work/LICENSE-THIRD-PARTY" Cargo.toml --features lab,object-store
python3 packaging/sbom.py "$out/$name.cdx.json" Cargo.toml --features lab,object-store
"$binary" man --out "$work/man"
"$binary" completions bash > "$work/completions/warcsieve.bash"
"$binary" completions zsh > "$work/completions/_warcsieve"
"$binary" completions fish > "$work/completions/warcsieve.fish"
strip "$work/warcsieve"
chmod 755 "$work/warcsieve"

tar=tar
command -v gtar >/dev/null && tar=gtar
set --
if "$tar" --version | grep -q GNU; then set -- --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0; fi
"$tar" -C "$out" "$@" -cf "$out/$name.tar" "$name"
gzip -9nf "$out/$name.tar"
rm -rf "$work"
cd "$out"
if command -v sha256sum >/dev/null; then sha256sum "$name.tar.gz"; else shasum -a 256 "$name.tar.gz"; fi > "$name.tar.gz.sha256"
cat "$name.tar.gz.sha256"
