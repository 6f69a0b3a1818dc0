"""Classes of packages that are too large to install for a test: the files of their published wheels, by themselves.

`pip download --no-deps` gets the wheel; modules that the classes do not need are left empty.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import types
import zipfile
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parents[2] / "target" / "python-published"


def wheel(package: str, version: str) -> Path:
    """The unpacked wheel of a package."""
    folder = FOLDER / f"{package}-{version}"
    if not folder.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:",
                   "--dest", FOLDER, f"{package}=={version}"]
        if subprocess.run(command, capture_output=True).returncode:
            pytest.skip(f"{package} {version} cannot be downloaded")
        [file] = FOLDER.glob(f"{package.replace('-', '_')}-{version}-*.whl")
        part = folder.with_suffix(f".{os.getpid()}.part")
        zipfile.ZipFile(file).extractall(part)
        part.rename(folder)
    return folder


def load(folder: Path, module: str, file: str, monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    """A module from its file, without the package around it."""
    spec = importlib.util.spec_from_file_location(module, folder / file)
    assert spec and spec.loader
    found = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, module, found)
    spec.loader.exec_module(found)
    return found


def empty(module: str, monkeypatch: pytest.MonkeyPatch, **members: object) -> types.ModuleType:
    """A package that holds only these members."""
    found = types.ModuleType(module)
    found.__path__ = []  # type: ignore[attr-defined]
    for name, member in members.items():
        setattr(found, name, member)
    monkeypatch.setitem(sys.modules, module, found)
    return found
