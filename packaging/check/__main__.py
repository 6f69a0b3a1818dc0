"""Whether a release is whole: prints a line a claim, ends with 1 if one does not hold.

usage: python packaging/check, from anywhere; `cargo xtask archive` comes before it
"""
import pathlib
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(1, str(ROOT / "packaging"))

import archive
import crates
import texts
import wheel
from claim import claim, end
from version import version


def main():
    archives = ROOT / "target" / "archives"
    try:
        number = version()
    except ValueError as error:
        claim(False, "one version", str(error))
        end()
    claim(True, f"one version, {number}")
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        crates.check_notices(ROOT, work)
        archive.check(ROOT, archives, number)
        wheel.check(ROOT, number)
        texts.check_formula(archives, work)
    texts.check_image(ROOT)
    texts.check_workflows(ROOT)
    crates.check_deny(ROOT)
    crates.check_publish(ROOT)
    crates.check_semver(ROOT)
    end()


main()
