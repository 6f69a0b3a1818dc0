"""Writes which crates are linked into a program: a bill of materials in the form of CycloneDX.

usage: sbom.py OUT MANIFEST [options of `cargo metadata`, such as --features lab,object-store]

The crates are those of `notices.py`, with the sums of `Cargo.lock`. A few are not linked: cargo names what features of
tests bring, too. The same lock file always gives the same bytes.
"""
import json
import pathlib
import sys
import tomllib

from notices import linked, metadata


def component(kind, package, sums):
    name, version = package["name"], package["version"]
    found = {
        "type": kind,
        "bom-ref": f"pkg:cargo/{name}@{version}",
        "name": name,
        "version": version,
        "licenses": [{"expression": package["license"].replace("/", " OR ")}],
        "purl": f"pkg:cargo/{name}@{version}",
    }
    if (name, version) in sums:
        found["hashes"] = [{"alg": "SHA-256", "content": sums[name, version]}]
    return found


def main():
    out, manifest, *options = sys.argv[1:]
    found = metadata(manifest, options)
    lock = tomllib.loads((pathlib.Path(found["workspace_root"]) / "Cargo.lock").read_text())
    sums = {(p["name"], p["version"]): p["checksum"] for p in lock["package"] if "checksum" in p}
    program = next(p for p in found["packages"] if p["id"] == found["resolve"]["root"])
    crates = [component("library", package, sums) for package in linked(found)]
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": component("application", program, sums)},
        "components": crates,
    }
    pathlib.Path(out).write_text(json.dumps(bill, indent=1) + "\n")
    print(f"{out}: {len(crates)} crates")


main()
