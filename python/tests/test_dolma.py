"""Dolma toolkit: against the classes of its published wheel."""

from __future__ import annotations

import importlib
import sys
import types

import pytest

import published
import warcsieve

VERSION = "1.2.1"


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> types.ModuleType:
    pytest.importorskip("msgspec")
    pytest.importorskip("necessary")
    folder = published.wheel("dolma", VERSION)
    for package in ("dolma", "dolma.core", "dolma.warc"):
        published.empty(package, monkeypatch)
    for name in ("core.data_types", "core.taggers", "core.registry"):
        published.load(folder, f"dolma.{name}", f"dolma/{name.replace('.', '/')}.py", monkeypatch)
    published.empty("dolma.warc.utils", monkeypatch, raise_warc_dependency_error=str)
    published.load(folder, "dolma.warc.linearizers", "dolma/warc/linearizers.py", monkeypatch)
    monkeypatch.delitem(sys.modules, "warcsieve.integrations.dolma", raising=False)
    return importlib.import_module("warcsieve.integrations.dolma")


def test_linearizer(module: types.ModuleType, page: str) -> None:
    linearizer = sys.modules["dolma.warc.linearizers"].LinearizerRegistry.get("warcsieve")()
    expected = warcsieve.extract(page)
    assert linearizer.linearize(page) == linearizer.linearize(page.encode()) == expected
    assert linearizer.linearize("") == "" and linearizer.faults == {}
    small = module.WarcsieveLinearizer("max_page_bytes = 1024\n[[step]]\nmethod = 'keep-all'\n")
    assert small.linearize("x" * 2000) == "" and small.faults == {"too_large": 1}


def test_tagger(module: types.ModuleType, page: str) -> None:
    tagger = sys.modules["dolma.core.registry"].TaggerRegistry.get("warcsieve")()
    types_ = sys.modules["dolma.core.data_types"]
    found = tagger.tag(types_.InputSpec(id="1", text=page))
    assert set(found) == {"content", "boilerplate"}
    start, end, score = found["content"][-1]
    assert "this was the food of ships" in page[start:end].replace("\n", " ") and score > 0.5
    assert any(page[start:end] == "Imprint" for start, end, _ in found["boilerplate"])
    for keys in ("max_page_bytes = 1024\n", "[[filter]]\nkeep = 'n_blocks > 99'\n"):
        strict = module.WarcsieveTagger(f"{keys}[[step]]\nmethod = 'keep-all'\n")
        assert strict.predict(types_.Document(source="", version="", id="1", text=page * 5)).spans == []
