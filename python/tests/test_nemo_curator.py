"""NeMo Curator: against the interface classes of its published wheel."""

from __future__ import annotations

import importlib
import sys
import types

import pytest

import published
import warcsieve

VERSION = "1.4.0"


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    folder = published.wheel("nemo-curator", VERSION)
    base = "nemo_curator.stages.text.download"
    path = base.replace(".", "/")
    for package in ("nemo_curator", "nemo_curator.stages", "nemo_curator.stages.text"):
        published.empty(package, monkeypatch)
    extract = published.load(folder, f"{base}.base.extract", f"{path}/base/extract.py", monkeypatch)
    html = published.load(folder, f"{base}.html_extractors.base", f"{path}/html_extractors/base.py", monkeypatch)
    published.empty(base, monkeypatch, DocumentExtractor=extract.DocumentExtractor)
    published.empty(f"{base}.html_extractors", monkeypatch, HTMLExtractorAlgorithm=html.HTMLExtractorAlgorithm)
    monkeypatch.delitem(sys.modules, "warcsieve.integrations.nemo_curator", raising=False)
    return importlib.import_module("warcsieve.integrations.nemo_curator")


def test_algorithm(module: types.ModuleType, page: str) -> None:
    algorithm = module.WarcsieveAlgorithm()
    assert "\n\n".join(algorithm.extract_text(page, frozenset(), "ENGLISH")) == warcsieve.extract(page)
    assert algorithm.extract_text("", frozenset(), "ENGLISH") is None
    small = module.WarcsieveAlgorithm("max_page_bytes = 1024\n[[step]]\nmethod = 'keep-all'\n")
    assert small.extract_text("x" * 2000, frozenset(), "ENGLISH") is None


def test_extractor(module: types.ModuleType, page: str) -> None:
    extractor = module.WarcsieveExtractor(output="markdown")
    record = {"url": "https://a.example/", "warc_id": "1", "source_id": "a.warc.gz", "content": page.encode()}
    assert set(record) == set(extractor.input_columns())
    found = extractor.extract(record)
    assert list(found) == extractor.output_columns()
    assert found["text"] == warcsieve.extract(page, output="markdown") and found["language"] == "en"
    assert found["author"] == "Ada Byron"
    assert extractor.extract({**record, "content": b""}) is None and extractor.faults == {}
    small = module.WarcsieveExtractor("max_page_bytes = 1024\n[[step]]\nmethod = 'keep-all'\n")
    assert small.extract({**record, "content": "x" * 2000}) is None and small.faults == {"too_large": 1}
