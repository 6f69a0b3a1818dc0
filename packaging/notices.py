"""Writes the licences of the crates that are linked into a program, with their texts.

usage: notices.py OUT MANIFEST [options of `cargo metadata`, such as --features lab,object-store]

Build dependencies and procedural macros are not part of the program. Ends with 1 if a crate has no licence, or one that
is not in ALLOWED.
"""
import json
import os
import re
import subprocess
import sys

# If a crate offers a choice of licences, one of them must be here. All of these licences only demand that their text is
# included. MPL-2.0 also demands that the source of its files is available: they are unchanged, and at the address of the
# crate.
ALLOWED = {
    "0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0", "CC0-1.0", "ISC", "MIT",
    "MIT-0", "MPL-2.0", "Unicode-3.0", "Unlicense", "Zlib", "bzip2-1.0.6", "zlib-acknowledgement",
}
HEAD = """warcsieve itself is MIT or Apache-2.0. Its network for languages is that of Compact Language Detector 3, Apache-2.0,
Copyright 2016 Google Inc. It holds code of these crates, under the licences that they name; texts follow."""
NAMES = re.compile(r"(licen[cs]e|copying|copyright|notice|unlicense)", re.I)
# Tests of C libraries, and files that are not text.
ELSEWHERE = re.compile(r"^(tests?|target|examples?|contrib|programs|src|\..*)$")
DEEPEST = 2


def metadata(manifest, options):
    rustc = subprocess.run(["rustc", "-vV"], check=True, capture_output=True, text=True).stdout
    host = re.search(r"^host: (.*)$", rustc, re.M).group(1)
    command = [os.environ.get("CARGO", "cargo"), "metadata", "--format-version", "1", "--manifest-path", manifest,
               "--filter-platform", host, *options]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def linked(found):
    """The packages that normal dependencies lead to from the root."""
    packages = {package["id"]: package for package in found["packages"]}
    nodes = {node["id"]: node for node in found["resolve"]["nodes"]}
    left, seen = [found["resolve"]["root"]], set()
    while left:
        name = left.pop()
        is_macro = any("proc-macro" in target["kind"] for target in packages[name]["targets"])
        if name in seen or is_macro:
            continue
        seen.add(name)
        for dependency in nodes[name]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                left.append(dependency["pkg"])
    # Ours have no source, and their licence is elsewhere.
    return sorted((packages[name] for name in seen if packages[name]["source"]), key=lambda p: (p["name"], p["version"]))


def is_allowed(expression):
    """Whether an SPDX expression leaves a choice of allowed licences, where all that `AND` joins do."""
    parts = re.sub(r"[()]", "", expression).replace("/", " OR ").split(" AND ")
    return all(any(" ".join(name.split()) in ALLOWED for name in part.split(" OR ")) for part in parts)


def texts(package):
    """Texts of licences that are in a package, those of C code below it, too."""
    top = os.path.dirname(package["manifest_path"])
    for folder, folders, files in os.walk(top):
        depth = os.path.relpath(folder, top).count(os.sep) + (folder != top)
        folders[:] = sorted(f for f in folders if depth < DEEPEST and not ELSEWHERE.match(f))
        for file in sorted(files):
            if NAMES.match(file) and not file.endswith((".rs", ".py", ".toml", ".json")):
                with open(os.path.join(folder, file), encoding="utf-8", errors="replace") as text:
                    yield text.read().strip()


def main():
    out, manifest, *options = sys.argv[1:]
    packages = linked(metadata(manifest, options))
    wrong = [p for p in packages if not is_allowed(p["license"] or "")]
    for package in wrong:
        print(f"{package['name']} {package['version']}: licence {package['license']!r} is not allowed", file=sys.stderr)
    holders, lines, bare = {}, [], 0
    for package in packages:
        name = f"{package['name']} {package['version']}"
        found = [text for text in texts(package) if text]
        for text in found:
            holders.setdefault(" ".join(text.split()), (text, []))[1].append(name)
        bare += not found
        by = ", ".join(re.sub(r" <.*?>", "", author) for author in package["authors"])
        alone = f" (its package has no text; by {by or 'its contributors'})" if not found else ""
        lines.append(f"{name}: {package['license']}{alone}\n    {package['repository'] or 'no address given'}")
    parts = [HEAD, "\n".join(lines)]
    for text, names in holders.values():
        parts.append(f"{'-' * 80}\n{', '.join(dict.fromkeys(names))}:\n\n{text}")
    with open(out, "w", encoding="utf-8") as file:
        file.write("\n\n".join(parts) + "\n")
    print(f"{out}: {len(packages)} crates, {len(holders)} texts, {bare} crates without one")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
