"""The newest wheel: its metadata, licences and size."""
import configparser
import email
import re
import zipfile

from archive import LICENCES
from claim import claim, left_out

LARGEST = 40_000_000
# The wheel must not need a newer glibc than this: that of Red Hat Enterprise Linux 8.
GLIBC = (2, 28)


def check(root, version):
    wheels = [file for folder in ("wheels", "test-wheels") for file in (root / "target" / folder).glob("warcsieve-*.whl")]
    if not wheels:
        left_out("the wheel: make wheel builds it")
        return
    newest = max(wheels, key=lambda file: file.stat().st_mtime)
    with zipfile.ZipFile(newest) as packed:
        info = f"warcsieve-{version}.dist-info"
        names = packed.namelist()
        if not claim(f"{info}/METADATA" in names, f"{newest.name} is of {version}"):
            return
        said = email.message_from_bytes(packed.read(f"{info}/METADATA"))
        commands = configparser.ConfigParser()
        commands.read_string(packed.read(f"{info}/entry_points.txt").decode())
    claim("warcsieve" in commands["console_scripts"], "it has the command")
    licences = [name for name in LICENCES if f"{info}/licenses/{name}" not in names]
    claim(not licences and said["License-Expression"] == "MIT OR Apache-2.0", f"it has its licences {licences or ''}")
    claim(said["Description-Content-Type"] and said.get_payload().strip(), "it has a readme")
    claim("warcsieve/py.typed" in names and not any("__pycache__" in name for name in names), "types, and no caches")
    if "linux" in newest.name:
        # A wheel that only says `linux` may need anything, so PyPI refuses it.
        floors = [tuple(map(int, floor)) for floor in re.findall(r"manylinux_(\d+)_(\d+)", newest.name)]
        claim(floors and min(floors) <= GLIBC, f"it runs with glibc {'.'.join(map(str, GLIBC))}")
    size = newest.stat().st_size
    claim(size < LARGEST, f"it has {size / 1e6:.1f} MB")
