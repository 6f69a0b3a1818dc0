"""The examples of docs/python/ and of the readme run as they are printed, in the order of their page."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import PAGE, REPOSITORY

PAGES = sorted((REPOSITORY / "docs" / "python").glob("*.md")) + [
    REPOSITORY / "docs" / "python.md", REPOSITORY / "python" / "README.md"]
NEEDS = re.compile(r"^\s*(?:from|import) (\w+)", re.M)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_examples_run(page: Path, crawl: Path, tmp_path: Path) -> None:
    examples = re.findall(r"^```python\n(.*?)^```", page.read_text(), re.M | re.S)
    if not examples:
        pytest.skip("it has none")
    script = "\n".join(examples)
    for module in sorted(set(NEEDS.findall(script)) - {"warcsieve"}):
        # NeMo Curator and Dolma are tested in files of their own.
        pytest.importorskip(module)
    shutil.copytree(crawl, tmp_path / "crawl")
    shutil.copy(next(crawl.rglob("00.warc.gz")), tmp_path / "crawl.warc.gz")
    (tmp_path / "page.html").write_text(PAGE)
    (tmp_path / "example.py").write_text(script)
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1",
                   "HF_HOME": str(tmp_path / "hf"), "HAYSTACK_TELEMETRY_ENABLED": "False"}
    done = subprocess.run([sys.executable, "example.py"], cwd=tmp_path, env=environment, capture_output=True, text=True,
                          timeout=300)
    assert done.returncode == 0, f"{script}\n{done.stderr[-3000:]}"
    assert done.stdout
