"""Reads or sets the version in all files that contain it.

usage: version.py [NEW]

Prints the version, and ends with 1 if files differ. If NEW is given, it is first written to all files.
`CHANGELOG.md` is written by hand.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
NUMBER = r'"(\d+\.\d+\.\d+[^"]*)"'
LOCKED = r'(name = "warcsieve[\w-]*"\nversion = )' + NUMBER
PLACES = {
    "Cargo.toml": [rf"(\[workspace\.package\]\nversion = ){NUMBER}", rf"(warcsieve-\w+ = {{[^}}]* version = ){NUMBER}"],
    "Cargo.lock": [LOCKED],
    "python/Cargo.toml": [rf"(\[package\]\nname = [^\n]*\nversion = ){NUMBER}"],
    "python/Cargo.lock": [LOCKED],
}


def found():
    """Versions by file; those of a file that says several are all of them."""
    for name, patterns in PLACES.items():
        text = (ROOT / name).read_text()
        for pattern in patterns:
            said = {match[1] for match in re.findall(pattern, text)}
            yield name, said or {"no version"}


def write(new):
    for name, patterns in PLACES.items():
        text = (ROOT / name).read_text()
        for pattern in patterns:
            text = re.sub(pattern, rf'\g<1>"{new}"', text)
        (ROOT / name).write_text(text)


def version():
    """The version; `ValueError` where files differ or the changelog has no part for it."""
    places = list(found())
    all_said = set().union(*(said for _, said in places))
    if len(all_said) != 1:
        raise ValueError("; ".join(f"{name}: {', '.join(sorted(said))}" for name, said in places))
    [one] = all_said
    if f"\n## {one}" not in (ROOT / "CHANGELOG.md").read_text():
        raise ValueError(f"CHANGELOG.md has no part for {one}")
    return one


if __name__ == "__main__":
    if len(sys.argv) > 1:
        write(sys.argv[1])
    try:
        print(version())
    except ValueError as error:
        sys.exit(f"versions differ: {error}")
